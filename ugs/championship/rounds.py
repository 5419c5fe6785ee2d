"""The rounds of formats whose games are all known beforehand, drawn up by places: an entrant is its place in the field,
from 0.

There can be half a million games, so they are kept as numbers in bytes: these are made, sent and kept without an object
for each game.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import gcd
from typing import Final, Self

from ugs.championship.groups import Game, covering_groups, even_groups
from ugs.championship.seats import seated

NUMBERS: Final = "I"
"""The type of the numbers: unsigned, in the order of bytes of this machine."""


class Rounds:
    """Games by round. A game is called by its index, from 0; those of earlier rounds have the lower ones.

    Compared by content, and can be pickled at no cost.
    """

    def __init__(
        self, seats: int, places: bytes = b"", ends: bytes = b"", first: bytes = b"", ends_of_first: bytes = b""
    ) -> None:
        """``seats``: players of one game; ``places``: the players of each game by seat, game after game; ``ends``: for
        each round, how many games there are up to its end; ``first``: the games in the order of who sits in the first
        seat; ``ends_of_first``: for each place, how many of them there are up to its last one."""
        self.seats = seats
        self._bytes = places, ends, first, ends_of_first
        numbers = [memoryview(each).cast(NUMBERS) for each in self._bytes]
        self._places, self._ends, self._first, self._ends_of_first = numbers

    @classmethod
    def of(cls, seats: int, rounds: Sequence[Sequence[Game]]) -> Self:
        """Return the rounds with these games."""
        places: array[int] = array(NUMBERS)
        ends: array[int] = array(NUMBERS)
        for games in rounds:
            for game in games:
                places.extend(game)
            ends.append(len(places) // seats)
        first = places[::seats]
        by_first = array(NUMBERS, sorted(range(len(first)), key=first.__getitem__))
        led = Counter(first)
        ends_of_first = array(NUMBERS, accumulate(led[place] for place in range(max(first, default=-1) + 1)))
        return cls(seats, *(numbers.tobytes() for numbers in (places, ends, by_first, ends_of_first)))

    def __len__(self) -> int:
        return len(self._first)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rounds) and (self.seats, self._bytes) == (other.seats, other._bytes)

    def __hash__(self) -> int:
        return hash((self.seats, self._bytes))

    def __reduce__(self) -> tuple[type[Self], tuple[int, bytes, bytes, bytes, bytes]]:
        return type(self), (self.seats, *self._bytes)

    def game(self, index: int) -> Game:
        """Return the players of a game by seat."""
        at = index * self.seats
        return tuple(self._places[at : at + self.seats])

    def round_of(self, index: int) -> int:
        """Return the round of a game, from 1."""
        return bisect_right(self._ends, index) + 1

    def led_by(self, place: int) -> Sequence[int]:
        """Return the indexes of the games in which an entrant sits in the first seat, in ascending order."""
        ends = self._ends_of_first
        if place >= len(ends):
            return ()
        return self._first[ends[place - 1] if place else 0 : ends[place]]

    def games_of(self, place: int) -> list[int]:
        """Return the indexes of the games in which an entrant plays, in ascending order."""
        places = self._bytes[0]
        width = self._places.itemsize
        number = array(NUMBERS, [place]).tobytes()
        games = []
        at = places.find(number)
        while at >= 0:
            if at % width:  # parts of two numbers
                at = places.find(number, at + 1)
            else:
                games.append(at // width // self.seats)
                at = places.find(number, at + width)
        return games


@dataclass(frozen=True, slots=True)
class RoundRobinGames:
    """Wanted: the rounds of a round robin."""

    entrants: int
    seats: int
    repeats: int

    def draw(self) -> Rounds:
        """Return the rounds. Takes seconds for hundreds of entrants in groups of 3 and more."""
        n, seats, repeats = self.entrants, self.seats, self.repeats
        return Rounds.of(seats, berger(n, repeats) if seats == 2 else grouped(n, seats, repeats))


@dataclass(frozen=True, slots=True)
class GauntletGames:
    """Wanted: the rounds of a gauntlet. The champion has the last place."""

    entrants: int
    seats: int
    repeats: int

    def draw(self) -> Rounds:
        """Return the rounds. Takes seconds for hundreds of entrants in games of 4 seats and more."""
        n, seats, repeats = self.entrants, self.seats, self.repeats
        return Rounds.of(seats, duels(n, repeats) if seats == 2 else champion_groups(n, seats, repeats))


# Everybody against everybody.


def berger(entrants: int, cycles: int) -> list[list[Game]]:
    """Return the rounds of ``cycles`` cycles of pairings."""
    return [
        [(other, one) if cycle % 2 else (one, other) for one, other in _berger_round(entrants, number)]
        for cycle in range(cycles)
        for number in range(1, entrants + entrants % 2)
    ]


def _berger_round(entrants: int, number: int) -> list[tuple[int, int]]:
    """Return one round of the Berger table. Counted from 1, two places meet in the round that is their sum minus one,
    in a ring of one less than the even number of places; the place that would meet itself meets the last, or sits
    out."""
    last = entrants + entrants % 2
    ring = last - 1
    games = []
    for one in range(1, last):
        other = (number + 1 - one) % ring or ring
        if other == one:
            other = last
            first = one <= last // 2
        else:
            first = (one + other) % 2 == 1
        if one < other <= entrants:
            games.append((one - 1, other - 1) if first else (other - 1, one - 1))
    return games


def grouped(entrants: int, seats: int, repeats: int) -> list[list[Game]]:
    """Return the rounds of groups of 3 and more, with everybody in every seat equally often, within one."""
    games = covering_groups(entrants, seats, repeats)
    together = in_rounds(games)
    order = iter(seated([games[index] for indexes in together for index in indexes]))
    return [[next(order) for _ in indexes] for indexes in together]


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


# One against all the others.


def duels(entrants: int, repeats: int) -> list[list[Game]]:
    """Return games of two, one in each round: once through all opponents, then again with the seats exchanged."""
    champion = entrants - 1
    return [
        [(champion, other) if (other + cycle) % 2 == 0 else (other, champion)]
        for cycle in range(repeats)
        for other in range(champion)
    ]


def champion_groups(entrants: int, seats: int, repeats: int) -> list[list[Game]]:
    """Return games of the champion and groups of the others, one in each round."""
    champion = entrants - 1
    period = (seats - 1) // gcd(champion, seats - 1)
    each = -(-repeats // period) * period
    return [[game] for game in seated([(*group, champion) for group in even_groups(champion, seats - 1, each)])]
