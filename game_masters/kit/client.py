"""What a master or a bot may ask of its connection, as values; :mod:`game_masters.kit.run` performs them in order.

Masters and bots decide, the run loop does. So a test of a whole dialogue is a comparison of lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from ugs.wire.messages import LoginError, Message


class Level(Enum):
    """How loud a note is; the values are the names of the logger's methods."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message. Neighbouring sends become one write."""

    message: Message


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for a while: a bot that seems to think."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Note:
    """Something happened that is worth a line in the log. ``bug`` is an exception to show with its traceback."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    level: Level = Level.INFO
    bug: Exception | None = None


@dataclass(frozen=True, slots=True)
class Reconnect:
    """Close this connection and try again after a while."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Close and end for good with an exit code, after the other side has closed or ``linger_s`` seconds passed.

    Waiting matters after a ``logout``: to close a socket while the other side still writes resets the connection,
    and a reset may overtake what was sent last.
    """

    exit_code: int
    linger_s: float = 0.0


Effect: TypeAlias = Send | Pause | Note | Reconnect | Finish


class Client(Protocol):
    """One side of a conversation with the broker, without any I/O. Every method returns what is to be done."""

    def connected(self) -> list[Effect]:
        """A new connection stands; whatever belonged to an earlier one is void."""

    def received(self, message: Message) -> list[Effect]:
        """A message arrived. Never raises, whatever it is."""

    def interrupted(self) -> list[Effect]:
        """A signal asks to stop while connected: the last words, if any."""

    @property
    def accepted(self) -> bool:
        """True when the login on the present connection was accepted."""

    @property
    def satisfied(self) -> bool:
        """True when the connection may end now without anything having failed."""


REFUSALS: Mapping[LoginError, str] = {
    LoginError.WRONG_NICK: "wrong nick or id: malformed or already in use",
    LoginError.IMPROPER_GAME_TYPE: "improper game type: malformed or not offered by this server",
    LoginError.PLAYERS_POOL_OVERFLOW: "no room: the pool of waiting players or the server is full",
    LoginError.MASTER_ALREADY_REGISTERED: "a master for this game type is already registered",
    LoginError.WRONG_GAME_TYPE_DESCRIPTION: "wrong description of the game type: numbers of players",
}
"""The five reasons of a refused login in words."""


def refused(error: LoginError, accepted_before: bool) -> list[Effect]:
    """What a client does about a refused login.

    One that was accepted before has lost a connection which the server may not have noticed yet, so its nick, its
    seat in the pool or its registration are still held by its own ghost: it tries again. On a first login the
    reason will not go away by itself.
    """
    fields = {"reason": REFUSALS[error], "error_id": int(error)}
    if accepted_before:
        return [Note("login refused, will try again", fields, Level.WARNING), Reconnect()]
    return [Note("login refused", fields, Level.ERROR), Finish(1)]
