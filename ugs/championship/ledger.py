"""What has happened in a championship, entry by entry. The broker writes the ledger; all counts are made from it.

The ledger is enough to go on after a restart and to compute the standings at any later time. An entry is about a
fixture, about an entrant, or about the championship as a whole. When an organiser stepped in, the entry holds the name
and the reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from ugs.value import value


class What(StrEnum):
    """What an entry is about, and what its ``data`` holds. Any entry may also hold ``closing``: the ids of games whose
    result had been entered earlier but did not count yet, since it was on its way to the disk."""

    PLANNED = "planned"
    """Announced. ``plan``: the plan as a table of its keys."""
    BEGUN = "begun"
    """The field is fixed. ``field``: nicks by seeding; ``seats``: players of one game."""
    DRAWING = "drawing"
    """The next games are being drawn, which takes time. ``what``: which, and for how many, for people."""
    DRAWN = "drawn"
    """They are drawn. ``games``: they themselves (:mod:`ugs.championship.drawn_games`); missing where they were drawn
    at once after all, and in older ledgers. Games without these two entries were drawn at once."""
    FIXTURE = "fixture"
    """A game begins. ``game``: its id; ``fixture``, ``round``: numbers; ``nicks``: by seat; ``label``."""
    RESULT = "result"
    """The game counts. ``game``; ``fixture``; ``outcomes``: nick -> ``won``, ``lost`` or ``drawn``."""
    VOID = "void"
    """The game does not count. ``game``; ``fixture``; ``again``: whether it is going to be played again; ``server``:
    whether it was the server's fault, or by order of an organiser, who is named then."""
    FORFEIT = "forfeit"
    """Decided without a game, since a player is gone. ``fixture``, ``round``; ``nicks``; ``outcomes``."""
    GIVEN_UP = "given up"
    """Will not be played any more. ``fixture``, ``round``; ``nicks``."""
    WITHDRAWN = "withdrawn"
    """An entrant is gone for good. ``nick``; ``struck``: whether its results no longer count."""
    DISQUALIFIED = "disqualified"
    """An entrant has no place, also after the end; the games that it played count for the others. ``nick``."""
    REPLAYED = "replayed"
    """A game no longer counts and will be played again. ``game``; ``fixture``."""
    CORRECTED = "corrected"
    """An organiser has put the result of a fixture that counts right. ``game`` (empty for one that was not played),
    ``fixture``; ``outcomes``; ``before``: the outcomes it had."""
    ADJUDICATED = "adjudicated"
    """An organiser has decided a fixture that had no result. ``game``: the last one begun for it, or empty;
    ``fixture``, ``round``; ``nicks``; ``label``; ``outcomes``."""
    EDITED = "edited"
    """The plan has changed. ``plan``: all of it."""
    CANCELLED = "cancelled"
    """Nothing more is played; what counted goes on counting. Games that ran do not count."""
    ENTERED = "entered"
    """One more entrant, at the end of the field. ``nick``. With ``back`` it is one that was out: it has its place
    again, and if that is true it plays on; else it plays no more. What it lost by leaving stays lost."""
    BYE = "bye"
    """An entrant is going to sit out a round of a Swiss. ``nick``, ``round``."""
    PAUSED = "paused"
    """No new game begins."""
    RESUMED = "resumed"
    """Games begin again."""
    OVER = "over"
    """Nothing will change any more. ``placing``: the entrants, best first, where the format places them. It is written
    once more, with ``corrected``, when a correction or a disqualification has changed the places."""


@value
class LedgerEntry:
    """One line of a ledger. ``data`` can be written as JSON. ``who`` and ``why`` are empty where no organiser stepped
    in."""

    what: What
    data: Mapping[str, Any] = field(default_factory=dict)
    who: str = ""
    why: str = ""


@value
class Counted:
    """A fixture that counts in the standings."""

    fixture: int
    outcomes: Mapping[str, str]
    """nick -> ``won``, ``lost`` or ``drawn``."""
    game_id: str
    """The game that was played; empty for a forfeit."""


@value
class Leaver:
    """An entrant who is out for good."""

    who: str
    """The organiser who took it out; empty: it left."""
    why: str
    disqualified: bool = False

    @property
    def text(self) -> str:
        """How it is out: ``has left: logout``, ``disqualified by eve: cheated``."""
        how = "disqualified" if self.disqualified else "withdrawn" if self.who else "has left"
        return f"{how}{f' by {self.who}' if self.who else ''}{f': {self.why}' if self.why else ''}"


class Ledger:
    """The sum of a ledger: what counts now. Add the entries with :meth:`add`, in order."""

    def __init__(self, entries: Iterable[LedgerEntry] = ()) -> None:
        self.plan: Mapping[str, Any] = {}
        self.field: tuple[str, ...] = ()
        self.entrants: frozenset[str] = frozenset()
        """The same as ``field``, to look an entrant up."""
        self.seats = 0
        self.paused = False
        self.paused_why = ""
        """The reason that was given for the latest pause."""
        self.over = False
        self.cancelled = False
        self.drawing = ""
        """Which games are being drawn, for people; empty when none are."""
        self.counted: dict[int, Counted] = {}
        """By fixture, in the order they came to count."""
        self.struck: set[str] = set()
        self.gone: dict[str, Leaver] = {}
        """Entrants who are out for good."""
        self._left: dict[str, Leaver] = {}
        """How entrants had left that were disqualified then."""
        self.disqualified: set[str] = set()
        """Those of them who have no place."""
        self.given_up: dict[int, tuple[str, ...]] = {}
        """Fixtures that will not be played any more, with their nicks."""
        for entry in entries:
            self.add(entry)

    @property
    def begun(self) -> bool:
        """Whether the field is fixed."""
        return bool(self.field)

    @property
    def state(self) -> str:
        """In a word: ``announced``, ``running``, ``paused``, ``over`` or ``cancelled``."""
        if self.cancelled:
            return "cancelled"
        if self.over:
            return "over"
        if self.paused:
            return "paused"
        return "running" if self.begun else "announced"

    def standing(self) -> list[Counted]:
        """The fixtures that count: all but those of entrants whose results were struck."""
        return [counted for counted in self.counted.values() if self.struck.isdisjoint(counted.outcomes)]

    def add(self, entry: LedgerEntry) -> None:
        """Add one entry."""
        getattr(self, f"_{entry.what.name.lower()}")(entry)

    def _planned(self, entry: LedgerEntry) -> None:
        self.plan = entry.data["plan"]

    def _begun(self, entry: LedgerEntry) -> None:
        self.field = tuple(entry.data["field"])
        self.entrants = frozenset(self.field)
        self.seats = entry.data["seats"]

    def _drawing(self, entry: LedgerEntry) -> None:
        self.drawing = entry.data["what"]

    def _drawn(self, _entry: LedgerEntry) -> None:
        self.drawing = ""

    def _fixture(self, _entry: LedgerEntry) -> None:
        """A running game does not count yet."""

    def _result(self, entry: LedgerEntry) -> None:
        number = entry.data["fixture"]
        self.counted[number] = Counted(number, entry.data["outcomes"], entry.data["game"])

    def _void(self, entry: LedgerEntry) -> None:
        """A void game does not count, even if an earlier entry gave it a result."""
        counted = self.counted.get(entry.data["fixture"])
        if counted is not None and counted.game_id == entry.data["game"]:
            del self.counted[entry.data["fixture"]]

    def _forfeit(self, entry: LedgerEntry) -> None:
        number = entry.data["fixture"]
        self.counted[number] = Counted(number, entry.data["outcomes"], "")

    def _given_up(self, entry: LedgerEntry) -> None:
        self.given_up[entry.data["fixture"]] = tuple(entry.data["nicks"])

    def _withdrawn(self, entry: LedgerEntry) -> None:
        self.gone[entry.data["nick"]] = Leaver(entry.who, entry.why)
        if entry.data["struck"]:
            self.struck.add(entry.data["nick"])

    def _disqualified(self, entry: LedgerEntry) -> None:
        nick = entry.data["nick"]
        if nick in self.gone:
            self._left[nick] = self.gone[nick]
        self.gone[nick] = Leaver(entry.who, entry.why, disqualified=True)
        self.disqualified.add(nick)

    def _replayed(self, entry: LedgerEntry) -> None:
        self.counted.pop(entry.data["fixture"], None)

    def _corrected(self, entry: LedgerEntry) -> None:
        number = entry.data["fixture"]
        self.counted[number] = Counted(number, entry.data["outcomes"], entry.data["game"])

    def _adjudicated(self, entry: LedgerEntry) -> None:
        number = entry.data["fixture"]
        self.counted[number] = Counted(number, entry.data["outcomes"], "")
        # It was given up before, and counts after all.
        self.given_up.pop(number, None)

    def _edited(self, entry: LedgerEntry) -> None:
        self.plan = entry.data["plan"]

    def _cancelled(self, _entry: LedgerEntry) -> None:
        self.over = self.cancelled = True
        self.drawing = ""

    def _entered(self, entry: LedgerEntry) -> None:
        nick = entry.data["nick"]
        if "back" not in entry.data:
            self.field = (*self.field, nick)
            self.entrants = frozenset(self.field)
            return
        self.disqualified.discard(nick)
        del self.gone[nick]
        left = self._left.pop(nick, None)
        if left is not None and not entry.data["back"]:
            self.gone[nick] = left

    def _bye(self, _entry: LedgerEntry) -> None:
        """Counts when the round is drawn."""

    def _paused(self, entry: LedgerEntry) -> None:
        self.paused = True
        self.paused_why = entry.why

    def _resumed(self, _entry: LedgerEntry) -> None:
        self.paused = False

    def _over(self, _entry: LedgerEntry) -> None:
        self.over = True
        self.drawing = ""
