"""Paying for pieces, placing and moving them."""

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.declining import (
    decline,
    illegal_place,
    not_your_turn,
    text_only,
    wait_for_special_building,
)
from game_masters.catan.handlers.discoveries import (
    close_routes,
    gains_of,
    new_villages,
    open_trade,
    owe_gold,
    put_on_edge,
    reveal,
    send_trade,
    settle_area,
)
from game_masters.catan.handlers.ending import ends_by_points, update_route
from game_masters.catan.handlers.places import movable_ships, piece_places, ship_targets
from game_masters.catan.handlers.reasons import listed, why_not, why_not_ship
from game_masters.catan.handlers.starting import check_take_back, place_at_start, take_back
from game_masters.catan.handlers.turns import ask, calms_down, check_ask, return_card
from game_masters.catan.message.bundles import COSTS, covers, elements, give, in_words, take
from game_masters.catan.message.messages import (
    BuildRequest,
    CancelBuildRequest,
    MovePiece,
    PlayerElements,
    PutPiece,
)
from game_masters.catan.message.vocabulary import (
    ASK_SPECIAL_BUILDING,
    FREE_ROADS,
    PIECE_NAMES,
    PLACES,
    PLACING,
    START_ROAD,
    START_SETTLEMENT,
    Change,
    Phase,
    Piece,
    Reason,
)

MAX_TAKEN_BACK = 10
"""How often a player may take back in one turn what it has begun: payments, trades with the bank, cards."""

_CALM = frozenset({Phase.PLAY, Phase.SPECIAL_BUILDING})


def _piece(number: int) -> Piece:
    try:
        piece = Piece(number)
    except ValueError:
        # Villages are pieces on the board, but no player builds one: such a request is answered like an unknown number.
        piece = Piece.VILLAGE
    if piece is Piece.VILLAGE:
        raise decline(f"{number} is no piece that can be built", Reason.SPECIFICS)
    return piece


def _check_possible(play: Play, seat: int, piece: Piece) -> None:
    """Check that a player can pay for a piece and has a place for it."""
    one = play.seats[seat]
    name = PIECE_NAMES[piece]
    if one.pieces.supply[piece] <= 0:
        raise decline(f"you have no {name} left")
    if not covers(one.hand, COSTS[piece]):
        raise decline(f"a {name} costs {in_words(COSTS[piece])}; you have {in_words(one.hand)}")
    if not piece_places(play, seat, piece):
        raise decline(f"there is no place for a {name}")


# --- requests before placing ------------------------------------------------------------------------------------------


def check_request(play: Play, seat: int, move: BuildRequest) -> None:
    """Check a request to build a piece, or for special building."""
    if _asks(play, seat, move):
        if seat == play.current and play.phase in _CALM:
            raise decline("you ask for special building before you roll", Reason.SPECIFICS)
        check_ask(play, seat)
        return
    if seat != play.current:
        raise wait_for_special_building(play)
    piece = _piece(move.piece)
    if play.phase not in _CALM:
        raise decline(f"nothing can be built in the state {play.phase.name} ({int(play.phase)})")
    _check_possible(play, seat, piece)
    # Without a limit a player could pay and take back for ever, and no turn would end.
    if play.doings.taken_back >= MAX_TAKEN_BACK:
        raise decline("you have taken back too much in this turn; place the piece at once")


def _asks(play: Play, seat: int, move: BuildRequest) -> bool:
    """Whether a request is for special building: any piece will do where it is not the seat's turn."""
    # At a server of JSettlers any request to build out of turn asks for special building.
    others = play.variant.six and not play.variant.polls and seat != play.current
    return move.piece == ASK_SPECIAL_BUILDING or seat in play.special_building.polled or others


def request(play: Play, seat: int, move: BuildRequest) -> None:
    """Take the payment for a piece, which is placed next; or note that the seat wants special building."""
    play.asked(seat, move)
    if _asks(play, seat, move):
        ask(play, seat)
        return
    piece = Piece(move.piece)
    _pay(play, seat, piece)
    play.goes_on(PLACES[piece])


def _pay(play: Play, seat: int, piece: Piece) -> None:
    # A trade with the bank can be taken back only as the last thing done; paying comes after it.
    play.doings.bank_trade = None
    take(play.seats[seat].hand, COSTS[piece])
    play.send(PlayerElements(seat, Change.LOSE, elements(COSTS[piece])))


def check_cancel(play: Play, seat: int, move: CancelBuildRequest) -> None:
    """Check that there is something to take back."""
    if seat != play.current:
        raise not_your_turn(play)
    piece = _piece(move.piece)
    if piece is Piece.SETTLEMENT and play.phase in START_ROAD:
        check_take_back(play, MAX_TAKEN_BACK)
        return
    free = play.phase in FREE_ROADS and piece in (Piece.ROAD, Piece.SHIP)
    if not free and PLACING.get(play.phase) is not piece:
        text = f"no {PIECE_NAMES[piece]} is being placed in the state {play.phase.name} ({int(play.phase)})"
        raise decline(text, state=int(play.phase))


def cancel(play: Play, seat: int, move: CancelBuildRequest) -> None:
    """Take back a payment, a settlement of the start, or what is left of Road Building."""
    play.asked(seat, move)
    play.doings.taken_back += 1
    if play.phase in START_ROAD:
        take_back(play)
    elif play.phase in FREE_ROADS:
        return_card(play, "cancelled")
        calms_down(play)
    else:
        cost = COSTS[PLACING[play.phase]]
        give(play.seats[seat].hand, cost)
        play.send(PlayerElements(seat, Change.GAIN, elements(cost)))
        play.goes_on(play.calm)


# --- placing ----------------------------------------------------------------------------------------------------------


def check_put(play: Play, seat: int, move: PutPiece) -> None:
    """Check that a piece may be placed there."""
    if seat != play.current:
        raise not_your_turn(play)
    piece = _piece(move.piece)
    name = PIECE_NAMES[piece]
    phase = play.phase
    wanted = (
        [Piece.SETTLEMENT] if phase in START_SETTLEMENT
        # The state says what is expected; outside it even a piece that could be paid is refused.
        else [Piece.ROAD, Piece.SHIP] if phase in START_ROAD or phase in FREE_ROADS
        else [PLACING[phase]] if phase in PLACING
        else list(PIECE_NAMES) if phase in _CALM
        else []
    )  # fmt: skip
    if piece not in wanted:
        raise decline(f"no {name} can be placed in the state {phase.name} ({int(phase)})")
    if phase in _CALM:
        _check_possible(play, seat, piece)
    elif play.seats[seat].pieces.supply[piece] <= 0:
        raise decline(f"you have no {name} left")
    # All is checked before it is paid: JSettlers keeps the payment of a placement that it refuses.
    legal = piece_places(play, seat, piece)
    if move.place not in legal:
        raise illegal_place(why_not(play, seat, piece, move.place, legal), piece, move.place)


def put(play: Play, seat: int, move: PutPiece) -> None:
    """Place a piece, with all that follows from it."""
    play.asked(seat, move)
    piece = Piece(move.piece)
    if play.starting:
        place_at_start(play, seat, piece, move.place)
        return
    # Both forms pay before anything is revealed; with a request, this has been done.
    if play.phase in _CALM:
        _pay(play, seat, piece)
    if piece in (Piece.ROAD, Piece.SHIP):
        gold = put_on_edge(play, seat, piece, move.place)
        # A ship of this turn does not move.
        if piece is Piece.SHIP:
            play.doings.ships |= {move.place}
        _after_edge(play, seat, gold)
        return
    play.announce(f"{play.name(seat)} built a {PIECE_NAMES[piece]}.")
    if piece is Piece.SETTLEMENT:
        _settle(play, seat, move.place)
    else:
        play.put(seat, piece, move.place)
        play.send(PutPiece(seat, int(piece), move.place))
    if not ends_by_points(play):
        play.goes_on(play.calm)


def _settle(play: Play, seat: int, node: int) -> None:
    """Place a settlement. It may stand in the way of others, and may link ships of its own to a village."""
    one = play.seats[seat]
    # First the points for the new area, then the piece: the order of the message sequences.
    settle_area(play, seat, node)
    villages = new_villages(play, seat, one.pieces.ships, one.pieces.buildings | {node})
    open_trade(play, seat, villages)
    play.put(seat, Piece.SETTLEMENT, node)
    play.send(PutPiece(seat, int(Piece.SETTLEMENT), node))
    send_trade(play, seat, villages)
    close_routes(play, seat)
    # Others' routes through this node are cut; the builder's road and ships may have been joined.
    cut = {play.owners.edges[edge] for edge in play.board.net.node_edges[node] if edge in play.owners.edges}
    update_route(play, *sorted(cut | {seat}))


def _after_edge(play: Play, seat: int, gold: int) -> None:
    """Go on after a road or ship that has revealed ``gold`` gold hexes."""
    # Won by the first of two free roads, the second is not placed.
    if ends_by_points(play):
        return
    one = play.seats[seat]
    # With one piece left, Road Building has come to its end.
    if play.phase is Phase.FREE_ROAD1 and one.pieces.supply[Piece.ROAD] + one.pieces.supply[Piece.SHIP]:
        following = Phase.FREE_ROAD2
    else:
        following = play.calm
    free = play.phase in FREE_ROADS
    if free:
        play.doings.free_road_placed = True
    # Gold is picked before the second free road is placed.
    if gold and owe_gold(play, {seat: gold}, Phase.GOLD, following):
        return
    if following is Phase.FREE_ROAD2:
        play.goes_on(following)
    else:
        calms_down(play)


# --- moving ships -----------------------------------------------------------------------------------------------------


def check_move(play: Play, seat: int, move: MovePiece) -> None:
    """Check that a ship may move there."""
    why = None
    if seat != play.current:
        why = f"it is the turn of {play.name(play.current)}"
    elif move.piece != Piece.SHIP:
        why = "only ships move"
    elif play.phase is not Phase.PLAY:
        why = f"no ship can move in the state {play.phase.name} ({int(play.phase)})"
    elif play.doings.ship_moved:
        why = "you have moved a ship in this turn"
    elif move.origin not in play.seats[seat].pieces.ships:
        why = f"you have no ship on {move.origin:x}; ships that may move: {listed(movable_ships(play, seat))}"
    elif move.origin not in movable_ships(play, seat):
        why = f"the ship on {move.origin:x} is new, closed in, held by the pirate, or not at an end of its route; "
        why += f"ships that may move: {listed(movable_ships(play, seat))}"
    elif move.target not in ship_targets(play, seat, move.origin):
        why = why_not_ship(play, seat, move.target, ship_targets(play, seat, move.origin))
    if why is not None:
        # JSettlers answers ships that may not move with a text and this, with no reason in numbers.
        raise text_only(why, CancelBuildRequest(int(Piece.SHIP)), unknown=True)


def move_ship(play: Play, seat: int, move: MovePiece) -> None:
    """Move a ship, with all that follows from it."""
    play.asked(seat, move)
    one = play.seats[seat]
    play.doings.bank_trade = None
    play.doings.ship_moved = True
    # The fog lifts before the ship is placed, as in the message sequences.
    found = reveal(play, play.board.net.edge_nodes[move.target])
    villages = new_villages(play, seat, one.pieces.ships - {move.origin} | {move.target}, one.pieces.buildings)
    # With the moved ship counted at its new place only.
    open_trade(play, seat, villages)
    one.pieces.ships.remove(move.origin)
    del play.owners.edges[move.origin]
    one.pieces.ships.add(move.target)
    play.owners.edges[move.target] = seat
    play.send(MovePiece(seat, int(Piece.SHIP), move.origin, move.target))
    send_trade(play, seat, villages)
    close_routes(play, seat)
    update_route(play, seat)
    if ends_by_points(play):
        return
    # If the game was just won, what the fog has hidden brings nothing.
    gains_of(play, seat, found)
    # No state of the game at the end, unless gold has changed it: as in JSettlers.
    if found.gold:
        owe_gold(play, {seat: found.gold}, Phase.GOLD, Phase.PLAY)
