"""Pieces on fields of width 1: discs and letters of seats, and pieces of no seat."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ugs.pictures.svg import Svg, number


class Stone(NamedTuple):
    """What one letter of a board stands for."""

    seat: int | None
    """Whose piece it is; None: of no seat."""
    label: str = ""
    """A few letters on it."""


BLOCK: Final = Stone(None)
DARK: Final = frozenset({"red", "blue", "green", "violet", "black"})
"""Paints that need white letters on them."""


def draw_stone(svg: Svg, x: float, y: float, stone: Stone, paints: tuple[str, ...], radius: float = 0.38) -> None:
    """Draw a piece whose middle is there."""
    if stone.seat is None and not stone.label:
        svg.rect(x - 0.4, y - 0.4, 0.8, 0.8, round=0.1, fill="faint")
        return
    if stone.seat is None:
        svg.text(x, y + 0.2, stone.label, 0.55, anchor="middle", most=4)
        return
    paint = paints[stone.seat % len(paints)]
    svg.circle(x, y, radius, fill=paint, stroke="ink", stroke_width=0.05)
    letters = "white" if paint in DARK else "black"
    if stone.label:
        size = radius * 1.2
        svg.text(x, y + size * 0.35, stone.label, size, anchor="middle", most=4, fill=letters, font_weight="600")


def draw_discs(
    svg: Svg, places: Sequence[tuple[float, float]], seat: int, paints: tuple[str, ...], pieces: str
) -> None:
    """Draw pieces without letters, of one seat; every second seat has a ring on them. ``pieces``: whether they are
    moved or only placed; see :func:`ugs.pictures.svg.looks`."""
    paint = paints[seat % len(paints)]
    svg.path(_circles(places, 0.38), data_pieces=pieces, fill=paint, stroke="ink", stroke_width=0.05)
    if seat % 2:
        ring = "white" if paint in DARK else "black"
        svg.path(_circles(places, 0.19), data_pieces=pieces, fill="none", stroke=ring, stroke_width=0.06)


def draw_rings(svg: Svg, places: Sequence[tuple[float, float]]) -> None:
    """Draw rings around pieces: they have won."""
    svg.path(_circles(places, 0.44), fill="none", stroke="mark", stroke_width=0.1)


def _circles(places: Sequence[tuple[float, float]], radius: float) -> str:
    arc = f"a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0"
    return "".join(f"M{number(x - radius)} {number(y)}{arc}" for x, y in places)
