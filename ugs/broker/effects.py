"""What the broker may ask of the shell. Effects are carried out in the order in which they are given."""

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from ugs.broker.events import Timer
from ugs.broker.record import EntryKind
from ugs.broker.verdict import GameResult
from ugs.championship.ledger import LedgerEntry
from ugs.value import value
from ugs.wire.messages import Message


@value
class Send:
    """Hand this message to each of these connections."""

    to: tuple[int, ...]
    message: Message


@value
class Admit:
    """This connection has logged in: from now on the larger message limit holds for it."""

    conn: int


@value
class Close:
    """Close this connection once all that was sent to it has gone out. The broker has forgotten it already."""

    conn: int


@value
class StartTimer:
    """Fire ``timer`` in so many seconds, counted from now or, with ``after``, from the moment at which everything
    sent to that connection so far has been handed to the network."""

    timer: Timer
    seconds: float
    after: int | None = None
    report: bool = False
    """Whether the broker wants a ``TimerBegun`` at the moment from which it counts."""


@value
class Subscribe:
    """From now on this connection gets what is published on that channel."""

    conn: int
    channel: str


@value
class Unsubscribe:
    """This connection (None: nobody any more) gets what is published on that channel."""

    channel: str
    conn: int | None = None


@value
class Publish:
    """Hand this message to all subscribers of that channel, when there is time for it: players come first. It is
    written once, however many they are."""

    channel: str
    message: Message


@value
class StopTimer:
    """Forget this timer; it need not be running."""

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
    """How many players a master takes, for people to read: ``2 to 4``; empty for a player."""
    version: str = ""
    """What the peer said of its own version; empty when it said nothing."""


@value
class RecordLogout:
    """Whoever had logged in on this connection is gone; ``reason`` is for people to read."""

    conn: int
    reason: str


@value
class RecordBegin:
    """A game begins; all that is recorded of it from now on names it."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    championship: str = ""
    fixture: int = 0
    seats_total: int = 0
    """With the seats that the master plays; 0 when there are none of those."""
    seed: str = ""
    """What all chance of the game comes from; empty when its master could not be replaced. Nobody may learn it while
    the game runs."""
    counts: bool = True
    """Whether its result goes into tables and ratings; a game in which a single player sits does not."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table that a player had set up: ``name``, ``owner``, ``visibility``; else empty."""


@value
class RecordSession:
    """A player may come back with a token. ``session`` is the part of it that is no secret, ``digest`` the SHA-256 of
    all of it as hexadecimal digits. Given again for the same session when something of it has changed."""

    session: str
    digest: str
    nick: str
    game_type: str
    families: tuple[str, ...]
    pooled: bool
    """Whether the player waits for open play whenever it is free."""


@value
class RecordSessionOver:
    """That token is worth nothing any more."""

    session: str


@value
class RecordEntry:
    """Something has happened in a game; :class:`EntryKind` says which fields mean something."""

    game_id: str
    kind: EntryKind
    seat: int | None = None
    audience: int = 0
    text: str = ""
    body: bytes = b""


@value
class RecordResult:
    """A game has ended; this is for ever. The broker waits for :class:`ugs.broker.events.ResultKept` before it
    announces a result that counts; a void one it announces at once."""

    result: GameResult
    conns: tuple[int, ...] = ()
    """The connections of the master and of each seat, 0 for who has left: the shell knows their networks."""


@value
class RecordChampionship:
    """One more entry in the ledger of this championship."""

    name: str
    game_type: str
    entry: LedgerEntry


@value
class Note:
    """Something happened that people may want to read in the log."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    warning: bool = False


@value
class Stopped:
    """Everybody has been told; the shell may end once the outboxes are empty."""


@value
class Answer:
    """What was asked with this ticket has this answer, which can be written as JSON."""

    ticket: int
    answer: Mapping[str, object]


Recording: TypeAlias = (
    RecordLogin
    | RecordLogout
    | RecordSession
    | RecordSessionOver
    | RecordBegin
    | RecordEntry
    | RecordResult
    | RecordChampionship
)
"""What goes into the journal, in the order in which it is given."""

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
    | Note
    | Answer
    | Stopped
)
