"""One round of a Swiss tournament of games of two: who plays whom.

The criteria, in this order: no two meet again; both can get a seat they had least; they have equal points. Pairs are
formed from the top, then improved by exchanging players of two pairs. In fields that are not too large, an exact method
follows where that leaves an avoidable rematch or a seat too often.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from ugs.championship.pairing.matching import UNSET, most_pairs
from ugs.championship.seats import SeatCounts

Pair: TypeAlias = tuple[int, int]
"""Two players by their place in the standings, the better one first."""

AGAIN = 1 << 90
"""The weight of an earlier meeting. A difference in points weighs its square, in half points."""
SAME_SEAT = 1 << 60
WINDOW = 64
"""How many players further up and down are considered as partners."""
NEIGHBOURS = 5
"""How many pairs further down are considered to bring equal points together."""
PASSES = 3
EXACT_UP_TO = 200


def swiss_pairs(
    order: Sequence[str], points: Mapping[str, float], met: Mapping[str, Mapping[str, int]], seats: SeatCounts
) -> list[tuple[str, str]]:
    """Return the pairs of a round, the best ones first.

    ``order``: an even number of players, best first. ``met[one][other]``: how often they met; a missing entry means
    never.
    """
    pairs = _Round(order, points, met, seats).pairs()
    return [(order[one], order[other]) for one, other in sorted(pairs)]


class _Round:
    def __init__(
        self, order: Sequence[str], points: Mapping[str, float], met: Mapping[str, Mapping[str, int]], seats: SeatCounts
    ) -> None:
        place = {nick: at for at, nick in enumerate(order)}
        self._size = len(order)
        self._points = [round(2 * points[nick]) for nick in order]
        self._met = [{place[other]: times for other, times in met[nick].items() if other in place} for nick in order]
        wanted = [seats.wanted(nick) for nick in order]
        self._seat = [seats[0] if len(seats) == 1 else UNSET for seats in wanted]
        """The only seat that a player wants; -1 when both are equally good."""

    def pairs(self) -> list[Pair]:
        """Return all players in pairs."""
        pairs = self._from_the_top()
        self._mend(pairs)
        # The exact method takes the cube of the players, so it is kept for fields where it is quick, and for a need.
        if self._size <= EXACT_UP_TO and any(self._fault(*pair) >= SAME_SEAT for pair in pairs):
            pairs = self._exactly(pairs)
        self._bring_together(pairs)
        return pairs

    def _fault(self, one: int, other: int) -> int:
        """Return what speaks against a pair, as a number."""
        # One number for three criteria: no sum of a lower one reaches the weight of the next.
        fault = (self._points[one] - self._points[other]) ** 2
        if self._seat[one] == self._seat[other] != UNSET:
            fault += SAME_SEAT
        return fault + AGAIN * self._met[one].get(other, 0)

    def _from_the_top(self) -> list[Pair]:
        """Pair from the top: the best player without a partner gets one of those with equal points, from the middle on;
        else one further down."""
        left = list(range(self._size))
        pairs = []
        while left:
            leader = left.pop(0)
            points = self._points[leader]
            alike = bisect_right(left, -points, key=lambda one: -self._points[one])
            partner = left.pop(self._partner(leader, left, alike))
            pairs.append((leader, partner))
        return pairs

    def _partner(self, leader: int, left: Sequence[int], alike: int) -> int:
        """Return where the best partner is in ``left``: the nearest to the middle among the ``alike`` first ones, else
        further down."""
        middle = alike // 2
        near = (at for step in range(WINDOW) for at in (middle + step, middle - step) if 0 <= at < alike)
        below = range(alike, min(alike + WINDOW, len(left)))
        best, least = 0, -1
        for at in chain(near, below):
            fault = self._fault(leader, left[at])
            if fault == 0:
                return at
            if fault < least or least < 0:
                best, least = at, fault
        return best

    def _mend(self, pairs: list[Pair]) -> None:
        """Exchange players of pairs that meet again or want the same seat, with the nearest pairs that help."""
        for at in range(len(pairs)):
            # The nearest pairs first: an exchange far away brings distant points together.
            for step in range(1, len(pairs)):
                if self._fault(*pairs[at]) < SAME_SEAT:
                    break
                for other in (at + step, at - step):
                    if 0 <= other < len(pairs):
                        self._exchange(pairs, at, other)

    def _bring_together(self, pairs: list[Pair]) -> None:
        """Exchange players of neighbouring pairs as long as that brings equal points together."""
        pairs.sort()
        for _ in range(PASSES):
            changed = False
            for at in range(len(pairs)):
                for other in range(at + 1, min(at + 1 + NEIGHBOURS, len(pairs))):
                    if self._fault(*pairs[at]) or self._fault(*pairs[other]):
                        changed |= self._exchange(pairs, at, other)
            if not changed:
                return

    def _exchange(self, pairs: list[Pair], at: int, other: int) -> bool:
        """Pair the four players of two pairs again, if that is better."""
        (a, b), (c, d) = pairs[at], pairs[other]
        now = self._fault(a, b) + self._fault(c, d)
        first = self._fault(a, c) + self._fault(b, d)
        second = self._fault(a, d) + self._fault(b, c)
        if min(first, second) >= now:
            return False
        if first <= second:
            pairs[at], pairs[other] = _pair(a, c), _pair(b, d)
        else:
            pairs[at], pairs[other] = _pair(a, d), _pair(b, c)
        return True

    def _exactly(self, pairs: list[Pair]) -> list[Pair]:
        """Return pairs without a rematch and without a seat too often, if there are any; else without a rematch; else
        ``pairs`` as they are."""
        for limit in (SAME_SEAT, AGAIN):
            partners = [self._partners(one, limit) for one in range(self._size)]
            begun = [UNSET] * self._size
            for one, other in pairs:
                if self._fault(one, other) < limit:
                    begun[one], begun[other] = other, one
            found = most_pairs(partners, begun)
            if UNSET not in found:
                return [(one, other) for one, other in enumerate(found) if one < other]
        return pairs

    def _partners(self, one: int, limit: int) -> list[int]:
        """Return the possible partners of one player, the closest in points first."""
        faults = [(self._fault(one, other), other) for other in range(self._size) if other != one]
        return [other for fault, other in sorted(faults) if fault < limit]


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
