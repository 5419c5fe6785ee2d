"""Where players sit at a round table, and the arrow of a shot across it. The first one sits at the bottom, the others
follow clockwise, as in the order of the turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import Final

WIDTH: Final = 420.0
PANEL: Final = 124.0
"""The width of the panel of a player."""
_GAP: Final = 6.0
_SQUARE: Final = 0.62
"""A circle has 1, a square 0: panels need less room in height if they sit on something between the two."""
_STEPS: Final = 60

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ring:
    """The places at one table."""

    middles: tuple[Point, ...]
    """Of the panels, by place."""
    tall: float
    """The height of a panel."""
    height: float
    """Of the table with all panels."""

    @property
    def centre(self) -> Point:
        """The middle of the table."""
        return WIDTH / 2, self.height / 2

    def arrow(self, source: int, target: int) -> Sequence[Point]:
        """Return points on the way from one place to another one, bent towards the centre, that lie under no panel of
        the two; the last two give the direction of the head."""
        (ax, ay), (bx, by), (cx, cy) = self.middles[source], self.middles[target], self.centre
        way = []
        for step in range(_STEPS + 1):
            t = step / _STEPS
            # A Bézier curve: the centre draws it towards itself.
            x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t**2 * bx
            y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t**2 * by
            if not self._covers(source, x, y) and not self._covers(target, x, y):
                way.append((x, y))
        return way

    def _covers(self, place: int, x: float, y: float) -> bool:
        mx, my = self.middles[place]
        return abs(x - mx) <= PANEL / 2 + 3 and abs(y - my) <= self.tall / 2 + 3


@lru_cache(maxsize=64)
def ring(places: int, tall: float) -> Ring:
    """Return the places at a table. Panels are ``tall`` high, and none touches another one."""
    wide = (WIDTH - PANEL) / 2 - 4
    corners = [_on_ring(place, places) for place in range(places)]
    radius = tall * 0.75 + 24
    while any(
        abs(ax - bx) * wide < PANEL + _GAP and abs(ay - by) * radius < tall + _GAP
        for place, (ax, ay) in enumerate(corners)
        for bx, by in corners[:place]
    ):
        radius += 4
    top = min((y for _, y in corners), default=0.0) * radius
    bottom = max((y for _, y in corners), default=0.0) * radius
    height = bottom - top + tall
    middles = tuple((WIDTH / 2 + x * wide, y * radius - top + tall / 2) for x, y in corners)
    return Ring(middles, tall, height)


def head(way: Sequence[Point], size: float = 9.0) -> Sequence[Point]:
    """Return the corners of the head of an arrow."""
    (ax, ay), (bx, by) = way[-2], way[-1]
    long = hypot(bx - ax, by - ay) or 1.0
    dx, dy = (bx - ax) / long, (by - ay) / long
    back = (bx - dx * size, by - dy * size)
    side = size * 0.6
    return (bx, by), (back[0] - dy * side, back[1] + dx * side), (back[0] + dy * side, back[1] - dx * side)


def _on_ring(place: int, places: int) -> Point:
    angle = pi / 2 + 2 * pi * place / max(1, places)
    return _bent(cos(angle)), _bent(sin(angle))


def _bent(part: float) -> float:
    return 0.0 if abs(part) < 1e-9 else (1 if part > 0 else -1) * abs(part) ** _SQUARE
