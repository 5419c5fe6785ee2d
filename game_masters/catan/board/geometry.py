"""Hexes, corners and edges of both boards, and what lies beside what.

Classic coordinates are two hexadecimal digits, ``xy``: hexes have two odd digits, nodes one, edges at most one. Sea
coordinates are a byte for the row and one for the column, ``RRCC``: hexes lie on odd rows, where row and column are of
one kind by turns. In both, a coordinate names a hex, a node and an edge that have nothing to do with each other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST = range(1, 7)
"""Facings."""

_CLASSIC_CORNERS: Final = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
_CLASSIC_NEIGHBOURS: Final = (0x02, 0x22, 0x20, -0x02, -0x22, -0x20)
_SEA_CORNERS: Final = (-0x100, -0x0FF, 0x101, 0x100, 0x0FF, -0x101)
_SEA_NEIGHBOURS: Final = (-0x1FF, 0x002, 0x201, 0x1FF, -0x002, -0x201)
_RISING: Final = 0x0F
"""Between the ends of a classic edge that is named by none of them."""


@dataclass(frozen=True)
class Net:
    """The places of one board. Corners and neighbours go clockwise, beginning in the north or north-east."""

    sea: bool
    hexes: tuple[int, ...]
    hex_nodes: Mapping[int, tuple[int, ...]]
    hex_edges: Mapping[int, tuple[int, ...]]
    hex_neighbours: Mapping[int, tuple[int, ...]]
    """Those that are on the board."""
    node_hexes: Mapping[int, tuple[int, ...]]
    node_nodes: Mapping[int, tuple[int, ...]]
    node_edges: Mapping[int, tuple[int, ...]]
    edge_nodes: Mapping[int, tuple[int, int]]
    edge_hexes: Mapping[int, tuple[int, ...]]

    def beyond(self, edge: int, node: int) -> int:
        """Return the other end of an edge."""
        one, other = self.edge_nodes[edge]
        return other if node == one else one

    def neighbour(self, hex: int, facing: int) -> int:
        """Return the hex that lies there, on the board or not."""
        return hex + (_SEA_NEIGHBOURS if self.sea else _CLASSIC_NEIGHBOURS)[facing - 1]


def classic_net(land: Sequence[int]) -> Net:
    """Return the places of a board of land hexes; the sea around it has no places of its own."""
    return _net(False, tuple(land), _CLASSIC_CORNERS, _CLASSIC_NEIGHBOURS, _classic_edge)


@cache
def sea_net(height: int, width: int) -> Net:
    """Return the places of a sea board: all hexes that fit, water included."""
    hexes = [
        row << 8 | column for row in range(1, height, 2) for column in range(1, width) if column % 2 == (row // 2) % 2
    ]
    return _net(True, tuple(hexes), _SEA_CORNERS, _SEA_NEIGHBOURS, _sea_edge)


def _classic_edge(one: int, other: int) -> int:
    low = min(one, other)
    # An edge is named by its lower end; a vertical one, whose ends differ by 0x0f, by neither.
    return low - 1 if abs(one - other) == _RISING else low


def _sea_edge(one: int, other: int) -> int:
    low = min(one, other)
    # A vertical edge has the row of its middle, between its two ends.
    return low if abs(one - other) == 1 else low + 0x100


def _net(
    sea: bool,
    hexes: tuple[int, ...],
    corners: Sequence[int],
    neighbours: Sequence[int],
    edge_between: Callable[[int, int], int],
) -> Net:
    on_board = frozenset(hexes)
    hex_nodes = {hex: tuple(hex + corner for corner in corners) for hex in hexes}
    hex_edges: dict[int, tuple[int, ...]] = {}
    edge_nodes: dict[int, tuple[int, int]] = {}
    for hex, nodes in hex_nodes.items():
        edges = []
        for one, other in zip(nodes, (*nodes[1:], nodes[0]), strict=True):
            edge = edge_between(one, other)
            edge_nodes[edge] = (min(one, other), max(one, other))
            edges.append(edge)
        hex_edges[hex] = tuple(edges)
    # In the order of their numbers, so that lists of places, and with them seeded bots, do not depend on the hexes'
    # order.
    node_edges = _inverted(dict(sorted(edge_nodes.items())))
    return Net(
        sea,
        hexes,
        hex_nodes,
        hex_edges,
        {hex: tuple(hex + by for by in neighbours if hex + by in on_board) for hex in hexes},
        _inverted(hex_nodes),
        {
            node: tuple(other for edge in edges for other in edge_nodes[edge] if other != node)
            for node, edges in node_edges.items()
        },
        node_edges,
        edge_nodes,
        _inverted(hex_edges),
    )


def _inverted(relation: Mapping[int, Iterable[int]]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = {}
    for one, others in relation.items():
        for other in others:
            found.setdefault(other, []).append(one)
    return {other: tuple(ones) for other, ones in sorted(found.items())}
