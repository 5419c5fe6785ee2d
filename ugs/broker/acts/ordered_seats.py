"""Players of the pool are seated by order: the organiser chooses the players, their seats, how the game begins, and its
options."""

from dataclasses import replace

from ugs.broker.acts.answering import named, unknown_type
from ugs.broker.effects import RecordAct
from ugs.broker.entrance.pool import is_open
from ugs.broker.play import beginning, faults
from ugs.broker.state.model import GameType, Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Begun, Declined, Reply
from ugs.broker.views.offered_options import offers_all, unmet
from ugs.championship.formats.format_contract import Fixture
from ugs.wire.extensions import Family


def pair(server: ServerState, act: Act) -> Reply:
    """Begin a game of these waiting players, in this order of seats; even if the type is paused."""
    game_type = server.types.get(act.game_type)
    if game_type is None:
        return Declined(unknown_type(server, act))
    if why := _no_order_begins(server, game_type):
        return Declined(f"no game of {game_type.name} begins by order: {why}")
    players = _waiting(server, game_type, act)
    if isinstance(players, str):
        return Declined(players)
    if wrong := unmet(game_type, act.options):
        return Declined(f"options: no game master here offers them: {wrong}")
    master = _free_master(game_type, act)
    if master is None:
        return Declined(f"no game master of {game_type.name} is free for {len(act.seats)} seats and this beginning")
    setting = beginning.usual_setting(server, master)
    # A fixture of no championship: only its order of seats is wanted, which would be dealt otherwise.
    options = {**setting.options, **act.options}
    setting = replace(setting, options=options, setup=act.setup or setting.setup, fixture=Fixture(0, act.seats))
    game = beginning.begin(server, game_type, master, players, setting)
    server.emit(RecordAct(str(act.kind), game.id, game_type.name, act.who, act.why))
    return Begun(game.id)


def _no_order_begins(server: ServerState, game_type: GameType) -> str:
    """Why no order begins a game of this type; empty if one can."""
    if server.closed:
        return "the server stops"
    championship = game_type.championship
    if championship is None or is_open(game_type):
        return ""
    name = f"championship {championship.name}"
    return f"{name} is played" if championship.begun else f"nothing is played before {name} (open_play = false)"


def _waiting(server: ServerState, game_type: GameType, act: Act) -> list[Player] | str:
    """Return the players to be seated; or who of them cannot be."""
    waiting = {player.name: player for player in game_type.waiting.values()}
    missing = [nick for nick in act.seats if nick not in waiting]
    if missing:
        return f"seats: not waiting for a game: {named(missing)}"
    if len(set(act.seats)) < max(2, len(act.seats)):
        return f"seats: {named(act.seats)}: at least two different nicks are wanted"
    players = [waiting[nick] for nick in act.seats]
    settling = {player.name: seconds for player in players if (seconds := faults.settling_s(server, player))}
    if settling:
        return (
            f"seats: still with the last game, whose end was no gameOver: {named(settling)}; "
            f"free in {max(settling.values()):.0f} s, or when a move comes"
        )
    return players


def _free_master(game_type: GameType, act: Act) -> Master | None:
    """Return the master for the game; a set-up can be sent only to masters with the family ``table``, and options to
    those that offer them."""
    families = (Family.TABLE,) if act.setup else ()
    free = game_type.free_masters(len(act.seats), *families)
    fit = (one for one in free if len(act.seats) <= one.players_max and offers_all(one, act.options))
    return next(fit, None)
