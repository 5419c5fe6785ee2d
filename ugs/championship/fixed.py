"""Formats whose games are all known before the first: a list of fixtures that can be played in any order."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias, overload

from ugs.championship.plan import Plan
from ugs.championship.schedule import Fixture, Schedule

FEW = 8
"""If fewer than one open fixture in FEW can be playable, the search goes through the free players' own fixtures."""
Round: TypeAlias = Sequence[tuple[str, ...]]


class Offers(Sequence[Fixture]):
    """Fixtures that are found one by one as they are read: thousands may be open, and often the first is enough."""

    def __init__(self, found: Iterator[Fixture]) -> None:
        self._rest = found
        self._read: list[Fixture] = []

    def __iter__(self) -> Iterator[Fixture]:
        yield from self._read[:]
        for fixture in self._rest:
            self._read.append(fixture)
            yield fixture

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Fixture: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fixture]: ...
    def __getitem__(self, index: int | slice) -> Fixture | Sequence[Fixture]:
        return self._all()[index]

    def _all(self) -> list[Fixture]:
        self._read.extend(self._rest)
        return self._read


class FixedSchedule(Schedule):
    """A schedule whose fixtures are given round by round. Among the open fixtures, those of earlier rounds are more
    urgent. Nobody waits for a round: free players may go on to a later one."""

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, rounds: Sequence[Round]) -> None:
        super().__init__(plan, field, seats)
        numbered = enumerate(((at, nicks) for at, games in enumerate(rounds, 1) for nicks in games), 1)
        fixtures = [Fixture(number, nicks, at) for number, (at, nicks) in numbered]
        self._total = len(fixtures)
        self._open = {fixture.number: fixture for fixture in fixtures}
        self._rounds: dict[int, dict[int, Fixture]] = {}
        self._of_first: dict[str, dict[int, Fixture]] = {nick: {} for nick in self.field}
        """The open fixtures by the nick in the first seat."""
        for fixture in fixtures:
            self._rounds.setdefault(fixture.round, {})[fixture.number] = fixture
            self._of_first[fixture.nicks[0]][fixture.number] = fixture
        self._running: set[int] = set()

    def open_fixtures(self, free: Collection[str]) -> Sequence[Fixture]:
        """See :class:`Schedule`. The result is only valid until the schedule changes."""
        free = {nick for nick in free if nick in self._of_first}
        if len(free) < self.seats:
            return ()
        if FEW * sum(len(self._of_first[nick]) for nick in free) < len(self._open):
            mine = chain.from_iterable(self._of_first[nick].values() for nick in free)
            return sorted((one for one in mine if free.issuperset(one.nicks)), key=_number)
        return Offers(self._among(free.issuperset))

    def begin(self, fixture: Fixture) -> None:
        """See :class:`Schedule`."""
        self._drop(fixture.number)
        self._running.add(fixture.number)

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """See :class:`Schedule`. Points decide nothing here."""
        self._running.discard(fixture.number)

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """See :class:`Schedule`. The other players of a dropped fixture do not play it either."""
        dropped = [fixture for fixture in self._open.values() if nick in fixture.nicks]
        for fixture in dropped:
            self._drop(fixture.number)
        return dropped

    @property
    def finished(self) -> bool:
        """See :class:`Schedule`."""
        return not self._open and not self._running

    @property
    def total(self) -> int:
        """See :class:`Schedule`."""
        return self._total

    def _among(self, are_free: Callable[[Collection[str]], bool]) -> Iterator[Fixture]:
        for number in list(self._rounds):
            for fixture in list(self._rounds.get(number, {}).values()):
                if fixture.number in self._open and are_free(fixture.nicks):
                    yield fixture

    def _drop(self, number: int) -> None:
        fixture = self._open.pop(number, None)
        if fixture is not None:
            of_round = self._rounds[fixture.round]
            del of_round[number], self._of_first[fixture.nicks[0]][number]
            if not of_round:
                del self._rounds[fixture.round]


def _number(fixture: Fixture) -> int:
    return fixture.number


def in_rounds(games: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Distribute ``games`` over rounds so that the games of a round can be played at the same time. Returns the indexes
    of the games by round; each game is in the first round in which its players are free."""
    busy: dict[int, int] = {}
    rounds: list[list[int]] = []
    for index, players in enumerate(games):
        taken = 0
        for player in players:
            taken |= busy.get(player, 0)
        first = (~taken & (taken + 1)).bit_length() - 1
        for player in players:
            busy[player] = busy.get(player, 0) | 1 << first
        if first == len(rounds):
            rounds.append([])
        rounds[first].append(index)
    return rounds
