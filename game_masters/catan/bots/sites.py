"""What places are worth, for the computer player: pips, ports, new land, and the way there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from game_masters.catan.board.geometry import Net
from game_masters.catan.message.vocabulary import Hex
from game_masters.catan.views.view import BoardView, View

PIPS: Final[Mapping[int, int]] = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
"""In how many of 36 rolls a number comes."""
NEW_RESOURCE: Final = 2.0
"""What the first hex of a resource is worth besides its pips."""
WEIGHTS: Final = (1.0, 1.15, 0.85, 1.15, 1.0)
"""Of clay, ore, sheep, wheat and wood."""
GOLD_WEIGHT: Final = 1.5
MISC_PORT: Final = 1.5
OWN_PORT: Final = 0.5
"""For each pip of the resource."""
FARTHEST: Final = 3
"""How many edges beyond the next one the player looks for places to settle and for villages."""
NEW_AREA: Final = 4.0
VILLAGE: Final = 5.0
"""What a village is worth besides its pips: cloth at once, and a way on."""
HARBOUR: Final = 2.0
"""What a place beside water is worth to a player who has none, where there are villages."""


@dataclass(frozen=True)
class Ground:
    """What does not change on a board unless fog is revealed."""

    net: Net
    yields: Mapping[int, tuple[tuple[int, int], ...]]
    """For each node the types and pips of its hexes."""
    sites: frozenset[int]
    ports: Mapping[int, int]
    areas: Mapping[int, int]
    road_edges: frozenset[int]
    ship_edges: frozenset[int]


@lru_cache(maxsize=32)
def ground_of(board: BoardView) -> Ground:
    """Return the ground of a board."""
    net = board.net
    # Fog counts as land until it is revealed.
    types = {hex: (type, PIPS.get(number, 0)) for hex, type, number in board.hexes if type != Hex.WATER}
    nodes = {node for hex in types for node in net.hex_nodes[hex]}
    areas = {node: area for area, members in board.areas for node in members}
    land_edges = {edge for hex in types for edge in net.hex_edges[hex]}
    water = {edge for hex in net.hexes if hex not in types for edge in net.hex_edges[hex]} if board.sea else set()
    # Edges at the rim of a sea board have no water hex beyond them, but ships may use them.
    rim = {edge for edge in land_edges if len(net.edge_hexes[edge]) == 1} if board.sea else set()
    return Ground(
        net,
        {node: tuple(types[hex] for hex in net.node_hexes[node] if hex in types) for node in nodes},
        # Area 0 is land where settlements are forbidden.
        frozenset(node for node in nodes if areas.get(node, 0) > 0),
        {node: type for type, edge, _ in board.ports for node in net.edge_nodes[edge]},
        areas,
        frozenset(land_edges),
        frozenset(water | rim),
    )


class Land:
    """The board as one player looks at it, with all pieces."""

    def __init__(self, view: View, me: int) -> None:
        self.ground = ground_of(view.table.board)
        self.me = me
        own = view.table.seats[me]
        self.own = frozenset((*own.pieces.settlements, *own.pieces.cities))
        everything = [seat.pieces for seat in view.table.seats]
        self.buildings = frozenset(node for pieces in everything for node in (*pieces.settlements, *pieces.cities))
        self.taken = frozenset(edge for pieces in everything for edge in (*pieces.roads, *pieces.ships))
        self.produces = [0.0] * 5
        for node in self.own:
            for type, pips in self.ground.yields.get(node, ()):
                if 1 <= type <= 5:
                    self.produces[type - 1] += pips * (2 if node in own.pieces.cities else 1)
        self.ports = {self.ground.ports[node] for node in self.own if node in self.ground.ports}
        self.start_areas = own.start_areas
        self.settled_areas = {self.ground.areas.get(node, 0) for node in self.own}
        self._pieces = own.pieces.roads, own.pieces.ships
        self._worth: dict[int, float] = {}
        self.villages = {
            one.node: VILLAGE + PIPS.get(one.number, 0)
            for one in view.table.villages
            if one.cloth and me not in one.traders
        }
        """The villages that the player could begin to trade with, and what they are worth."""
        self.seeks_harbour = bool(view.table.villages) and not any(map(self.is_harbour, self.own))

    def pips(self, node: int) -> float:
        """Return what a node yields, weighted."""
        total = 0.0
        for type, pips in self.ground.yields.get(node, ()):
            if 1 <= type <= 5:
                total += pips * WEIGHTS[type - 1]
            elif type == Hex.GOLD:
                total += pips * GOLD_WEIGHT
        return total

    def site(self, node: int) -> float:
        """Return what a settlement on a node is worth."""
        worth = self.pips(node)
        new = {type for type, pips in self.ground.yields.get(node, ()) if 1 <= type <= 5 and pips}
        worth += NEW_RESOURCE * sum(not self.produces[type - 1] for type in new)
        port = self.ground.ports.get(node)
        if port is not None and port not in self.ports:
            worth += OWN_PORT * self.produces[port - 1] if port else MISC_PORT
        area = self.ground.areas.get(node, 0)
        if self.start_areas and area not in self.start_areas and area not in self.settled_areas:
            worth += NEW_AREA
        if self.seeks_harbour and self.is_harbour(node):
            worth += HARBOUR
        return worth

    def is_harbour(self, node: int) -> bool:
        """Whether ships can begin at a node."""
        return any(edge in self.ground.ship_edges for edge in self.ground.net.node_edges[node])

    def is_free(self, node: int) -> bool:
        """Whether a player could settle on a node."""
        if node not in self.ground.sites or node in self.buildings:
            return False
        return not any(other in self.buildings for other in self.ground.net.node_nodes[node])

    def lead(self, edge: int, *, ship: bool) -> float:
        """Return what an edge is worth as a way to places where one can settle, the nearer the better."""
        return self._along(edge, ship, self._to_settle)

    def voyage(self, edge: int) -> float:
        """Return what a ship on an edge is worth as a way to villages."""
        return self._along(edge, True, lambda node: self.villages.get(node, 0.0)) if self.villages else 0.0

    def next_edges(self, *, ship: bool) -> list[int]:
        """Return where the player could place the next road or ship, if it is not the pirate who prevents it."""
        nodes, allowed = self._reached[ship], self._allowed(ship)
        edges = self.ground.net.node_edges
        # Roads end at buildings of others.
        foreign = self.buildings - self.own
        free = {edge for node in nodes if node not in foreign for edge in edges[node] if edge in allowed}
        return sorted(free - self.taken)

    @cached_property
    def _reached(self) -> tuple[frozenset[int], frozenset[int]]:
        """The nodes that roads and ships of the player reach already."""
        ends = self.ground.net.edge_nodes
        roads, ships = (self.own.union(*(ends[edge] for edge in edges)) for edges in self._pieces)
        return roads, ships

    def _allowed(self, ship: bool) -> frozenset[int]:
        return self.ground.ship_edges if ship else self.ground.road_edges

    def _to_settle(self, node: int) -> float:
        """Return what a node is worth as a place to settle; 0 if no player can settle there."""
        if node not in self._worth:
            self._worth[node] = self.site(node) if self.is_free(node) else 0.0
        return self._worth[node]

    def _along(self, edge: int, ship: bool, worth: Callable[[int], float]) -> float:
        """Return the worth of the best node that an edge brings nearer, by its distance."""
        net = self.ground.net
        reached, allowed = self._reached[ship], self._allowed(ship)
        best = 0.0
        seen = {edge}
        front = [node for node in net.edge_nodes[edge] if node not in reached]
        for distance in range(FARTHEST + 1):
            for node in front:
                best = max(best, worth(node) / (distance + 1.5))
            onward: list[int] = []
            for node in front:
                if node in self.buildings and node not in self.own:
                    continue
                for other in net.node_edges[node]:
                    if other in allowed and other not in seen and other not in self.taken:
                        seen.add(other)
                        onward.append(net.beyond(other, node))
            front = onward
        return best


def damage(view: View, hex: int, me: int) -> float:
    """Return how good it is for a player to have the robber on a hex."""
    net = view.table.board.net
    pips = next((PIPS.get(number, 0) for at, _, number in view.table.board.hexes if at == hex), 0)
    total = 0.0
    nodes = net.hex_nodes[hex]
    for number, seat in enumerate(view.table.seats):
        own = _count(nodes, seat.pieces.settlements) + 2 * _count(nodes, seat.pieces.cities)
        if not own:
            continue
        if number == me:
            total -= 3 * own * (pips + 1)
        else:
            total += own * (pips + 1) * (1 + seat.points / 5) + (1 if seat.resources else 0)
    return total


def _count(nodes: Sequence[int], pieces: Collection[int]) -> int:
    return sum(node in pieces for node in nodes)
