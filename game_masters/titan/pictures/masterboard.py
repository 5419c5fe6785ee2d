"""The masterboard as SVG: lands as triangles with cut corners, each with its number and terrain, the gates between
them, and the legions with the ways they have gone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import cos, pi, sin, sqrt
from typing import Final

from game_masters.titan.creatures import UNKNOWN
from game_masters.titan.lands import ENTRY_SIDES, LANDS, Label, Land
from game_masters.titan.position import Legion, Position
from ugs.pictures.svg import Svg, number

UNIT: Final = 26.0
"""Half of a land's long side."""
_MARGIN: Final = 8.0
WIDTH: Final = 16 * UNIT + 2 * _MARGIN
_ROW: Final = UNIT * sqrt(3)
HEIGHT: Final = 8 * _ROW + 2 * _MARGIN
_CUT: Final = 0.2
"""How much of a side each corner takes away."""
_INSIDE: Final = UNIT / sqrt(3)
"""From the middle of a land to its long sides."""
_ASIDE: Final = 4.8
"""From the middle of a long side to the gate that leads out; the gate that leads in is on the other hand."""

TERRAINS: Final[Mapping[str, tuple[str, str]]] = {
    "Brush": ("Br", "sheep"), "Desert": ("De", "sand"), "Hills": ("Hi", "clay"), "Jungle": ("Ju", "jungle"),
    "Marsh": ("Ma", "marsh"), "Mountains": ("Mo", "rock"), "Plains": ("Pl", "wheat"), "Swamp": ("Sw", "swamp"),
    "Tower": ("To", "ore"), "Tundra": ("Tu", "sea"), "Woods": ("Wo", "wood"),
}  # fmt: skip
"""By terrain: two letters, and a paint."""
PAINTS: Final[Mapping[str, tuple[str, str]]] = {
    "Black": ("black", "white"), "Blue": ("blue", "white"), "Brown": ("violet", "white"), "Gold": ("yellow", "black"),
    "Green": ("green", "white"), "Red": ("red", "black"),
}  # fmt: skip
"""By colour: the paint of a marker, and what can be read on it."""
_LEGEND: Final = (
    "Bu02·5: legion Bu02, five creatures. Dashes: the way it has gone (dots: a teleport).",
    "Arrow heads lead on, arches begin a move, squares mark where it has to begin.",
)
LEGEND_HEIGHT: Final = 30.0


def draw(drawn: Svg, position: Position, offers: Mapping[str, Sequence[int]], brings: Mapping[Label, str]) -> None:
    """Draw the lands and the legions. ``offers`` are the numbers of offers by land and legion, ``brings`` what can be
    mustered by going to a land."""
    fought = position.engagement.hex if position.engagement is not None else ""
    taken = {legion.hex for legion in position.legions.values()}
    if offers:
        for label, land in LANDS.items():
            _draw_land(
                drawn,
                land,
                offers.get(label, ()),
                brings.get(label, ""),
                marked=label == fought,
                covered=label in taken,
            )
    else:
        drawn.pieces(_draw_bare_lands, fought, frozenset(taken))
    _draw_gates(drawn)
    for legion in position.legions.values():
        if legion.moved and legion.origin != legion.hex:
            now = legion.seat == position.active
            drawn.piece(_draw_way, legion.origin, legion.hex, legion.teleported, legion.entry_side, now)
    stacks: dict[Label, list[Legion]] = {}
    for legion in position.legions.values():
        stacks.setdefault(legion.hex, []).append(legion)
    for legions in stacks.values():
        for place, legion in enumerate(sorted(legions, key=lambda one: one.marker)):
            _draw_legion(drawn, position, legion, place, len(legions), offers.get(legion.marker, ()))
    drawn.always(_draw_legend)


def _draw_legend(drawn: Svg) -> None:
    for line, text in enumerate(_LEGEND):
        drawn.text(10, HEIGHT + 10 + 12 * line, text, 9.4, most=100, fill="faint")


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


def _draw_land(drawn: Svg, land: Land, offers: Sequence[int], brings: str, *, marked: bool, covered: bool) -> None:
    """A land: its number, and at the tip its terrain; the number where something else is in the middle."""
    if offers:
        drawn.open(offers=offers, title=f"{land.label} ({land.terrain}){f': {brings}' if brings else ''}")
    drawn.piece(_draw_bare_land, land.label, brings if offers else "", marked or bool(offers), covered)
    if offers:
        drawn.close()


def _draw_bare_lands(drawn: Svg, fought: Label, taken: frozenset[Label]) -> None:
    """All lands, for those who are offered nothing: mostly the same from position to position."""
    for label in LANDS:
        drawn.piece(_draw_bare_land, label, "", label == fought, label in taken)


def _draw_bare_land(drawn: Svg, label: Label, brings: str, marked: bool, covered: bool) -> None:
    land = LANDS[label]
    short, paint = TERRAINS[land.terrain]
    x, y = middle(land)
    stroke = "mark" if marked else "line"
    drawn.path(_outline(land), fill=paint, stroke=stroke, stroke_width=2 if stroke == "mark" else 0.7)
    at_tip = y + 17.5 if land.inverted else y - 11.5
    at_base = y - 2 if land.inverted else y + 7
    if covered or brings:
        drawn.text(x, at_tip, land.label, 7.6, anchor="middle")
    else:
        drawn.text(x, at_tip, short, 7.6, anchor="middle")
        drawn.text(x, at_base, land.label, 9.4, anchor="middle", font_weight="600")
    if brings:
        drawn.text(x, at_base, brings, 7.6, anchor="middle", fill="mark")


# --- gates ------------------------------------------------------------------------------------------------------------


def _outward(side: int) -> tuple[float, float]:
    """Return the direction of a side from the middle of its land; side 0 is the top one."""
    return sin(pi / 3 * side), -cos(pi / 3 * side)


def _at_side(land: Land, side: int, along: float, out: float) -> str:
    """Return a point beside the middle of a long side: so far to the right of who leaves, and so far outside."""
    x, y = middle(land)
    dx, dy = _outward(side)
    return f"{number(x + dx * (_INSIDE + out) - dy * along)} {number(y + dy * (_INSIDE + out) + dx * along)}"


def _arrow(land: Land, side: int, along: float) -> str:
    points = (_at_side(land, side, along + across, out) for across, out in ((-2, -1.4), (2, -1.4), (0, 2.8)))
    return f"M{'L'.join(points)}z"


def _arrows(land: Land, side: int) -> str:
    return "".join(_arrow(land, side, along) for along in (-_ASIDE, 0, _ASIDE))


def _arch(land: Land, side: int) -> str:
    first, last = (_at_side(land, side, _ASIDE + across, -1.4) for across in (-2.6, 2.6))
    return f"M{first}A2.6 3.6 0 0 1 {last}z"


def _block(land: Land, side: int) -> str:
    corners = ((-2.2, -1.4), (2.2, -1.4), (2.2, 2.4), (-2.2, 2.4))
    return f"M{'L'.join(_at_side(land, side, _ASIDE + across, out) for across, out in corners)}z"


_GATES: Final[Mapping[str, Callable[[Land, int], str]]] = {
    "ARROW": lambda land, side: _arrow(land, side, _ASIDE),
    "ARROWS": _arrows,
    "ARCH": _arch,
    "BLOCK": _block,
}


def _gates() -> Iterator[str]:
    for land in LANDS.values():
        for exit in land.exits:
            yield _GATES[exit.gate](land, exit.side)


# They are the same in every picture.
_ALL_GATES: Final = "".join(_gates())


def _draw_gates(drawn: Svg) -> None:
    drawn.path(_ALL_GATES, fill="faint", fill_opacity=0.8)


# --- legions ----------------------------------------------------------------------------------------------------------


def _draw_way(drawn: Svg, origin: Label, hex: Label, teleported: bool, entry_side: str, now: bool) -> None:
    """The way of a legion in its player's turn, which may be ``now``, and the side that it has entered over."""
    land = LANDS[hex]
    (ax, ay), (bx, by) = middle(LANDS[origin]), middle(land)
    dashes = "2 4" if teleported else "7 3"
    drawn.path(
        f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}",
        fill="none", stroke="mark", stroke_width=1.6, stroke_dasharray=dashes, stroke_opacity=0.9 if now else 0.35,
    )  # fmt: skip
    side = _side_of(land, entry_side)
    if side is not None:
        points = (_at_side(land, side, across, out) for across, out in ((-5, 1.5), (5, 1.5), (0, -6)))
        drawn.path(f"M{'L'.join(points)}z", fill="mark", fill_opacity=1.0 if now else 0.5)


def _side_of(land: Land, entry_side: str) -> int | None:
    """Return the long side that a battle in this land calls so; a tower is always entered from below."""
    if land.tower or entry_side not in ENTRY_SIDES:
        return None
    return next(side for side in range(6) if (side - land.label_side) % 2 and land.entry_side(side) == entry_side)


def _draw_legion(drawn: Svg, position: Position, legion: Legion, place: int, of: int, offers: Sequence[int]) -> None:
    """A marker: its id and height; a ring if it has moved."""
    marked = bool((legion.moved and legion.seat == position.active) or offers)
    color, down = position.players[legion.seat].color, (place - (of - 1) / 2) * 13
    drawn.piece(_draw_stack, legion.marker, legion.creatures, color, legion.hex, down, marked, offers=offers)


def _draw_stack(
    drawn: Svg, marker: str, creatures: Sequence[str], color: str, hex: Label, down: float, marked: bool,
    offers: Sequence[int] = (),
) -> None:  # fmt: skip
    known = " ".join(creature for creature in creatures if creature != UNKNOWN)
    drawn.open(offers=offers, title=f"{marker}, {len(creatures)}: {known or 'unknown'}", data_piece=marker)
    _draw_marker(drawn, f"{marker}·{len(creatures)}", color, hex, down, marked)
    drawn.close()


def _draw_marker(drawn: Svg, name: str, color: str, hex: Label, down: float, marked: bool) -> None:
    land = LANDS[hex]
    x, y = middle(land)
    paint, ink = PAINTS.get(color, ("white", "black"))
    y += down + (-5 if land.inverted else 4)
    drawn.rect(
        x - 19,
        y - 6.5,
        38,
        12.5,
        round=3,
        fill=paint,
        stroke="mark" if marked else "ground",
        stroke_width=1.6 if marked else 1,
    )
    drawn.text(x, y + 3, name, 9.4, anchor="middle", fill=ink, font_weight="600")
