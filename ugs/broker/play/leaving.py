"""Players who go out of a running game, whatever the reason, and what that means for the game."""

from ugs.broker.facts import PlayerLeft, PlayersFree, SeatsChanged
from ugs.broker.play import endings, faults, reasons, recorder
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Game, Player
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.messages import Error, PlayerLeftGame


def leave(desk: Desk, player: Player, cause: Cause, why: str = "") -> None:
    """Take a player out of its running game and tell the master. ``why`` the server has closed its connection, if it
    has. The caller sees to the player itself."""
    game = player.game
    assert game is not None
    if game.phase is Phase.CLOSING:  # the result stands, and the master has done with the game
        game.is_left_by(player)
        return
    reasons.closed(game, player, cause, why)
    recorder.left(desk, game, player, cause)
    if not game.type.settings.quiet_master:
        desk.send(game.master, PlayerLeftGame(player.name, game.id))
    _out(desk, game, player, cause)


def give_up(desk: Desk, player: Player) -> None:
    """Take a player out of its running game; the player is free."""
    leave(desk, player, Cause.LEFT)
    desk.tell_of(PlayersFree([player]))


def remove(desk: Desk, game: Game, player: Player) -> None:
    """The master takes a player out."""
    cause = reasons.removal(game, player)
    recorder.left(desk, game, player, cause)
    text = faults.strike(desk, player) if cause in faults.OWN_FAULTS else ""
    desk.send(player, Error(f"removed by the game master{text}"))
    _out(desk, game, player, cause)
    desk.tell_of(PlayersFree([player]))


def one_less(desk: Desk, game: Game, player: Player) -> Phase:
    """A rule of ``broker/life.py``: a player has just been taken out of ``present``."""
    turn = game.turn
    asked = turn.drops(player)
    leaderless = game.phase in (Phase.AWAY, Phase.TAKING)
    if not game.present:
        if leaderless:
            return endings.void(desk, game, Cause.MASTER_LOST)
        verdict = Verdict(game.departures[player.name], player.name, by_server=True)
        return endings.conclude(desk, game, {}, verdict, None)
    if leaderless:
        if (asked and not turn.movers and not turn.held) or len(game.present) == 1:
            turn.master_owes()
        return game.phase
    if game.type.settings.quiet_master:
        return endings.conclude_for_master(desk, game)
    return game.phase if game.phase is Phase.BEGUN else _master_must_answer(desk, game)


def _out(desk: Desk, game: Game, player: Player, cause: Cause) -> None:
    game.is_left_by(player)
    game.departures[player.name] = cause
    game.history.is_left(desk.now)
    desk.note("player left game", player, game=game.id, cause=str(cause))
    desk.tell_of(SeatsChanged(game, f"{player.name}: {cause}", player.name))
    desk.step(game, Happening.LEFT, player)
    if not game.ended:
        desk.tell_of(PlayerLeft(game, player, cause))


def _master_must_answer(desk: Desk, game: Game) -> Phase:
    """After a departure: the master says how the game goes on, unless the turn of another player goes on anyway.
    Returns the phase that follows."""
    if len(game.present) == 1 and not game.setting.computers:
        following = Phase.ALONE
    elif not game.turn.movers:
        following = Phase.ANSWER
    else:
        return game.phase
    game.turn.master_owes()
    desk.start(game.clock, game.type.settings.master_timeout_s)
    return following
