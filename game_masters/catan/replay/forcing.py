"""Ends the turn of a player who does not move, as a server of JSettlers does, and sends its messages in the same
order."""

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.starting import next_placement
from game_masters.catan.handlers.turns import end_turn
from game_masters.catan.message.bundles import COSTS, elements, give
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import (
    CancelBuildRequest,
    EndTurn,
    GameElements,
    PlayerElement,
    PlayerElements,
    RollDicePrompt,
)
from game_masters.catan.message.vocabulary import (
    AFTER_START_SETTLEMENT,
    PLACING,
    START_ROAD,
    Change,
    Element,
    GameElement,
    Phase,
    Piece,
)


def force_end(play: Play) -> None:
    """End the turn in any state: what has been paid comes back, and what is due is dropped. At the start
    the player goes without a piece."""
    if play.starting:
        _skip_placement(play)
        return
    seat = play.current
    if play.phase not in (Phase.PLAY, Phase.SPECIAL_BUILDING) and play.mover.asks_special:
        play.send(PlayerElement(seat, Change.SET, int(Element.ASKS_SPECIAL_BUILDING), 0))
    if play.phase in PLACING:
        cost = COSTS[PLACING[play.phase]]
        give(play.mover.hand, cost)
        play.send(PlayerElements(seat, Change.GAIN, elements(cost)))
    play.phase = Phase.SPECIAL_BUILDING if play.special_building.now else Phase.PLAY
    end_turn(play, seat, EndTurn())


def _skip_placement(play: Play) -> None:
    if play.phase in START_ROAD:
        play.send(CancelBuildRequest(int(Piece.SETTLEMENT)))
        play.take_back_settlement()
    if play.current in (play.rounds.first, play.around(play.rounds.first)[-1]):
        play.send(GameElements(((int(GameElement.FIRST_PLAYER), play.rounds.first),)))
    play.phase = AFTER_START_SETTLEMENT.get(play.phase, play.phase)
    next_placement(play, picked=False)
    if play.record and isinstance(play.record[-1], Event) and isinstance(play.record[-1].message, RollDicePrompt):
        play.record.pop()  # a player with a turn like this is not asked to roll
