"""The answer that a player owes after a game: ``thankYou``, or an ``error`` in its place.

The first two are rules of ``broker/life.py``. What happens when the answer does not come stands in ``timeouts.py``.
"""

from ugs.broker.facts import PlayersFree
from ugs.broker.play import endings, peer_errors
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Player
from ugs.wire.messages import Error, ThankYou


def thank_you(desk: Desk, player: Player, message: ThankYou) -> str | None:
    """The player has seen the end of its game."""
    assert player.game is not None
    if message.game_id != player.game.id:
        return f"thank you: gameId id {message.game_id!r}: you owe it for game {player.game.id}"
    _free(desk, player)
    return None


def error_as_thanks(desk: Desk, player: Player, message: Error) -> str | None:
    """After a game an error is as good as a thank you."""
    peer_errors.reported(desk, player, message)
    _free(desk, player)
    return None


def thanked(desk: Desk, player: Player) -> None:
    """A player has answered the end of its game, or is gone and will not. Its state is the caller's business."""
    game = player.game
    assert game is not None
    del game.owing[player.conn]
    player.has_left(game)
    if not game.owing:
        endings.forget(desk, game)


def _free(desk: Desk, player: Player) -> None:
    thanked(desk, player)
    desk.tell_of(PlayersFree([player]))
