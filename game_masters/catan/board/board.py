"""The board of one game: what lies where, and where pieces may stand."""

from collections.abc import Collection, Mapping, Sequence
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
    """The seats that trade with it, the first to begin first."""

    def copy(self) -> "Village":
        """Return an independent copy."""
        return Village(self.node, self.number, self.cloth, self.traders)


@dataclass(slots=True)
class ClothTrade:
    """The cloth of the scenario with villages; elsewhere there is none."""

    villages: dict[int, Village] = field(default_factory=dict)
    """By their nodes."""
    supply: int = 0
    """What is in the general supply."""

    @property
    def left(self) -> int:
        """The cloth that no player has yet."""
        return self.supply + sum(village.cloth for village in self.villages.values())

    @property
    def trading(self) -> int:
        """The number of villages that have cloth."""
        return sum(village.cloth > 0 for village in self.villages.values())

    def draw_for(self, village: Village) -> bool:
        """Take a cloth from a village, or when it has none from the general supply. Return False if both are empty."""
        if village.cloth:
            village.cloth -= 1
        elif self.supply:
            self.supply -= 1
        else:
            return False
        return True

    def copy(self) -> "ClothTrade":
        """Return an independent copy."""
        return ClothTrade({node: one.copy() for node, one in self.villages.items()}, self.supply)


@dataclass(frozen=True, slots=True)
class LandAreas:
    """Which land belongs together, and what that means in a scenario."""

    of_node: Mapping[int, int]
    """The area of each node that has one; 0: not to be settled."""
    of_hex: Mapping[int, int]
    start: int = 1
    """The area where all start; 0: any."""
    no_points: frozenset[int] = frozenset()
    no_robber: frozenset[int] = frozenset()
    barred: tuple[int, ...] = ()
    """Those that the message about the board calls barred to the robber."""

    def to_start_in(self, known: Collection[int]) -> Collection[int]:
        """Return the areas where a seat may place a settlement at the start, after those that it has settled."""
        if self.start:
            return {self.start}
        # On two islands at most: a seat that has started on two may only add settlements there.
        return known if len(known) > 1 else frozenset(self.of_node.values())

    def admits_robber(self, hex: int) -> bool:
        """Whether the robber may go to a hex, as far as areas count."""
        return self.of_hex.get(hex, 1) not in self.no_robber


@dataclass(frozen=True, slots=True)
class Ground:
    """Where pieces may stand, and which hexes yield: what follows from the hexes as they are seen."""

    land: frozenset[int]
    land_nodes: frozenset[int]
    sites: frozenset[int]
    """Nodes where settlements may stand."""
    road_edges: frozenset[int]
    ship_edges: frozenset[int]
    by_number: Mapping[int, Sequence[int]]
    """The hexes with a number."""


def ground_of(net: Net, types: Mapping[int, int], numbers: Mapping[int, int], areas: LandAreas) -> Ground:
    """Find out where pieces may stand on these hexes."""
    land = frozenset(hex for hex in net.hexes if types[hex] != Hex.WATER)
    land_nodes = frozenset(node for hex in land for node in net.hex_nodes[hex])
    road_edges = frozenset(edge for hex in land for edge in net.hex_edges[hex])
    ship_edges: frozenset[int] = frozenset()
    if net.sea:
        water = {edge for hex in net.hexes if hex not in land for edge in net.hex_edges[hex]}
        rim = {edge for edge in road_edges if len(net.edge_hexes[edge]) == 1}
        fog = {edge for hex in land if types[hex] == Hex.FOG for edge in net.hex_edges[hex]}
        # Fog may hide land: its edges take ships only where known water is on the other side.
        ship_edges = frozenset((water | rim) - (fog - water))
    by_number: dict[int, list[int]] = {}
    for hex, number in numbers.items():
        by_number.setdefault(number, []).append(hex)
    # Area 0 is land where no player may build, such as the islands of the villages.
    sites = frozenset(node for node in land_nodes if areas.of_node.get(node, 0) > 0)
    return Ground(land, land_nodes, sites, road_edges, ship_edges, by_number)


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
    port_at: Mapping[int, int]
    """The type of the port at a node."""
    land_areas: LandAreas
    ground: Ground
    robber: int | None = None
    pirate: int | None = None
    hidden: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Type and number of hexes under fog."""
    cloth_trade: ClothTrade = field(default_factory=ClothTrade)
    height: int = 0
    width: int = 0
    layout: tuple[int, ...] = ()
    """The hexes of a classic board in the order of the message about it."""

    def reveal(self, hex: int) -> tuple[int, int]:
        """Reveal a hex under fog and return its type and number, 0 if it has none."""
        type, number = self.hidden.pop(hex)
        self.types[hex] = type
        if number:
            self.numbers[hex] = number
        # A hex that turns out to be water takes roads away and gives ships room.
        self.find_places()
        return type, number

    def find_places(self) -> None:
        """Find out where pieces may stand, after a change of the hexes."""
        self.ground = ground_of(self.net, self.types, self.numbers, self.land_areas)

    def fog_at(self, node: int) -> list[int]:
        """Return the hexes under fog at a node."""
        return [hex for hex in self.net.node_hexes[node] if hex in self.hidden]

    def copy(self) -> "Board":
        """Return an independent copy. It shares hexes without fog and trade without villages: these never change."""
        foggy, trade = bool(self.hidden), self.cloth_trade
        return Board(
            self.net, self.seats, self.types.copy() if foggy else self.types,
            self.numbers.copy() if foggy else self.numbers, self.ports, self.port_at, self.land_areas, self.ground,
            self.robber, self.pirate, self.hidden.copy() if foggy else self.hidden,
            trade.copy() if trade.villages else trade, self.height, self.width, self.layout,
        )  # fmt: skip


def ports_at(net: Net, ports: Sequence[Port]) -> dict[int, int]:
    """Return the types of the ports at their nodes."""
    return {node: port.type for port in ports for node in net.edge_nodes[port.edge]}
