"""Groups for games of three and more: equally many games for each, every two meet, as equally often as possible.

A design of many games grows from a few base groups. The entrants stand in one or more rings of equal length. A base
group gives as many games as a ring is long, each one step further round. All pairs with the same distance then meet
equally often, so that only a few kinds of pairs have to be evened out. The search does that by exchanging members of
base groups towards evenness, with less and less tolerance for steps back. Rings of length one are the plain case.

The numbers that pick the exchanges are a fixed sequence: the same question always gets the same groups.
"""

from collections.abc import Iterator
from itertools import combinations
from math import ceil, gcd, lcm
from typing import TypeAlias

from ugs.championship.pairing.cyclic import cyclic_groups
from ugs.value import value

Game: TypeAlias = tuple[int, ...]

SHORT_RINGS_UP_TO = 20
"""For larger fields, rings are at least an eighth of the field long: with shorter ones the search takes too long."""
SEARCHED_UP_TO, SEARCHED_UP_TO_SEATS = 120, 20
"""For fields that are larger than both this and that many times the seats, groups are made without a search."""
TRIALS = 22
"""Attempts in total before a simple way is taken that needs more games."""
TRIALS_OF_A_NUMBER = 8
"""Attempts with one number of games before a larger number is tried."""
LARGE = 60
"""Larger fields get fewer attempts, and their number of games grows by GROWTH_WHEN_LARGE of itself at a time."""
TRIALS_OF_A_NUMBER_WHEN_LARGE = 3
GROWTH_WHEN_LARGE = 0.04
MOVES_OF_TRIAL = 9_000
MOVES_OF_TRIAL_AT_MOST = 25_000
HOT, COLD = 0.7, 0.2
"""Tolerance for steps back at the beginning and at the end of an attempt, in squared meetings."""
AT_ONCE = 400
"""Up to this many games of each entrant a design is searched as a whole; larger ones repeat a design."""
NEVER_MET = 1.5
"""What a kind of pair that never meets costs in addition, in squared meetings."""


def covering_groups(entrants: int, seats: int, repeats: int = 1) -> list[Game]:
    """Return games of ``seats`` out of ``range(entrants)``: all play equally many, and every two meet at least once.

    There are as few games as the search finds, times ``repeats``; 2 <= seats <= entrants. Takes well under a second up
    to 40 entrants and a second or two for hundreds.
    """
    if seats == entrants:
        return [tuple(range(entrants))] * repeats
    if is_cyclic(entrants, seats):
        return cyclic_groups(entrants, seats, repeats)
    design = _covering(entrants, seats)
    if repeats == 1:
        return design.games
    # Not the same design again: the pairs that meet too often would do so each time.
    return even_groups(entrants, seats, repeats * len(design.games) * seats // entrants)


def is_cyclic(entrants: int, seats: int) -> bool:
    """Whether the groups of a field like this are made by :mod:`ugs.championship.pairing.cyclic`."""
    return seats > 2 and entrants > max(SEARCHED_UP_TO, SEARCHED_UP_TO_SEATS * seats)


def even_groups(entrants: int, seats: int, each: int) -> list[Game]:
    """Return games of ``seats`` out of ``range(entrants)``: all play ``each`` games, pairs meet as equally often as
    possible.

    entrants * each must be divisible by seats; 1 <= seats <= entrants.
    """
    if seats == entrants:
        return [tuple(range(entrants))] * each
    if seats == 1:
        return [(entrant,) for _ in range(each) for entrant in range(entrants)]
    if each <= AT_ONCE:
        return min(_attempts(entrants, seats, each, 0), key=_Found.unevenness).games
    playable = seats // gcd(entrants, seats)
    # With a multiple of this all pairs can meet equally often, so that repeating the design keeps it even.
    all_alike = lcm(playable, (entrants - 1) // gcd(entrants - 1, seats - 1))
    step = all_alike if all_alike <= AT_ONCE else playable
    times, rest = divmod(each, AT_ONCE // step * step)
    games = even_groups(entrants, seats, AT_ONCE // step * step) * times
    return games + (even_groups(entrants, seats, rest) if rest else [])


def _covering(entrants: int, seats: int) -> "_Found":
    least = least_games(entrants, seats)
    for found in _attempts(entrants, seats, least, seats // gcd(entrants, seats)):
        if found.lowest > 0:
            return found
    each = ceil(least / seats) * seats
    while True:  # Each round has one more base group; some number of them is always enough.
        found = _Search(entrants, seats, each, entrants, fixed=False).run()
        if found.lowest > 0:
            return found
        each += seats


def least_games(entrants: int, seats: int) -> int:
    """Return the fewest games per entrant that would let all entrants meet and play equally many games."""
    each = ceil((entrants - 1) / (seats - 1))
    while entrants * each % seats:
        each += 1
    return each


@value
class _Found:
    entrants: int
    games: list[Game]
    lowest: int
    highest: int
    off: int
    """Pairs that meet more or less often than an even share."""

    def unevenness(self) -> tuple[int, int]:
        return max(self.highest - self.lowest, 1), self.off


def _attempts(entrants: int, seats: int, each: int, step: int) -> Iterator[_Found]:
    """Yield the most even design found for each number of games, from ``each`` on in steps of ``step``. With ``step``
    0, only the design for ``each``."""
    trials = 0
    large = entrants > LARGE
    while trials < TRIALS:
        rings = _rings(entrants, seats, each)
        best: _Found | None = None
        for trial in range(TRIALS_OF_A_NUMBER_WHEN_LARGE if large else TRIALS_OF_A_NUMBER):
            length, fixed = rings[trial % len(rings)]
            found = _Search(entrants, seats, each, length, fixed, trial // len(rings)).run()
            trials += 1
            if best is None or found.unevenness() < best.unevenness():
                best = found
            # As even as it can be.
            if not best.off:
                break
        assert best is not None
        yield best
        if not step:
            return
        each += step * max(1, round(GROWTH_WHEN_LARGE * each / step)) if large else step


def _rings(entrants: int, seats: int, each: int) -> list[tuple[int, bool]]:
    """Return the lengths of rings that give each entrant ``each`` games, the longest first. The flag is whether one
    entrant stands outside the rings."""
    shortest = 1 if entrants <= SHORT_RINGS_UP_TO else entrants // 8
    found = []
    for fixed in (False, True):
        ringed = entrants - fixed
        for length in range(ringed, max(shortest, 1 + fixed) - 1, -1):
            if ringed % length == 0 and entrants * each % (seats * length) == 0 and not (fixed and each % length):
                found.append((length, fixed))
    return sorted(found, reverse=True) or [(1, False)]


class _Search:
    """One attempt at a design with rings of one length."""

    def __init__(self, entrants: int, seats: int, each: int, length: int, fixed: bool, again: int = 0) -> None:
        self._n, self._k, self._each, self._m = entrants, seats, each, length
        # From the question alone: each process that draws it gets the same groups.
        self._state = (entrants * 64 + seats) * 64 + length * 2 + again * 7919 + 1
        self._rings = (entrants - fixed) // length
        self._kind, self._pairs_of, self._gain = self._kinds()
        self._groups = self._first_groups(fixed)

    def run(self) -> _Found:
        """Exchange members until the meetings are even or the attempt is over."""
        groups, kind, gain, k = self._groups, self._kind, self._gain, self._k
        met = [0] * len(gain)
        for group in groups:
            for one, other in combinations(group, 2):
                met[kind[one][other]] += gain[kind[one][other]]
        share = self._each * (k - 1) / (self._n - 1)
        low = int(share)
        high = low + (share > low)
        # A table: an exchange is tried thousands of times.
        cost = [(count - share) ** 2 for count in range(max(met) + 4 * k + 4 + 2 * len(groups) * k)]
        cost[0] += NEVER_MET
        off = sum(pairs for pairs, count in zip(self._pairs_of, met, strict=True) if not low <= count <= high)
        moves = min(MOVES_OF_TRIAL + 60 * k * len(groups), MOVES_OF_TRIAL_AT_MOST)
        for move in range(moves):
            if not off:
                break
            exchange = self._exchange()
            if exchange is None:
                continue
            change: dict[int, int] = {}
            for at, place, new in exchange:
                old = groups[at][place]
                gone, come = kind[old], kind[new]
                for member in groups[at]:
                    if member != old:
                        here = gone[member]
                        change[here] = change.get(here, 0) - gain[here]
                        here = come[member]
                        change[here] = change.get(here, 0) + gain[here]
            worse = 0.0
            for here, by in change.items():
                worse += cost[met[here] + by] - cost[met[here]]
            heat = HOT - (HOT - COLD) * move / moves
            if worse > 0 and self._below(1 << 20) >= _tolerance(worse / heat) * (1 << 20):
                continue
            for at, place, new in exchange:
                groups[at][place] = new
            for here, by in change.items():
                off -= 0 if low <= met[here] <= high else self._pairs_of[here]
                met[here] += by
                off += 0 if low <= met[here] <= high else self._pairs_of[here]
        used = [count for count, pairs in zip(met, self._pairs_of, strict=True) if pairs]
        return _Found(self._n, self._developed(), min(used), max(used), off)

    def _exchange(self) -> list[tuple[int, int, int]] | None:
        """Return a small change: (group, place in it, new member), once or twice. None where it would seat a member
        twice."""
        groups, m, ringed = self._groups, self._m, self._rings * self._m
        at, place = self._below(len(groups)), self._below(self._k)
        old = groups[at][place]
        if m > 1 and old < ringed and (self._rings == 1 or self._below(2)):
            # Within its own ring: all entrants still play equally many games.
            new = old // m * m + self._below(m)
            return None if new in groups[at] else [(at, place, new)]
        other, there = self._below(len(groups)), self._below(self._k)
        new = groups[other][there]
        if other == at or new in groups[at] or old in groups[other]:
            return None
        return [(at, place, new), (other, there, old)]

    def _kinds(self) -> tuple[list[list[int]], list[int], list[int]]:
        """Return for every two entrants the kind of their pair; for each kind the number of pairs; and for each kind
        how many meetings one base pair gives."""
        m, ringed = self._m, self._rings * self._m
        numbers: dict[tuple[int, int, int], int] = {}
        pairs: list[int] = []
        table = [[0] * self._n for _ in range(self._n)]
        for one in range(self._n):
            ring, place = divmod(one, m)
            row = table[one]
            for other in range(one + 1, self._n):
                if other >= ringed:
                    key = (ring, -1, 0)
                else:
                    ring2, place2 = divmod(other, m)
                    apart = (place2 - place) % m
                    key = (ring, ring2, min(apart, m - apart) if ring == ring2 else apart)
                number = numbers.get(key)
                if number is None:
                    number = numbers[key] = len(pairs)
                    pairs.append(0)
                pairs[number] += 1
                row[other] = table[other][one] = number
        return table, pairs, [m // count for count in pairs]

    def _first_groups(self, fixed: bool) -> list[list[int]]:
        groups: list[list[int]] = [[] for _ in range(self._n * self._each // (self._k * self._m))]
        if fixed:
            for at in range(self._each // self._m):
                groups[at].append(self._n - 1)
        rings = (ring for _ in range(self._each) for ring in range(self._rings))
        left = [0] * self._rings
        for ring in rings:
            left[ring] += 1
        for group in groups:
            while len(group) < self._k:
                # the ring with most members left; a group takes at most its length from it
                ring = max(
                    (r for r in range(self._rings) if sum(1 for p in group if p // self._m == r) < self._m),
                    key=lambda r: (left[r], -r),
                )
                left[ring] -= 1
                new = ring * self._m + self._below(self._m)
                while new in group:
                    new = ring * self._m + (new + 1) % self._m
                group.append(new)
        return groups

    def _developed(self) -> list[Game]:
        """Return all games: each base group, step by step round the rings."""
        m, ringed = self._m, self._rings * self._m
        return [
            tuple(member if member >= ringed else member // m * m + (member + step) % m for member in group)
            for group in self._groups
            for step in range(m)
        ]

    def _below(self, bound: int) -> int:
        """Return the next number of the fixed sequence, from 0 to bound - 1."""
        # The constants of Knuth's MMIX; the lower bits of such a sequence repeat soon, hence the shift.
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) % bound


def _tolerance(worse: float) -> float:
    """Return about exp(-worse), by operations that give the same result on every machine."""
    return 1 / (1 + worse * (1 + worse * (0.5 + worse * (1 / 6 + worse / 24))))
