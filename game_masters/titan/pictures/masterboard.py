"""The masterboard as SVG: lands as triangles with cut corners, each with its number and terrain, and the legions."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

from game_masters.titan.creatures import UNKNOWN
from game_masters.titan.lands import LANDS, Label, Land
from game_masters.titan.position import Legion, Position
from ugs.pictures.svg import Svg, number

UNIT: Final = 26.0
"""Half of a land's long side."""
_MARGIN: Final = 8.0
WIDTH: Final = 16 * UNIT + 2 * _MARGIN
_ROW: Final = UNIT * sqrt(3)
HEIGHT: Final = 8 * _ROW + 2 * _MARGIN
_CUT: Final = 0.22
"""How much of a side each corner takes away."""

TERRAINS: Final[Mapping[str, tuple[str, str, float]]] = {
    "Brush": ("Br", "green", 0.3), "Desert": ("De", "yellow", 0.6), "Hills": ("Hi", "red", 0.25),
    "Jungle": ("Ju", "green", 0.6), "Marsh": ("Ma", "violet", 0.3), "Mountains": ("Mo", "red", 0.6),
    "Plains": ("Pl", "yellow", 0.25), "Swamp": ("Sw", "blue", 0.4), "Tower": ("To", "white", 0.9),
    "Tundra": ("Tu", "sky", 0.3), "Woods": ("Wo", "green", 0.45),
}  # fmt: skip
"""By terrain: two letters, paint, opacity."""
PAINTS: Final[Mapping[str, tuple[str, str]]] = {
    "Black": ("black", "white"), "Blue": ("blue", "white"), "Brown": ("violet", "white"), "Gold": ("yellow", "black"),
    "Green": ("green", "white"), "Red": ("red", "black"),
}  # fmt: skip
"""By colour: the paint of a marker, and what can be read on it."""


def draw(drawn: Svg, position: Position, offers: Mapping[str, Sequence[int]]) -> None:
    """Draw the lands and the legions. ``offers`` are the numbers of offers by land and legion."""
    fought = position.engagement.hex if position.engagement is not None else ""
    for label, land in LANDS.items():
        _draw_land(drawn, land, offers.get(label, ()), marked=label == fought)
    stacks: dict[Label, list[Legion]] = {}
    for legion in position.legions.values():
        stacks.setdefault(legion.hex, []).append(legion)
    for legions in stacks.values():
        for place, legion in enumerate(sorted(legions, key=lambda one: one.marker)):
            _draw_legion(drawn, position, legion, place, len(legions), offers.get(legion.marker, ()))


def middle(land: Land) -> tuple[float, float]:
    """Return the middle of a land."""
    lower = 1 / 3 if land.inverted else 2 / 3
    return _MARGIN + (land.column + 1) * UNIT, _MARGIN + (land.row + lower) * _ROW


def _corners(land: Land) -> list[tuple[float, float]]:
    x, top = _MARGIN + (land.column + 1) * UNIT, _MARGIN + land.row * _ROW
    tip, base = (top + _ROW, top) if land.inverted else (top, top + _ROW)
    return [(x, tip), (x + UNIT, base), (x - UNIT, base)]


def _outline(land: Land) -> str:
    corners = _corners(land)
    points = []
    for place, (x, y) in enumerate(corners):
        for other in (corners[place - 1], corners[(place + 1) % 3]):
            points.append((x + (other[0] - x) * _CUT, y + (other[1] - y) * _CUT))
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def _draw_land(drawn: Svg, land: Land, offers: Sequence[int], *, marked: bool) -> None:
    short, paint, opacity = TERRAINS[land.terrain]
    x, y = middle(land)
    if offers:
        drawn.open(offers=offers)
    stroke = "mark" if marked or offers else "line"
    drawn.path(
        _outline(land), fill=paint, fill_opacity=opacity, stroke=stroke, stroke_width=1.8 if stroke == "mark" else 0.7
    )
    edge = y - 9 if land.inverted else y + 13
    drawn.text(x, edge, f"{land.label} {short}", 6.5, anchor="middle")
    if offers:
        drawn.close()


def _draw_legion(drawn: Svg, position: Position, legion: Legion, place: int, of: int, offers: Sequence[int]) -> None:
    """A marker: its id and height; a ring if it has moved."""
    x, y = middle(LANDS[legion.hex])
    paint, ink = PAINTS.get(position.players[legion.seat].color, ("white", "black"))
    y += (place - (of - 1) / 2) * 11 + 1
    known = " ".join(creature for creature in legion.creatures if creature != UNKNOWN)
    drawn.open(offers=offers, title=f"{legion.marker}, {legion.height}: {known or 'unknown'}")
    drawn.rect(
        x - 15,
        y - 5.5,
        30,
        10.5,
        round=2.5,
        fill=paint,
        stroke="mark" if legion.moved or offers else "ink",
        stroke_width=1.2,
    )
    drawn.text(x, y + 2.6, f"{legion.marker} {legion.height}", 7.5, anchor="middle", fill=ink, font_weight="600")
    drawn.close()
