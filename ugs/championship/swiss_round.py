"""One round of a Swiss tournament: who plays whom, in which seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from ugs.championship.seats import Seats
from ugs.championship.swiss_groups import swiss_groups
from ugs.championship.swiss_pairs import swiss_pairs

Pairings: TypeAlias = tuple[tuple[str, ...], ...]
"""The nicks of each game by seat."""

WON = 1.0


@dataclass(frozen=True, slots=True)
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

    def draw(self) -> Pairings:
        """Return the games, the best ones first. Takes up to a second for hundreds of players.

        Players who have won every game meet each other, whatever their seats, or two could be left in the end; unless
        that leads to a rematch.
        """
        unbeaten = sum(self.points[nick] == WON * (self.number - 1) for nick in self.order)
        top = -(-unbeaten // self.seats) * self.seats if unbeaten > 1 else 0
        games = self._games(self.order[:top]) + self._games(self.order[top:])
        if 0 < top < len(self.order) and self._meet_again(games):
            games = min(games, self._games(self.order), key=self._meet_again)
        return tuple(games)

    def _games(self, order: Sequence[str]) -> list[tuple[str, ...]]:
        seats = Seats((), self.seats)
        seats.had = {nick: list(self.had[nick]) for nick in order}
        if self.seats > 2:
            return swiss_groups(order, self.points, self.met, seats, self.seats)
        pairs = swiss_pairs(order, self.points, self.met, seats)
        # Where both orders are equal, the better player sits first in every other game, so that winners differ in their
        # seats.
        return [seats.deal(pair if at % 2 == 0 else pair[::-1]) for at, pair in enumerate(pairs)]

    def _meet_again(self, games: Sequence[tuple[str, ...]]) -> int:
        return sum(self.met[one].get(other, 0) for game in games for one, other in combinations(game, 2))
