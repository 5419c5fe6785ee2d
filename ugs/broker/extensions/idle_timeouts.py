"""Idle time-outs: players and tables that do nothing for long are warned, and later given up (family ``session``).

Players with a session are judged unless they are away. Others have their grace (away), may wait in silence (without a
session), or are judged by their gateway. Games at tables are judged while players have to move. A player or table is
given up only after a warning by an earlier check; any activity resets it, silently. While the result of its game waits
for the disk a player has nothing to send: its silence begins anew when it is announced.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import field

from ugs.broker import facts
from ugs.broker.entrance import departures
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.request import NEW, PLAYERS, ExtensionModule
from ugs.broker.play import intake, leaving
from ugs.broker.state.connection import Peer
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game, Player, Table
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.verdict import Cause
from ugs.value import state
from ugs.wire.extensions import Family, Warn, WarningScope, WarningState

LOOK = Timer(TimerKind.SILENCE, "")
MAX_AT_ONCE = 50
"""Players and tables that are checked in one step: about 1 ms if all are warned, 5 ms if all are given up and their
games end. Other peers are served between."""
MAY_FALL_SILENT = PLAYERS | NEW


@state(eq=True)
class Looks:
    """With the server: whether the timer runs, and the warnings of earlier checks."""

    timer_runs: bool = False
    left: deque[Player | Table] = field(default_factory=deque)
    """What the current check has not reached yet."""
    warned: dict[Player | Table, float] = field(default_factory=dict)
    """What has been warned, and since when it had been silent. Later activity makes the warning void."""


LOOKS: Key[Looks] = Key("idle time-outs", Looks)


@state(eq=True)
class Announced:
    """With a player: when the end of its latest game was announced."""

    at: float = 0.0


ANNOUNCED: Key[Announced] = Key("end announced", Announced)


# Facts.


def _greeted(server: ServerState, fact: facts.Greeted) -> None:
    if fact.newcomer.may(Family.SESSION):
        _watch(server)


def _table_set_up(server: ServerState, _fact: facts.TableSetUp) -> None:
    _watch(server)


def _game_revived(server: ServerState, fact: facts.GameRevived) -> None:
    if fact.game.setting.table is not None:
        _watch(server)


def _game_over(server: ServerState, fact: facts.GameOver) -> None:
    for player in fact.game.owing.values():
        if _is_judged(player):
            ANNOUNCED.of(player).at = server.now


def _watch(server: ServerState) -> None:
    """Start the timer, unless it runs: there is a new peer or table that may fall silent."""
    looks = LOOKS.of(server)
    if not looks.timer_runs:
        looks.timer_runs = True
        server.start(LOOK, server.config.first_idle_check_s)


# The timer.


def look(server: ServerState, _subject: str) -> None:
    """Check all judged players and tables, a few at a time; start the timer again if there are any."""
    looks = LOOKS.of(server)
    if not looks.left:
        players = [one.peer for one in server.connections.values() if isinstance(one.peer, Player)]
        looks.left.extend([player for player in players if _is_judged(player)])
        looks.left.extend(server.tables.values())
    for _ in range(min(MAX_AT_ONCE, len(looks.left))):
        one = looks.left.popleft()
        if isinstance(one, Table):
            # It may have been put away between two steps of this check.
            if server.tables.get(one.id) is one:
                _look_at_table(server, looks, one)
        elif one.conn in server.connections:
            _look_at_player(server, looks, one)
    if looks.left:
        server.start(LOOK, 0)
    else:
        _end_look(server, looks)


def _end_look(server: ServerState, looks: Looks) -> None:
    """End a check: forget the warnings of players and tables that are gone; decide whether there is another check."""
    judged: set[Peer | Table] = {*(one.peer for one in server.connections.values()), *server.tables.values()}
    looks.warned = {one: since for one, since in looks.warned.items() if one in judged}
    looks.timer_runs = bool(server.tables) or any(
        one.peer.may(Family.SESSION) and not one.by_gateway and one.peer.state in MAY_FALL_SILENT
        for one in server.connections.values()
    )
    if looks.timer_runs:
        server.start(LOOK, server.config.idle_check_s)


def _is_judged(player: Player) -> bool:
    return player.may(Family.SESSION) and not player.connection.by_gateway


def _look_at_player(server: ServerState, looks: Looks, player: Player) -> None:
    if player.game is not None and player.game.phase is Phase.CLOSING:
        return
    config, active_at, announced = server.config, player.connection.active_at, ANNOUNCED.find(player)
    if announced is not None:
        active_at = max(active_at, announced.at)
    silent_s = server.now - active_at + ROUNDING
    # A warning counts only if nothing was sent since: no player is given up without one.
    warned = looks.warned.get(player) == active_at
    if warned and silent_s >= config.player_inactive_s:
        server.note("player silent for too long", player, warning=True, seconds=silent_s)
        server.send_extension([player], Warn(WarningScope.PLAYER, WarningState.INACTIVE, 0))
        server.close(player)
        server.report(facts.PlayerSilent(player, f"{player.name} has been silent for too long"))
        departures.depart(server, player, Cause.SILENT, f"was silent for {silent_s:.0f} s (player_inactive_s)")
    elif not warned and silent_s >= config.player_idle_s:
        looks.warned[player] = active_at
        left_s = max(0.0, active_at + config.player_inactive_s - server.now)
        server.send_extension([player], Warn(WarningScope.PLAYER, WarningState.IDLE, left_s))


def _look_at_table(server: ServerState, looks: Looks, table: Table) -> None:
    game = server.running_game(table.id)
    if game is not None and game.phase is not Phase.TURN:
        return  # its master or the disk must act: the timer of the game handles that
    settings = table.type.settings
    # Only what happens at the table counts: pings and chat keep the player, not the game.
    since = table.active_at if game is None else game.history.active_at
    there = list(table.members if game is None else game.present.values())
    silent_s = server.now - since + ROUNDING
    warned = looks.warned.get(table) == since
    if warned and silent_s >= settings.game_inactive_s:
        _warn(server, there, table, WarningState.INACTIVE, 0)
        if game is None:
            server.report(facts.TableSilent(table))
        else:
            _give_up(server, game)
    elif not warned and silent_s >= settings.game_idle_s:
        looks.warned[table] = since
        left_s = max(0.0, since + settings.game_inactive_s - server.now)
        _warn(server, there, table, WarningState.IDLE, left_s)


def _warn(server: ServerState, players: Sequence[Player], table: Table, state: WarningState, left_s: float) -> None:
    judged = [player for player in players if player.may(Family.SESSION)]
    server.send_extension(judged, Warn(WarningScope.GAME, state, left_s, table.id))


def _give_up(server: ServerState, game: Game) -> None:
    """Cancel a game at a table that has been inactive for too long. If it can go on without the movers who are not
    judged as players, and the owner of the table stays, only these movers are removed."""
    silent = [player for player in game.turn.movers if not player.may(Family.SESSION)]
    table = game.setting.table
    owner_stays = table is not None and table.owner not in silent
    if not (silent and owner_stays and game.can_go_on_with(len(game.present) - len(silent))):
        intake.cancel(server, game, Cause.INACTIVE)
        return
    for player in silent:
        leaving.leave(server, player, Cause.TIMEOUT)
        seconds = game.type.settings.game_inactive_s
        leaving.put_out(server, game, player, f"nothing has happened for {seconds:g} s: game {game.id} is lost")
        server.report(facts.PlayersFree([player]))


EXTENSION = ExtensionModule(
    hooks={
        facts.Greeted: _greeted,
        facts.TableSetUp: _table_set_up,
        facts.GameOver: _game_over,
        facts.GameRevived: _game_revived,
    },
    timers={TimerKind.SILENCE: look},
)
