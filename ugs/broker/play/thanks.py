"""After the end of a game: its players say thank you."""

from ugs.broker.play import endings
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Player


def thanked(desk: Desk, player: Player) -> None:
    """A player has answered the end of its game, or is gone and will not. Its state is the caller's business."""
    game = player.game
    assert game is not None
    del game.owing[player.conn]
    player.game, player.last_game = None, game.id
    if not game.owing:
        endings.forget(desk, game)
