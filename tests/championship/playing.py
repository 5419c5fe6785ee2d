"""Plays a schedule to its end: random games at the same time, random results, void games, leavers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.format_table import make
from ugs.championship.plan import Plan

MANY = 100_000


def plan(**keys: Any) -> Plan:
    """Return a plan in which only the given keys matter."""
    needed: dict[str, dict[str, Any]] = {"stages": {"stages": ({},)}, "league": {"divisions": 1, "rounds": 2}}
    of_format = needed.get(str(keys.get("format")), {})
    return Plan.read({"name": "spring", "game_type": "chess", "first": 2, **of_format, **keys})


def names(entrants: int) -> list[str]:
    """Return ``number`` nicks, best seed first."""
    width = max(2, len(str(entrants)))
    return [f"p{number:0{width}}" for number in range(1, entrants + 1)]


@dataclass(frozen=True)
class Begun:
    """A call of ``begin``."""

    fixture: Fixture


@dataclass(frozen=True)
class Settled:
    """A call of ``settle``."""

    fixture: Fixture
    points: Mapping[str, float]


@dataclass(frozen=True)
class Withdrawn:
    """A call of ``withdraw``."""

    nick: str


Call: TypeAlias = Begun | Settled | Withdrawn


@dataclass
class Player:
    """Plays a schedule. Its calls are in ``calls``, the fixtures that were begun (each once) in ``begun``."""

    schedule: Schedule
    random: Random
    at_a_time: int = 99
    voids: float = 0.0
    leaving: float = 0.0
    drawn: float = 0.2
    given_up: float = 0.0
    calls: list[Call] = field(default_factory=list)
    begun: list[Fixture] = field(default_factory=list)
    dropped: list[Fixture] = field(default_factory=list)
    running: list[Fixture] = field(default_factory=list)
    again: list[Fixture] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)

    @property
    def free(self) -> set[str]:
        """Return the players who play no game and have not left."""
        return set(self.schedule.field) - self.gone - {nick for game in self.running for nick in game.nicks}

    @property
    def over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.schedule.finished and not self.running and not self.again

    def to_the_end(self) -> "Player":
        """Play until it is finished."""
        for _ in range(MANY):
            if self.over:
                assert not self.schedule.open_fixtures(self.free)
                return self
            self.step()
        raise AssertionError("no end")

    def some(self, steps: int) -> "Player":
        """Play ``steps`` steps."""
        for _ in range(steps):
            if not self.over:
                self.step()
        return self

    def step(self) -> None:
        """Begin a game, end one, or let a player leave. Void games of players who have left are lost first."""
        lost = [fixture for fixture in self.again if self.gone.intersection(fixture.nicks)]
        for fixture in lost:
            self.again.remove(fixture)
            self.forfeit(fixture)
        if lost or self.over:  # the next games may have to be drawn first
            return
        free = self.free
        offers = self.offers(free)
        if self.leaving and len(self.gone) < len(self.schedule.field) and self.random.random() < self.leaving:
            self.withdraw(self.random.choice(sorted(set(self.schedule.field) - self.gone)))
        elif offers and len(self.running) < self.at_a_time and (not self.running or self.random.random() < 0.6):
            self.begin(self.random.choice(offers))
        else:
            assert self.running, f"nobody plays, nothing is on offer, and it is not finished: {self.calls[-20:]}"
            self.end(self.running.pop(self.random.randrange(len(self.running))))

    def offers(self, free: set[str]) -> list[Fixture]:
        """Return what may be begun now; check that it can be."""
        offers = list(self.schedule.open_fixtures(free))
        assert list(self.schedule.open_fixtures(sorted(free))) == offers, "asking changes nothing"
        numbers = [fixture.number for fixture in self.begun]
        for fixture in offers:
            assert free.issuperset(fixture.nicks)
            assert len(set(fixture.nicks)) == len(fixture.nicks) == self.schedule.seats
            assert fixture.number > 0
        if offers:
            assert len({fixture.number for fixture in offers} | set(numbers)) == len(offers) + len(numbers)
        return offers + [fixture for fixture in self.again if free.issuperset(fixture.nicks)]

    def begin(self, fixture: Fixture) -> None:
        """Begin a fixture, for the first time or again. The schedule may be told of the second time, but need not
        be."""
        if fixture in self.again:
            self.again.remove(fixture)
            if self.random.random() < 0.5:
                self.schedule.begin(fixture)
        else:
            self.tell(Begun(fixture))
            self.begun.append(fixture)
        self.running.append(fixture)

    def end(self, fixture: Fixture) -> None:
        """End a game in one way or another."""
        chance = self.random.random()
        gone = self.gone.intersection(fixture.nicks)
        if chance < self.voids and not gone:
            self.again.append(fixture)
        elif chance < self.voids:
            self.forfeit(fixture)
        elif chance < self.voids + self.given_up:
            self.tell(Settled(fixture, {}))
        elif self.random.random() < self.drawn:
            self.tell(Settled(fixture, dict.fromkeys(fixture.nicks, 0.5)))
        else:
            winner = self.random.choice(fixture.nicks)
            self.tell(Settled(fixture, {nick: float(nick == winner) for nick in fixture.nicks}))

    def withdraw(self, nick: str) -> None:
        """Let a player leave."""
        before = {fixture.number for fixture in self.begun}
        dropped = self.schedule.withdraw(nick)
        self.calls.append(Withdrawn(nick))
        self.gone.add(nick)
        self.dropped += dropped
        for fixture in dropped:
            assert nick in fixture.nicks
            assert fixture.number not in before

    def forfeit(self, fixture: Fixture) -> None:
        """Count a forfeit: the leaver loses; the other player of a game of two wins."""
        left = [nick for nick in fixture.nicks if nick not in self.gone]
        points = dict.fromkeys(fixture.nicks, 0.0) | ({left[0]: 1.0} if len(fixture.nicks) == 2 and left else {})
        self.tell(Settled(fixture, points))

    def tell(self, call: Call) -> None:
        """Make a call and record it."""
        repeat(self.schedule, [call])
        self.calls.append(call)

    def rebuilt(self) -> "Player":
        """Return the same state after a restart: the schedule is made anew and told what happened; running games are
        played again."""
        schedule = make(self.schedule.plan, self.schedule.field, self.schedule.seats)
        repeat(schedule, self.calls)
        return Player(
            schedule=schedule,
            random=self.random,
            at_a_time=self.at_a_time,
            voids=self.voids,
            leaving=self.leaving,
            drawn=self.drawn,
            given_up=self.given_up,
            calls=list(self.calls),
            begun=list(self.begun),
            dropped=list(self.dropped),
            again=[*self.again, *self.running],
            gone=set(self.gone),
        )


def repeat(schedule: Schedule, calls: Sequence[Call]) -> None:
    """Make these calls."""
    for call in calls:
        match call:
            case Begun(fixture):
                schedule.begin(fixture)
            case Settled(fixture, points):
                schedule.settle(fixture, points)
            case Withdrawn(nick):
                schedule.withdraw(nick)


def seat_difference(fixtures: Sequence[Fixture], seats: int) -> int:
    """Return the largest difference between the seats of one entrant."""
    had: dict[str, Counter[int]] = {}
    for fixture in fixtures:
        for seat, nick in enumerate(fixture.nicks):
            had.setdefault(nick, Counter())[seat] += 1
    seated = [[count[seat] for seat in range(seats)] for count in had.values()]
    return max((max(counts) - min(counts) for counts in seated), default=0)


def games_of(fixtures: Sequence[Fixture]) -> Counter[str]:
    """Return the number of games of each nick."""
    return Counter(nick for fixture in fixtures for nick in fixture.nicks)
