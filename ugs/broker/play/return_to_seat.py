"""Players who take their seat again after leaving, and what that means for the game."""

from ugs.broker.facts import SeatsChanged
from ugs.broker.play import record_entries
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Rejoined


def rejoin(server: ServerState, game: Game, player: Player) -> None:
    """Give an idle player the seat back that it left, and notify the master. The turn does not change: the player gets
    the next state of the game. With a state of its own for each player, that is not the answer the master owed when the
    player came back: the master may have made it before it knew of the return."""
    record_entries.rejoined(server, game, player)
    del game.departures[player.name]
    # Why it was out is no reason for an end that comes later.
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
