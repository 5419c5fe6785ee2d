"""The answer that a player owes after a game: ``thankYou``, or an ``error`` in its place.

The first three functions are rules of ``broker/life.py``.
"""

from ugs.broker.facts import PlayersFree
from ugs.broker.play import dismissals, endings, peer_errors
from ugs.broker.state.model import Game, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.wire.messages import Error, ThankYou


def thank_you(server: ServerState, player: Player, message: ThankYou) -> str | None:
    """The player has seen the end of its game."""
    assert player.game is not None
    if message.game_id != player.game.id:
        return f"thank you: gameId id {message.game_id!r}: you owe it for game {player.game.id}"
    _free(server, player)
    return None


def error_as_thanks(server: ServerState, player: Player, message: Error) -> str | None:
    """After a game an error is as good as a thank you."""
    peer_errors.reported(server, player, message)
    _free(server, player)
    return None


def no_thanks(server: ServerState, game: Game) -> Phase:
    """Close the connections of players who still owe a thank you; those who are away need not thank any more."""
    seconds = game.type.settings.thank_you_timeout_s
    for player in list(game.owing.values()):
        # Its session keeps its place: a thank you cannot come over a cut line.
        if player.away:
            thanked(server, player)
            server.report(PlayersFree([player]))
        else:
            dismissals.dismiss(server, player, f"no thank you within {seconds:g} s after game {game.id}")
    return game.phase


def thanked(server: ServerState, player: Player) -> None:
    """A player has answered the end of its game, or is gone and will not. Its state is the caller's business."""
    game = player.game
    assert game is not None
    del game.owing[player.conn]
    player.has_left(game)
    if not game.owing:
        endings.forget(server, game)


def _free(server: ServerState, player: Player) -> None:
    thanked(server, player)
    server.report(PlayersFree([player]))
