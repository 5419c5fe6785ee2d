"""The start of a game: who begins, the first settlements with their roads, and taking one back."""

from dataclasses import replace

from game_masters.catan.game.play import Play
from game_masters.catan.game.turn import Doings, Placement
from game_masters.catan.handlers.declining import decline
from game_masters.catan.handlers.discoveries import (
    gains_of,
    put_on_edge,
    reveal,
    send_gold,
)
from game_masters.catan.handlers.ending import ends_by_points
from game_masters.catan.handlers.turns import begin_turn
from game_masters.catan.message.bundles import TYPES
from game_masters.catan.message.messages import CancelBuildRequest, GameState, PlayerElement, PutPiece, Turn
from game_masters.catan.message.vocabulary import (
    AFTER_START_SETTLEMENT,
    START_ROAD,
    START_SETTLEMENT,
    Change,
    Element,
    Hex,
    Phase,
    Piece,
)

_BITS_OF_AREA = 8
"""Of each land area in the number that names those of the start."""


def begin(play: Play) -> None:
    """Let the first player place a settlement."""
    play.phase = Phase.START1A
    play.current = play.rounds.first
    _prompt_settlement(play)
    play.send(Turn(play.current, int(play.phase)))


def last_phase(play: Play) -> Phase:
    """Return the state for placing the settlement that yields resources."""
    return Phase.START3A if "_SC_3IP" in play.variant.on else Phase.START2A


def place_at_start(play: Play, seat: int, piece: Piece, place: int) -> None:
    """Place a settlement, or the road or ship that belongs to it."""
    if piece is Piece.SETTLEMENT:
        _settle(play, seat, place)
    else:
        _lead_away(play, seat, piece, place)


def _settle(play: Play, seat: int, node: int) -> None:
    one, board = play.seats[seat], play.board
    # What the fog gives counts as part of the settlement, and goes back with it.
    before = list(one.hand)
    found = reveal(play, [node])
    play.announce(f"{play.name(seat)} built a settlement.")
    play.put(seat, Piece.SETTLEMENT, node)
    one.pieces.last_settlement = node
    area = board.land_areas.of_node.get(node, 0)
    areas_before = one.scenario.start_areas
    one.scenario = one.scenario.starting_in(*areas_before, area)
    play.send(PutPiece(seat, int(Piece.SETTLEMENT), node))
    gains_of(play, seat, found)
    gold = found.gold
    if play.phase is last_phase(play):
        # A gold hex that came out of the fog is counted below, once, with all others at the node.
        gold = 0
        for hex in board.net.node_hexes[node]:
            # The numbers on the hexes do not matter for the last settlement of the start.
            type = board.types[hex]
            stock = play.stock
            if type == Hex.GOLD:
                gold += 1
            elif 1 <= type <= 5 and (stock is None or stock[type - 1]):
                one.hand[type - 1] += 1
    play.placement = Placement(tuple(one.hand[type] - before[type] for type in TYPES), areas_before)
    following = AFTER_START_SETTLEMENT[play.phase]
    if gold:
        play.after_gold = following
        play.goes_on(Phase.START_GOLD)
        send_gold(play, {seat: gold})
        return
    play.goes_on(following)
    _prompt_road(play)


def _lead_away(play: Play, seat: int, piece: Piece, edge: int) -> None:
    gold = put_on_edge(play, seat, piece, edge)
    if gold:
        play.after_gold = play.phase
        play.goes_on(Phase.START_GOLD)
        send_gold(play, {seat: gold})
        return
    next_placement(play, picked=False)


def next_placement(play: Play, *, picked: bool) -> None:
    """Go on after a road or ship of the start; ``picked``: after resources from gold that it has revealed."""
    seat, phase, order = play.current, play.phase, _order(play)
    three = "_SC_3IP" in play.variant.on
    # The third round goes in playing order like the first, the second backwards.
    if phase in (Phase.START1B, Phase.START3B) and seat != order[-1]:
        following, placer = START_ROAD[phase], play.after(seat)
    elif phase is Phase.START1B:
        # The last of the first round begins the second.
        following, placer = Phase.START2A, seat
    elif phase is Phase.START2B and seat != order[0]:
        following, placer = Phase.START2A, order[order.index(seat) - 1]
    elif phase is Phase.START2B and three:
        following, placer = Phase.START3A, play.rounds.first
    else:
        if not ends_by_points(play):
            _send_areas(play)
            play.special_building.next_normal = play.rounds.first
            begin_turn(play, play.rounds.first)
        return
    play.phase, play.current = following, placer
    play.doings = Doings()
    for one in play.seats:
        one.refused = 0
    # After picks, JSettlers sends the state instead of a turn where the placer stays the same.
    if picked and placer == seat:
        play.send(GameState(int(following)))
        _prompt_settlement(play)
        return
    _prompt_settlement(play)
    play.send(Turn(placer, int(following)))


def _send_areas(play: Play) -> None:
    """Send the land areas where all have started, where some bring no special points: those count as such."""
    without = play.board.land_areas.no_points
    if not without:
        return
    for number in play.occupied:
        # JSettlers sends the areas as bytes of one number.
        areas = (*sorted(play.seats[number].scenario.start_areas - without), *sorted(without))
        encoded = sum(area << (_BITS_OF_AREA * place) for place, area in enumerate(areas))
        play.send(PlayerElement(number, Change.SET, int(Element.STARTING_AREAS), encoded))


def _order(play: Play) -> list[int]:
    return [play.rounds.first, *play.around(play.rounds.first)]


def after_start_gold(play: Play) -> None:
    """Go on when the resources from gold are picked."""
    play.phase = play.after_gold
    if play.after_gold in START_ROAD and play.awaits_road:
        play.goes_on(play.after_gold)
        _prompt_road(play)
    else:
        next_placement(play, picked=True)


def check_take_back(play: Play, most: int) -> None:
    """Check that a settlement may be taken back."""
    if play.doings.taken_back >= most:
        raise decline("you have taken back too many settlements; place the road", state=int(play.phase))


def take_back(play: Play) -> None:
    """Take back the settlement that has no road yet, with what it has brought. A hex that it has
    revealed stays revealed."""
    one = play.mover
    play.send(CancelBuildRequest(int(Piece.SETTLEMENT)))
    play.take_back_settlement()
    one.scenario = replace(one.scenario, start_areas=play.placement.areas_before)
    play.announce(f"{play.name(play.current)} cancelled this settlement placement.")
    play.goes_on(START_ROAD[play.phase])
    _prompt_settlement(play)


def _prompt_settlement(play: Play) -> None:
    assert play.phase in START_SETTLEMENT
    play.announce(f"It's {play.name(play.current)}'s turn to build a settlement.")


def _prompt_road(play: Play) -> None:
    what = "a road or ship" if play.board.net.sea else "a road"
    play.announce(f"It's {play.name(play.current)}'s turn to build {what}.")
