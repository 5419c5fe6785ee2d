"""One round of a Swiss tournament: who plays whom, and where each sits."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from ugs.championship.pairing.swiss_groups import swiss_groups
from ugs.championship.pairing.swiss_pairs import swiss_pairs
from ugs.championship.seats import SeatCounts, deal
from ugs.value import value

Pairings: TypeAlias = tuple[tuple[str, ...], ...]
"""The nicks of each game by seat."""

WON = 1.0
STEEP = 8
"""How many times more a seat costs for each time that a player had it more often than another seat."""


@value
class SwissRound:
    """Wanted: the games of a round. It holds all that they depend on, and nothing in it changes any more."""

    number: int
    """From 1."""
    seats: int
    """Players of one game."""
    order: tuple[str, ...]
    """Those who play, best first: as many as fill the games."""
    byes: tuple[str, ...]
    """Those who sit out."""
    points: Mapping[str, float]
    met: Mapping[str, Mapping[str, int]]
    """How often two players met; a missing entry means never."""
    had: Mapping[str, Sequence[int]]
    """How often a player had each seat."""
    unbeaten: frozenset[str] = frozenset()
    """Those of ``order`` who have won every game they played."""

    def draw(self) -> Pairings:
        """Return the games, the best ones first. Takes up to a second for hundreds of players.

        Players who have won every game meet each other in as few games as can be, or two could be left in the end.
        Other players fill these games up: those whom none of them has met, the best of these first.
        """
        unbeaten = [nick for nick in self.order if nick in self.unbeaten]
        # In the first round all are unbeaten, and points decide nothing.
        if self.number == 1 or len(unbeaten) < 2:
            return tuple(self._games(self.order))
        others = [nick for nick in self.order if nick not in self.unbeaten]
        fill_up = sorted(others, key=lambda nick: sum(self.met[nick].get(one, 0) for one in unbeaten))
        top = {*unbeaten, *fill_up[: -len(unbeaten) % self.seats]}
        games = self._games([nick for nick in self.order if nick in top])
        if self.seats > 2:
            games = [self._evenly_seated(game) for game in games]
        games += self._games([nick for nick in self.order if nick not in top])
        # Keeping the unbeaten together may cost rematches: one pairing of all is taken if it is as good for both.
        if self._meet_again(games):
            apart = self._games(self.order)
            if self._with_unbeaten(apart) <= self._with_unbeaten(games) and self._meet_again(apart) == 0:
                games = apart
        return tuple(games)

    def _games(self, order: Sequence[str]) -> list[tuple[str, ...]]:
        seats = SeatCounts((), self.seats)
        seats.had = {nick: list(self.had[nick]) for nick in order}
        if self.seats > 2:
            return swiss_groups(order, self.points, self.met, seats, self.seats)
        pairs = swiss_pairs(order, self.points, self.met, seats)
        # Where both orders are equal, the better player sits first in every other game, so that winners differ in their
        # seats.
        return [seats.deal(pair if at % 2 == 0 else pair[::-1]) for at, pair in enumerate(pairs)]

    def _evenly_seated(self, game: Sequence[str]) -> tuple[str, ...]:
        """Return the players of a game in seats that give no player one seat much more often than another."""
        costs = [[STEEP ** (times - min(self.had[nick])) for times in self.had[nick]] for nick in game]
        return tuple(game[player] for player in deal(costs))

    def _with_unbeaten(self, games: Sequence[tuple[str, ...]]) -> int:
        return sum(not self.unbeaten.isdisjoint(game) for game in games)

    def _meet_again(self, games: Sequence[tuple[str, ...]]) -> int:
        return sum(self.met[one].get(other, 0) for game in games for one, other in combinations(game, 2))
