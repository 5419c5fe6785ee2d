"""Pieces on fields of width 1: discs and letters of seats, and what belongs to nobody."""

from typing import Final, NamedTuple

from ugs.pictures.svg import Svg


class Stone(NamedTuple):
    """What one letter of a board stands for."""

    seat: int | None
    """Whose piece it is; None: nobody's."""
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
    elif stone.seat % 2:
        svg.circle(x, y, radius * 0.5, fill="none", stroke=letters, stroke_width=0.06)
