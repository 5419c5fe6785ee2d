"""What the settler wants: the piece or card that it can have soonest for its worth, and what follows for resources."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from game_masters.catan.bots.sites import Land
from game_masters.catan.handlers.legal import discards
from game_masters.catan.message.bundles import CARD_COST, COSTS, TYPES, Bundle, bundle
from game_masters.catan.message.vocabulary import Piece
from game_masters.catan.views.view import SeatView, View

LEAD_TO_WORTH: Final = 1.5
"""A way to nothing better than this is not built."""
VOYAGE: Final = 3.5
"""What the next ship towards a village is worth as a goal; a city is worth 4."""


class Wishes:
    """The wishes of one seat in one position."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.me = seat
        self.own: SeatView = view.table.seats[seat]
        self.hand: Sequence[int] = self.own.hand or (0, 0, 0, 0, 0)

    @cached_property
    def land(self) -> Land:
        """The board as the player looks at it; many answers need no look."""
        return Land(self.view, self.me)

    @cached_property
    def leads(self) -> tuple[bool, bool]:
        """Whether a next road, and a next ship, leads to a place to settle."""
        land = self.land
        roads, _, _, ships = self.own.pieces.supply
        return (
            bool(roads) and any(land.lead(edge, ship=False) >= LEAD_TO_WORTH for edge in land.next_edges(ship=False)),
            bool(ships) and any(land.lead(edge, ship=True) >= LEAD_TO_WORTH for edge in land.next_edges(ship=True)),
        )

    @cached_property
    def sails(self) -> bool:
        """Whether a next ship leads to a village."""
        if not (self.land.villages and self.own.pieces.supply[Piece.SHIP]):
            return False
        return any(self.land.voyage(edge) for edge in self.land.next_edges(ship=True))

    @cached_property
    def sites(self) -> int:
        """Return how many places there are to settle at once."""
        net = self.land.ground.net
        nodes = {node for edge in (*self.own.pieces.roads, *self.own.pieces.ships) for node in net.edge_nodes[edge]}
        return sum(self.land.is_free(node) for node in nodes)

    def _goals(self) -> list[tuple[float, Bundle]]:
        """Return what is worth having: its worth, and its cost."""
        _, settlements, cities, _ = self.own.pieces.supply
        goals: list[tuple[float, Bundle]] = []
        if cities and self.own.pieces.settlements:
            goals.append((4.0, COSTS[Piece.CITY]))
        if settlements and self.sites:
            goals.append((5.0, COSTS[Piece.SETTLEMENT]))
        elif settlements:
            ways = zip((Piece.ROAD, Piece.SHIP), self.leads, strict=True)
            goals += [(3.0, COSTS[piece]) for piece, leads in ways if leads]
        if self.sails:
            goals.append((VOYAGE, COSTS[Piece.SHIP]))
        if self.view.table.deck:
            goals.append((2.0, CARD_COST))
        return goals

    @cached_property
    def goal(self) -> Bundle:
        """Return the cost of what the player saves for."""
        goals = self._goals()
        if not goals:
            return CARD_COST
        return max(goals, key=lambda goal: goal[0] - 1.2 * self.lacks(goal[1]))[1]

    def lacks(self, cost: Sequence[int]) -> int:
        """Return how many resources are missing for that."""
        return sum(max(0, cost[type] - self.hand[type]) for type in TYPES)

    def worst(self, amount: int) -> Bundle:
        """Return what to discard: what the goal needs least."""
        goal = self.goal

        def kept(given: Bundle) -> tuple[int, int]:
            left = [self.hand[type] - given[type] for type in TYPES]
            return sum(min(left[type], goal[type]) for type in TYPES), sum(map(bool, left))

        return max(discards(self.hand, amount), key=kept)

    def wanted(self, amount: int) -> Bundle:
        """Return what to pick: what the goal lacks first, then what the player gets least of."""
        # Without a limit the bank has enough of each for any pick.
        bank = list(self.view.table.bank) if self.view.table.bank is not None else [amount] * 5
        hand, picked = list(self.hand), [0] * 5
        goal = self.goal
        for _ in range(amount):
            can = [type for type in TYPES if bank[type] > picked[type]]
            best = max(can, key=lambda type: (goal[type] > hand[type], -self.land.produces[type], -type))
            picked[best] += 1
            hand[best] += 1
        return bundle(picked)

    def named(self) -> int:
        """Return the resource that the goal lacks and others produce, for a monopoly."""
        goal = self.goal
        others = [0.0] * 5
        for seat in self.view.table.seats:
            if seat is not self.own:
                for node in (*seat.pieces.settlements, *seat.pieces.cities):
                    for type, pips in self.land.ground.yields.get(node, ()):
                        if 1 <= type <= 5:
                            others[type - 1] += pips
        return max(TYPES, key=lambda type: (others[type] * (2 if goal[type] > self.hand[type] else 1), -type))
