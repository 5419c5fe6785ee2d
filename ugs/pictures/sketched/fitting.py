"""Where points stand on a terminal: as near as they were drawn, in no more rows than they need."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import Final, TypeAlias

Spot: TypeAlias = tuple[int, int]
"""Column and row, from 0."""

ROWS: Final = 18
"""A board is higher only where its points would lie on each other else: with its players and hands it fits into the 24
rows of a terminal."""
MAX_ROWS: Final = 40
MAX_COLUMNS: Final = 61
STRETCH: Final = 0.25
"""How much wider or narrower than drawn a board may be, so that its points stand evenly."""
_SAME: Final = 0.01
"""Points are beside each other, or below each other, that differ by less than this part of the board."""
_LETTER: Final = 2.0
"""A letter is twice as high as wide."""


class _Axis:
    """The places of points from left to right, or from above to below, from 0 to 1."""

    def __init__(self, places: Sequence[float]) -> None:
        self._begin = min(places)
        self.extent = max(places) - self._begin
        self.places = [(place - self._begin) / (self.extent or 1) for place in places]
        steps = pairwise(sorted(set(self.places)))
        self._steps = [(one, other) for one, other in steps if other - one > _SAME]
        self._levels = sorted(set(self.places))

    def spots(self, count: int) -> list[int]:
        """The row of each point, if there are ``count`` rows."""
        return [_spot(place, count) for place in self.places]

    def lost(self, count: int) -> int:
        """How many points that stand apart would not."""
        return sum([_spot(one, count) == _spot(other, count) for one, other in self._steps])

    def uneven(self, count: int) -> float:
        """How far a point would be from where it belongs, in rows."""
        return round(max([abs(place * (count - 1) - _spot(place, count)) for place in self._levels]), 1)


@lru_cache(maxsize=32)  # one for each board that is watched: its points are the same in all positions
def fit(places: tuple[tuple[float, float], ...], sign: int, columns: int) -> tuple[Spot, ...]:
    """Return where each point stands in at most ``columns`` columns, in the order of ``places`` (one
    at least); a sign is ``sign`` columns wide. The order from left to right and from above to below is kept, and points
    stand apart if they can."""
    across, down = _Axis([x for x, _ in places]), _Axis([y for _, y in places])
    columns = max(1, min(columns, MAX_COLUMNS))
    on_each_other = len(places) - len(set(places))
    # Where a board is as wide as it may be.
    most_rows = (1 + STRETCH) * (1 + (columns - 1) * down.extent / (across.extent or down.extent or 1) / _LETTER)
    found: list[tuple[tuple[float, ...], tuple[Spot, ...]]] = []
    for rows in range(1, MAX_ROWS + 1):
        if rows > ROWS and min(found)[0][0] == on_each_other:
            break
        ideal = 1 + (_LETTER * (rows - 1) * across.extent / down.extent if down.extent else columns - 1)
        least, most = (min(columns, max(1, floor(ideal * part))) for part in (1 - STRETCH, 1 + STRETCH))
        for count in range(least, most + 1):
            spots = tuple(zip(across.spots(count), down.spots(rows), strict=True))
            touching, over = _crowded(spots, sign)
            lost = across.lost(count) + down.lost(rows)
            uneven = down.uneven(rows) + across.uneven(count) / _LETTER
            # What counts more comes first; of boards that are as good, the largest.
            cost = (over, rows > ROWS, lost, touching, max(0, ceil(rows - most_rows)), uneven, -rows)
            found.append(((*cost, abs(count - ideal)), spots))
    return min(found)[1]


def _spot(place: float, count: int) -> int:
    return floor(place * (count - 1) + 0.5)


def _crowded(spots: Sequence[Spot], sign: int) -> tuple[int, int]:
    """How many signs touch their neighbour, and how many lie on it."""
    steps = [right[1] - left[1] for left, right in pairwise(sorted([(y, x) for x, y in spots])) if left[0] == right[0]]
    return steps.count(sign), sum([step < sign for step in steps])
