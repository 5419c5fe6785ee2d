"""How tables are left and put away, by their players and when something happens to these."""

from collections.abc import Sequence

from ugs.broker import facts
from ugs.broker.extensions.lobby.news import cancelled, table_seats, why_gone
from ugs.broker.extensions.lobby.tables import invalid, leave_pool, not_advertiser
from ugs.broker.extensions.request import Refusal
from ugs.broker.play import intake, leaving
from ugs.broker.state.allowance import spread
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Player, Table
from ugs.broker.state.phases import Phase
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Cancel, Ok, Quit, Reason

# Requests.


def cancel(desk: Desk, player: Player, message: Cancel) -> Refusal | None:
    """A player has sent ``x-cancel``: its table is put away, or the game there ends."""
    game, table = player.game, player.table if player.game is None else player.game.setting.table
    if game is None and table is None:
        return Refusal(Reason.NOT_PLAYING, f"{message.TYPE}: you sit at no table")
    if game is not None and game.phase in (Phase.CLOSING, Phase.OVER):
        return invalid(message, f"game {game.id} has ended")
    if table is None or table.owner is not player:
        return not_advertiser(message, table)
    desk.tell([player], Ok(message.ref))
    if game is None:
        desk.charge(player, spread(1, len(table.members)))
        put_away(desk, table, Cause.CANCELLED, f"{player.name} has cancelled it")
    else:
        intake.cancel(desk, game, Cause.CANCELLED, player.name)
    return None


def quit_table(desk: Desk, player: Player, message: Quit) -> Refusal | None:
    """A player has sent ``x-quit``: it gets up from its table, leaves its game, or stops waiting for open play."""
    game, table = player.game, player.table if player.game is None else player.game.setting.table
    if game is None and table is None and not player.pooled:
        return Refusal(Reason.NOT_PLAYING, f"{message.TYPE}: you sit at no table and wait for no game")
    if game is not None and game.phase is Phase.OVER:
        return invalid(message, f"game {game.id} has ended")
    if table is not None and table.owner is player:
        text = f"{message.TYPE}: you have set up table {table.id}; cancel it instead"
        return Refusal(Reason.ADVERTISER_MAY_NOT_QUIT, text)
    desk.tell([player], Ok(message.ref))
    if game is not None:
        leaving.give_up(desk, player)
    elif table is not None:
        get_up(desk, player, f"{player.name} has left")
        desk.charge(player, spread(len(table.members), len(table.members)))
        _free(desk, [player])
    else:
        leave_pool(desk, player)
    return None


# Facts.


def player_left(desk: Desk, fact: facts.PlayerLeft) -> None:
    """End the game at a table when its owner has left, or when too few seats are left."""
    game = fact.game
    table = game.setting.table
    if table is None:
        return
    if table.owner is fact.player:
        intake.cancel(desk, game, Cause.CANCELLED, fact.player.name)
    elif not game.can_go_on_with(len(game.present)):
        intake.cancel(desk, game, Cause.NOT_VIABLE)


def game_over(desk: Desk, fact: facts.GameOver) -> None:
    """Forget the table of a game that is over."""
    table = fact.game.setting.table
    if table is not None:
        del desk.tables[table.id]


def peer_gone(desk: Desk, fact: facts.PeerGone) -> None:
    """A player is gone for good."""
    if isinstance(fact.peer, Player) and fact.peer.table is not None:
        get_up(desk, fact.peer, why_gone(fact.peer.name, fact.cause))


def unreachable(desk: Desk, fact: facts.Unreachable) -> None:
    """A player cannot be reached any more."""
    if fact.player.table is not None:
        get_up(desk, fact.player, why_gone(fact.player.name, Cause.DISCONNECTED))


def table_left(desk: Desk, fact: facts.TableLeft) -> None:
    """A player without a lobby has left its table; if it had set that up, the table goes."""
    get_up(desk, fact.player, f"{fact.player.name} has left")
    _free(desk, [fact.player])


def player_silent(desk: Desk, fact: facts.PlayerSilent) -> None:
    """A player is going to be given up."""
    if fact.player.table is not None:
        get_up(desk, fact.player, fact.comment)


def table_silent(desk: Desk, fact: facts.TableSilent) -> None:
    """Nothing has happened at a table for too long."""
    put_away(desk, fact.table, Cause.INACTIVE, "nothing has happened for long")


# Steps.


def get_up(desk: Desk, player: Player, comment: str) -> None:
    """A player leaves a table at which no game has begun; the table goes with its owner."""
    table = player.table
    assert table is not None
    table.gets_up(player, desk.now)
    if table.owner is player:
        put_away(desk, table, Cause.CANCELLED, comment)
        return
    table_seats(desk, table, comment)


def put_away(desk: Desk, table: Table, cause: Cause, comment: str) -> None:
    """A table at which no game has begun goes; all who sit there are free."""
    del desk.tables[table.id]
    desk.note("table put away", table=table.id, cause=str(cause))
    members = table.is_left_by_all()
    cancelled(desk, table, members, cause, comment)
    _free(desk, members)


def _free(desk: Desk, players: Sequence[Player]) -> None:
    """These players sit nowhere any more: those who are ``pooled`` wait for open play now."""
    waiting = [player for player in players if player.pooled and not player.away]
    if waiting:
        desk.tell_of(facts.PlayersFree(waiting))
