"""The computer player that values places, trades and races; it sees no more than any player.

In its turn it has a goal, the piece or card that it can have soonest for its worth, and does the first of these that it
can: build, trade with the bank for the goal, play a card for it, offer a trade, go on. Everything else (robber,
discards, answers) follows from the goal too.
"""

import random
from collections.abc import Callable, Mapping
from typing import Final

from game_masters.catan.board.routes import longest
from game_masters.catan.bots.sites import Land, damage
from game_masters.catan.bots.wishes import LEAD_TO_WORTH, Wishes
from game_masters.catan.game.may import May
from game_masters.catan.handlers.legal import ratios
from game_masters.catan.message.bundles import CARD_COST, COSTS, TYPES, covers, single
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    BuildRequest,
    BuyDevCardRequest,
    CancelBuildRequest,
    ChoosePlayer,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PickResources,
    PickResourceType,
    PlayDevCardRequest,
    PutPiece,
    RejectOffer,
    RollDice,
)
from game_masters.catan.message.standing import Standing, Subject
from game_masters.catan.message.vocabulary import ASK_SPECIAL_BUILDING, Card, Phase, Piece
from game_masters.catan.views.view import View

MANY_CARDS: Final = 7
NEAR_END: Final = 2
"""A player who needs no more points than this gets no trades."""


def choose(view: View, rng: random.Random) -> Message:
    """Return a move for the seat that is asked."""
    return _Settler(view, view.asked).move()


def choose_briefly(view: View, rng: random.Random) -> Message:
    """Return a move of a player who neither makes offers nor wants any, is asked for special building only when it
    holds more cards than a seven leaves it, and receives only what changes."""
    if view.lost:
        # To ask for changes once more brings the whole state.
        return Standing(None, brief=True)
    settler = _Settler(view, view.asked)
    move = settler.move()
    if isinstance(move, MakeOffer):
        move = EndTurn()
    own = view.table.seats[view.asked.seat]
    no = {Subject.OFFERS}
    if own.resources <= MANY_CARDS or isinstance(move, PutPiece | BuyDevCardRequest | BuildRequest):
        no.add(Subject.SPECIAL)
    # Where all see everything, states are always whole.
    brief = None if view.number is not None or view.you is None else True
    if frozenset(no) == frozenset(map(Subject, view.no)) and brief is None:
        return move
    return Standing(move, frozenset(no), brief)


class _Settler:
    """One decision."""

    def __init__(self, view: View, may: May) -> None:
        self.view = view
        self.may = may
        self.me = may.seat
        self.wishes = Wishes(view, may.seat)
        self.own, self.hand = self.wishes.own, self.wishes.hand

    @property
    def land(self) -> Land:
        """The board as the player looks at it; many answers need no look."""
        return self.wishes.land

    def move(self) -> Message:
        may = self.may
        decide = _BY_STATE.get(self.view.state)
        if may.discard:
            return Discard(None, self.wishes.worst(may.discard))
        if may.pick:
            return PickResources(self.wishes.wanted(may.pick))
        if may.trades.reject and self.me != self.view.current:
            return self._answer()
        if may.end and may.requests == (ASK_SPECIAL_BUILDING,):
            return self._special()
        return decide(self) if decide is not None else EndTurn()

    # --- the start ----------------------------------------------------------------------------------------------------

    def start(self) -> Message:
        """Place a settlement of the start."""
        return PutPiece(None, int(Piece.SETTLEMENT), max(self.may.places.settlements, key=self.land.site))

    def way(self) -> Message:
        """Place a road or ship: of the start, or for a card, or that has been paid."""
        best = self._best_way()
        if best is None:
            return CancelBuildRequest(self.may.cancels[0])
        return best

    def _best_way(self, least: float = 0.0) -> Message | None:
        """Return the best road or ship; None if there is none that is worth ``least``."""
        # Of ways of equal worth the lowest edge: the same position always brings the same move.
        ways = [(self.land.lead(edge, ship=False), -edge, int(Piece.ROAD)) for edge in self.may.places.roads]
        ways += [(self._passage(edge), -edge, int(Piece.SHIP)) for edge in self.may.places.ships]
        if not ways:
            return None
        worth, edge, piece = max(ways)
        if worth < least:
            return None
        if worth < LEAD_TO_WORTH:
            longer = self._longer()
            if longer is not None:
                return longer
        return PutPiece(None, piece, -edge)

    def _passage(self, edge: int) -> float:
        """Return what a ship on an edge is worth; land is better where both lead to it."""
        return max(self.land.lead(edge, ship=True) * 0.9, self.land.voyage(edge))

    def _longer(self) -> Message | None:
        """Return the road or ship that makes the longest route longer; where there are villages that brings nothing."""
        if self.view.table.villages:
            return None
        own = self.own
        at_home = self.land.own
        foreign = self.land.buildings - at_home
        net = self.land.ground.net
        now = longest(net, own.pieces.roads, own.pieces.ships, at_home, foreign)
        for edge in self.may.places.roads:
            if longest(net, (*own.pieces.roads, edge), own.pieces.ships, at_home, foreign) > now:
                return PutPiece(None, int(Piece.ROAD), edge)
        for edge in self.may.places.ships:
            if longest(net, own.pieces.roads, (*own.pieces.ships, edge), at_home, foreign) > now:
                return PutPiece(None, int(Piece.SHIP), edge)
        return None

    # --- before the roll, and robber ----------------------------------------------------------------------------------

    def roll(self) -> Message:
        """Play a soldier if the robber stands on own land or the army is near, else roll."""
        if Card.SOLDIER in self.may.plays and (self._is_robbed() or self._races_for_army()):
            return PlayDevCardRequest(int(Card.SOLDIER))
        return RollDice()

    def _is_robbed(self) -> bool:
        robber = self.view.table.robber
        nodes = self.land.ground.net.hex_nodes.get(robber, ()) if robber is not None else ()
        return any(node in self.land.own for node in nodes)

    def _races_for_army(self) -> bool:
        army = self.view.table.army
        # Without a holder the third soldier takes the army.
        holds = self.view.table.seats[army].soldiers if army >= 0 else 2
        return army != self.me and self.own.soldiers + sum(card == Card.SOLDIER for card in self.may.plays) > holds - 1

    def robber(self) -> Message:
        """Move the robber where it hurts others most, or the pirate out of the way."""
        places = self.may.robber
        # Places of the pirate are negative, as in the messages. Only one of the two moves at a time.
        if places[0] < 0:
            return MoveRobber(None, min(places, key=lambda place: (-self._at_sea(-place), place)))
        return MoveRobber(None, max(places, key=lambda place: (damage(self.view, place, self.me), -place)))

    def _at_sea(self, hex: int) -> int:
        edges = self.land.ground.net.hex_edges[hex]
        worth = 0
        for number, seat in enumerate(self.view.table.seats):
            afloat = sum(edge in seat.pieces.ships for edge in edges)
            worth += -5 * afloat if number == self.me else afloat * (1 + seat.cloth + (seat.resources > 0))
        return worth

    def choice(self) -> Message:
        """Choose the robber, the victim that is best off, and cloth."""
        if self.view.state == Phase.CHOOSE_VICTIM:
            seats = self.view.table.seats
            return ChoosePlayer(
                max(self.may.choices, key=lambda seat: (seats[seat].points, seats[seat].resources, -seat))
            )
        # Cloth has a negative number here, the resource has the victim's.
        if self.view.state == Phase.CLOTH_OR_RESOURCE:
            return ChoosePlayer(min(self.may.choices))
        # Robber -2, pirate -3.
        return ChoosePlayer(max(self.may.choices))

    # --- the turn -----------------------------------------------------------------------------------------------------

    def turn(self) -> Message:
        """Do the first thing that is of use."""
        for step in (self._build, self._play, self._bank, self._way_now, self._buy, self._trade):
            move = step()
            if move is not None:
                return move
        return EndTurn()

    def placing(self) -> Message:
        """Place what has been paid."""
        move = self._build()
        return move if move is not None else self.way()

    def _build(self) -> Message | None:
        if self.may.places.cities:
            return PutPiece(
                None, int(Piece.CITY), max(self.may.places.cities, key=lambda node: (self.land.pips(node), node))
            )
        if self.may.places.settlements:
            return PutPiece(None, int(Piece.SETTLEMENT), max(self.may.places.settlements, key=self.land.site))
        return None

    def _play(self) -> Message | None:
        plays = self.may.plays
        if Card.ROADS in plays and (
            (not self.wishes.sites and any(self.wishes.leads)) or self.wishes.sails or self._races_for_route()
        ):
            return PlayDevCardRequest(int(Card.ROADS))
        # It gives two resources, so it is played when these are all that is missing.
        if Card.DISCOVERY in plays and 0 < self.wishes.lacks(self.wishes.goal) <= 2:
            return PlayDevCardRequest(int(Card.DISCOVERY))
        if Card.MONOPOLY in plays and sum(seat.resources for seat in self.view.table.seats) - sum(self.hand) >= 8:
            return PlayDevCardRequest(int(Card.MONOPOLY))
        if Card.SOLDIER in plays and (self._is_robbed() or self._races_for_army()):
            return PlayDevCardRequest(int(Card.SOLDIER))
        return None

    def _bank(self) -> Message | None:
        """Trade what the goal does not need for what it does."""
        if not self.may.trades.bank:
            return None
        goal = self.wishes.goal
        missing = [type for type in TYPES if goal[type] > self.hand[type]]
        if not missing:
            return None
        for type in sorted(TYPES, key=lambda type: goal[type] - self.hand[type]):
            ratio = min(ratios(self.may.trades.ports, type))
            if self.hand[type] - goal[type] < ratio:
                continue
            for wanted in missing:
                bank = self.view.table.bank
                if wanted != type and (bank is None or bank[wanted]):
                    return BankTrade(single(type + 1, ratio), single(wanted + 1))
        return None

    def _way_now(self) -> Message | None:
        """Build a road or ship where it leads somewhere, or to the longest route."""
        if not (self.may.places.roads or self.may.places.ships):
            return None
        if self._races_for_route():
            longer = self._longer()
            if longer is not None:
                return longer
        if self.own.pieces.supply[Piece.SETTLEMENT] and not self.wishes.sites and any(self.wishes.leads):
            best = self._best_way(least=LEAD_TO_WORTH)
            if best is not None:
                return best
        return self._sail()

    def _sail(self) -> Message | None:
        """Build a ship towards a village, if nothing better is near."""
        if not (self.may.places.ships and self.wishes.sails):
            return None
        goal, cost = self.wishes.goal, COSTS[Piece.SHIP]
        left = [self.hand[type] - cost[type] for type in TYPES]
        if goal != cost and not covers(left, goal) and sum(self.hand) <= MANY_CARDS:
            return None
        worth, edge = max((self.land.voyage(edge), -edge) for edge in self.may.places.ships)
        return PutPiece(None, int(Piece.SHIP), -edge) if worth else None

    def _races_for_route(self) -> bool:
        """Whether the longest route is near, or needed."""
        if self.view.table.longest == self.me or self.view.table.villages:
            return False
        own = len(self.own.pieces.roads) + len(self.own.pieces.ships)
        holder = self.view.table.longest
        most = (
            # Pieces are counted, not the way they form: enough to see whether it is near. The first holder needs five.
            len(self.view.table.seats[holder].pieces.roads) + len(self.view.table.seats[holder].pieces.ships)
            if holder >= 0
            else 4
        )
        return own + 2 >= most and own >= 4

    def _buy(self) -> Message | None:
        if not self.may.buy:
            return None
        goal = self.wishes.goal
        left = [self.hand[type] - CARD_COST[type] for type in TYPES]
        spare = covers(left, goal) or goal == CARD_COST or sum(self.hand) > MANY_CARDS
        return BuyDevCardRequest() if spare else None

    # --- trade --------------------------------------------------------------------------------------------------------

    def _trade(self) -> Message | None:
        """Accept a counteroffer that helps, or offer one of what is left over for one that is missing; once a turn."""
        accepted = self._acceptable()
        if accepted is not None:
            return accepted
        if not self.may.trades.offer or any(offer.seat == self.me for offer in self.view.table.offers):
            return None
        goal = self.wishes.goal
        missing = [type for type in TYPES if goal[type] > self.hand[type] and not self.hand[type]]
        spare = [type for type in TYPES if self.hand[type] > goal[type]]
        if not missing or not spare or self.wishes.lacks(goal) > 2:
            return None
        given = max(spare, key=lambda type: self.hand[type] - goal[type])
        to = tuple(number in self.may.trades.offer for number in range(len(self.view.table.seats)))
        return MakeOffer(None, to, single(given + 1), single(missing[0] + 1))

    def _answer(self) -> Message:
        return self._acceptable() or RejectOffer(None)

    def _acceptable(self) -> Message | None:
        for offer in self.view.table.offers:
            if offer.seat not in self.may.trades.accept:
                continue
            if self.view.table.seats[offer.seat].points >= self.view.table.to_win - NEAR_END:
                continue
            goal = self.wishes.goal
            after = [self.hand[type] - offer.get[type] + offer.give[type] for type in TYPES]
            lacking = sum(max(0, goal[type] - after[type]) for type in TYPES)
            if lacking < self.wishes.lacks(goal) and sum(offer.get) <= sum(offer.give) + 1:
                return AcceptOffer(None, offer.seat, offer.give, offer.get)
        return None

    def monopoly(self) -> Message:
        """Name a resource that the goal lacks and others produce."""
        return PickResourceType(self.wishes.named() + 1)

    def _special(self) -> Message:
        """Ask for special building if there is something to build."""
        for piece in (Piece.CITY, Piece.SETTLEMENT):
            wanted = self.own.pieces.settlements if piece is Piece.CITY else self.wishes.sites
            if covers(self.hand, COSTS[piece]) and self.own.pieces.supply[piece] and wanted:
                return BuildRequest(ASK_SPECIAL_BUILDING)
        return EndTurn()

    def special_building(self) -> Message:
        """Build, or end."""
        return self._build() or self._way_now() or self._buy() or EndTurn()


_BY_STATE: Final[Mapping[int, Callable[[_Settler], Message]]] = {
    int(Phase.START1A): _Settler.start,
    int(Phase.START2A): _Settler.start,
    int(Phase.START3A): _Settler.start,
    int(Phase.START1B): _Settler.way,
    int(Phase.START2B): _Settler.way,
    int(Phase.START3B): _Settler.way,
    int(Phase.ROLL_OR_CARD): _Settler.roll,
    int(Phase.PLAY): _Settler.turn,
    int(Phase.PLACING_ROAD): _Settler.placing,
    int(Phase.PLACING_SHIP): _Settler.placing,
    int(Phase.PLACING_SETTLEMENT): _Settler.placing,
    int(Phase.PLACING_CITY): _Settler.placing,
    int(Phase.PLACING_ROBBER): _Settler.robber,
    int(Phase.PLACING_PIRATE): _Settler.robber,
    int(Phase.ROBBER_OR_PIRATE): _Settler.choice,
    int(Phase.CHOOSE_VICTIM): _Settler.choice,
    int(Phase.CLOTH_OR_RESOURCE): _Settler.choice,
    int(Phase.FREE_ROAD1): _Settler.way,
    int(Phase.FREE_ROAD2): _Settler.way,
    int(Phase.MONOPOLY): _Settler.monopoly,
    int(Phase.SPECIAL_BUILDING): _Settler.special_building,
}
