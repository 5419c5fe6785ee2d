"""Players who leave a running game for any reason, and what that means for the game."""

from ugs.broker.facts import PlayerLeft, PlayersFree, SeatsChanged
from ugs.broker.play import endings, faults, reasons, record_entries
from ugs.broker.state.model import Game, Player
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import PLACE, MissedEnd
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.messages import Error, PlayerLeftGame


def leave(server: ServerState, player: Player, cause: Cause, why: str = "") -> None:
    """Take a player out of its running game and notify the master. ``why`` is the reason if the server has closed its
    connection. The caller handles the player itself."""
    game = player.game
    assert game is not None
    if game.phase is Phase.CLOSING:  # the result stands, and the master has done with the game
        game.is_left_by(player)
        return
    reasons.closed(game, player, cause, why)
    record_entries.left(server, game, player, cause)
    if not game.type.settings.quiet_master:
        server.send(game.master, PlayerLeftGame(player.name, game.id))
    _out(server, game, player, cause)


def put_out(server: ServerState, game: Game, player: Player, text: str, rest: str = "") -> None:
    """Send a player why it is out of a game, and that it rests; one who is away is sent ``text`` when it is back."""
    server.send(player, Error(text + rest))
    if player.away:
        lost = f"game {game.id} is "
        whole = text if lost in text else f"{text}: {lost}lost"
        closing = game.closing if game.phase is Phase.OVER else None
        PLACE.of(player).missed = MissedEnd(game.id, f"while you were away: {whole}", closing, game.setting.computers)


def give_up(server: ServerState, player: Player) -> None:
    """Take a player out of its running game; the player is free."""
    leave(server, player, Cause.LEFT)
    server.report(PlayersFree([player]))


def remove(server: ServerState, game: Game, player: Player) -> None:
    """The master takes a player out."""
    cause = reasons.removal(game, player)
    record_entries.left(server, game, player, cause)
    text = faults.strike(server, player) if cause in faults.OWN_FAULTS else ""
    put_out(server, game, player, "removed by the game master", text)
    faults.settles(server, player)
    _out(server, game, player, cause)
    server.report(PlayersFree([player]))


def one_less(server: ServerState, game: Game, player: Player) -> Phase:
    """A rule of ``broker/life.py``: a player has just been taken out of ``present``."""
    turn = game.turn
    asked = turn.drops(player)
    if asked and game.departures[player.name] is not Cause.LEFT:
        # D17: it has not chosen to go, and its move may be on its way.
        player.need_not_move(game.id)
    leaderless = game.phase in (Phase.AWAY, Phase.TAKING)
    if not game.present:
        # A lost master counts for no player, also not for those who gave up waiting for a successor.
        if leaderless:
            return endings.void(server, game, Cause.MASTER_LOST)
        verdict = Verdict(game.departures[player.name], player.name, by_server=True)
        return endings.conclude(server, game, {}, verdict, None)
    # No one is left to move, so the successor owes the state that the lost master would have sent.
    if leaderless:
        if (asked and not turn.movers and not turn.held) or len(game.present) == 1:
            turn.master_owes()
        return game.phase
    # It was never sent playerLeftGame, which old masters fail at, so it cannot decide how the game goes on.
    if game.type.settings.quiet_master:
        return endings.conclude_for_master(server, game)
    return game.phase if game.phase is Phase.BEGUN else _master_must_answer(server, game)


def _out(server: ServerState, game: Game, player: Player, cause: Cause) -> None:
    game.is_left_by(player)
    game.departures[player.name] = cause
    game.history.is_left(server.now)
    server.note("player left game", player, game=game.id, cause=str(cause))
    server.report(SeatsChanged(game, f"{player.name}: {cause}", player.name))
    server.step(game, Happening.LEFT, player)
    if not game.ended:
        server.report(PlayerLeft(game, player, cause))


def _master_must_answer(server: ServerState, game: Game) -> Phase:
    """After a departure: the master must send how the game goes on, unless the turn of another player goes on anyway.
    Returns the next phase."""
    # With seats of the master a single player still has an opponent.
    if len(game.present) == 1 and not game.setting.computers:
        following = Phase.ALONE
    elif not game.turn.movers:
        following = Phase.ANSWER
    else:
        return game.phase
    game.turn.master_owes()
    server.start(game.clock, game.type.settings.master_timeout_s)
    return following
