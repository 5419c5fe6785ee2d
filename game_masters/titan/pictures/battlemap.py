"""A battle as SVG: 27 hexes with surface, height and the hazards of their sides, and the creatures with their hits."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin, sqrt
from typing import Final

from game_masters.titan.battlelands import ATTACKER, BATTLELANDS, DEFENDER, HEXES, PLAIN, Battleland, Hex, column_row
from game_masters.titan.pictures.masterboard import PAINTS, WIDTH
from game_masters.titan.pictures.wording import creatures
from game_masters.titan.position import Battle, Fighter, Position
from ugs.pictures.svg import Svg, number

RADIUS: Final = 43.0
_HALF: Final = RADIUS * sqrt(3) / 2
_LEFT: Final = (WIDTH - 9.5 * RADIUS) / 2
_TOP: Final = 52.0
_WAITING: Final = 30.0
"""The height of a row of creatures off the board."""
_MAP: Final = _TOP + 13.2 * _HALF
_CHIP: Final = (32.0, 18.0)
"""Half the width and half the height of a creature: its whole name has room in it."""

DEAD: Final = "dead"

SURFACES: Final[Mapping[str, tuple[str, float]]] = {
    "Plain": ("field", 1.0), "Bramble": ("green", 0.35), "Drift": ("sky", 0.35), "Sand": ("yellow", 0.45),
    "Bog": ("violet", 0.35), "Volcano": ("red", 0.6), "Tree": ("green", 0.7), "Tower": ("ore", 1.0),
}  # fmt: skip
"""By surface: paint and opacity."""
_DASHES: Final[Mapping[str, str | None]] = {"Slope": "2 3", "Dune": "6 3", "Cliff": None, "Wall": "9 2 2 2"}
"""How hazards of sides are drawn, on their high side; the legend names those of the land."""


def draw(drawn: Svg, position: Position, offers: Mapping[str, Sequence[int]]) -> None:
    """Draw the map, the creatures on it and those off the board. ``offers`` are the numbers of offers by hex."""
    battle = position.battle
    assert battle is not None
    title = f"Battle in {battle.terrain}, turn {battle.turn}: {battle.acting}, {battle.phase}"
    drawn.text(WIDTH / 2, 17, title, 13, anchor="middle", font_weight="600")
    _draw_legend(drawn, position, battle)
    if offers:
        for hex in HEXES:
            _draw_hex(drawn, battle.land, hex, offers.get(hex, ()))
    else:
        drawn.always(_draw_ground, battle.terrain)
    for fighter in battle.fighters:
        if fighter.hex is not None:
            x, y = middle(fighter.hex)
            _draw_fighter(drawn, position, battle, fighter, x, y, offers.get(fighter.hex, ()))
    for row, side in enumerate((ATTACKER, DEFENDER)):
        y = _MAP + _WAITING * (0.5 + (row if battle.off_board(ATTACKER) else 0))
        for place, fighter in enumerate(battle.off_board(side)):
            _draw_fighter(drawn, position, battle, fighter, 32 + 56 * place, y, ())


def height(battle: Battle) -> float:
    """Return the height of the map, with the creatures off the board below it."""
    return _MAP + _WAITING * sum(bool(battle.off_board(side)) for side in (ATTACKER, DEFENDER))


def _draw_legend(drawn: Svg, position: Position, battle: Battle) -> None:
    """In the corners above the map: whose creatures have which form, and what the lines at the sides of hexes are."""
    engagement = position.engagement
    assert engagement is not None
    for line, (side, form) in enumerate(((ATTACKER, "round"), (DEFENDER, "square"))):
        lost = creatures([creature for of, creature in battle.fallen if of == side])
        words = f"{side} {engagement.marker(side)}: {form}{f', lost {lost}' if battle.fallen else ''}"
        drawn.text(WIDTH - 10, 34 + 13 * line, words, 10, anchor="end", most=38)
    hazards = {hazard for ground in battle.land.special.values() for hazard in (ground.sides or {}).values()}
    for line, hazard in enumerate(sorted(hazards)):
        y = 34 + 13 * line
        path = f"M10 {number(y - 3)}L40 {number(y - 3)}"
        drawn.path(path, stroke="ink", stroke_width=2.6, stroke_dasharray=_DASHES[hazard], fill="none")
        drawn.text(45, y, f"{hazard}, on its high side", 10)


def middle(hex: Hex) -> tuple[float, float]:
    """Return the middle of a hex."""
    column, row = column_row(hex)
    return _LEFT + RADIUS + 1.5 * RADIUS * column, _TOP + _HALF * (2 * row + 1 + column % 2)


def _corner(x: float, y: float, place: int, radius: float) -> tuple[float, float]:
    return x + radius * cos(pi / 3 * place), y + radius * sin(pi / 3 * place)


def _draw_ground(drawn: Svg, terrain: str) -> None:
    """All hexes, for those who are offered nothing."""
    for hex in HEXES:
        _draw_hex(drawn, BATTLELANDS[terrain], hex, ())


def _draw_hex(drawn: Svg, land: Battleland, hex: Hex, offers: Sequence[int]) -> None:
    x, y = middle(hex)
    ground = land.ground(hex)
    paint, opacity = SURFACES[ground.surface]
    points = [_corner(x, y, place, RADIUS) for place in range(6)]
    outline = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points) + "z"
    hazards = ", ".join(sorted(set((ground.sides or {}).values())))
    words = ground.surface if ground.surface != PLAIN else ""
    height = f"+{ground.elevation}" if ground.elevation else ""
    drawn.open(offers=offers, title=" ".join(filter(None, (hex, ground.surface, height, hazards))))
    stroke = "mark" if offers else "line"
    drawn.path(outline, fill=paint, fill_opacity=opacity, stroke=stroke, stroke_width=2 if offers else 0.8)
    drawn.text(x, y - _HALF + 14, f"{hex}{height}", 9.5, anchor="middle", fill="faint")
    if words:
        drawn.text(x, y + _HALF - 6.5, words, 9.5, anchor="middle")
    for side, hazard in (ground.sides or {}).items():
        # Side 0 is the top one; corners are counted from the right one, clockwise.
        first, second = (_corner(x, y, (side + 4 + place) % 6, RADIUS - 3.5) for place in (0, 1))
        path = f"M{number(first[0])} {number(first[1])}L{number(second[0])} {number(second[1])}"
        drawn.path(path, stroke="ink", stroke_width=2.6, stroke_dasharray=_DASHES[hazard], fill="none")
    drawn.close()


def _draw_fighter(
    drawn: Svg, position: Position, battle: Battle, fighter: Fighter, x: float, y: float, offers: Sequence[int]
) -> None:
    """A creature: round for the attacker, square for the defender, with power, hits and skill in its title."""
    engagement = position.engagement
    assert engagement is not None
    color = position.players[engagement.seats[fighter.side]].color
    state = f"{fighter.hits} of {position.power(fighter)}" if position.alive(fighter) else DEAD
    acts = fighter.side == battle.acting and not fighter.struck
    drawn.piece(_draw_chip, fighter.side, fighter.creature, fighter.hex, color, state, acts, x, y, offers=offers)


def _draw_chip(
    drawn: Svg, side: str, creature: str, hex: Hex | None, color: str, state: str, acts: bool, x: float, y: float,
    offers: Sequence[int] = (),
) -> None:  # fmt: skip
    paint, ink = PAINTS[color]
    small = 1.0 if hex is not None else 0.8
    width, height = (small * half for half in _CHIP)
    # Where it has gone off the board a creature is smaller; it has not moved there.
    name = f"{side} {creature}" if hex is not None else ""
    drawn.open(offers=offers, title=f"{side} {creature} {hex or 'off the board'}", data_piece=name or None)
    drawn.rect(
        x - width,
        y - height,
        2 * width,
        2 * height,
        round=height if side == ATTACKER else 2,
        fill=paint,
        fill_opacity=0.45 if state == DEAD else 1.0,
        stroke="mark" if acts else "ink",
        stroke_width=1.6,
    )
    drawn.text(x, y - 1.5, creature, 10.4 * small, anchor="middle", fill=ink, font_weight="600")
    drawn.text(x, y + 11.5 * small, state, 9.8 * small, anchor="middle", fill=ink)
    drawn.close()
