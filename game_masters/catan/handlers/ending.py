"""Points, and the end of a game: by points, by cloth, or since it leads nowhere.

Neither the rules nor JSettlers know a limit, so that players who only roll and end their turns could go on for ever.
Here a game ends after ``IDLE`` rounds in a row without progress, and in any case after ``ROUNDS`` rounds (options).
Both numbers are far above what games need, also those of players who play at random.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from game_masters.catan.board.routes import holder, longest
from game_masters.catan.game.play import Ending, Play, Termination
from game_masters.catan.game.seat import Sitter
from game_masters.catan.message.gain_messages import GameStats, PlayerStats, Score
from game_masters.catan.message.messages import DevCardAction, GameElements, Turn
from game_masters.catan.message.vocabulary import POINT_CARDS, GameElement, Phase

MIN_ROUTE = 5
MIN_ARMY = 3
MIN_VILLAGES = 4
"""With fewer villages that have cloth the game is over."""
WARNED: Final = 5
"""How many rounds before the game ends without progress the players are warned."""
_REASONS: Final = {
    Termination.IDLE: "No piece, card, cloth or fog for {0.idle} rounds: the game is over.",
    Termination.ROUNDS: "{0.rounds} rounds have been played: the game is over.",
}
"""What is sent besides the winner."""


def update_route(play: Play, *seats: int) -> None:
    """Find out who has the longest route after a change for these seats, and send it if that is another seat."""
    # In the cloth trade routes do not count, so they are not measured.
    if "_SC_0RVP" in play.variant.on:
        return
    for number in seats:
        one = play.seats[number]
        # Measuring takes long with many pieces; below five it cannot matter.
        if len(one.pieces.roads) + len(one.pieces.ships) < MIN_ROUTE:
            one.pieces.route = 0
            continue
        foreign = play.owners.foreign_to(number)
        one.pieces.route = longest(play.board.net, one.pieces.roads, one.pieces.ships, one.pieces.buildings, foreign)
    now = holder({number: seat.pieces.route for number, seat in enumerate(play.seats)}, play.awards.route, MIN_ROUTE)
    if now != play.awards.route:
        play.awards = replace(play.awards, route=now)
        play.send(GameElements(((int(GameElement.LONGEST_ROUTE), now),)))


def update_army(play: Play, seat: int) -> None:
    """Find out who has the largest army after a seat has played a soldier, and send it if that is another seat."""
    soldiers = play.seats[seat].inventory.soldiers
    # Who has the army keeps it; only a greater one takes it over.
    if seat == play.awards.army or soldiers < MIN_ARMY:
        return
    if play.awards.army < 0 or soldiers > play.seats[play.awards.army].inventory.soldiers:
        play.awards = replace(play.awards, army=seat)
        play.send(GameElements(((int(GameElement.LARGEST_ARMY), seat),)))


def ends_by_points(play: Play) -> bool:
    """End the game if the current player has the points to win, or the cloth is gone. Return whether it is over."""
    if play.board.cloth_trade.villages and not _has_cloth(play):
        # Equal points and cloth: the current player wins, then the next in turn; max keeps the first.
        order = [play.current, *play.around(play.current)]
        most = max(order, key=lambda seat: (play.points(seat), play.seats[seat].scenario.cloth))
        end(play, [most], Termination.CLOTH)
    elif play.has_won(play.current):
        end(play, [play.current], Termination.POINTS)
    return play.phase is Phase.OVER


def _has_cloth(play: Play) -> bool:
    return play.board.cloth_trade.trading >= MIN_VILLAGES


def count_round(play: Play) -> None:
    """Count a round that begins, and those in a row that have brought nothing which cannot be undone. Warn before the
    game ends by that."""
    play.rounds.begin(progress(play))
    idle = play.rounds.idle
    if idle == play.variant.idle - WARNED:
        play.announce(
            f">>> No piece, card, cloth or fog for {idle} rounds. After {play.variant.idle} the game is over, and "
            "the most points win."
        )


def progress(play: Play) -> int:
    """Return a number that grows with each piece that is placed, card that is bought or played, cloth that leaves a
    village or the supply, and hex that comes out of the fog. It never falls, and it has a bound; points would go to and
    fro with stolen cloth and with ships that move."""
    placed = sum(len(one.pieces.roads) + len(one.pieces.ships) + one.pieces.points for one in play.seats)
    not_bought = len(play.chance.deck)
    not_played = not_bought + sum(len(one.inventory.cards) for one in play.seats)
    board = play.board
    return placed - not_bought - not_played - board.cloth_trade.left - len(board.hidden)


def leads_nowhere(play: Play) -> Termination | None:
    """Return why the game ends as a round begins, with any points; None if it goes on."""
    if play.rounds.idle >= play.variant.idle:
        return Termination.IDLE
    return Termination.ROUNDS if play.rounds.number > play.variant.rounds else None


def leaders(play: Play) -> list[int]:
    """Return the seats with most points, from the current player on."""
    order = [play.current, *play.around(play.current)]
    most = max(map(play.points, order))
    return [seat for seat in order if play.points(seat) == most]


def end(play: Play, winners: Sequence[int], why: Termination) -> None:
    """End the game in a turn: send who has won, and what all had."""
    play.current = winners[0]
    play.send(GameElements(((int(GameElement.CURRENT_PLAYER), play.current),)))
    play.goes_on(Phase.OVER)
    send_results(play, winners, why)


def end_before_turn(play: Play, winners: Sequence[int], why: Termination) -> None:
    """End the game in place of the next turn: it is the winner's, of several that of the first."""
    play.current = winners[0]
    play.phase = Phase.OVER
    play.send(Turn(play.current, int(Phase.OVER)))
    send_results(play, winners, why)


def send_results(play: Play, winners: Sequence[int], why: Termination) -> None:
    """Send what all may know after the end."""
    play.ending = Ending(why, tuple(winners))
    play.trading.polled, play.special_building.polled = [], []
    if why in _REASONS:
        play.announce(f">>> {_REASONS[why].format(play.variant)}")
    names, points = " and ".join(map(play.name, winners)), play.points(winners[0])
    if len(winners) == 1:
        play.announce(f">>> {names} has won the game with {points} points.")
    else:
        play.announce(f">>> {names} share the victory with {points} points each.")
    if not play.variant.cards_open:
        for number, seat in enumerate(play.seats):
            # Cards for points are secret until the end; in open games they were seen when drawn.
            cards = [card for card in seat.inventory.cards if card in POINT_CARDS]
            if cards:
                play.send(DevCardAction.showing(number, cards))
    # A player who has left counts as a robot: the master decides for it.
    robots = [seat.sitter in (Sitter.PROGRAM, Sitter.LEFT) for seat in play.seats]
    play.send(GameStats(tuple(Score(play.points(number), robot) for number, robot in enumerate(robots))))
    play.announce(f"This game was {max(play.rounds.number, 1)} rounds.")
    for number in play.occupied:
        # JSettlers leaves the sixth number out when no gold was picked.
        *rolls, gold = play.seats[number].gained
        play.send_one(number, PlayerStats((*rolls, gold) if gold else tuple(rolls)))
