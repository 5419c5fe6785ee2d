"""What can happen to the broker. ``conn`` is the number the shell gave to a connection; it is never used twice."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ugs.value import value
from ugs.wire.messages import Message


class TimerKind(StrEnum):
    """What a timer waits for."""

    LOGIN = "login"
    """A connection to log in; subject: conn."""
    GAME = "game"
    """Whatever the game waits for in its present phase; subject: game id."""
    GATHER = "gather"
    """More players than the least for a game; subject: game type."""
    CHAMPIONS = "champions"
    """The next moment at which a changed table may be told; subject: game type."""
    CHAMPIONSHIP = "championship"
    """The hour at which a championship begins with whoever is there; subject: game type."""
    DRAIN = "drain"
    """Running games to end before the server stops; subject: the empty text."""


class Timer(NamedTuple):
    """The name of a timer. Starting one that already runs starts it anew."""

    kind: TimerKind
    subject: int | str


@value
class Connected:
    """A peer has connected; nothing is known of it but its address (for people to read)."""

    conn: int
    address: str = ""


@value
class Received:
    """A whole, well-formed message has arrived."""

    conn: int
    message: Message


@value
class Misread:
    """A whole XML document has arrived that is no message; ``reason`` names message, field and value."""

    conn: int
    reason: str


@value
class Garbled:
    """Bytes have arrived that cannot be framed: the stream can no longer be trusted."""

    conn: int
    reason: str


@value
class Disconnected:
    """The connection is gone; ``reason`` says why, for people to read."""

    conn: int
    reason: str = "connection lost"


@value
class TimerFired:
    """The time of a timer that was started and not stopped is over."""

    timer: Timer


@value
class ShutdownAsked:
    """Somebody wants the server to stop: let running games end, then say good-bye. A second one: at once."""


Event: TypeAlias = Connected | Received | Misread | Garbled | Disconnected | TimerFired | ShutdownAsked
