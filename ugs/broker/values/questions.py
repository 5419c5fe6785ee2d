"""Questions and orders to a running server: from people with access to its data directory, and from its page."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from ugs.championship.plan import Plan
from ugs.value import value


@value
class WhyAsked:
    """Why does a player wait, or how does a game stand? ``name`` is a nick, a master's id or a game id."""

    name: str


@value
class ServerAsked:
    """What is the server doing? Answered by :func:`ugs.broker.views.overview.overview`."""


@value
class PublicAsked:
    """What is public about the server? Answered by :func:`ugs.broker.views.public.public`, or for the ``whole``
    cluster by :func:`ugs.broker.views.whole.whole`."""

    whole: bool = False


@value
class PublicWhyAsked:
    """Why does a player or master wait, as far as that is public? ``name`` is a nick or a master's id."""

    name: str


@value
class OwnerAsked:
    """Who has this token, or had it? The answer has ``nick``, ``since_ago_s`` and ``until_ago_s``, which is None while
    it has it, and ``game``: the id of its running game, or an empty text. The games of that nick between the two times
    are its own."""

    token: str


class OrderKind(StrEnum):
    """What an organiser can order for a championship."""

    PAUSE = "pause"
    """Begin no new game."""
    RESUME = "resume"
    """Begin games again."""
    WITHDRAW = "withdraw"
    """Take an entrant out for good; ``subject`` is its nick."""
    REPLAY = "replay"
    """Let a finished game not count, and play it again; ``subject`` is its id."""
    CORRECT = "correct"
    """Put the result of what counts right; ``subject`` is a game id or ``#`` and the number of a fixture."""
    ADJUDICATE = "adjudicate"
    """Decide a fixture that has no result; ``subject`` as for CORRECT, the game being the latest of that fixture."""
    DISQUALIFY = "disqualify"
    """Take an entrant's place away; ``subject`` is its nick."""
    ENTER = "enter"
    """Take one more entrant in, or take back that one is out; ``subject`` is its nick."""
    BYE = "bye"
    """Let an entrant sit out a ``round`` of a Swiss; ``subject`` is its nick."""
    CANCEL = "cancel"
    """Play nothing more."""


@value
class Order:
    """An order for one championship. Its ledger keeps ``who`` ordered it and ``why``."""

    kind: OrderKind
    championship: str
    who: str
    why: str
    subject: str = ""
    results: Mapping[str, str] = field(default_factory=dict)
    """For CORRECT and ADJUDICATE: by nick, ``won``, ``lost`` or ``drawn``; the empty nick stands for all others."""
    round: int = 0
    """For BYE."""


class ActKind(StrEnum):
    """What an organiser can do to the server itself."""

    PAUSE = "pause"
    """Begin no game of ``game_type`` until RESUME."""
    RESUME = "resume"
    """Begin games of ``game_type`` again."""
    DRAIN = "drain"
    """Stop the server; running games have ``seconds`` to end (None: as set)."""
    PAIR = "pair"
    """Begin a game of the waiting players ``seats`` in this order, from ``setup``; PAUSE does not keep it from it."""
    VOID = "void"
    """Void a running game; ``subject`` is its id."""
    ADJUDICATE = "adjudicate"
    """End a running game with these ``results``; ``subject`` is its id."""
    REMOVE = "remove"
    """Close the connections of a nick or master's id, and end its session; ``subject`` is the name."""
    REMOVE_ADDRESS = "remove address"
    """The same for all from an address or a range; ``subject`` is the range."""
    BAN = "ban"
    """REMOVE, and ban the name for ``seconds`` (None: for good)."""
    BAN_ADDRESS = "ban address"
    """REMOVE_ADDRESS, and ban the range for ``seconds`` (None: for good)."""
    UNBAN = "unban"
    """Lift the ban of a name; ``subject`` is the name."""
    UNBAN_ADDRESS = "unban address"
    """Lift the ban of a range; ``subject`` is the range."""
    ALLOW = "allow"
    """Let only this name and other allowed names in for ``seconds`` (None: for good); peers with other names are
    removed. ``subject`` is the name."""
    ALLOW_ADDRESS = "allow address"
    """The same for an address or a range; ``subject`` is the range."""
    DISALLOW = "disallow"
    """Take a name from those that are allowed; ``subject`` is the name."""
    DISALLOW_ADDRESS = "disallow address"
    """Take a range from those that are allowed; ``subject`` is the range."""
    FORGET = "forget"
    """Take the row of a nick out of the standings; ``subject`` is the nick."""
    FORGET_ADDRESS = "forget address"
    """Erase an address, or all of a range, from logins that are over; ``subject`` is the range."""
    BROADCAST = "broadcast"
    """Send a text to peers with the family ``chat``; with ``to_all`` to all others as an ``error``. ``subject`` is
    the text."""


@value
class Act:
    """An act of an organiser. The journal keeps ``who`` did it and ``why``."""

    kind: ActKind
    subject: str
    who: str
    why: str
    game_type: str = ""
    """Only for this game type; empty: for all."""
    seconds: float | None = None
    results: Mapping[str, str] = field(default_factory=dict)
    """By nick, ``won``, ``lost`` or ``drawn``; the empty nick stands for all others."""
    to_all: bool = False
    seats: tuple[str, ...] = ()
    """For PAIR: nicks."""
    setup: str = ""
    """For PAIR: how the game begins, in the words of its master; empty: as the master begins games."""
    force: bool = True
    """For PAUSE: also a game type that is unknown here."""
    options: Mapping[str, str] = field(default_factory=dict)
    """For PAIR: options of the game; the others are the defaults of its master."""


@value
class PlanAsked:
    """Announce one more championship. It begins ``begins_in_s`` seconds from now; None: as planned."""

    plan: Plan
    who: str
    begins_in_s: float | None = None
    date_s: float | None = None
    """The present moment in seconds since 1970; None leaves the dates of rounds out."""


@value
class EditAsked:
    """Change the plan of a championship: this is all of the new one. ``begins_in_s`` as for PlanAsked."""

    plan: Plan
    who: str
    why: str
    begins_in_s: float | None = None
    date_s: float | None = None


Question: TypeAlias = (
    WhyAsked | ServerAsked | PublicAsked | PublicWhyAsked | OwnerAsked | Order | PlanAsked | EditAsked | Act
)
