"""The board of one game: what lies where, and where pieces may stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from game_masters.catan.board.geometry import Net
from game_masters.catan.message.vocabulary import Hex


class Port(NamedTuple):
    """A port: 0 for three to one, or the resource of two to one."""

    type: int
    edge: int
    facing: int


@dataclass
class Village:
    """A village of the cloth trade."""

    node: int
    number: int
    cloth: int
    traders: tuple[int, ...] = ()
    """The seats that trade with it, in the order in which they began."""


@dataclass
class Board:
    """Hexes, ports, robber and pirate. Only revealing fog, robber, pirate and trade change it."""

    net: Net
    seats: int
    """4 or 6: which board it is."""
    types: dict[int, int]
    """The type of each hex as it is seen; classic boards have land only."""
    numbers: dict[int, int]
    """The number of each hex that has one."""
    ports: tuple[Port, ...]
    areas: Mapping[int, int]
    """The land area of each node that has one; 0: nobody settles there."""
    hex_areas: Mapping[int, int]
    start: int = 1
    robber: int | None = None
    pirate: int | None = None
    hidden: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Type and number of hexes under fog."""
    villages: dict[int, Village] = field(default_factory=dict)
    supply: int = 0
    """The general supply of cloth."""
    no_points: frozenset[int] = frozenset()
    no_robber: frozenset[int] = frozenset()
    height: int = 0
    width: int = 0
    barred: tuple[int, ...] = ()
    """Land areas that the message about the board calls barred to the robber."""
    layout: tuple[int, ...] = ()
    """The hexes of a classic board in the order of the message about it."""

    def __post_init__(self) -> None:
        self.port_at = {node: port.type for port in self.ports for node in self.net.edge_nodes[port.edge]}
        self.find_places()

    def find_places(self) -> None:
        """Find out where pieces may stand, after a change of the hexes."""
        net, types = self.net, self.types
        land = {hex for hex in net.hexes if types[hex] != Hex.WATER}
        self.land = land
        self.land_nodes = {node for hex in land for node in net.hex_nodes[hex]}
        self.sites = {node for node in self.land_nodes if self.areas.get(node, 0) > 0}
        self.road_edges = {edge for hex in land for edge in net.hex_edges[hex]}
        self.ship_edges: set[int] = set()
        if net.sea:
            water = {edge for hex in net.hexes if hex not in land for edge in net.hex_edges[hex]}
            rim = {edge for edge in self.road_edges if len(net.edge_hexes[edge]) == 1}
            fog = {edge for hex in land if types[hex] == Hex.FOG for edge in net.hex_edges[hex]}
            self.ship_edges = (water | rim) - (fog - water)
        self.by_number: dict[int, list[int]] = {}
        for hex, number in self.numbers.items():
            self.by_number.setdefault(number, []).append(hex)

    def reveal(self, hex: int) -> tuple[int, int]:
        """Reveal a hex under fog and return its type and number, 0 if it has none."""
        type, number = self.hidden.pop(hex)
        self.types[hex] = type
        if number:
            self.numbers[hex] = number
        self.find_places()
        return type, number

    def fog_at(self, node: int) -> list[int]:
        """Return the hexes under fog at a node."""
        return [hex for hex in self.net.node_hexes[node] if hex in self.hidden]

    def water_beside(self, edge: int) -> bool:
        """Whether an edge can bear ships."""
        return edge in self.ship_edges

    def copy(self) -> "Board":
        """Return a board that can be changed by itself."""
        other = object.__new__(Board)
        other.__dict__.update(self.__dict__)
        if self.hidden:
            other.types = dict(self.types)
            other.numbers = dict(self.numbers)
            other.hidden = dict(self.hidden)
        if self.villages:
            other.villages = {
                node: Village(one.node, one.number, one.cloth, one.traders) for node, one in self.villages.items()
            }
        return other
