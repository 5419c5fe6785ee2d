"""Schedules that are made of others: groups, divisions, one stage after the other.

Each part is a schedule of its own for some of the entrants. Its games get numbers and rounds that are unique in the
whole: part 2 has the numbers above 2 000 000. A part remembers what its games were worth to each player, since places
in it decide who goes on.
"""

from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby

from ugs.championship.due_draws import Drawing, Request
from ugs.championship.formats.fixed import FixedSchedule, FixtureOffers
from ugs.championship.formats.format_contract import Fixture, PutOff, Schedule, WaitedFor, never, no_entrant
from ugs.championship.formats.swiss import Swiss
from ugs.championship.plan import Plan, TieBreak
from ugs.championship.point_sums import added
from ugs.championship.tiebreaks import GamesBetween, Placement, TiebreakScores, placements
from ugs.value import state

SPAN = 1_000_000
"""Numbers of one part; more than any schedule has games."""
WON = 1.0


def later(_request: Request) -> bool:
    """Draw nothing at once: the whole decides when."""
    return True


@state(eq=False)
class SchedulePart:
    """One schedule among others."""

    number: int
    schedule: Schedule
    label: str
    """For people: ``group A``; empty where the games have labels of their own."""
    rounds_before: int
    stage: int = 0
    """The stage that it is played in, from 1; 0 in formats without stages."""
    order: tuple[str, ...] = ()
    """Its players, best first, without those who had left, as they stood when the next stage was made from them ..."""
    through: tuple[str, ...] = ()
    """... and those who went on; both empty before."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """What separates equal points; none: the points among those who have them."""
    points: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    against: defaultdict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    """What a player got in games with another one that it has met."""
    met: defaultdict[str, dict[str, GamesBetween]] = field(default_factory=lambda: defaultdict(dict))
    """The same as tie-breaks count it: of two in a game the better one wins, and forfeited games are played ones."""
    won: Counter[str] = field(default_factory=Counter)

    def outside(self, fixture: Fixture) -> Fixture:
        """Return a game of this part as the whole knows it."""
        number, round_ = self.number * SPAN + fixture.number, self.rounds_before + fixture.round
        return Fixture(number, fixture.nicks, round_, fixture.label or self.label, fixture.opening)

    def inside(self, fixture: Fixture) -> Fixture:
        """Return a game of the whole as this part knows it."""
        number, round_ = fixture.number - self.number * SPAN, fixture.round - self.rounds_before
        return replace(fixture, number=number, round=round_)

    def credit(self, nicks: Sequence[str], points: Mapping[str, float], sign: int = 1) -> None:
        """Remember what a game of these players was worth."""
        for nick in nicks:
            got = sign * points.get(nick, 0.0)
            self.points[nick] = added(self.points[nick], got)
            for other in nicks:
                if other != nick:
                    self.against[nick][other] = added(self.against[nick].get(other, 0.0), got)
        self.meet(nicks, points, sign)

    def meet(self, nicks: Sequence[str], points: Mapping[str, float], sign: int = 1) -> None:
        """Remember for tie-breaks who met whom in a game: those for whom it counts. None did in one that was given up,
        nor those who stayed in one of three that was forfeited."""
        if not self.tie_breaks:
            return
        decided, counted = any(points.values()), [nick for nick in nicks if nick in points]
        for nick in counted:
            own = points[nick]
            self.won[nick] += sign * (own >= WON)
            for other in counted:
                if other != nick:
                    theirs = points[other]
                    got = 0.0 if own < theirs or not decided else WON if own > theirs else WON / 2
                    before = self.met[nick].get(other, GamesBetween())
                    self.met[nick][other] = GamesBetween(before.games + sign, before.points + sign * got)

    def worth(self, nick: str) -> float:
        """Return the points of a player in this part, byes included."""
        return self.schedule.points[nick] if isinstance(self.schedule, Swiss) else self.points[nick]

    def ranking(self, gone: Collection[str] = ()) -> list[str]:
        """Return the players, best first, without those who are ``gone``: as the format places them; else by points,
        then by the tie-breaks or the points among those who have equal points, then by seeding."""
        placing = self.schedule.placing()
        if placing is not None:
            return [nick for nick in placing if nick not in gone]
        there = [nick for nick in self.schedule.field if nick not in gone]
        return [nick for tied in self.ties(there) for nick in tied]

    def ties(self, nicks: Iterable[str]) -> list[list[str]]:
        """Return these players, best first, those with equal points together, each group in its order."""
        by_points = sorted(nicks, key=lambda nick: -self.worth(nick))
        tied = [list(alike) for _, alike in groupby(by_points, key=self.worth)]
        if self.tie_breaks:
            place = {one.nick: one.place for one in self.placements()}
            return [sorted(group, key=place.__getitem__) for group in tied]
        return [sorted(group, key=self._key_among(group)) for group in tied]

    def placements(self) -> list[Placement]:
        """Return all players by points and tie-breaks, best first, with the values of these."""
        bye = self.schedule.plan.bye_points(self.schedule.seats)
        byes: Counter[str] = Counter(nick for _, nick in self.schedule.byes())
        points = {nick: self.worth(nick) for nick in self.schedule.field}
        worth = {nick: added(0, times * bye) for nick, times in byes.items()}
        return placements(TiebreakScores(points, self.won, self.met, worth), self.tie_breaks)

    def _key_among(self, group: Sequence[str]) -> Callable[[str], float]:
        """What to sort by who has made the most points among these."""
        these = frozenset(group)

        def key(nick: str) -> float:
            # Only those that it has met: a thousand may have equal points, and each has met a few of them.
            met = self.against.get(nick, {})
            return -added(0.0, sum(points for other, points in met.items() if other in these))

        return key


class Composite(Schedule):
    """A schedule made of parts. Nothing is open while any part has to be drawn."""

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`."""
        self.parts: list[SchedulePart] = []
        self.gone: set[str] = set()
        self.last_round = 0
        """The last round where a game has begun."""
        self._done = 0
        """How many of the first parts are finished: a league has ever more."""
        super().__init__(plan, field, seats, put_off)
        self.seeding = {nick: place for place, nick in enumerate(self.field)}

    @abstractmethod
    def go_on(self) -> None:
        """Something has changed: add the parts that can be made now."""

    def add(self, schedule: Schedule, label: str = "", stage: int = 0) -> SchedulePart:
        """Add a part, whose rounds come after those that have been played."""
        part = SchedulePart(len(self.parts), schedule, label, self.last_round, stage)
        self.parts.append(part)
        return part

    def changed(self) -> None:
        """Go on as far as that can be done without drawing elsewhere."""
        while self._done < len(self.parts) and self.parts[self._done].schedule.finished:
            self._done += 1
        self.go_on()
        # All at once or all elsewhere: the parts of one stage begin together.
        if self.wants and not any(map(self.put_off, self.wants)):
            for part in self._current:
                part.schedule.draw_now()
            self.changed()

    @property
    def wanted(self) -> Request | None:
        """What has to be drawn before it can go on, from the first part that wants something; None when nothing has."""
        return next(iter(self.wants), None)

    @wanted.setter
    def wanted(self, _wanted: Request | None) -> None:
        """What is wanted is what the parts want."""

    @property
    def wants(self) -> Sequence[Request]:
        """All that has to be drawn before it can go on, ``wanted`` first. If one of them has to be drawn elsewhere, all
        are, one after the other."""
        return [part.schedule.wanted for part in self._current if part.schedule.wanted is not None]

    def take(self, drawing: Drawing) -> None:
        """Take in what was drawn for ``wanted``."""
        part = next(part for part in self._current if part.schedule.wanted is not None)
        part.schedule.take(drawing)
        self.changed()

    def open_fixtures(self, free: Collection[str], waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the open fixtures that ``free`` players can play now, the most urgent first. The result is only valid
        until the schedule changes."""
        return () if self.wanted is not None else FixtureOffers(self._offers(free, waited_for))

    def _offers(self, free: Collection[str], waited_for: WaitedFor) -> Iterator[Fixture]:
        for part in self._current:
            if not part.schedule.finished:
                yield from map(part.outside, part.schedule.open_fixtures(free, waited_for))

    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played."""
        part = self._part(fixture)
        self.last_round = max(self.last_round, fixture.round)
        part.schedule.begin(part.inside(fixture))

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture."""
        part = self._part(fixture)
        part.credit(fixture.nicks, points)
        part.schedule.settle(part.inside(fixture), points)
        self.changed()

    def not_correctable(self, fixture: Fixture) -> str:
        """Why the result of a settled fixture cannot be changed any more; empty when it can. Places that others have
        been made from stand."""
        part = self._part(fixture)
        if part.schedule.finished and part.number < len(self.parts) - 1 and self.follows(part):
            return "what comes after it has begun, with those who went on from it"
        return part.schedule.not_correctable(part.inside(fixture))

    def end(self) -> None:
        """Nothing more is played."""
        super().end()
        for part in self.parts:
            part.schedule.end()

    def standing(self, part: SchedulePart) -> Sequence[str]:
        """Return the players of a part, best first, those who have left among them."""
        return part.ranking()

    def follows(self, part: SchedulePart) -> bool:
        """Whether a later part was made from the places in this one."""
        return any(one.rounds_before > part.rounds_before for one in self.parts)

    def correct(self, fixture: Fixture, before: Mapping[str, float], now: Mapping[str, float]) -> None:
        """Replace the points of a settled fixture."""
        part = self._part(fixture)
        part.credit(fixture.nicks, before, -1)
        part.credit(fixture.nicks, now)
        part.schedule.correct(part.inside(fixture), before, now)
        self.changed()

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good; returns the fixtures that are dropped."""
        self.gone.add(nick)
        dropped = []
        for part in self._current:
            if nick not in part.schedule.field or part.schedule.finished:
                continue
            for fixture in part.schedule.withdraw(nick):
                dropped.append(part.outside(fixture))
                if len(fixture.nicks) == 2:
                    # The owner gives the opponents these points; the places in this part need them, too.
                    points = {one: 0.0 if one == nick else WON for one in fixture.nicks}
                    if isinstance(part.schedule, FixedSchedule):
                        part.credit(fixture.nicks, points)
                    else:
                        part.meet(fixture.nicks, points)
        self.changed()
        return dropped

    def byes(self) -> Sequence[tuple[int, str]]:
        """Return who sat out so far, as pairs of round and nick."""
        return tuple(
            (part.rounds_before + number, nick) for part in self.parts for number, nick in part.schedule.byes()
        )

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return all(part.schedule.finished for part in self._current)

    @property
    def _current(self) -> list[SchedulePart]:
        return self.parts[self._done :]

    def _part(self, fixture: Fixture) -> SchedulePart:
        return self.parts[fixture.number // SPAN]
