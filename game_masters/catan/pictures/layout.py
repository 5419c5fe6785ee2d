"""Where hexes, nodes and edges are in a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from game_masters.catan.message.vocabulary import Hex
from game_masters.catan.views.view import BoardView

HALF: Final = 20.0
"""Half the width of a hex."""
SIDE: Final = 23.1
ROW: Final = 34.65
"""From one row of hexes to the next."""
MARGIN: Final = 29.0
"""Around the island, for its ports; with sea around, hardly any is needed."""
SEA_MARGIN: Final = 4.0
_CORNERS: Final = (
    (0.0, -SIDE),
    (HALF, -SIDE / 2),
    (HALF, SIDE / 2),
    (0.0, SIDE),
    (-HALF, SIDE / 2),
    (-HALF, -SIDE / 2),
)

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """The places of a board as points. ``cells`` are rows and half columns of hexes, from 0 on."""

    width: float
    height: float
    hexes: Mapping[int, Point]
    nodes: Mapping[int, Point]
    edges: Mapping[int, tuple[Point, Point]]
    cells: Mapping[int, tuple[int, int]]


@lru_cache(maxsize=32)
def layout_of(board: BoardView) -> Layout:
    """Return the layout of a board."""
    net = board.net
    land = {hex for hex, type, _ in board.hexes if type != Hex.WATER}
    places = {hex: _cell(hex, sea=board.sea) for hex in net.hexes}
    top = min(places[hex][0] for hex in land)
    left = min(places[hex][1] for hex in land)
    cells = {hex: (row - top, column - left) for hex, (row, column) in places.items()}
    if board.sea:  # water beside land is shown too
        cells = {hex: (row + 1, column + 2) for hex, (row, column) in cells.items()}
    margin = SEA_MARGIN if board.sea else MARGIN
    hexes = {hex: (margin + HALF * (column + 1), margin + ROW * row + SIDE) for hex, (row, column) in cells.items()}
    nodes: dict[int, Point] = {}
    for hex, (x, y) in hexes.items():
        for node, (right, down) in zip(net.hex_nodes[hex], _CORNERS, strict=True):
            nodes[node] = (x + right, y + down)
    edges = {edge: (nodes[one], nodes[other]) for edge, (one, other) in net.edge_nodes.items()}
    more = 2 if board.sea else 0
    rows = max(cells[hex][0] for hex in land) + more // 2
    columns = max(cells[hex][1] for hex in land) + more
    return Layout(
        2 * margin + HALF * (columns + 2), 2 * margin + ROW * rows + 2 * SIDE, hexes, nodes, edges, cells
    )  # fmt: skip


def corners(center: Point) -> list[Point]:
    """Return the corners of a hex."""
    x, y = center
    return [(x + right, y + down) for right, down in _CORNERS]


def middle(edge: tuple[Point, Point]) -> Point:
    """Return the middle of an edge."""
    (one_x, one_y), (other_x, other_y) = edge
    return (one_x + other_x) / 2, (one_y + other_y) / 2


def _cell(hex: int, *, sea: bool) -> tuple[int, int]:
    """Return the row of a hex, and its column in halves of hexes."""
    if sea:
        # In coordinates of sea boards the high byte counts two for each row, the low one halves of columns.
        return (hex >> 8) // 2, hex & 0xFF
    # Those of classic boards lie along two slanted axes.
    across, up = hex >> 4, hex & 0xF
    return (across - up) // 2, (across + up) // 2
