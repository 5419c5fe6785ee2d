"""Points, and the end of a game: by points, by cloth, or since it leads nowhere.

Neither the rules nor JSettlers know a limit, so that players who only roll and end their turns could go on for ever.
Here a game ends after so many rounds in a row without progress, and in any case after so many rounds (options ``IDLE``
and ``ROUNDS``). Both numbers are far above what games need, of players who play at random too.
"""

from collections.abc import Sequence
from typing import Final

from game_masters.catan.board.routes import holder, longest
from game_masters.catan.game.play import Play, Sitter, Termination
from game_masters.catan.message.gain_messages import GameStats, PlayerStats, Score
from game_masters.catan.message.messages import DevCardAction, GameElements, Turn
from game_masters.catan.message.vocabulary import POINT_CARDS, GameElement, Phase

MIN_ROUTE = 5
MIN_ARMY = 3
MIN_VILLAGES = 4
"""With fewer villages that have cloth the game is over."""
WARNED: Final = 5
"""So many rounds before the game ends because nothing happens, the players are told."""
_REASONS: Final = {
    Termination.IDLE: "No piece, card, cloth or fog for {0.idle} rounds: the game is over.",
    Termination.ROUNDS: "{0.rounds} rounds have been played: the game is over.",
}
"""What is said besides the winner."""


def update_route(play: Play, *seats: int) -> None:
    """Find out who has the longest route after a change for these seats, and tell if that is somebody else."""
    if "_SC_0RVP" in play.variant.on:
        return
    for number in seats:
        one = play.seats[number]
        if len(one.roads) + len(one.ships) < MIN_ROUTE:
            one.route = 0
            continue
        foreign = {node for node, owner in play.buildings.items() if owner != number}
        one.route = longest(play.board.net, one.roads, one.ships, one.buildings, foreign)
    now = holder({number: seat.route for number, seat in enumerate(play.seats)}, play.longest, MIN_ROUTE)
    if now != play.longest:
        play.longest = now
        play.tell(GameElements(((int(GameElement.LONGEST_ROUTE), now),)))


def update_army(play: Play, seat: int) -> None:
    """Find out who has the largest army after a seat has played a soldier, and tell if that is somebody else."""
    soldiers = play.seats[seat].soldiers
    if seat == play.army or soldiers < MIN_ARMY:
        return
    if play.army < 0 or soldiers > play.seats[play.army].soldiers:
        play.army = seat
        play.tell(GameElements(((int(GameElement.LARGEST_ARMY), seat),)))


def ends_by_points(play: Play) -> bool:
    """End the game if the current player has the points to win, or the cloth is gone. Return whether it is over."""
    if play.board.villages and not _has_cloth(play):
        order = [play.current, *play.around(play.current)]
        end(play, [max(order, key=lambda seat: (play.points(seat), play.seats[seat].cloth))], Termination.CLOTH)
    elif play.has_won(play.current):
        end(play, [play.current], Termination.POINTS)
    return play.phase is Phase.OVER


def _has_cloth(play: Play) -> bool:
    return sum(village.cloth > 0 for village in play.board.villages.values()) >= MIN_VILLAGES


def count_round(play: Play) -> None:
    """Count a round that begins, and those in a row that have brought nothing which cannot be undone. Warn before the
    game ends by that."""
    play.round += 1
    now = progress(play)
    play.idle = play.idle + 1 if now == play.progress else 0
    play.progress = now
    if play.idle == play.variant.idle - WARNED:
        play.say(
            f">>> No piece, card, cloth or fog for {play.idle} rounds. After {play.variant.idle} the game is over, and "
            "the most points win."
        )


def progress(play: Play) -> int:
    """Return a number that grows with each piece that is placed, card that is bought or played, cloth that leaves a
    village or the supply, and hex that comes out of the fog. It never falls, and it has a bound; points would go to and
    fro with stolen cloth and with ships that move."""
    placed = sum(len(one.roads) + len(one.ships) + len(one.settlements) + 2 * len(one.cities) for one in play.seats)
    not_bought = len(play.deck)
    not_played = not_bought + sum(len(one.cards) for one in play.seats)
    board = play.board
    cloth = board.supply + sum(village.cloth for village in board.villages.values())
    return placed - not_bought - not_played - cloth - len(board.hidden)


def leads_nowhere(play: Play) -> Termination | None:
    """Return why the game ends as a round begins, whatever the points are; None if it goes on."""
    if play.idle >= play.variant.idle:
        return Termination.IDLE
    return Termination.ROUNDS if play.round > play.variant.rounds else None


def leaders(play: Play) -> list[int]:
    """Return the seats with most points, from the current player on."""
    order = [play.current, *play.around(play.current)]
    most = max(map(play.points, order))
    return [seat for seat in order if play.points(seat) == most]


def end(play: Play, winners: Sequence[int], why: Termination) -> None:
    """End the game in a turn: say who has won, and what all had."""
    play.current = winners[0]
    play.tell(GameElements(((int(GameElement.CURRENT_PLAYER), play.current),)))
    play.goes_on(Phase.OVER)
    tell_results(play, winners, why)


def end_before_turn(play: Play, winners: Sequence[int], why: Termination) -> None:
    """End the game in place of the next turn: it is the winner's, of several that of the first."""
    play.current = winners[0]
    play.phase = Phase.OVER
    play.tell(Turn(play.current, int(Phase.OVER)))
    tell_results(play, winners, why)


def tell_results(play: Play, winners: Sequence[int], why: Termination) -> None:
    """Tell what is to be known after the end."""
    play.winners, play.termination = tuple(winners), why
    play.polled, play.polled_special = [], []
    if why in _REASONS:
        play.say(f">>> {_REASONS[why].format(play.variant)}")
    names, points = " and ".join(map(play.name, winners)), play.points(winners[0])
    if len(winners) == 1:
        play.say(f">>> {names} has won the game with {points} points.")
    else:
        play.say(f">>> {names} share the victory with {points} points each.")
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
