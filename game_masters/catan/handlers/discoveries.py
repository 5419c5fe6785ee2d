"""What placing a piece brings besides the piece: hexes under fog, land areas, villages, closed routes, and gold."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from game_masters.catan.board.board import Village
from game_masters.catan.board.routes import chains
from game_masters.catan.game.play import Play
from game_masters.catan.handlers.ending import update_route
from game_masters.catan.message.messages import (
    PieceValue,
    PlayerElement,
    PutPiece,
    RevealFogHex,
    SimpleRequest,
    SVPTextMessage,
)
from game_masters.catan.message.vocabulary import (
    PICK_RESOURCES,
    PIECE_NAMES,
    RESOURCE_NAMES,
    TRADE_ESTABLISHED,
    Change,
    Element,
    Hex,
    Phase,
    Piece,
)

POINTS_EACH_AREA = 2
POINTS_ANY_AREA = 1


@dataclass
class Revealed:
    """What was under the fog, for the one who has revealed it."""

    resources: list[int]
    gold: int = 0


def reveal(play: Play, nodes: Iterable[int]) -> Revealed:
    """Reveal the hexes under fog at some nodes, and send them."""
    found = Revealed([])
    for node in nodes:
        for hex in play.board.fog_at(node):
            type, number = play.board.reveal(hex)
            play.send(RevealFogHex(hex, type, number))
            if type == Hex.GOLD:
                # Water and desert are revealed, but bring nothing.
                found.gold += 1
            elif 1 <= type <= 5:
                found.resources.append(type)
    return found


def gains_of(play: Play, seat: int, found: Revealed) -> None:
    """Give a seat the resources that it has revealed, and send them."""
    for resource in found.resources:
        stock = play.stock
        # The bank has none left: what is revealed is shown, and the find is lost.
        if stock is not None and not stock[resource - 1]:
            continue
        play.seats[seat].hand[resource - 1] += 1
        play.send(PlayerElement(seat, Change.GAIN, resource, 1, True))
        play.announce(f"{play.name(seat)} gets 1 {RESOURCE_NAMES[resource - 1]} by revealing the fog hex.")


def owe_gold(play: Play, owed: dict[int, int], phase: Phase, after: Phase) -> bool:
    """Go on to ``phase``, where seats pick resources, and then to ``after``. Return False, and do nothing, if no
    seat may pick, since none is due or the bank is empty."""
    stock = play.stock
    left = sum(stock) if stock is not None else None
    due: dict[int, int] = {}
    for seat, amount in owed.items():
        # With a limited bank, seats pick in their order until it is empty.
        possible = amount if left is None else min(amount, left)
        if possible:
            due[seat] = possible
            left = None if left is None else left - possible
    if not due:
        return False
    play.after_gold = after
    play.goes_on(phase)
    send_gold(play, due)
    return True


def send_gold(play: Play, due: dict[int, int]) -> None:
    """Send who has to pick how many resources."""
    names = " and ".join(play.name(seat) for seat in due)
    play.announce(f"{names} {'needs' if len(due) == 1 else 'need'} to pick resources from the gold hex.")
    for seat, amount in due.items():
        play.seats[seat].gold = amount
        play.send(PlayerElement(seat, Change.SET, int(Element.GOLD_PICKS), amount))
        play.send_one(seat, SimpleRequest(seat, PICK_RESOURCES, amount, 0))


def settle_area(play: Play, seat: int, node: int) -> None:
    """Give special points for the first settlement in a land area where the seat has not started."""
    one, board = play.seats[seat], play.board
    area = board.land_areas.of_node.get(node, 0)
    # The first settlement in an area gives points once, and where the seat began never.
    if not area or area in board.land_areas.no_points or one.scenario.has_settled(area):
        return
    points = POINTS_EACH_AREA if "_SC_SEAC" in play.variant.on else 0
    # SEAC gives points in each new area, SANY a point in the first one only.
    if "_SC_SANY" in play.variant.on and not one.scenario.special_areas:
        points += POINTS_ANY_AREA
    if not points:
        return
    one.scenario = one.scenario.settled(area, points)
    by_ship = any(edge in one.pieces.ships for edge in board.net.node_edges[node])
    play.send(SVPTextMessage(seat, points, f"settling a new {'island' if by_ship else 'area'}"))
    play.send(PlayerElement(seat, Change.SET, int(Element.SPECIAL_AREAS), one.scenario.special_areas))
    play.send(PlayerElement(seat, Change.SET, int(Element.SPECIAL_POINTS), one.scenario.special_points))


def new_villages(play: Play, seat: int, ships: Collection[int], buildings: Collection[int]) -> list[Village]:
    """Return the villages that a seat will begin to trade with once it has these ships and buildings."""
    villages = play.board.cloth_trade.villages
    if not villages:
        return []
    found = {end for end, _ in chains(play.board.net, ships, buildings, villages, play.owners.foreign_to(seat))}
    return [villages[node] for node in sorted(found & villages.keys()) if seat not in villages[node].traders]


def open_trade(play: Play, seat: int, villages: list[Village]) -> None:
    """Let a seat trade with villages: it gets one cloth of each that has any."""
    one = play.seats[seat]
    for village in villages:
        # In the order in which trade is opened, which decides who gets the last cloth.
        village.traders = (*village.traders, seat)
        # An empty village still counts as one with trade.
        if village.cloth:
            village.cloth -= 1
            one.scenario = one.scenario.with_cloth(1)
        play.send(PieceValue(int(Piece.VILLAGE), village.node, village.cloth, 0))
        play.send(PlayerElement(seat, Change.SET, int(Element.CLOTH), one.scenario.cloth))


def send_trade(play: Play, seat: int, villages: list[Village]) -> None:
    """After the ship stands: send that the seat may move the pirate from now on, if that is new."""
    one = play.seats[seat]
    if villages and not one.scenario.events & TRADE_ESTABLISHED:
        one.scenario = one.scenario.with_event(TRADE_ESTABLISHED)
        play.send(PlayerElement(seat, Change.SET, int(Element.EVENTS), one.scenario.events))


def close_routes(play: Play, seat: int) -> None:
    """Close the ships in that link two buildings of a seat, or one and a village."""
    one = play.seats[seat]
    # Closed for good, so ships are only added.
    if not one.pieces.ships:
        return
    villages, foreign = play.board.cloth_trade.villages, play.owners.foreign_to(seat)
    for _, ships in chains(play.board.net, one.pieces.ships, one.pieces.buildings, villages, foreign):
        one.pieces.closed |= ships


def put_on_edge(play: Play, seat: int, piece: Piece, edge: int) -> int:
    """Place a road or ship, with all that this brings, except for gold; return how much gold it has revealed."""
    # JSettlers reveals fog before it places the piece.
    found = reveal(play, play.board.net.edge_nodes[edge])
    play.announce(f"{play.name(seat)} built a {PIECE_NAMES[piece]}.")
    one = play.seats[seat]
    villages = new_villages(play, seat, one.pieces.ships | {edge}, one.pieces.buildings) if piece is Piece.SHIP else []
    open_trade(play, seat, villages)
    play.put(seat, piece, edge)
    play.send(PutPiece(seat, int(piece), edge))
    send_trade(play, seat, villages)
    if piece is Piece.SHIP:
        close_routes(play, seat)
    update_route(play, seat)
    # Resources out of the fog come after all messages about the piece.
    gains_of(play, seat, found)
    return found.gold
