"""Which games a match consists of, one after the other: pairings, seats and openings.

The planner draws up sets of games. In a round robin or a gauntlet a set is each pairing once in every order of seats,
all from one opening and with the same chance; the next set has the next opening. A Swiss or a knock-out is one set.
Nothing here does I/O or knows a clock: the same settings and results give the same games, on however many machines they
are played.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.format_table import make
from ugs.championship.plan import Plan, PlanError, PlanOpening, number_of_orders
from ugs.match.match_settings import MatchSettings, WrongMatch

NO_OPENING: Final = PlanOpening(name="as the game begins", text="-")
"""Stands for one opening in a plan, so that each pairing is played in every order of seats."""
SETS: Final = frozenset({"round-robin", "gauntlet"})
"""Formats that can be played again and again."""
MAX_BEST_OF: Final = 99
MAX_ROUNDS: Final = 1000


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game that is to be played."""

    number: int
    """From 1, in the order of the beginnings."""
    bots: tuple[str, ...]
    """In the order of the seats."""
    group: int
    """From 1. Games of a group have the same bots, the same opening and the same chance; only the seats differ."""
    opening: int = 0
    """From 1: which of the openings; 0: as the game itself begins."""
    round: int = 1
    label: str = ""


@dataclass(frozen=True, slots=True)
class GivenGame:
    """A game as a machine that plays it for a match is given it."""

    planned: PlannedGame
    setup: str
    """How it begins, in the words of its master."""


class GivenGames:
    """Gives out the games of a list, in its order."""

    def __init__(self, games: Sequence[GivenGame]) -> None:
        self.total = len(games)
        self._left = deque(game.planned for game in games)
        self._running: set[int] = set()
        self.places: Sequence[str] = ()
        """Points decide: whoever gives out the list knows the format."""

    @property
    def finished(self) -> bool:
        """Whether all games have been given out and settled."""
        return not self._left and not self._running

    def next(self) -> PlannedGame | None:
        """The next game; None when there is none."""
        if not self._left:
            return None
        self._running.add(self._left[0].number)
        return self._left.popleft()

    def add(self, games: Sequence[GivenGame]) -> None:
        """Give these out, too."""
        self._left.extend(game.planned for game in games)
        self.total += len(games)

    def settle(self, number: int, points: Mapping[str, float]) -> None:
        """A game has ended."""
        self._running.remove(number)


class Planner:
    """Gives out games and takes in how they ended."""

    def __init__(self, wanted: MatchSettings, players: int, openings: int = 0) -> None:
        """``players``: seats of a game; ``openings``: how many there are. Raises WrongMatch."""
        self._wanted = wanted
        self._players = players
        self._openings = openings
        self._bots = tuple(wanted.bots)
        self._balanced = wanted.seats == "balanced"
        self._orders = number_of_orders(players) if self._balanced and wanted.format in SETS else 1
        self._given = 0
        self._groups = 0
        self._running: dict[int, tuple[Schedule, Fixture]] = {}
        try:
            self._plan = self._planned()
            self._schedule = make(self._plan, self._bots, players)
        except (PlanError, ValueError) as error:
            raise WrongMatch(str(error)) from None
        self._of_set = self._schedule.total or 0
        # Rounded up to whole sets: each pairing in every order of seats.
        self._sets = -(-wanted.games // self._of_set) if wanted.format in SETS else 1
        self._set = 1
        self._pairings: dict[tuple[int, int], int] = {}
        """The group of each pairing of the present set, by round and place."""

    @property
    def total(self) -> int:
        """How many games there are, as far as that is known: a knock-out may need fewer, or more after draws."""
        return self._of_set * self._sets

    @property
    def finished(self) -> bool:
        """Whether all games have been given out and settled."""
        return not self._running and self._set >= self._sets and self._schedule.finished

    @property
    def places(self) -> Sequence[str]:
        """The bots, the best first, where the format itself decides that and all is played (knock-out); else none."""
        return self._schedule.placing() or () if self.finished else ()

    def next(self) -> PlannedGame | None:
        """The next game that can be played now; None while others have to end before, or when there is none."""
        fixture = next(iter(self._schedule.open_fixtures(self._bots)), None)
        if fixture is None and self._set < self._sets and self._wanted.format in SETS:
            self._set += 1
            self._schedule = make(self._plan, self._bots, self._players)
            fixture = next(iter(self._schedule.open_fixtures(self._bots)))
        if fixture is None:
            return None
        self._schedule.begin(fixture)
        self._given += 1
        self._running[self._given] = (self._schedule, fixture)
        # Otherwise each bot keeps its seat, in the order of the command line.
        bots = fixture.nicks if self._balanced else tuple(sorted(fixture.nicks, key=self._bots.index))
        opening = (self._set - 1) % self._openings + 1 if self._openings else 0
        return PlannedGame(self._given, bots, self._group_of(fixture), opening, fixture.round, fixture.label)

    def settle(self, number: int, points: Mapping[str, float]) -> None:
        """How a game ended: the points of each bot; none: it is void."""
        schedule, fixture = self._running.pop(number)
        schedule.settle(fixture, points)

    def _planned(self) -> Plan:
        """The plan of one set. Raises PlanError and ValueError."""
        wanted = self._wanted
        plan = Plan.read(
            {
                "name": "match",
                "game_type": "match",
                "format": wanted.format,
                "entrants": self._bots,
                "seats": self._players,
                "openings": (NO_OPENING,) if self._orders > 1 else (),
            }
        )
        if wanted.format == "swiss":
            rounds = -(-wanted.games // max(1, len(self._bots) // self._players))
            return plan.but(rounds=min(MAX_ROUNDS, rounds))
        if wanted.format == "knock-out":
            best_of = wanted.games // max(1, (len(self._bots) - 1) // (self._players - 1))
            # An odd number: a match of a knock-out must not end level.
            return plan.but(best_of=min(MAX_BEST_OF, max(1, best_of - (best_of + 1) % 2)))
        return plan

    def _group_of(self, fixture: Fixture) -> int:
        """A set has all its pairings in the first order of seats, then all in the second, and so on."""
        pairing = (fixture.number - 1) % (self._of_set // self._orders) if self._orders > 1 else fixture.number
        return self._pairings.setdefault((self._set, pairing), len(self._pairings) + 1)
