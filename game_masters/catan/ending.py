"""Points, and the end of a game."""

from game_masters.catan.gain_messages import GameStats, PlayerStats, Score
from game_masters.catan.messages import DevCardAction, GameElements
from game_masters.catan.play import Play, Sitter, Termination
from game_masters.catan.routes import holder, longest
from game_masters.catan.vocabulary import POINT_CARDS, GameElement, Phase

LEAST_ROUTE = 5
LEAST_ARMY = 3
LEAST_VILLAGES = 4
"""With fewer villages that have cloth the game is over."""


def update_route(play: Play, *seats: int) -> None:
    """Find out who has the longest route after a change for these seats, and tell if that is somebody else."""
    if "_SC_0RVP" in play.variant.on:
        return
    for number in seats:
        one = play.seats[number]
        if len(one.roads) + len(one.ships) < LEAST_ROUTE:
            one.route = 0
            continue
        foreign = {node for node, owner in play.buildings.items() if owner != number}
        one.route = longest(play.board.net, one.roads, one.ships, one.buildings, foreign)
    now = holder({number: seat.route for number, seat in enumerate(play.seats)}, play.longest, LEAST_ROUTE)
    if now != play.longest:
        play.longest = now
        play.tell(GameElements(((int(GameElement.LONGEST_ROUTE), now),)))


def update_army(play: Play, seat: int) -> None:
    """Find out who has the largest army after a seat has played a soldier, and tell if that is somebody else."""
    soldiers = play.seats[seat].soldiers
    if seat == play.army or soldiers < LEAST_ARMY:
        return
    if play.army < 0 or soldiers > play.seats[play.army].soldiers:
        play.army = seat
        play.tell(GameElements(((int(GameElement.LARGEST_ARMY), seat),)))


def ends_by_points(play: Play) -> bool:
    """End the game if the current player has the points to win, or the cloth is gone. Return whether it is over."""
    if play.board.villages and not _has_cloth(play):
        order = [play.current, *play.around(play.current)]
        end(play, max(order, key=lambda seat: (play.points(seat), play.seats[seat].cloth)), Termination.CLOTH)
    elif play.has_won(play.current):
        end(play, play.current, Termination.POINTS)
    return play.phase is Phase.OVER


def _has_cloth(play: Play) -> bool:
    return sum(village.cloth > 0 for village in play.board.villages.values()) >= LEAST_VILLAGES


def end(play: Play, winner: int, why: Termination) -> None:
    """End the game in a turn: say who has won, and what all had."""
    play.tell(GameElements(((int(GameElement.CURRENT_PLAYER), winner),)))
    play.goes_on(Phase.OVER)
    tell_results(play, winner, why)


def tell_results(play: Play, winner: int, why: Termination) -> None:
    """Tell what is to be known after the end."""
    play.winner, play.termination = winner, why
    play.polled, play.polled_special = [], []
    play.say(f">>> {play.name(winner)} has won the game with {play.points(winner)} points.")
    if not play.variant.cards_open:
        for number, seat in enumerate(play.seats):
            cards = [card for card in seat.cards if card in POINT_CARDS]
            if cards:
                play.tell(DevCardAction.showing(number, cards))
    robots = [seat.sitter in (Sitter.PROGRAM, Sitter.LEFT) for seat in play.seats]
    play.tell(GameStats(tuple(Score(play.points(number), robot) for number, robot in enumerate(robots))))
    play.say(f"This game was {max(play.round, 1)} rounds.")
    for number in play.occupied:
        *rolls, gold = play.seats[number].gained
        play.tell_one(number, PlayerStats((*rolls, gold) if gold else tuple(rolls)))
