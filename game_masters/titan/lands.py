"""The masterboard: 96 lands, what may leave each of them, and the side that a land is entered over.

The table is ``data/lands.txt``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from game_masters.titan.tables import rows

Label: TypeAlias = str
"""The number of a land."""

TOWER: Final = "Tower"
SIDES: Final = 6
ENTRY_SIDES: Final = ("right", "bottom", "left")
"""The entry sides of a land, as a battle counts them."""
_NAMED: Final = {1: "right", 3: "bottom", 5: "left"}

BLOCK: Final = "BLOCK"
ARCH: Final = "ARCH"
ON_THE_WAY: Final = frozenset({"ARROW", "ARROWS"})
"""Gates that may be used after the first step."""

WITHIN: Final = 6
"""The reach of a tower teleport, in steps, to lands that are no towers."""


@dataclass(frozen=True, slots=True)
class Exit:
    """A way out of a land."""

    side: int
    gate: str
    to: Label


@dataclass(frozen=True, slots=True)
class Land:
    """A space of the masterboard."""

    label: Label
    terrain: str
    column: int
    row: int
    label_side: int
    exits: tuple[Exit, ...]
    neighbours: dict[int, Label] = field(default_factory=dict, compare=False)
    """By side."""

    @property
    def tower(self) -> bool:
        """Whether it is a tower."""
        return self.terrain == TOWER

    @property
    def inverted(self) -> bool:
        """Whether it is drawn upside down."""
        return self.label_side % 2 == 1

    @property
    def ways(self) -> tuple[Exit, ...]:
        """The exits for a first step: where there is a block, nothing else."""
        # A block is the only way out for a legion that starts there.
        return tuple(exit for exit in self.exits if exit.gate == BLOCK) or self.exits

    @property
    def onward(self) -> tuple[Exit, ...]:
        """The exits for later steps."""
        return tuple(exit for exit in self.exits if exit.gate in ON_THE_WAY)

    def entry_side(self, side: int) -> str:
        """Return the battle's name of the side that the land is entered over."""
        # The label side on top, the three possible sides are to the right, below and to the left.
        return "bottom" if self.tower else _NAMED[(side - self.label_side) % SIDES]

    @property
    def entry_sides(self) -> tuple[str, ...]:
        """The entry sides that a teleport may choose from."""
        return ("bottom",) if self.tower else ENTRY_SIDES


def _lands() -> dict[Label, Land]:
    found = {}
    for label, terrain, column, row, label_side, *exits in rows("lands.txt"):
        ways = tuple(Exit(int(side), gate, to) for side, gate, to in (one.split(":") for one in exits))
        found[label] = Land(label, terrain, int(column), int(row), int(label_side), ways)
    for land in found.values():
        for exit in land.exits:
            land.neighbours[exit.side] = exit.to
            found[exit.to].neighbours[opposite(exit.side)] = land.label
    return found


def opposite(side: int) -> int:
    """Return the side across."""
    return (side + 3) % SIDES


LANDS: Final[Mapping[Label, Land]] = _lands()
TOWERS: Final[Sequence[Label]] = tuple(label for label, land in LANDS.items() if land.tower)


def _near(start: Label) -> frozenset[Label]:
    # Any connection counts, whatever its gate and direction, and legions do not matter.
    reached, edge = {start}, {start}
    for _ in range(WITHIN):
        edge = {near for label in edge for near in LANDS[label].neighbours.values()} - reached
        reached |= edge
    return frozenset(reached - {start})


NEAR: Final[Mapping[Label, frozenset[Label]]] = {tower: _near(tower) for tower in TOWERS}
"""By tower: the lands within six steps, through any gates."""


def spread_towers(number: int, shift: int) -> list[Label]:
    """Return as many towers as there are players, as far from each other as they can be, all shifted by the same."""
    return [TOWERS[(place * len(TOWERS) // number + shift) % len(TOWERS)] for place in range(number)]
