"""All entrants play every round, against an opponent with about equal points so far.

A round is paired when the last game of the round before is settled: this is the one format that has to wait. When not
all can play, those who sit out have a bye, worth what the plan sets. Byes go to the last in the standings first, and no
entrant has a second one before all had one.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ugs.championship.formats.format_contract import Fixture, PutOff, Schedule, WaitedFor, never, no_entrant
from ugs.championship.pairing.swiss_round import WON, Pairings, SwissRound
from ugs.championship.plan import Plan
from ugs.championship.point_sums import added
from ugs.championship.seats import SeatCounts


class Swiss(Schedule):
    """The plan's number of ``rounds``, or 0: as many as leave only one player who has won every game.

    No two entrants meet again as long as that can be avoided (for more than 2 seats: as long as exchanging players of
    two groups avoids it). Players who have won every game they played meet each other. For all others seats come next
    and points after them: each player has every seat equally often within one, as long as pairings without a rematch
    allow it.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`."""
        super().__init__(plan, field, seats, put_off)
        self.rounds = plan.rounds or enough_rounds(len(field), seats)
        self.points = dict.fromkeys(self.field, 0.0)
        self._seeding = {nick: place for place, nick in enumerate(self.field)}
        self._seats = SeatCounts(self.field, seats)
        self._met: dict[str, Counter[str]] = {nick: Counter() for nick in self.field}
        self._byes: list[tuple[int, str]] = []
        self._sat_out: Counter[str] = Counter()
        self._round = 0
        self._used = 0
        self._open: dict[int, Fixture] = {}
        self._running: dict[int, Fixture] = {}
        self._gone: dict[str, int] = {}
        """Who has left, each with the round that had been drawn."""
        self._on_request: dict[int, set[str]] = {}
        """By round: who has asked to sit it out."""
        self._not_won: Counter[str] = Counter()
        """How many of its games a player has not won."""
        self._bye = plan.bye_points(seats)
        self._pair_next_round()

    def open_fixtures(self, free: Collection[str], _waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the open fixtures that ``free`` players can play now, the most urgent first."""
        free = frozenset(free)
        return [fixture for fixture in self._open.values() if free.issuperset(fixture.nicks)]

    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played."""
        self._open.pop(fixture.number, None)
        # An owner may begin it again after a void game: that is no second meeting.
        if fixture.number in self._running:
            return
        self._running[fixture.number] = fixture
        # From a ledger fixtures come with their numbers, which must not be used twice.
        self._used = max(self._used, fixture.number)
        for nick in fixture.nicks:
            self._met[nick].update(other for other in fixture.nicks if other != nick)
        if len(fixture.nicks) == self.seats:
            self._seats.add(fixture.nicks)

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture."""
        if self._running.pop(fixture.number, None) is not None:
            for nick, got in points.items():
                self.points[nick] = added(self.points[nick], got)
            self._not_won.update(_without_win(fixture, points))
            self._pair_next_round()

    def correct(self, fixture: Fixture, before: Mapping[str, float], now: Mapping[str, float]) -> None:
        """Replace the points of a settled fixture. A round that is not drawn yet is drawn from the new points."""
        for nick in fixture.nicks:
            self.points[nick] = added(self.points[nick], now.get(nick, 0.0) - before.get(nick, 0.0))
        self._not_won.subtract(_without_win(fixture, before))
        self._not_won.update(_without_win(fixture, now))
        if self.wanted is not None:
            self._pair_next_round()

    def not_enterable(self) -> str:
        """Why no entrant can enter any more; empty when one can."""
        return "its last round is drawn" if self._round >= self.rounds else ""

    def may_come_late(self, before: int) -> bool:
        """Whether a player who logs in now may enter, if the plan lets players in until this round is drawn."""
        return self._round < before and not self.not_enterable()

    def enter(self, nick: str) -> None:
        """Take one more entrant in, at the end of the field. It plays from the next round on; the rounds it missed are
        worth nothing."""
        self.field = (*self.field, nick)
        self.points[nick] = 0.0
        self._seeding[nick] = len(self._seeding)
        self._seats.had[nick] = [0] * self.seats
        self._met[nick] = Counter()
        # The rounds it missed are not won, or it would be paired as unbeaten.
        self._not_won[nick] = self._round
        if self.wanted is not None:
            self._pair_next_round()

    def takes_back(self) -> bool:
        """Whether an entrant that has left may still play what is not drawn yet."""
        return not self.not_enterable()

    def take_back(self, nick: str) -> None:
        """Let an entrant that has left play from the next round on; the rounds it missed are worth nothing."""
        # As in ``enter``.
        self._not_won[nick] += self._round - self._gone.pop(nick)
        self._pair_next_round()

    def cannot_sit_out(self, round_: int, before: int = 0) -> str:
        """Why no entrant can ask to sit out this round; empty when one can. Rounds have numbers above ``before``."""
        if self._round < round_ - before <= self.rounds:
            return ""
        return (
            f"round = {round_}: allowed: those that are not drawn, {before + self._round + 1} to {before + self.rounds}"
        )

    def sit_out(self, nick: str, round_: int) -> None:
        """Let an entrant sit out a round that is not drawn yet."""
        self._on_request.setdefault(round_, set()).add(nick)
        if self.wanted is not None:
            self._pair_next_round()

    def asked_to_sit_out(self) -> Sequence[tuple[str, int]]:
        """Who has asked to sit out which round."""
        return [(nick, round_) for round_, nicks in self._on_request.items() for nick in sorted(nicks)]

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good; returns the fixtures that are dropped. The opponent in a dropped game of two
        counts as the winner; in larger games the other players have a bye."""
        self._gone[nick] = self._round
        dropped = [fixture for fixture in self._open.values() if nick in fixture.nicks]
        for fixture in dropped:
            del self._open[fixture.number]
            self._not_won[nick] += 1
            for other in fixture.nicks:
                if other != nick and self.seats == 2:
                    self.points[other] = added(self.points[other], WON)
                elif other != nick:
                    self._sits_out(other)
        # The dropped game may have been the last open one of the round.
        self._pair_next_round()
        return dropped

    def byes(self) -> Sequence[tuple[int, str]]:
        """Return who sat out so far, as pairs of round and nick."""
        return tuple(self._byes)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not self._open and not self._running and self.wanted is None

    @property
    def total(self) -> int:
        """How many games there will be in total; None where that is not known."""
        return self.rounds * (len(self.field) // self.seats)

    def take(self, drawing: Pairings) -> None:
        """Take in what was drawn for ``wanted``."""
        round_, self.wanted = self.wanted, None
        assert isinstance(round_, SwissRound)
        self._round = round_.number
        for nick in round_.byes:
            self._sits_out(nick)
        for nicks in drawing:
            self._used += 1
            self._open[self._used] = Fixture(self._used, nicks, self._round)

    def _pair_next_round(self) -> None:
        """Let the next round be paired if the current one is over and the last has not been played."""
        self.wanted = None
        present = [nick for nick in self.field if nick not in self._gone]
        if self._open or self._running or self._round >= self.rounds or len(present) < self.seats:
            return
        asked = [nick for nick in present if nick in self._on_request.get(self._round + 1, ())]
        if len(present) - len(asked) >= self.seats:
            present = [nick for nick in present if nick not in asked]
        else:  # else no entrant could play
            asked = []
        order = sorted(present, key=lambda nick: (-self.points[nick], self._seeding[nick]))
        too_many = len(order) % self.seats
        last_first = order[::-1]
        # A stable sort: of those who sat out equally often, the last in the standings.
        byes = sorted(last_first, key=self._sat_out.__getitem__)[:too_many]
        for nick in byes:
            order.remove(nick)
        request = SwissRound(
            number=self._round + 1,
            seats=self.seats,
            order=tuple(order),
            byes=(*asked, *byes),
            points=dict(self.points),
            met={nick: dict(self._met[nick]) for nick in order},
            had={nick: tuple(self._seats.had[nick]) for nick in order},
            unbeaten=frozenset(nick for nick in order if not self._not_won[nick]),
        )
        self._want(request)

    def _sits_out(self, nick: str) -> None:
        self._byes.append((self._round, nick))
        self._sat_out[nick] += 1
        self.points[nick] = added(self.points[nick], self._bye)


def _without_win(fixture: Fixture, points: Mapping[str, float]) -> list[str]:
    return [nick for nick in fixture.nicks if points.get(nick, 0.0) < WON]


def enough_rounds(entrants: int, seats: int) -> int:
    """Return the fewest rounds such that no two players can have won all the games they played. A player who sits out
    the first round has lost none."""
    unbeaten = entrants // seats + entrants % seats
    rounds = 1
    while unbeaten > 1:
        unbeaten = -(-unbeaten // seats)
        rounds += 1
    return rounds
