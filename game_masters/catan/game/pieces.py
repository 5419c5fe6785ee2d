"""Pieces: what a seat has built and can still build, and who has what on the board."""

from dataclasses import dataclass, field
from typing import Final

from game_masters.catan.message.vocabulary import Piece

SUPPLY: Final = (15, 5, 4, 15)
"""Roads, settlements, cities and ships of each player; ships on sea boards only."""


@dataclass(slots=True)
class Pieces:
    """The pieces of one seat."""

    supply: list[int]
    """Those left, by their numbers."""
    roads: set[int] = field(default_factory=set)
    ships: set[int] = field(default_factory=set)
    settlements: set[int] = field(default_factory=set)
    cities: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    """Ships that may not move any more."""
    last_settlement: int = 0
    """The node of the settlement of the start that still needs its road."""
    route: int = 0
    """The length of the longest route, if it can matter: 0 with less than five pieces."""

    @property
    def buildings(self) -> set[int]:
        """Where settlements and cities stand."""
        return self.settlements | self.cities

    @property
    def points(self) -> int:
        """What settlements and cities count."""
        return len(self.settlements) + 2 * len(self.cities)

    def of(self, piece: int) -> set[int]:
        """Return where the pieces of a kind stand."""
        return (self.roads, self.settlements, self.cities, self.ships)[piece]

    def put(self, piece: int, place: int) -> None:
        """Place a piece out of the supply. A city replaces a settlement."""
        self.supply[piece] -= 1
        self.of(piece).add(place)
        # The settlement that becomes a city may be built again.
        if piece == Piece.CITY:
            self.settlements.remove(place)
            self.supply[Piece.SETTLEMENT] += 1

    def take_back_settlement(self) -> None:
        """Put the settlement of the start back into the supply, if it stands."""
        self.settlements.discard(self.last_settlement)
        self.supply[Piece.SETTLEMENT] += 1

    def copy(self) -> "Pieces":
        """Return an independent copy."""
        return Pieces(
            self.supply[:], self.roads.copy(), self.ships.copy(), self.settlements.copy(), self.cities.copy(),
            self.closed.copy(), self.last_settlement, self.route,
        )  # fmt: skip


@dataclass(slots=True)
class Owners:
    """Who has what on the board."""

    edges: dict[int, int] = field(default_factory=dict)
    """Who has a road or ship on an edge."""
    nodes: dict[int, int] = field(default_factory=dict)
    """Who has a building on a node."""

    def put(self, seat: int, piece: int, place: int) -> None:
        """Note that a seat has placed a piece."""
        (self.edges if piece in (Piece.ROAD, Piece.SHIP) else self.nodes)[place] = seat

    def foreign_to(self, seat: int) -> set[int]:
        """Return the nodes with buildings of others."""
        return {node for node, owner in self.nodes.items() if owner != seat}

    def has_room(self, node: int, neighbours: tuple[int, ...]) -> bool:
        """Whether a settlement keeps its distance from all buildings: none on the node, none beside it."""
        return node not in self.nodes and not any(other in self.nodes for other in neighbours)

    def copy(self) -> "Owners":
        """Return an independent copy."""
        return Owners(self.edges.copy(), self.nodes.copy())
