"""What a master or a bot may ask of its connection, as values; :mod:`game_masters.kit.run` performs them in order.

Masters and bots decide, and the run loop acts. So a test of a whole dialogue is a comparison of lists.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from game_masters.kit.memory import News
from ugs.wire.messages import Message


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
    """Close this connection and connect again."""

    after_s: float | None = None
    """Seconds until then; None: as long as after a lost connection. 0: at once, even if only one connection was asked
    for, since this one was no conversation."""
    is_invited: bool = False
    """Whether the server has asked to connect again before it closed the connection."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Close for good and end with an exit code, after the other side has closed or ``linger_s`` seconds have passed.

    Waiting matters after a ``logout``: closing a socket while the other side still writes resets the connection, and a
    reset may overtake what was sent last.
    """

    exit_code: int
    linger_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Keep:
    """Write something down for the next start of this program, before anything that follows is sent."""

    news: News


@dataclass(frozen=True, slots=True)
class Think:
    """Do ``work`` in a thread while the conversation goes on. What ``work`` returns is called afterwards, and its
    effects are performed, unless another Think or a StopThinking has come before. It must not raise."""

    work: Callable[[], "Callable[[], list[Effect]]"]
    stop: Callable[[], None]
    """Lets ``work`` return soon. Called while it runs, and again each second until it has returned."""


@dataclass(frozen=True, slots=True)
class StopThinking:
    """Stop the work of the last Think, if it goes on; nothing follows from it."""


Effect: TypeAlias = Send | Pause | Note | Keep | Think | StopThinking | Reconnect | Finish


class Client(Protocol):
    """One side of a conversation with the broker, without I/O. Every method returns what is to be done."""

    def connected(self) -> list[Effect]:
        """A new connection is open. What belonged to an earlier one is void."""

    def received(self, message: Message) -> list[Effect]:
        """Handle any message. Never raises."""

    def overdue(self) -> list[Effect]:
        """The server has not answered the login in time. Returns what to do about it."""

    def nudged(self) -> list[Effect]:
        """Some time has passed (:mod:`game_masters.kit.run`). Returns what to do about it, such as asking why."""

    def interrupted(self) -> list[Effect]:
        """A signal asks to stop while connected. Returns the last messages, if any."""

    @property
    def awaiting(self) -> bool:
        """Whether the login on the present connection has not been answered."""

    @property
    def accepted(self) -> bool:
        """Whether the login on the present connection was accepted."""

    @property
    def satisfied(self) -> bool:
        """Whether the connection may end now without this being a failure."""
