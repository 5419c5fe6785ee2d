"""What a master or a bot may ask of its connection, as values; :mod:`game_masters.kit.run` performs them in order.

Masters and bots decide, and the run loop acts. So a test of a whole dialogue is a comparison of lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from ugs.wire.messages import LoginError, Message


class Level(Enum):
    """How severe a note is. The values are the names of the logger's methods."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message. Consecutive sends become one write."""

    message: Message


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait ``seconds``: a bot seems to think."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Note:
    """Write a line to the log. ``bug`` is an exception to show with its traceback."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    level: Level = Level.INFO
    bug: Exception | None = None


@dataclass(frozen=True, slots=True)
class Reconnect:
    """Close this connection and connect again after a while."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Close for good and end with an exit code, after the other side has closed or ``linger_s`` seconds have passed.

    Waiting matters after a ``logout``: closing a socket while the other side still writes resets the connection, and a
    reset may overtake what was sent last.
    """

    exit_code: int
    linger_s: float = 0.0


Effect: TypeAlias = Send | Pause | Note | Reconnect | Finish


class Client(Protocol):
    """One side of a conversation with the broker, without I/O. Every method returns what is to be done."""

    def connected(self) -> list[Effect]:
        """A new connection is open. What belonged to an earlier one is void."""

    def received(self, message: Message) -> list[Effect]:
        """Handle a message. Never raises, whatever the message is."""

    def interrupted(self) -> list[Effect]:
        """A signal asks to stop while connected. Returns the last messages, if any."""

    @property
    def accepted(self) -> bool:
        """Whether the login on the present connection was accepted."""

    @property
    def satisfied(self) -> bool:
        """Whether the connection may end now without this being a failure."""


REFUSALS: Mapping[LoginError, str] = {
    LoginError.WRONG_NICK: "wrong nick or id: malformed or already in use",
    LoginError.IMPROPER_GAME_TYPE: "improper game type: malformed or not offered by this server",
    LoginError.PLAYERS_POOL_OVERFLOW: "no room: the pool of waiting players or the server is full",
    LoginError.MASTER_ALREADY_REGISTERED: "a master for this game type is already registered",
    LoginError.WRONG_GAME_TYPE_DESCRIPTION: "wrong description of the game type: numbers of players",
}
"""The five reasons of a refused login, in words."""


def refused(error: LoginError, accepted_before: bool) -> list[Effect]:
    """Return what a client does about a refused login.

    A client that was accepted before has lost a connection that the server may not have noticed yet: its old connection
    still holds its nick, its seat in the pool or its registration. So it tries again. On a first login the reason will
    not go away by itself.
    """
    fields = {"reason": REFUSALS[error], "error_id": int(error)}
    if accepted_before:
        return [Note("login refused, will try again", fields, Level.WARNING), Reconnect()]
    return [Note("login refused", fields, Level.ERROR), Finish(1)]
