"""What the broker asks of the shell. The shell carries out effects in order.

An effect that is answered by an event names it: :class:`AnsweredBy`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from ugs.broker.events import Drawn, NickClaimed, Proved, Recalled, ResultKept, Timer, TimerFired, WhyAnswered
from ugs.broker.values.identity import Role
from ugs.broker.values.recollection import Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.values.replies import Reply
from ugs.broker.verdict import GameResult
from ugs.championship.due_draws import Request
from ugs.championship.ledger import LedgerEntry
from ugs.value import Light, value
from ugs.wire.messages import Message

E = TypeVar("E")


class AnsweredBy(Generic[E]):
    """An effect that the shell answers with an event of this type, sooner or later."""

    __slots__ = ()


class Send(Light, frozen=True):
    """Send this message to each of these connections."""

    to: tuple[int, ...]
    message: Message


@value
class Admit:
    """This connection has logged in: the larger message limit applies to it from now on."""

    conn: int


@value
class Close:
    """Close this connection when all messages to it have gone out. The broker has forgotten it."""

    conn: int


class StartTimer(Light, AnsweredBy[TimerFired], frozen=True):
    """Fire ``timer`` in ``seconds``, counted from now or, with ``after``, from when all messages so far to that
    connection have been handed to the network."""

    timer: Timer
    seconds: float
    after: int | None = None
    report: bool = False
    """Whether the broker wants a ``TimerBegun`` when the timer begins to count."""


@value
class Subscribe:
    """This connection gets all that is published on the channel from now on."""

    conn: int
    channel: str


@value
class Unsubscribe:
    """This connection gets nothing more from the channel; with None no connection does, and the channel is gone."""

    channel: str
    conn: int | None = None


@value
class Publish:
    """Send this message to all subscribers of the channel when there is time: messages to players come first. It is
    encoded once for all."""

    channel: str
    message: Message


@value
class StopTimer:
    """Stop this timer; does nothing when it does not run."""

    timer: Timer


@value
class RecordLogin:
    """A player or a master has logged in."""

    conn: int
    role: str
    """``player`` or ``master``."""
    name: str
    game_type: str
    address: str
    players: str = ""
    """How many players a master takes, such as ``2 to 4``, for people to read; empty for a player."""
    version: str = ""
    """The version of the peer's program; empty if it gave none."""


@value
class RecordLogout:
    """The player or master of this connection is gone; ``reason`` is for people to read."""

    conn: int
    reason: str


@value
class RecordBegin:
    """A game begins. ``seats`` are the nicks of its players, first seat first."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    championship: str = ""
    fixture: int = 0
    seats_total: int = 0
    """The number of seats, including those that the master plays; 0 when it plays none."""
    seed: str = ""
    """The seed of all chance in the game; empty when no other master could take the game over. It is secret while the
    game runs."""
    counts: bool = True
    """Whether its result goes into standings and ratings; false for a game with a single player."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table: ``name``, ``owner`` and ``visibility`` of that table; otherwise empty."""


@value
class RecordSession:
    """A player may come back with a token. ``session`` is the public part of the token, ``digest`` the SHA-256 of the
    whole token in hexadecimal digits. Recorded again when something in it has changed."""

    session: str
    digest: str
    nick: str
    game_type: str
    families: tuple[str, ...]
    pooled: bool
    """Whether the player waits for open play while it is free."""
    held_s: float = 0.0
    """Seconds that the player has had its nick: the games of this nick since then are its own."""


@value
class RecordSessionOver:
    """The token of this session is no longer valid."""

    session: str


class RecordEntry(Light, frozen=True):
    """Something has happened in a game; :class:`EntryKind` lists the fields that are set."""

    game_id: str
    kind: EntryKind
    seat: int | None = None
    audience: int = 0
    text: str = ""
    body: bytes = b""


@value
class RecordResult(AnsweredBy[ResultKept]):
    """A game has ended. A void result is announced at once, one that counts after the event ``ResultKept``: then it is
    on disk."""

    result: GameResult
    conns: tuple[int, ...] = ()
    """The connections of the master and of each seat, 0 for a player who has left: the shell adds measured round
    trips."""


@value
class RecordAct:
    """An organiser has acted on the server; the fields are those of :class:`ugs.broker.values.questions.Act`."""

    kind: str
    subject: str
    """An address to be forgotten is not recorded."""
    game_type: str
    who: str
    why: str
    seconds: float | None = None
    """How long it is in force; None: until another act ends it."""


@value
class RecordChampionship:
    """One more entry in the ledger of this championship."""

    name: str
    game_type: str
    entry: LedgerEntry


@value
class Draw(AnsweredBy[Drawn]):
    """Draw the games of ``request`` without blocking the server, however long it takes; then comes the event ``Drawn``.
    At most one at a time per championship."""

    championship: str
    request: Request


@value
class Prove(AnsweredBy[Proved]):
    """Find out whether ``secret`` fits the hash ``digest``. Without a digest the name is free: register it with this
    secret. Both take tens of milliseconds, so they must not block the server. Then comes the event ``Proved``; for a
    new name ``IdentitiesRead`` comes first."""

    conn: int
    role: Role
    name: str
    origin: str
    """The address of the peer, as counted by limits: addresses take turns."""
    secret: str = field(repr=False)
    digest: str = ""


@value
class ClaimNick(AnsweredBy[NickClaimed]):
    """Find out whether any of several servers uses a nick, and if none does, claim it for this one; then comes the
    event ``NickClaimed``."""

    form: str
    """The unique form of the nick."""
    watches: bool
    """Whether a spectator wants it: their nicks are a space of their own, without those of players."""


@value
class ReleaseNick:
    """A nick that was claimed is free: the other servers may have it."""

    form: str
    watches: bool


@value
class AskWhy(AnsweredBy[WhyAnswered]):
    """Read from the journal the account of a game for the player ``nick``, if it played it and it began between
    ``since_ago_s`` and ``until_ago_s`` seconds ago, or, with ``since_us``, not before that moment in microseconds since
    1970; then comes the event ``WhyAnswered``. ``known`` are lines that are
    known already, and the whole account if there is no journal; empty if it is unknown whether there is such a game.
    ``moves`` is the number of moves of a running game so far."""

    conn: int
    ref: str
    game_id: str
    nick: str
    since_ago_s: float
    until_ago_s: float
    last: int
    known: tuple[str, ...] = ()
    moves: int = 0
    since_us: int = 0


@value
class KeepPast:
    """These public events of a game leave the memory of the broker: keep them for a ``Recall``, unless the journal
    does. The first is event ``number``; the time of each is in seconds since the begin of the game. ``origin`` is the
    address of its master, whose games share space."""

    game_id: str
    number: int
    entries: Sequence[RecordEntry]
    after_s: Sequence[float]
    origin: str = ""


@value
class Recall(AnsweredBy[Recalled]):
    """Read the past of a game again, without blocking the server; then comes the event ``Recalled``, in any case."""

    wish: Wish


@value
class Note:
    """A line for the log: the event, and fields with details."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    warning: bool = False
    address: str = field(default="", compare=False, repr=False)
    """The address of the peer that it is about, if any. The shell joins repeated lines of one address."""


@value
class Stopped:
    """All peers have been notified; the shell ends when all messages have gone out."""


@value
class Answer:
    """The reply to the question with this ticket."""

    ticket: int
    reply: Reply


Recording: TypeAlias = (
    RecordLogin
    | RecordLogout
    | RecordSession
    | RecordSessionOver
    | RecordBegin
    | RecordEntry
    | RecordResult
    | RecordChampionship
    | RecordAct
)
"""What goes into the journal, in the order of the effects."""

Effect: TypeAlias = (
    Send
    | Admit
    | Close
    | StartTimer
    | StopTimer
    | Subscribe
    | Unsubscribe
    | Publish
    | Recording
    | Draw
    | Prove
    | ClaimNick
    | ReleaseNick
    | AskWhy
    | KeepPast
    | Recall
    | Note
    | Answer
    | Stopped
)
