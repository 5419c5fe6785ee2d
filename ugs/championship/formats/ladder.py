"""A ladder goes on and on: free players play opponents of about the same strength.

Strength is an Elo rating that the ladder keeps for itself. It begins at 1500; a game of two moves at most 32 points
from one player to the other. In larger games every two players count as a game of their own, which moves at most 32
points divided by the number of opponents.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ugs.championship.formats.fixed import FixtureOffers
from ugs.championship.formats.format_contract import Fixture, PutOff, Schedule, WaitedFor, never, no_entrant
from ugs.championship.plan import Plan
from ugs.championship.seats import SeatCounts

BEGINNING = 1500.0
AT_STAKE = 32.0
SPREAD = 400.0
"""At this difference in points the stronger player is expected to win ten times as often."""
WORTH = 100.0
"""An opponent may be this many points further away if that avoids a seat that a player had too often, or an opponent of
its latest game."""
CLOSE = 12
"""How many of the closest players are considered for such a change."""


class Ladder(Schedule):
    """Pairs the free players, those with the fewest games first, with those of the closest rating.

    The same players do not meet again before one of them has played another opponent, unless no other remains. With
    ``rounds`` games each, no player gets so far ahead that the others could not find opponents for all of their games:
    if none leaves, each plays ``rounds`` games, less what does not fill a last game. Seats are evened out as games
    come.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`."""
        super().__init__(plan, field, seats, put_off)
        self.ratings = dict.fromkeys(self.field, BEGINNING)
        self._seats = SeatCounts(self.field, seats)
        self._begun = dict.fromkeys(self.field, 0)
        self._latest: dict[str, frozenset[str]] = {}
        """The players of the game that an entrant began last."""
        self._order = {nick: place for place, nick in enumerate(self.field)}
        """The order among equals: first the seeding, then who has waited longest."""
        self._running: dict[int, Fixture] = {}
        self._gone: set[str] = set()
        self._used = 0
        self._offered: dict[tuple[str, ...], Fixture] = {}

    def open_fixtures(self, free: Collection[str], _waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the open fixtures that ``free`` players can play now, the most urgent first. The fixtures are made for
        exactly these players, and no player is in two of them. The result is only valid until the schedule changes."""
        all_players = self._active()
        before, self._offered = self._offered, {}
        return FixtureOffers(self._offers([nick for nick in all_players if nick in free], all_players, before))

    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played."""
        if fixture.number in self._running:
            return
        self._running[fixture.number] = fixture
        self._used = max(self._used, fixture.number)
        self._offered = {nicks: offer for nicks, offer in self._offered.items() if offer.number != fixture.number}
        known = [nick for nick in fixture.nicks if nick in self.ratings]
        for nick in known:
            self._begun[nick] += 1
            self._latest[nick] = frozenset(fixture.nicks)
            # Behind all who have waited longer.
            self._order[nick] = len(self.field) + self._used
        if len(known) == self.seats:
            self._seats.add(fixture.nicks)

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture."""
        # Given up: it moves no rating.
        if self._running.pop(fixture.number, None) is None or not points:
            return
        known = [nick for nick in fixture.nicks if nick in self.ratings]
        changes = dict.fromkeys(known, 0.0)
        for one, other in combinations(known, 2):
            difference = points.get(one, 0.0) - points.get(other, 0.0)
            # Elo's formula.
            expected = 1 / (1 + 10 ** ((self.ratings[other] - self.ratings[one]) / SPREAD))
            won = 1.0 if difference > 0 else 0.5 if difference == 0 else 0.0
            change = AT_STAKE / (self.seats - 1) * (won - expected)
            changes[one] += change
            changes[other] -= change
        for nick, change in changes.items():
            self.ratings[nick] += change

    def takes_back(self) -> bool:
        """Whether an entrant that has left may still play what is not drawn yet."""
        return not self.finished

    def take_back(self, nick: str) -> None:
        """Let an entrant that has left play on."""
        self._gone.discard(nick)

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good; returns the fixtures that are dropped. Nothing is fixed beforehand, so nothing is
        dropped."""
        self._gone.add(nick)
        self._offered = {nicks: offer for nicks, offer in self._offered.items() if nick not in nicks}
        return []

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not self._running and len(self._active()) < self.seats

    @property
    def total(self) -> int | None:
        """How many games there will be in total; None where that is not known."""
        return self.plan.rounds * len(self.field) // self.seats if self.plan.rounds else None

    def _active(self) -> list[str]:
        """The entrants who still have games to begin."""
        return [nick for nick in self.field if nick not in self._gone and self._need(nick) > 0]

    def _need(self, nick: str) -> int:
        return self.plan.rounds - self._begun[nick] if self.plan.rounds else 1

    def _offers(
        self, left: list[str], all_players: Sequence[str], before: Mapping[tuple[str, ...], Fixture]
    ) -> Iterator[Fixture]:
        """Yield games among the players in ``left``, one after the other. A game that was on offer before keeps its
        number."""
        needs = {nick: self._need(nick) for nick in all_players}
        taken = {offer.number for offer in before.values()}
        all_are_here = len(left) == len(all_players)
        while len(left) >= self.seats:
            game = self._next_game(left, needs, strict=True)
            if game is None and all_are_here and not self._offered:
                # All are here and no game is allowed: a rematch is better than waiting for ever.
                game = self._next_game(left, needs, strict=False)
            if game is None:
                return
            for nick in game:
                left.remove(nick)
                needs[nick] -= 1
            nicks = self._seats.deal(game)
            # The owner may be about to begin an offer of the last look, so it keeps its number.
            fixture = before.get(nicks)
            if fixture is None:
                number = self._used + 1
                while number in taken:
                    number += 1
                taken.add(number)
                fixture = Fixture(number, nicks)
            self._offered[nicks] = fixture
            yield fixture

    def _next_game(self, left: Sequence[str], needs: Mapping[str, int], strict: bool) -> list[str] | None:
        """Return the most urgent game among the players in ``left``; None when none may be played now."""
        total = sum(needs.values())
        for leader in sorted(left, key=lambda nick: (self._begun[nick], self._order[nick])):
            game = [leader]
            while len(game) < self.seats:
                near = self._nearest(game, left)
                if self.plan.rounds and strict:  # a player who must be in nearly every game that is left leads first
                    near.sort(key=lambda nick: -needs[nick] if (needs[nick] + 1) * self.seats >= total else 0)
                last = len(game) == self.seats - 1
                chosen = next((nick for nick in near if not last or self._may_meet([*game, nick], needs, strict)), None)
                if chosen is None:
                    break
                game.append(chosen)
            else:
                return game
        return None

    def _nearest(self, game: Sequence[str], left: Sequence[str]) -> list[str]:
        """Return the players who could join a game, those with the closest rating to its leader first. Among the
        closest, seats and the latest game count as well."""
        rating = self.ratings[game[0]]
        away = {nick: abs(self.ratings[nick] - rating) for nick in left if nick not in game}
        near = sorted(away, key=lambda nick: (away[nick], self._order[nick]))
        for nick in near[:CLOSE]:
            away[nick] += WORTH * sum(nick in self._latest.get(member, ()) for member in game)
            if len(game) == self.seats - 1:
                away[nick] += WORTH * self._seats.excess([*game, nick])
        return sorted(near[:CLOSE], key=lambda nick: (away[nick], self._order[nick])) + near[CLOSE:]

    def _may_meet(self, game: Sequence[str], needs: Mapping[str, int], strict: bool) -> bool:
        """Return whether a game is no avoidable rematch and leaves opponents for the remaining games of all players."""
        if not strict:
            return True
        together = frozenset(game)
        if all(self._latest.get(nick) == together for nick in game) and any(
            nick not in together and self._need(nick) > 0 for nick in needs
        ):
            return False
        if not self.plan.rounds:
            return True
        after = [need - (nick in together) for nick, need in needs.items()]
        return self._stranded(after) <= max(0, self._stranded(needs.values()))

    def _stranded(self, needs: Iterable[int]) -> int:
        """Return how many games would find no opponents. Games that do not fill a last game are left in any case."""
        counts = list(needs)
        games, over = divmod(sum(counts), self.seats)
        return sum(need - games for need in counts if need > games) - over
