"""The loser of a match is out. A match is played as soon as its players are known: no round waits for another one.

A match is a series of at most ``best_of`` games that count. The seats are exchanged from game to game, and the match is
over as soon as the other player cannot catch up. A game that neither player won does not count and is played again. A
match also ends after three times ``best_of`` games, or when one of its games was given up. The player with more points
goes on; with equal points, the higher seed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from ugs.championship.formats.bracket import THIRD_PLACE, From, Pairing, Seed, bracket
from ugs.championship.formats.format_contract import Fixture, PutOff, Schedule, WaitedFor, never, no_entrant
from ugs.championship.plan import Plan
from ugs.championship.point_sums import added
from ugs.championship.seats import SeatCounts, deal
from ugs.value import state

PATIENCE = 3
"""A match has at most PATIENCE times ``best_of`` games, drawn ones included."""
IN_THIS_MATCH = 1_000_000
"""The weight of a seat that a player had in this match, against one it had in earlier matches."""
SEEDS_DECIDE = 1_000
"""A higher seed weighs slightly more: it is spared a seat that both players have had too often."""


@state(eq=False)
class KnockOutMatch:
    """How far a match has come."""

    number: int
    pairing: Pairing
    players: dict[int, str | None]
    """By source: missing while the player is not known, None where no player comes."""
    seats: SeatCounts | None = None
    """How often each player had each seat in this match; None before all players are known."""
    points: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    games: int = 0
    counted: int = 0
    game: Fixture | None = None
    """The game that can be played or is being played."""
    running: bool = False
    ranking: list[str] | None = None
    """Best first, without players who withdrew; None before the match is decided."""

    @property
    def nicks(self) -> list[str]:
        """The players known so far."""
        return [nick for _, nick in sorted(self.players.items()) if nick is not None]


class KnockOut(Schedule):
    """Seeded by the order of the field. Where the field is no power of ``seats``, the top seeds skip the first round.

    When a player withdraws, the other one goes on; in larger games too few are left for a game, so the best of the
    match so far goes on (at first the highest seed). Each match gives its players every seat equally often, within one.
    Its first game has the order that evens out the matches before.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`."""
        super().__init__(plan, field, seats, put_off)
        tree = bracket(len(field), seats, plan.third_place)
        self._matches = [KnockOutMatch(number, pairing, {}) for number, pairing in enumerate(tree)]
        self._final = next(match for match in reversed(self._matches) if match.pairing.label != THIRD_PLACE)
        self._leads_to: dict[From, list[tuple[KnockOutMatch, int]]] = {}
        self._seeding = {nick: place for place, nick in enumerate(self.field)}
        self._seats = SeatCounts(self.field, seats)
        self._of_number: dict[int, KnockOutMatch] = {}
        self._strangers: set[int] = set()
        """Running games that belong to no match."""
        self._gone: set[str] = set()
        for match in self._matches:
            for at, source in enumerate(match.pairing.sources):
                if isinstance(source, Seed):
                    match.players[at] = self.field[source.place]
                else:
                    self._leads_to.setdefault(source, []).append((match, at))
        for match in self._matches:
            self._go_on_with(match)

    def open_fixtures(self, free: Collection[str], _waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the open fixtures that ``free`` players can play now, the most urgent first. Earlier rounds are more
        urgent."""
        free = frozenset(free)
        offers = [match.game for match in self._matches if match.game is not None and not match.running]
        return sorted(
            (game for game in offers if free.issuperset(game.nicks)), key=lambda game: (game.round, game.number)
        )

    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played."""
        match = self._of_number.get(fixture.number)
        if match is None or match.game is None or match.game.number != fixture.number:
            self._strangers.add(fixture.number)
            return
        if not match.running:
            match.running = True
            self._count_seats(match, fixture)

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture."""
        self._strangers.discard(fixture.number)
        match = self._of_number.get(fixture.number)
        if match is None or match.game is None or match.game.number != fixture.number:
            return
        match.game, match.running = None, False
        match.games += 1
        got = [points.get(nick, 0.0) for nick in match.nicks]
        if len({*got}) > 1:
            match.counted += 1
            for nick, more in zip(match.nicks, got, strict=True):
                match.points[nick] = added(match.points[nick], more)
        # Given up after too many void games: the next one would end like them.
        if not points:
            self._decide(match)
        else:
            self._go_on_with(match)

    def not_correctable(self, fixture: Fixture) -> str:
        """Why the result of a settled fixture cannot be changed any more; empty when it can. A match that came out of
        it must not have begun."""
        match = self._of_number.get(fixture.number)
        if match is None:
            return "it belongs to no match"
        if (fixture.number - 1) // len(self._matches) >= match.games:
            return "its match was decided without it, since a player has left"
        began = [one for one, _ in self._fed(match) if one.games or one.running]
        return f"the {began[0].pairing.label} has begun, whose players come from its result" if began else ""

    def correct(self, fixture: Fixture, before: Mapping[str, float], now: Mapping[str, float]) -> None:
        """Replace the points of a settled fixture. A match that was decided is decided again, or goes on unless
        nothing more is played."""
        match = self._of_number[fixture.number]
        counted = len({before.get(nick, 0.0) for nick in match.nicks}) > 1
        counts = len({now.get(nick, 0.0) for nick in match.nicks}) > 1
        match.counted += counts - counted
        for nick in match.nicks:
            gained = now.get(nick, 0.0) * counts - before.get(nick, 0.0) * counted
            match.points[nick] = added(match.points[nick], gained)
        if match.ranking is not None:
            for following, at in [*self._fed(match)]:
                # It has not begun (:meth:`not_correctable`), so its players may still change.
                following.players.pop(at, None)
                following.game, following.seats, following.ranking = None, None, None
            match.ranking = None
            self._go_on_with(match)
        elif match.game is not None and not match.running and self._is_over(match):
            match.game = None
            self._decide(match)

    def _following(self, match: KnockOutMatch) -> list[tuple[KnockOutMatch, int]]:
        """The matches that this one leads to, and the places of its players there."""
        return [to for place in range(self.seats) for to in self._leads_to.get(From(match.number, place), ())]

    def _fed(self, match: KnockOutMatch) -> Iterator[tuple[KnockOutMatch, int]]:
        """The matches that have players of this one, and the places of these there."""
        for following, at in self._following(match):
            yield following, at
            # Decided without a game, since a player has left: its winner stands in a match beyond.
            if following.ranking is not None:
                yield from self._fed(following)

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good; returns the fixtures that are dropped."""
        self._gone.add(nick)
        dropped = []
        for match in self._matches:
            # A game that runs is played to its end and decides the match then.
            if match.ranking is None and not match.running and nick in match.players.values():
                if match.game is not None:
                    dropped.append(match.game)
                    match.game = None
                self._go_on_with(match)
        return dropped

    @property
    def matches(self) -> Sequence[KnockOutMatch]:
        """All matches of the tree, only to be read."""
        return self._matches

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not self._strangers and all(match.ranking is not None for match in self._matches)

    @property
    def total(self) -> int:
        """The most games possible: those that count, and those that were drawn so far."""
        return len(self._matches) * self.plan.best_of + sum(match.games - match.counted for match in self._matches)

    def placing(self) -> Sequence[str]:
        """Return the entrants, best first. First the final, then the match for the third place, then those who came
        furthest. Players knocked out in the same round are ordered by their place in the match, then by seeding.
        Players still in come before those knocked out, after a decided final."""
        still_in = [nick for match in self._matches if match.ranking is None for nick in match.nicks]
        third = [match for match in self._matches if match.pairing.label == THIRD_PLACE]
        places = [*(self._final.ranking or ()), *sorted(still_in, key=self._seeding.__getitem__)]
        for match in [self._final, *third]:
            places += [*(match.ranking or ()), *match.nicks]
        for number in range(self._final.pairing.round - 1, 0, -1):
            of_round = [match for match in self._matches if match.pairing.round == number]
            places += [
                nick for _, _, nick in sorted(self._place(nick, match) for match in of_round for nick in match.nicks)
            ]
        # The best place that was found for each.
        return list(dict.fromkeys(places))

    def _place(self, nick: str, match: KnockOutMatch) -> tuple[int, int, str]:
        ranking = match.ranking or []
        return ranking.index(nick) if nick in ranking else self.seats, self._seeding[nick], nick

    def _go_on_with(self, match: KnockOutMatch) -> None:
        """Make the next game of a match, or decide the match."""
        if len(match.players) < self.seats or match.ranking is not None or match.game is not None:
            return
        if match.seats is None:
            match.seats = SeatCounts(match.nicks, self.seats)
        too_few = sum(nick not in self._gone for nick in match.nicks) < self.seats
        if too_few or self.ended or self._is_over(match):
            self._decide(match)
            return
        # The number encodes match and game, so it does not depend on the order of the ends of two matches.
        number = match.games * len(self._matches) + match.number + 1
        match.game = Fixture(
            number, self._dealt(match), match.pairing.round, match.pairing.label, self._opening(match.games)
        )
        self._of_number[number] = match

    def _opening(self, game: int) -> int:
        """Which opening a game of a match begins with: as many games in a row as there are seats share one."""
        openings = len(self.plan.openings)
        return game // self.seats % openings + 1 if openings else 0

    def _is_over(self, match: KnockOutMatch) -> bool:
        """Return whether it is clear who goes on, or whether the match has had all its games."""
        if match.games >= PATIENCE * self.plan.best_of:
            return True
        first, second, *_ = sorted((match.points[nick] for nick in match.nicks), reverse=True)
        return first - second > max(0, self.plan.best_of - match.counted)

    def _decide(self, match: KnockOutMatch) -> None:
        """Rank the players of a match by points, then seeding, and let those who go on enter their next match."""
        staying = [nick for nick in match.nicks if nick not in self._gone]
        match.ranking = sorted(staying, key=lambda nick: (-match.points[nick], self._seeding[nick]))
        for place in range(self.seats):
            for following, at in self._leads_to.get(From(match.number, place), ()):
                following.players[at] = match.ranking[place] if place < len(match.ranking) else None
                self._go_on_with(following)

    def _dealt(self, match: KnockOutMatch) -> tuple[str, ...]:
        """Return the nicks in the order of seats that is most even in this match, then over all matches."""
        assert match.seats is not None
        nicks = sorted(match.nicks, key=self._seeding.__getitem__)
        here, had = match.seats.had, self._seats.had
        costs = [
            [
                (IN_THIS_MATCH * here[nick][seat] + had[nick][seat]) * (SEEDS_DECIDE - place)
                for seat in range(self.seats)
            ]
            for place, nick in enumerate(nicks)
        ]
        return tuple(nicks[player] for player in deal(costs))

    def _count_seats(self, match: KnockOutMatch, fixture: Fixture) -> None:
        if match.seats is not None and {*fixture.nicks} == {*match.nicks}:
            match.seats.add(fixture.nicks)
            self._seats.add(fixture.nicks)
