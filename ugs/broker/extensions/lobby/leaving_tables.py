"""How players leave tables, and tables are removed, by request or when something happens to the players."""

from collections.abc import Sequence

from ugs.broker import facts
from ugs.broker.extensions.lobby.news import cancelled, table_seats, why_gone
from ugs.broker.extensions.lobby.tables import invalid, leave_pool, not_advertiser
from ugs.broker.extensions.request import Refusal
from ugs.broker.play import intake, leaving
from ugs.broker.state.allowance import spread
from ugs.broker.state.model import Player, Table
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Cancel, Ok, Quit, RefusalReason

# Requests.


def cancel(server: ServerState, player: Player, message: Cancel) -> Refusal | None:
    """A player has sent ``x-cancel``: its table is removed, or the game there ends."""
    game, table = player.game, player.table if player.game is None else player.game.setting.table
    if game is None and table is None:
        return Refusal(RefusalReason.NOT_PLAYING, f"{message.TYPE}: you sit at no table")
    # The result stands: an owner that has lost must not cancel it on its way to the disk.
    if game is not None and game.phase in (Phase.CLOSING, Phase.OVER):
        return invalid(message, f"game {game.id} has ended")
    if table is None or table.owner is not player:
        return not_advertiser(message, table)
    server.send_extension([player], Ok(message.ref))
    if game is None:
        server.charge(player, spread(1, len(table.members)))
        put_away(server, table, Cause.CANCELLED, f"{player.name} has cancelled it")
    else:
        intake.cancel(server, game, Cause.CANCELLED, player.name)
    return None


def quit_table(server: ServerState, player: Player, message: Quit) -> Refusal | None:
    """A player has sent ``x-quit``: it leaves its table or its game, or stops waiting for open play."""
    game, table = player.game, player.table if player.game is None else player.game.setting.table
    if game is None and table is None and not player.pooled:
        return Refusal(RefusalReason.NOT_PLAYING, f"{message.TYPE}: you sit at no table and wait for no game")
    if game is not None and game.phase is Phase.OVER:
        return invalid(message, f"game {game.id} has ended")
    if table is not None and table.owner is player:
        text = f"{message.TYPE}: you have set up table {table.id}; cancel it instead"
        return Refusal(RefusalReason.ADVERTISER_MAY_NOT_QUIT, text)
    server.send_extension([player], Ok(message.ref))
    if game is not None:
        leaving.give_up(server, player)
    elif table is not None:
        get_up(server, player, f"{player.name} has left")
        server.charge(player, spread(len(table.members), len(table.members)))
        _free(server, [player])
    else:
        leave_pool(server, player)
    return None


# Facts.


def player_left(server: ServerState, fact: facts.PlayerLeft) -> None:
    """End the game at a table when its owner has left, or when too few seats are left."""
    game = fact.game
    table = game.setting.table
    if table is None:
        return
    if table.owner is fact.player:
        intake.cancel(server, game, Cause.CANCELLED, fact.player.name)
    # Seats of the master count: one player may go on against computers.
    elif not game.can_go_on_with(len(game.present)):
        intake.cancel(server, game, Cause.NOT_VIABLE)


def game_over(server: ServerState, fact: facts.GameOver) -> None:
    """Forget the table of a game that is over."""
    table = fact.game.setting.table
    if table is not None:
        del server.tables[table.id]


def peer_gone(server: ServerState, fact: facts.PeerGone) -> None:
    """A player is gone for good."""
    if isinstance(fact.peer, Player) and fact.peer.table is not None:
        get_up(server, fact.peer, why_gone(fact.peer.name, fact.cause))


def unreachable(server: ServerState, fact: facts.Unreachable) -> None:
    """A player cannot be reached any more."""
    if fact.player.table is not None:
        get_up(server, fact.player, why_gone(fact.player.name, Cause.DISCONNECTED))


def table_left(server: ServerState, fact: facts.TableLeft) -> None:
    """A player without a lobby has left its table; if it is the owner, the table is removed."""
    get_up(server, fact.player, f"{fact.player.name} has left")
    _free(server, [fact.player])


def player_silent(server: ServerState, fact: facts.PlayerSilent) -> None:
    """A player will be given up."""
    if fact.player.table is not None:
        get_up(server, fact.player, fact.comment)


def table_silent(server: ServerState, fact: facts.TableSilent) -> None:
    """Nothing has happened at a table for too long."""
    put_away(server, fact.table, Cause.INACTIVE, "nothing has happened for long")


# Steps.


def get_up(server: ServerState, player: Player, comment: str) -> None:
    """Let a player leave a table without a game; if it is the owner, the table is removed."""
    table = player.table
    assert table is not None
    table.gets_up(player, server.now)
    if table.owner is player:
        put_away(server, table, Cause.CANCELLED, comment)
        return
    table_seats(server, table, comment)


def put_away(server: ServerState, table: Table, cause: Cause, comment: str) -> None:
    """Remove a table without a game; all players at it are free."""
    del server.tables[table.id]
    server.note("table put away", table=table.id, cause=str(cause))
    members = table.is_left_by_all()
    cancelled(server, table, members, cause, comment)
    _free(server, members)


def _free(server: ServerState, players: Sequence[Player]) -> None:
    """These players sit at no table any more: those who are ``pooled`` wait for open play now."""
    waiting = [player for player in players if player.pooled and not player.away]
    if waiting:
        server.report(facts.PlayersFree(waiting))
