"""What can happen to the broker. ``conn`` is the number of a connection, assigned by the shell and never used twice."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ugs.broker.values.access import AccessRule
from ugs.broker.values.identity import Identity
from ugs.broker.values.node_overview import OtherNode
from ugs.broker.values.questions import Question
from ugs.broker.values.recollection import Recollected, Wish
from ugs.championship.due_draws import Drawing
from ugs.championship.plan import Plan
from ugs.value import Light, value
from ugs.wire.extensions import RefusalReason
from ugs.wire.messages import Message


class TimerKind(StrEnum):
    """What a timer waits for, and what its subject is."""

    __hash__ = str.__hash__  # the hash of an enumeration is written in Python, and used for every message

    LOGIN = "login"
    """A connection to log in; subject: conn."""
    GAME = "game"
    """The peer that must act in the current phase of a game; subject: game id."""
    GATHER = "gather"
    """More players than a game needs; subject: game type."""
    CHAMPIONS = "champions"
    """The moment to send changed standings; subject: game type."""
    CHAMPIONSHIP = "championship"
    """The hour of a championship, which begins with the players who are there; subject: its name."""
    MORE_GAMES = "more games"
    """The moment to begin more games of a championship, a few at a time; subject: its name."""
    LOST_GAMES = "lost games"
    """The moment to look at more games of a lost master, a few at a time; subject: game type."""
    ROUND = "round"
    """The date of a round of a championship; subject: the name of the championship."""
    RETURN = "return"
    """An entrant whose connection was lost to come back; subject: the name of the championship."""
    GRACE = "grace"
    """A player whose connection was lost to come back; subject: the public part of its token."""
    SILENCE = "silence"
    """The next check for idle players and tables; subject: the empty text."""
    SPECTATORS = "spectators"
    """The moment when spectators with a delay may get more; subject: the name of a channel."""
    LOW_TIME = "low time"
    """The moment to warn a player that its time runs out; subject: game id."""
    PROOF = "proof"
    """A peer whose name needs a proof: the moment to check its secret or to refuse it; subject: conn."""
    REMOVAL = "removal"
    """The moment to remove more peers of an address, a few at a time; subject: the empty text."""
    STOP = "stop"
    """The moment to stop by order of an organiser, who has got the answer; subject: the seconds that running games have
    to end, as text; empty for the setting."""
    DRAIN = "drain"
    """The last running games to end before the server stops; subject: the empty text."""


class Timer(NamedTuple):
    """The name of a timer. Starting a running timer restarts it."""

    kind: TimerKind
    subject: int | str


@value
class Connected:
    """A peer has connected. ``address`` is for people to read."""

    conn: int
    address: str = ""
    by_gateway: bool = False
    """Whether a gateway speaks for it. Gateways have their own idle time-outs."""


@value
class Presence:
    """``there`` is whether messages reach a gateway's player. If not, the player stays logged in and leaves its game or
    table."""

    conn: int
    there: bool


class Received(Light, frozen=True):
    """A whole, well-formed message has arrived."""

    conn: int
    message: Message


@value
class Misread:
    """A whole XML document has arrived that is no valid message. ``reason`` names message, field and value; ``kind`` is
    its message type and ``ref`` its reference, or empty when they could not be read."""

    conn: int
    reason: str
    kind: str = ""
    ref: str = ""


@value
class Garbled:
    """Bytes have arrived that cannot be cut into documents; nothing more is read from this connection. ``excerpt`` is
    the beginning of bytes that are no XML at all, printable and short, for the log; ``around`` what stands around the
    mistake, for the peer alone: it may hold a token or a hidden move."""

    conn: int
    reason: str
    excerpt: str = ""
    around: str = ""


@value
class Flooded:
    """A peer has sent more than the limit that ``reason`` names, and goes on; nothing more is read from it."""

    conn: int
    reason: str


@value
class Disconnected:
    """The connection is closed or lost; ``reason`` is for people to read. ``unread``: the server closed it because the
    peer did not read; ``bug``: because of a bug in the server."""

    conn: int
    reason: str = "connection lost"
    unread: bool = False
    bug: bool = False


@value
class HomeMoved:
    """Games of this type are played at another server; its peers get ``elsewhere`` as the reason. Empty: here again."""

    game_type: str
    elsewhere: str = ""


@value
class NodesSeen:
    """What the other nodes that answer have shown of themselves. It may be shown for ``valid_s`` seconds."""

    nodes: tuple[OtherNode, ...]
    valid_s: float


@value
class TimerFired:
    """A timer has run out."""

    timer: Timer


@value
class TimerBegun:
    """A timer that waited for messages to go out has begun to count (``StartTimer`` with ``after`` and ``report``)."""

    timer: Timer


@value
class Started:
    """The server begins to listen; the first event of all."""

    plans: tuple[Plan, ...] = ()
    """Championships to announce, unless an earlier life of the server has announced them."""
    date_s: float | None = None
    """The current time in seconds since 1970, for championships that begin at an hour. None: no championship does."""
    past_age_s: float = 0.0
    """How many seconds ago was read what is known of earlier lives of the server."""


@value
class ClockSet:
    """The clock on the wall has been set."""

    date_s: float
    """The new time, in seconds since 1970."""


@value
class ResultKept:
    """The result of this game is safely on disk: it may be announced."""

    game_id: str


@value
class Drawn:
    """The games of the effect ``Draw`` of this championship have been drawn."""

    championship: str
    drawing: Drawing


@value
class Proved:
    """The answer to the effect ``Prove``: the secret fits ``digest``, or no digest if that is empty. A ``failure`` is
    the server's, for people."""

    conn: int
    digest: str = ""
    failure: str = ""


@value
class NickClaimed:
    """The answer to the effect ``ClaimNick``: the nick is claimed for this server, unless there is a ``holder``, the
    name of the node that has it, or a ``failure`` of the servers, for people."""

    form: str
    watches: bool
    holder: str = ""
    failure: str = ""


@value
class NickLost:
    """Another server, the node ``holder``, has the nick of a player of this one, which was silent for long."""

    form: str
    holder: str


@value
class IdentitiesRead:
    """New rows of the list of tokens, in order; at the start of the server, all of them."""

    rows: tuple[Identity, ...]


@value
class AccessRead:
    """The file of access rules has been read: these are all its rules."""

    rules: tuple[AccessRule, ...]


@value
class WhyAnswered:
    """The answer to the effect ``AskWhy``: the account in lines; or why there is none: ``refused``, with the seconds
    to wait before asking again may help."""

    conn: int
    ref: str
    game_id: str
    text: str
    refused: RefusalReason | None = None
    wait_s: float = 0.0


@value
class Recalled:
    """The answer to the effect ``Recall``: the past that was read."""

    wish: Wish
    found: Recollected


@value
class JournalLost:
    """The journal cannot be written any more, and has lost everything recorded since the last :class:`ResultKept`.
    Ledgers and sessions are not lost: they are written when the journal is back."""

    reason: str


@value
class JournalBack:
    """The journal can be written again."""


@value
class RoomNeeded:
    """Too much memory is in use, and this game uses the most: it has to release some. ``reason`` is for the log, the
    name of the ``limit`` also for its players."""

    game_id: str
    reason: str
    limit: str


@value
class Asked:
    """A person at this machine sends a question or an order; the effects contain an ``Answer`` with this ticket."""

    ticket: int
    question: Question


@value
class ShutdownAsked:
    """Stop the server: when running games have ended, or at once when asked a second time."""


Event: TypeAlias = (
    Connected
    | Received
    | Misread
    | Garbled
    | Flooded
    | Disconnected
    | Presence
    | HomeMoved
    | NodesSeen
    | TimerFired
    | TimerBegun
    | Started
    | ResultKept
    | Drawn
    | Proved
    | NickClaimed
    | NickLost
    | IdentitiesRead
    | AccessRead
    | WhyAnswered
    | Recalled
    | ClockSet
    | JournalLost
    | JournalBack
    | RoomNeeded
    | Asked
    | ShutdownAsked
)
