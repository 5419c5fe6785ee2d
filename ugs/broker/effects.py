"""What the broker asks of the shell. The shell carries effects out in their order.

An effect that is answered by an event names it: :class:`AnsweredBy`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from ugs.broker.events import Drawn, Proved, Recalled, ResultKept, Timer, TimerFired, WhyAnswered
from ugs.broker.values.identity import Role
from ugs.broker.values.recollection import Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.values.replies import Reply
from ugs.broker.verdict import GameResult
from ugs.championship.draws import Request
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
    """This connection has logged in: the larger message limit holds for it from now on."""

    conn: int


@value
class Close:
    """Close this connection when all messages to it have gone out. The broker knows it no longer."""

    conn: int


class StartTimer(Light, AnsweredBy[TimerFired], frozen=True):
    """Fire ``timer`` in ``seconds``, counted from now or, with ``after``, from the moment at which all messages so far
    to that connection have been handed to the network."""

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
    encoded once for all of them."""

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
    """The version that the peer has told of itself; empty when it told none."""


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
    """The number of seats, those that the master plays included; 0 when it plays none."""
    seed: str = ""
    """The seed of all chance in the game; empty when no other master could take the game over. It is secret while the
    game runs."""
    counts: bool = True
    """Whether its result goes into standings and ratings; that of a game with a single player does not."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table: ``name``, ``owner`` and ``visibility`` of that table; else empty."""


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
    """For how many seconds the player has had its nick: the games of this nick since then are its own."""


@value
class RecordSessionOver:
    """The token of this session is no longer valid."""

    session: str


class RecordEntry(Light, frozen=True):
    """Something has happened in a game; :class:`EntryKind` says which fields are set."""

    game_id: str
    kind: EntryKind
    seat: int | None = None
    audience: int = 0
    text: str = ""
    body: bytes = b""


@value
class RecordResult(AnsweredBy[ResultKept]):
    """A game has ended. A void result is announced at once, one that counts when the event ``ResultKept`` says that it
    is on disk."""

    result: GameResult
    conns: tuple[int, ...] = ()
    """The connections of the master and of each seat, 0 for a player who has left: the shell adds what it measured."""


@value
class RecordAct:
    """An organiser has done something to the server; see :class:`ugs.broker.values.questions.Act`."""

    kind: str
    subject: str
    """An address that is to be forgotten is not written down."""
    game_type: str
    who: str
    why: str
    seconds: float | None = None
    """For how long it holds; None: until another act ends it."""


@value
class RecordChampionship:
    """One more entry in the ledger of this championship."""

    name: str
    game_type: str
    entry: LedgerEntry


@value
class Draw(AnsweredBy[Drawn]):
    """Draw what ``request`` asks for, without holding up anybody, however long it takes; then comes the event
    ``Drawn``. One at a time for each championship, which is named."""

    championship: str
    request: Request


@value
class Prove(AnsweredBy[Proved]):
    """Find out whether ``secret`` fits the hash ``digest``. Without a digest nobody has this name: let whoever shows
    the secret have it from now on. Either takes tens of milliseconds, so it must not hold up anybody. Then comes the
    event ``Proved``; for a new name ``IdentitiesRead`` comes before it."""

    conn: int
    role: Role
    name: str
    origin: str
    """The address of the peer, as limits count it: addresses take turns."""
    secret: str = field(repr=False)
    digest: str = ""


@value
class AskWhy(AnsweredBy[WhyAnswered]):
    """Read from the journal the account of a game for the player ``nick``, if it played it and it began between
    ``since_ago_s`` and ``until_ago_s`` seconds ago; then comes the event ``WhyAnswered``. ``known`` are lines that are
    known already, and all there is without a journal; without any it is not known whether there is such a game.
    ``moves`` is how many a running game has had."""

    conn: int
    ref: str
    game_id: str
    nick: str
    since_ago_s: float
    until_ago_s: float
    last: int
    known: tuple[str, ...] = ()
    moves: int = 0


@value
class KeepPast:
    """These public events of a game leave the memory of the broker: keep them unless the journal does, for a
    ``Recall``. The first of them is event ``number``, and each came so many seconds after the begin of the game.
    ``origin`` is the address of its master, whose games share room."""

    game_id: str
    number: int
    entries: Sequence[RecordEntry]
    after_s: Sequence[float]
    origin: str = ""


@value
class Recall(AnsweredBy[Recalled]):
    """Read again what has happened in a game, without holding up anybody; then comes the event ``Recalled``, in any
    case."""

    wish: Wish


@value
class Note:
    """A line for the log: the event, and fields with what is known about it."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    warning: bool = False
    address: str = field(default="", compare=False, repr=False)
    """Of the peer of whom it tells; empty if there is none. The shell joins lines that one address makes it repeat."""


@value
class Stopped:
    """All peers have been told; the shell ends when all messages have gone out."""


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
    | AskWhy
    | KeepPast
    | Recall
    | Note
    | Answer
    | Stopped
)
