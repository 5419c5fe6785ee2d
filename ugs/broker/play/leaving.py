"""Players who go out of a running game, whatever the reason, and what that means for the game."""

from ugs.broker.facts import PlayerLeft, PlayersFree, SeatsChanged
from ugs.broker.play import endings, faults, reasons, recorder
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Game, Happening, Phase, Player
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.messages import Error, PlayerLeftGame


def leave(desk: Desk, player: Player, cause: Cause, why: str = "") -> None:
    """Take a player out of its running game and tell the master. ``why`` the server has closed its connection, if it
    has. The caller sees to the player itself."""
    game = player.game
    assert game is not None
    if game.phase is Phase.CLOSING:  # the result stands, and the master has done with the game
        _remove(game, player)
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
    asked = player in turn.movers or player.name in turn.held
    turn.movers = tuple([one for one in turn.movers if one is not player])
    turn.held.pop(player.name, None)
    leaderless = game.phase in (Phase.AWAY, Phase.TAKING)
    if not game.present:
        if leaderless:
            return endings.void(desk, game, Cause.MASTER_LOST)
        verdict = Verdict(game.departures[player.name], player.name, by_server=True)
        return endings.conclude(desk, game, {}, verdict, None)
    if leaderless:
        turn.owes = turn.owes or (asked and not turn.movers and not turn.held) or len(game.present) == 1
        return game.phase
    if game.type.settings.quiet_master:
        return endings.conclude_for_master(desk, game)
    return game.phase if game.phase is Phase.BEGUN else _master_must_answer(desk, game)


def _out(desk: Desk, game: Game, player: Player, cause: Cause) -> None:
    _remove(game, player)
    game.departures[player.name] = cause
    game.history.active_at, game.history.unanswered = desk.now, 0
    desk.note("player left game", player, game=game.id, cause=str(cause))
    desk.tell_of(SeatsChanged(game, f"{player.name}: {cause}", player.name))
    desk.step(game, Happening.LEFT, player)
    if not game.ended:
        desk.tell_of(PlayerLeft(game, player, cause))


def _remove(game: Game, player: Player) -> None:
    del game.present[player.name]
    game.audience_changed()
    player.game, player.last_game = None, game.id


def _master_must_answer(desk: Desk, game: Game) -> Phase:
    """After a departure: the master says how the game goes on, unless the turn of another player goes on anyway.
    Returns the phase that follows."""
    if len(game.present) == 1 and not game.setting.computers:
        following = Phase.ALONE
    elif not game.turn.movers:
        following = Phase.ANSWER
    else:
        return game.phase
    game.turn.owes = True
    desk.start(game.clock, game.type.settings.master_timeout_s)
    return following
