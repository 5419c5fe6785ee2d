"""Standings as values and as JSON. Everything that shows or transfers standings works on these.

The fields are the keys of the JSON, so that both always have the same contents.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from ugs.championship.ledger import Leaver
from ugs.championship.plan import TieBreak
from ugs.record.strict_json import as_struct
from ugs.standings.elo import Elo
from ugs.standings.significance import Neighbours
from ugs.standings.skill import Skill


class NotStandings(ValueError):
    """JSON that does not hold standings; the text names the place and the reason."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """The line of one player."""

    place: int | None
    """From 1. In a championship, players whom nothing separates share one; None: it is disqualified."""
    nick: str
    won: int
    lost: int
    drawn: int
    points: float
    """Of the games won and drawn, and of the byes."""
    games: int
    """The games that count: won, lost and drawn, forfeits included."""
    byes: int = 0
    """Rounds of a Swiss championship without an opponent left."""
    void: int = 0
    """Games that do not count, through no fault of a player."""
    tie_breaks: Mapping[TieBreak, float | None] = field(default_factory=dict)
    """In the order of the plan; None where one does not apply. Empty in open play."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """By cause (a word of :class:`ugs.broker.verdict.Cause`), only those that occurred."""
    rating: Skill | None = None
    elo: Elo | None = None
    refused: int = 0
    """Moves that game masters have refused; games lost by them are among the faults."""
    out: str = ""
    """How an entrant of a championship is out for good: ``has left: logout``, ``withdrawn by eve: ill``,
    ``disqualified by eve: cheated``; empty for all others."""


@dataclass(frozen=True, slots=True)
class CrossCell:
    """What one player achieved against one other."""

    won: int
    lost: int
    drawn: int
    neither: int = 0
    """Games that both lost because all players left."""


@dataclass(frozen=True, slots=True)
class LeftEntrant:
    """An entrant who has left a championship for good."""

    nick: str
    why: str
    struck: bool
    """Whether its results are struck; if so, it has no line."""
    who: str = ""
    """The organiser who took it out; empty: it left."""
    disqualified: bool = False
    """Whether it has no place; its line is the last."""

    @property
    def text(self) -> str:
        """How it is out, as in the ledger."""
        return Leaver(self.who, self.why, self.disqualified).text


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A game of a championship that will not be played."""

    fixture: int
    nicks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of one game type or of one championship."""

    game_type: str
    games: int
    """Games that count and were played."""
    players: tuple[StandingsLine, ...]
    """The best first."""
    championship: str | None = None
    state: str | None = None
    """Of the championship: ``announced``, ``running``, ``paused`` or ``over``."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """What separates equal points, in order. Empty in open play, where the order is that of ``championsList``."""
    forfeits: int = 0
    """Games that count and were decided without being played."""
    void: int = 0
    """Games that do not count, through no fault of a player."""
    cross_table: Mapping[str, Mapping[str, CrossCell]] = field(default_factory=dict)
    """``cross_table[a][b]`` is what a achieved against b; only those who have met."""
    neighbours: tuple[Neighbours, ...] = ()
    """Whether each player differs significantly from the next; empty without ratings."""
    seat_advantage: Elo | None = None
    """What the first seat is worth in games of two, in Elo points; None without Elo."""
    left: tuple[LeftEntrant, ...] = ()
    given_up: tuple[GivenUp, ...] = ()
    notes: tuple[str, ...] = ()
    """What else a reader should know, in words."""

    @property
    def title(self) -> str:
        """The name of what these are the standings of."""
        return f"{self.championship} ({self.game_type})" if self.championship else self.game_type

    @property
    def not_distinguishable(self) -> tuple[Neighbours, ...]:
        """The neighbours that do not differ significantly yet."""
        return tuple(each for each in self.neighbours if not each.distinguishable)


@dataclass(frozen=True, slots=True)
class _Several:
    standings: list[Standings]


def as_json(standings: Standings) -> dict[str, object]:
    """The object for ``json.dumps``: every field, and ``not_distinguishable`` with those neighbours."""
    return asdict(standings) | {"not_distinguishable": [asdict(each) for each in standings.not_distinguishable]}


def all_as_json(several: list[Standings]) -> dict[str, object]:
    """One standings as its own object; none or several as ``{"standings": [...]}``."""
    return as_json(several[0]) if len(several) == 1 else {"standings": [as_json(each) for each in several]}


def read_json(text: str | bytes) -> list[Standings]:
    """Read back :func:`all_as_json` from its JSON text. Raises :class:`NotStandings` for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotStandings(f"not JSON: {error}") from None
    try:
        if isinstance(found, dict) and "standings" in found:
            return as_struct(_Several, found).standings
        return [as_struct(Standings, found)]
    except ValueError as error:
        raise NotStandings(str(error)) from None
