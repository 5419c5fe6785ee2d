"""A fixed field of players that plays everybody against everybody, once.

For games of two this is a round robin. For games of more seats, groups are drawn up until every two players have met,
those who have met least first. A fixture may be played as soon as its players are free: there are no rounds to wait
for. A game that ends void is played again, up to ``void_replays`` times, then given up and reported.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

from ugs.broker.standings import Table
from ugs.broker.verdict import GameResult, Outcome


@dataclass(slots=True, eq=False)
class Fixture:
    """A game that has to be played."""

    nicks: tuple[str, ...]
    voids: int = 0
    """How often it was begun and ended void."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A fixture that stands in the table, played or not."""

    nicks: tuple[str, ...]
    outcomes: dict[str, Outcome]
    played: bool


class Championship:
    """One championship of one game type, from its announcement to its last game.

    While it is played, ``table`` is the table of the type; ``open_table`` is the one it had before and has afterwards.
    """

    def __init__(self, void_replays: int) -> None:
        self.begun = False
        self.field: tuple[str, ...] = ()
        self.table = Table()
        self.open_table = Table()
        self.given_up: list[Fixture] = []
        self._void_replays = void_replays
        self._fixtures: list[Fixture] | None = None
        self._running: dict[str, Fixture] = {}
        self._counted: list[Counted] = []
        self._planned: Counter[str] = Counter()
        self._gone: set[str] = set()
        self._struck: set[str] = set()

    def begin(self, nicks: Collection[str], open_table: Table) -> None:
        """From now on the field is fixed."""
        self.begun = True
        self.field = tuple(nicks)
        self.open_table = open_table
        for nick in nicks:
            self.table.enter(nick)

    @property
    def finished(self) -> bool:
        """Whether all has been played (or nobody is left to play)."""
        if not self.begun or self._running:
            return False
        return not self._fixtures if self._fixtures is not None else self.remaining < 2

    @property
    def remaining(self) -> int:
        """How many of the field are still there."""
        return len(self.field) - len(self._gone)

    def give_up(self) -> None:
        """Too few are left for any game: nothing more is played."""
        self.given_up.extend(self._fixtures or [])
        self._fixtures = []

    def next_fixture(self, free: Collection[str], players_min: int, players_max: int) -> Fixture | None:
        """The first fixture of so many players that are all free, taken off the list; None when there is none now.

        The fixtures are made at the first call, for the most players that its master takes.
        """
        if self._fixtures is None:
            self._draw_up(max(players_min, min(players_max, len(self.field))))
        assert self._fixtures is not None
        for number, fixture in enumerate(self._fixtures):
            if players_min <= len(fixture.nicks) <= players_max and all(nick in free for nick in fixture.nicks):
                return self._fixtures.pop(number)
        return None

    def playing(self, game_id: str, fixture: Fixture) -> None:
        """This fixture is being played as that game."""
        self._running[game_id] = fixture

    def count(self, result: GameResult) -> None:
        """A game has ended: into the table with it, or back onto the list."""
        fixture = self._running.pop(result.game_id, None)
        if fixture is None:
            return
        if result.verdict.void:
            fixture.voids += 1
            self._play_again(fixture)
        elif self._struck.isdisjoint(fixture.nicks):
            outcomes = {seat.nick: seat.outcome for seat in result.seats}
            self._enter(Counted(fixture.nicks, outcomes, played=True))

    def withdraw(self, nick: str) -> bool:
        """A player has gone for good. True when its results were struck, False when it loses what it has not played.

        Struck is who has played less than half: the others then stand as if they had never met. Otherwise each game
        still to be played is won by the other player (in games of more seats: lost by who has gone, and left out).
        """
        self._gone.add(nick)
        self.open_table.leave(nick)
        played = sum(1 for counted in self._counted if counted.played and nick in counted.nicks)
        left = [fixture for fixture in self._fixtures or [] if nick in fixture.nicks]
        if self._fixtures is not None:
            self._fixtures = [fixture for fixture in self._fixtures if nick not in fixture.nicks]
        if self._fixtures is None or 2 * played < self._planned[nick]:
            self._strike(nick)
            return True
        for fixture in left:
            self._forfeit(fixture, nick)
        return False

    def _draw_up(self, seats: int) -> None:
        """Make the fixtures: groups of ``seats`` until every two players have met."""
        field = [nick for nick in self.field if nick not in self._gone]
        met: Counter[frozenset[str]] = Counter()
        fixtures = []
        for pair in combinations(field, 2):
            if met[frozenset(pair)]:
                continue
            group = list(pair)
            while len(group) < min(seats, len(field)):
                group.append(
                    min(
                        (nick for nick in field if nick not in group),
                        key=lambda nick: (sum(met[frozenset((nick, other))] for other in group), self._planned[nick]),
                    )
                )
            met.update(frozenset(two) for two in combinations(group, 2))
            self._planned.update(group)
            fixtures.append(Fixture(tuple(group)))
        self._fixtures = fixtures

    def _play_again(self, fixture: Fixture) -> None:
        gone = [nick for nick in fixture.nicks if nick in self._gone]
        if fixture.voids > self._void_replays:
            self.given_up.append(fixture)
        elif not gone:
            assert self._fixtures is not None
            self._fixtures.insert(0, fixture)
        elif self._struck.isdisjoint(gone):
            for nick in gone:
                self._forfeit(fixture, nick)

    def _forfeit(self, fixture: Fixture, nick: str) -> None:
        """Who has gone loses; the other one of a game of two wins."""
        outcomes = {nick: Outcome.LOST}
        others = [other for other in fixture.nicks if other != nick]
        if len(others) == 1 and others[0] not in self._gone:
            outcomes[others[0]] = Outcome.WON
        self._enter(Counted(fixture.nicks, outcomes, played=False))

    def _enter(self, counted: Counted) -> None:
        self._counted.append(counted)
        for nick, outcome in counted.outcomes.items():
            self.table.credit(nick, outcome)

    def _strike(self, nick: str) -> None:
        """Take the player out of the table, and out of the results of those it has met."""
        self._struck.add(nick)
        for counted in self._counted:
            if nick in counted.nicks:
                for other, outcome in counted.outcomes.items():
                    self.table.credit(other, outcome, times=-1)
        self._counted = [counted for counted in self._counted if nick not in counted.nicks]
        self.table.strike(nick)
