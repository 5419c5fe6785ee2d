"""What can happen to the broker. ``conn`` is the number the shell gave to a connection; it is never used twice."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ugs.broker.questions import Question
from ugs.championship.plan import Plan
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
    """The hour at which a championship begins with whoever is there; subject: its name."""
    RETURN = "return"
    """An entrant whose connection was lost to come back; subject: the name of the championship."""
    GRACE = "grace"
    """A player whose line was cut to come back; subject: the part of its token that is no secret."""
    SILENCE = "silence"
    """The next look for who is idle or inactive; subject: the empty text."""
    SPECTATORS = "spectators"
    """The moment at which those who watch with a delay may be told more; subject: the name of a channel."""
    LOW_TIME = "low time"
    """The moment to warn a player that its time runs out; subject: game id."""
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
    by_gateway: bool = False
    """Whether a gateway speaks for it, which judges by itself who is silent for too long."""


@value
class Presence:
    """Whether anything can be delivered to this player, for whom a gateway speaks. One who cannot be reached stays
    logged in, but leaves its game or table."""

    conn: int
    there: bool


@value
class Received:
    """A whole, well-formed message has arrived."""

    conn: int
    message: Message


@value
class Misread:
    """A whole XML document has arrived that is no message; ``reason`` names message, field and value. ``kind`` is its
    type and ``ref`` its reference, where that much could be read."""

    conn: int
    reason: str
    kind: str = ""
    ref: str = ""


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
class TimerBegun:
    """A timer that waited for a peer to be handed its messages has begun to count (:class:`StartTimer` with
    ``report``)."""

    timer: Timer


@value
class Started:
    """The server opens its doors; the first event there is. Entrants of an interrupted championship may come back."""

    plans: tuple[Plan, ...] = ()
    """Championships to be announced, unless they are known from an earlier life of the server."""
    date_s: float | None = None
    """The time on the wall in seconds since 1970, by which championships that have an hour begin at it. None: they do
    not."""


@value
class ResultKept:
    """The result of this game is on disk and will be there after a power cut: it may be announced."""

    game_id: str


@value
class JournalLost:
    """Nothing can be written down any more, and nothing since the last :class:`ResultKept` has been, but for the
    ledgers of championships: what was lost of those is written as soon as that is possible again."""

    reason: str


@value
class JournalBack:
    """The journal can be written again."""


@value
class Asked:
    """Somebody at this machine wants to know or to change something; an ``Answer`` with this ticket comes at once."""

    ticket: int
    question: Question


@value
class ShutdownAsked:
    """Somebody wants the server to stop: let running games end, then say good-bye. A second one: at once."""


Event: TypeAlias = (
    Connected
    | Received
    | Misread
    | Garbled
    | Disconnected
    | Presence
    | TimerFired
    | TimerBegun
    | Started
    | ResultKept
    | JournalLost
    | JournalBack
    | Asked
    | ShutdownAsked
)
