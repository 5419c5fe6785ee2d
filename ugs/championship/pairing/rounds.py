"""The rounds of formats whose games are all known beforehand, drawn up by places: an entrant is its place in the field,
from 0.

There can be half a million games, so they are kept as numbers in bytes: these are made, sent and kept without an object
for each game.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import gcd
from typing import Final, Self

from ugs.championship.pairing.groups import Game, covering_groups, even_groups, is_cyclic
from ugs.championship.seats import seated
from ugs.value import value

NUMBERS: Final = "I"
"""The type of the numbers: unsigned, in the order of bytes of this machine."""


class Rounds:
    """Games by round. A game is called by its index, from 0; those of earlier rounds have the lower ones.

    Compared by content, and can be pickled at no cost.
    """

    def __init__(
        self,
        seats: int,
        places: bytes = b"",
        ends: bytes = b"",
        own: bytes = b"",
        mates: bytes = b"",
        ends_of_own: bytes = b"",
    ) -> None:
        """``seats``: players of one game; ``places``: the players of each game by seat, game after game; ``ends``: for
        each round, how many games there are up to its end; ``own``: the games of each place, place after place;
        ``mates``: for each of them, one of its other players; ``ends_of_own``: for each place, where its games end."""
        self.seats = seats
        self._bytes = places, ends, own, mates, ends_of_own
        numbers = [memoryview(each).cast(NUMBERS) for each in self._bytes]
        self._places, self._ends, self._own, self._mates, self._ends_of_own = numbers

    @classmethod
    def of(cls, seats: int, rounds: Sequence[Sequence[Game]]) -> Self:
        """Return the rounds with these games."""
        places: array[int] = array(NUMBERS)
        ends: array[int] = array(NUMBERS)
        for games in rounds:
            for game in games:
                places.extend(game)
            ends.append(len(places) // seats)
        return cls.of_places(seats, places.tobytes(), ends.tobytes())

    @classmethod
    def of_places(cls, seats: int, in_bytes: bytes, ends: bytes) -> Self:
        """Return the rounds with these players of each game by seat, game after game, and these ends of rounds."""
        places = memoryview(in_bytes).cast(NUMBERS)
        played = Counter(places)
        ends_of_own = array(NUMBERS, accumulate(played[place] for place in range(max(places, default=-1) + 1)))
        # A stable sort: the games of each place stay in ascending order.
        by_place = sorted(range(len(places)), key=places.__getitem__)
        own = array(NUMBERS, [at // seats for at in by_place])
        mates = array(NUMBERS, [places[at - seats + 1 if at % seats == seats - 1 else at + 1] for at in by_place])
        return cls(seats, in_bytes, ends, *(numbers.tobytes() for numbers in (own, mates, ends_of_own)))

    def in_orders(self, orders: Sequence[Sequence[int]], times: int) -> Self:
        """Return the rounds ``times`` times over, each time once in every order of seats: the players of the seats
        in ``orders`` sit in the first seat, the second, and so on."""
        places: array[int] = array(NUMBERS)
        ends: array[int] = array(NUMBERS)
        for number, order in enumerate([*orders] * times):
            turned = array(NUMBERS, bytes(len(self._bytes[0])))
            for seat, before in enumerate(order):
                # A whole column of seats as one slice: no loop over half a million games.
                turned[seat :: self.seats] = array(NUMBERS, self._places[before :: self.seats])
            places.extend(turned)
            ends.extend(number * len(self) + end for end in self._ends)
        return self.of_places(self.seats, places.tobytes(), ends.tobytes())

    @property
    def numbers(self) -> tuple[bytes, bytes]:
        """What :meth:`of_places` makes the same rounds of."""
        return self._bytes[:2]

    def __len__(self) -> int:
        return len(self._places) // self.seats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rounds) and (self.seats, self._bytes) == (other.seats, other._bytes)

    def __hash__(self) -> int:
        return hash((self.seats, self._bytes))

    def __reduce__(self) -> tuple[type[Self], tuple[int | bytes, ...]]:
        return type(self), (self.seats, *self._bytes)

    def game(self, index: int) -> Game:
        """Return the players of a game by seat."""
        at = index * self.seats
        return tuple(self._places[at : at + self.seats])

    def round_of(self, index: int) -> int:
        """Return the round of a game, from 1."""
        return bisect_right(self._ends, index) + 1

    def games_of(self, place: int) -> Sequence[int]:
        """Return the games that an entrant plays, in ascending order."""
        return self._own[self._slice(place)]

    def mates_of(self, place: int) -> Sequence[int]:
        """Return for each game of :meth:`games_of` one of the other players."""
        return self._mates[self._slice(place)]

    def _slice(self, place: int) -> slice:
        ends = self._ends_of_own
        return slice(ends[place - 1] if place else 0, ends[place]) if place < len(ends) else slice(0)


@value
class RoundRobinGames:
    """Wanted: the rounds of a round robin."""

    entrants: int
    seats: int
    repeats: int

    def draw(self) -> Rounds:
        """Return the rounds. Takes seconds for hundreds of entrants in groups of 3 and more."""
        n, seats, repeats = self.entrants, self.seats, self.repeats
        return Rounds.of(seats, berger(n, repeats) if seats == 2 else grouped(n, seats, repeats))


@value
class GauntletGames:
    """Wanted: the rounds of a gauntlet. The champion has the last place."""

    entrants: int
    seats: int
    repeats: int

    def draw(self) -> Rounds:
        """Return the rounds. Takes seconds for hundreds of entrants in games of 4 seats and more."""
        n, seats, repeats = self.entrants, self.seats, self.repeats
        return Rounds.of(seats, duels(n, repeats) if seats == 2 else champion_groups(n, seats, repeats))


# All against all.


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
        # Places count from 1, so 0 is the last of the ring.
        other = (number + 1 - one) % ring or ring
        if other == one:
            other = last
            # The last place would always sit on the same side by the rule below: half of its opponents sit first.
            first = one <= last // 2
        else:
            # The rule of the tables: where the sum is odd, the lower number sits first.
            first = (one + other) % 2 == 1
        if one < other <= entrants:
            games.append((one - 1, other - 1) if first else (other - 1, one - 1))
    return games


def grouped(entrants: int, seats: int, repeats: int) -> list[list[Game]]:
    """Return the rounds of groups of 3 and more, with each entrant in every seat equally often, within one."""
    games = covering_groups(entrants, seats, repeats)
    together = in_rounds(games)
    if is_cyclic(entrants, seats):  # each base group has given each entrant every seat once
        return [[games[index] for index in indexes] for indexes in together]
    order = iter(seated([games[index] for indexes in together for index in indexes]))
    return [[next(order) for _ in indexes] for indexes in together]


def in_rounds(games: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Distribute ``games`` over rounds so that the games of a round can be played at the same time. Returns the indexes
    of the games by round; each game is in the first round where its players are free."""
    busy: dict[int, int] = {}
    rounds: list[list[int]] = []
    for index, players in enumerate(games):
        taken = 0
        for player in players:
            taken |= busy.get(player, 0)
        # The lowest bit that is not set: the first round where all of them are free.
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
    # Rounded up until the others fill whole groups.
    each = -(-repeats // period) * period
    return [[game] for game in seated([(*group, champion) for group in even_groups(champion, seats - 1, each)])]
