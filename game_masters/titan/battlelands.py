"""The battlelands: 27 hexes for each terrain, their heights, what is on them and on their sides.

The table is ``data/battlelands.txt``. Hexes are labelled by column, A to F from the left, and number, from the bottom.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from game_masters.titan.lands import TOWER, opposite
from game_masters.titan.tables import rows

Hex: TypeAlias = str
"""The label of a hex, A1 to F4."""

COLUMNS: Final[Mapping[str, int]] = {"A": 3, "B": 4, "C": 5, "D": 6, "E": 5, "F": 4}
"""The number of hexes of each column."""
_LOWEST_ROW: Final[Mapping[str, int]] = {"A": 4, "B": 4, "C": 5, "D": 5, "E": 5, "F": 4}
"""The row of hex 1 of each column; rows are counted from the top, and odd columns stand half a hex lower."""
HEXES: Final[Sequence[Hex]] = tuple(f"{column}{number + 1}" for column in COLUMNS for number in range(COLUMNS[column]))

STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""What a step over each side adds to the two coordinates of a hex."""

PLAIN: Final = "Plain"
BRAMBLE: Final = "Bramble"
DRIFT: Final = "Drift"
SAND: Final = "Sand"
BOG: Final = "Bog"
VOLCANO: Final = "Volcano"
TREE: Final = "Tree"
SLOPE: Final = "Slope"
DUNE: Final = "Dune"
CLIFF: Final = "Cliff"
WALL: Final = "Wall"

ATTACKER: Final = "attacker"
DEFENDER: Final = "defender"
ENTRIES: Final[Mapping[str, Mapping[str, tuple[Hex, ...]]]] = {
    "right": {ATTACKER: ("F1", "F2", "F3", "F4"), DEFENDER: ("A1", "A2", "A3")},
    "bottom": {ATTACKER: ("A1", "B1", "C1", "D1"), DEFENDER: ("D6", "E5", "F4")},
    "left": {ATTACKER: ("A3", "B4", "C5", "D6"), DEFENDER: ("D1", "E1", "F1")},
}
"""By the attacker's entry side of the land: where each side of a battle comes in."""


def column_row(hex: Hex) -> tuple[int, int]:
    """Return the column and row of a hex in the frame of 6 by 6."""
    return ord(hex[0]) - ord("A"), _LOWEST_ROW[hex[0]] + 1 - int(hex[1])


def _coordinates(hex: Hex) -> tuple[int, int]:
    column, row = column_row(hex)
    return column, row - column // 2


PLACES: Final[Mapping[Hex, tuple[int, int]]] = {hex: _coordinates(hex) for hex in HEXES}
"""Coordinates where a step over one side always adds the same."""
AT: Final[Mapping[tuple[int, int], Hex]] = {place: hex for hex, place in PLACES.items()}


def _neighbours(hex: Hex) -> dict[int, Hex]:
    x, y = PLACES[hex]
    around = ((side, AT.get((x + dx, y + dy))) for side, (dx, dy) in enumerate(STEPS))
    return {side: near for side, near in around if near is not None}


NEIGHBOURS: Final[Mapping[Hex, Mapping[int, Hex]]] = {hex: _neighbours(hex) for hex in HEXES}
"""By hex and side."""
SIDE_TO: Final[Mapping[tuple[Hex, Hex], int]] = {
    (hex, near): side for hex, sides in NEIGHBOURS.items() for side, near in sides.items()
}
"""The side of the first hex that leads to the second."""


def distance(one: Hex, other: Hex) -> int:
    """Return the number of steps between two hexes. A range counts both ends, so it is one more."""
    (x, y), (to_x, to_y) = PLACES[one], PLACES[other]
    dx, dy = to_x - x, to_y - y
    # The distance in hexes: the third axis is the sum of the two.
    return max(abs(dx), abs(dy), abs(dx + dy))


@dataclass(frozen=True, slots=True)
class Ground:
    """One hex of a battleland."""

    surface: str = PLAIN
    elevation: int = 0
    sides: Mapping[int, str] | None = None
    """The hazards of its sides; it is their high side."""


_FLAT: Final = Ground()


@dataclass(frozen=True)
class Battleland:
    """The map for battles in one terrain."""

    terrain: str
    special: Mapping[Hex, Ground]
    """The hexes that are not flat plain."""

    def ground(self, hex: Hex) -> Ground:
        """Return what a hex is like."""
        return self.special.get(hex, _FLAT)

    def surface(self, hex: Hex) -> str:
        """Return what is on a hex."""
        return self.ground(hex).surface

    def elevation(self, hex: Hex) -> int:
        """Return the height of a hex."""
        return self.ground(hex).elevation

    def hazard(self, hex: Hex, side: int) -> str | None:
        """Return the hazard of a side of this hex, where this hex is the high one."""
        sides = self.ground(hex).sides
        return sides.get(side) if sides else None

    def going_down(self, origin: Hex, target: Hex) -> str | None:
        """Return the hazard between neighbours if ``origin`` is on its high side."""
        return self.hazard(origin, SIDE_TO[origin, target])

    def going_up(self, origin: Hex, target: Hex) -> str | None:
        """Return the hazard between neighbours if ``target`` is on its high side."""
        # The hazard is listed with the hex on its high side, so seen from below it is on the side across.
        return self.hazard(target, opposite(SIDE_TO[origin, target]))

    def cliff(self, origin: Hex, target: Hex) -> bool:
        """Return whether a cliff parts two neighbours."""
        # Cliffs close the way up and the way down; in Slugathon only the way up.
        return CLIFF in (self.going_down(origin, target), self.going_up(origin, target))

    @property
    def tower(self) -> bool:
        """Whether the defender is placed and not moved in."""
        return self.terrain == TOWER

    @cached_property
    def stronghold(self) -> frozenset[Hex]:
        """The hexes where a defender may be placed: those of a tower."""
        return frozenset(hex for hex, ground in self.special.items() if ground.surface == TOWER)

    @cached_property
    def touching(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """By hex: the neighbours that a creature there can be in contact with."""
        return {
            hex: tuple(near for near in NEIGHBOURS[hex].values() if not self.cliff(hex, near)) for hex in HEXES
        }  # fmt: skip


def _battlelands() -> dict[str, Battleland]:
    special: dict[str, dict[Hex, Ground]] = {}
    for first, *others in rows("battlelands.txt"):
        if first.startswith("["):
            special[first.strip("[]")] = found = {}
            continue
        surface, elevation, *hazards = others
        sides = {int(side): hazard for side, hazard in (one.split(":") for one in hazards)}
        found[first] = Ground(surface, int(elevation), sides or None)
    return {terrain: Battleland(terrain, hexes) for terrain, hexes in special.items()}


BATTLELANDS: Final[Mapping[str, Battleland]] = _battlelands()
"""By terrain."""
