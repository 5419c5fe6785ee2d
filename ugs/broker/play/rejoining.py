"""Players who take a seat again that they have left, and what that means for the game."""

from ugs.broker.facts import SeatsChanged
from ugs.broker.play import recorder
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Rejoined


def rejoin(server: ServerState, game: Game, player: Player) -> None:
    """Let an idle player have the seat again that it has left, and tell the master. Nobody's turn changes: the player
    hears of the game with its next state. Where each is shown a state of its own, that is not the answer that the
    master owed when the player came back: it may have been made before the master knew of that."""
    recorder.rejoined(server, game, player)
    del game.departures[player.name]
    game.reasons.of.pop(player.name, None)
    game.type.is_busy_with(player)
    game.seats_players([player])
    game.shown.comes_back(player.name)
    if game.shown.private and game.turn.owes:
        game.shown.returning.add(player.name)
    game.history.is_active(server.now)
    server.note("player has its seat again", player, game=game.id)
    server.send_extension([game.master], Rejoined(game.id, player.name))
    server.report(SeatsChanged(game, f"{player.name} has its seat again", player.name))
