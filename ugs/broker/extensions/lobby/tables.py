"""Tables: players set them up, sit down, and begin the game there when they like."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from ugs.broker import facts
from ugs.broker.extensions.lobby.choices import can_lead, has_programs, wrong_table
from ugs.broker.extensions.lobby.news import table_seats
from ugs.broker.extensions.request import Refusal
from ugs.broker.play import beginning
from ugs.broker.state.allowance import spread
from ugs.broker.state.connection import PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Master, Player, Setting, Table
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.broker.views.offered_options import not_offered
from ugs.broker.views.privacy import may_find
from ugs.value import state
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    Family,
    Invitation,
    Join,
    Joined,
    NewTable,
    Ok,
    RefusalReason,
    Start,
    TableInfo,
    Wait,
)
from ugs.wire.messages import Choice, Extension


@state(eq=True)
class Once:
    """With a player: whether it waits for one game only."""

    wanted: bool = False


ONCE: Key[Once] = Key("waits once", Once)


@state(eq=True)
class WaitsFor:
    """With a table that is full."""

    reported: bool = False
    """Whether its players know why its game does not begin."""
    looked: int = 0
    """How often a master has been searched for."""


WAITS_FOR: Key[WaitsFor] = Key("waits for", WaitsFor)
MAX_LOOKED: Final = 10_000
"""Options and tables that one search for masters looks at: about 3 ms. The others are next when a master has room
again."""
MAX_WHY: Final = 300
"""Characters of that explanation: a list of all offers may be much longer."""
MAX_WAITS_REPORTED: Final = 10
"""Tables whose players get, in one step, the reason why they wait."""


def table_wanted(table_id: str, wish: NewTable, owner: Player, now: float) -> Table:
    """Return the table that a player has asked for, with that player at it."""
    options = {choice.name: choice.value for choice in wish.options}
    invited: dict[str, str] = {}
    for nick in wish.invited:
        invited.setdefault(unique_form(nick), nick)
    return Table(
        table_id,
        wish.name,
        owner.type,
        owner,
        wish.seats,
        wish.computers,
        wish.visibility,
        options,
        invited,
        [owner],
        active_at=now,
    )


def info_of(table: Table, invited: Iterable[str] | None = None) -> TableInfo:
    """Return a table as players get it, with all invited players or only the nicks ``invited``."""
    options = tuple([Choice(name, value) for name, value in table.options.items()])
    return TableInfo(
        table.id,
        table.name,
        table.type.name,
        table.owner.name,
        table.seats,
        table.free,
        table.computers,
        table.visibility,
        options,
        tuple(table.invited.values() if invited is None else invited),
    )


# Requests.


def advertise(server: ServerState, player: Player, message: Advertise) -> Refusal | None:
    """Set up a table, with the player at it."""
    if (refusal := busy(player, message)) is not None:
        return refusal
    if (text := _no_room(server, player)) is not None:
        return Refusal(RefusalReason.GAME_LIMIT, f"{message.TYPE}: {text}")
    if (wrong := wrong_table(player.type, message.table)) is not None:
        return Refusal(RefusalReason.INVALID_REQUEST, f"{message.TYPE}: {wrong}")
    leave_pool(server, player)
    table = table_wanted(server.new_game_id(), message.table, player, server.now)
    server.tables[table.id] = table
    player.sits_down_at(table)
    server.report(facts.TableSetUp(table))
    server.note("table set up", player, table=table.id, game_type=table.type.name, seats=table.seats)
    server.send_extension([player], Advertised(info_of(table), message.ref))
    table_seats(server, table, f"{player.name} has set up the table")
    invited = [server.names.players[form] for form in table.invited if form in server.names.players]
    guests = [guest for guest in invited if guest is not player]
    server.send_extension(guests, Invitation(info_of(table)))
    server.charge(player, spread(table.rows + len(table.invited), 1 + len(guests)))
    _begin_when_full(server, table)
    return None


def join(server: ServerState, player: Player, message: Join) -> Refusal | None:
    """A player sits down at a table."""
    if (refusal := busy(player, message)) is not None:
        return refusal
    table = server.tables.get(message.table_id)
    if table is None or table.type is not player.type or not may_find(player, table):
        return invalid(message, f"table id {message.table_id!r}: you know no such table")
    if table.playing:
        return invalid(message, f"table id {message.table_id!r}: the game there has begun")
    if table.free <= 0:
        return invalid(message, f"table id {message.table_id!r}: no seat is free")
    leave_pool(server, player)
    table.sits_down(player, server.now)
    server.send_extension([player], Joined(info_of(table), message.ref))
    table_seats(server, table, f"{player.name} has sat down")
    server.charge(player, spread(len(table.members), len(table.members)))
    _begin_when_full(server, table)
    return None


def start(server: ServerState, player: Player, message: Start) -> Refusal | None:
    """Begin the game with the players who are there."""
    if player.game is not None:
        return invalid(message, f"game {player.game.id} has begun already")
    table = player.table
    if table is None:
        return Refusal(RefusalReason.NOT_PLAYING, f"{message.TYPE}: you sit at no table")
    if table.owner is not player:
        return not_advertiser(message, table)
    guests = _guests(server, table)
    table.brings(guests)
    master = _master_for(server, table)
    if isinstance(master, Refusal) and master.reason is RefusalReason.NO_MASTER and not table.computers:
        fewer = _master_for_members(server, table)
        if fewer is not None:
            table.has_no_more_seats()
            master = fewer
    if isinstance(master, Refusal):
        table.sends_away(len(guests))
        return Refusal(master.reason, f"{message.TYPE}: {master.text}")
    server.send_extension([player], Ok(message.ref))
    _begin(server, table, master)
    return None


def wait(server: ServerState, player: Player, message: Wait) -> Refusal | None:
    """Put a player into the pool, like players without a lobby."""
    if (refusal := busy(player, message)) is not None:
        return refusal
    if player.pooled:
        ONCE.of(player).wanted = message.once
        server.send_extension([player], Ok(message.ref))
        return None
    if len(player.type.waiting) >= player.type.settings.max_pool:
        return Refusal(RefusalReason.USER_LIMIT, f"{message.TYPE}: the pool of this game type is full")
    player.waits_in_pool(pooled=True)
    ONCE.of(player).wanted = message.once
    server.report(facts.PoolingChanged(player))
    server.send_extension([player], Ok(message.ref))
    server.report(facts.PlayersFree([player]))
    return None


def leave_pool(server: ServerState, player: Player) -> None:
    """Take a player out of the pool."""
    if player.pooled:
        player.waits_in_pool(pooled=False)
        player.type.waiting.pop(player.conn, None)
        server.report(facts.PoolingChanged(player))
        server.report(facts.LeftPool(player))


def game_begun(server: ServerState, fact: facts.GameBegun) -> None:
    """Players who waited for one game of open play have got it."""
    if fact.game.setting.championship is not None:
        return
    for player in fact.game.present.values():
        once = ONCE.find(player)
        if player.pooled and once is not None and once.wanted:
            leave_pool(server, player)


# How a game begins.


def master_ready(server: ServerState, fact: facts.MasterReady) -> None:
    """Tables that wait for a master may begin."""
    if server.is_closed(fact.game_type):
        return
    waiting = [table for table in server.tables.values() if table.awaits_master and table.type is fact.game_type]
    if not waiting:
        return
    room, reported, playing = MAX_LOOKED, 0, _playing(server)
    for table in sorted(waiting, key=lambda one: WAITS_FOR.of(one).looked):
        if not table.type.free_masters(table.seats):  # cheaper than all that _master_for looks at
            continue
        room -= 1 + len(table.options)
        if room < 0:
            break
        WAITS_FOR.of(table).looked += 1
        master = _master_for(server, table, playing)
        if isinstance(master, Master):
            playing[table.owner.connection.origin] += 1
            _begin(server, table, master)
        elif reported < MAX_WAITS_REPORTED:
            reported += _report_why_it_waits(server, table, master)


def _no_room(server: ServerState, player: Player) -> str | None:
    """Return why this player cannot set up a table; None if it can."""
    most, most_per_ip, origin = server.config.max_tables, server.config.max_tables_per_ip, player.connection.origin
    if len(server.tables) >= most:
        return f"as many tables are set up as there may be: {most}"
    own = len(_tables_from(server, origin)) if origin else 0
    if origin and own >= most_per_ip:
        return f"players from your address have set up as many tables as they may: {most_per_ip}"
    left = most - len(server.tables)
    if is_last_of_others(own, left, most, most_per_ip):
        return f"players from your address have set up {own} tables, and the last {left} of {most} are for others"
    return None


def is_last_of_others(own: int, left: int, most: int, most_per_ip: int) -> bool:
    """Return whether an address with ``own`` items may get none of the ``left`` ones: the last are for addresses with
    fewer. If one address may have all (a proxy), all peers come from it."""
    return own >= left and most_per_ip < most


def _tables_from(server: ServerState, origin: str) -> list[Table]:
    return [table for table in server.tables.values() if table.owner.connection.origin == origin]


def _begin_when_full(server: ServerState, table: Table) -> None:
    if table.free == 0:
        master = _master_for(server, table)
        if isinstance(master, Refusal):
            table.is_full(awaits_master=master.reason is RefusalReason.NO_MASTER)
            _report_why_it_waits(server, table, master)
        else:
            _begin(server, table, master)


def _playing(server: ServerState) -> Counter[str]:
    """Return the number of tables with running games, by the address of their owners."""
    return Counter([table.owner.connection.origin for table in server.tables.values() if table.playing])


def _report_why_it_waits(server: ServerState, table: Table, refusal: Refusal) -> bool:
    """Send the players at a full table, once, why no game begins there, unless only a master is missing or busy. Return
    whether the reason was searched for."""
    waits = WAITS_FOR.of(table)
    if waits.reported:
        return False
    why = not_offered(table.type, table.options) if refusal.reason is RefusalReason.NO_MASTER else refusal.text
    if why:
        waits.reported = True
        table_seats(server, table, f"the game does not begin: {why if len(why) <= MAX_WHY else why[:MAX_WHY] + '…'}")
    return True


def _master_for(server: ServerState, table: Table, playing: Counter[str] | None = None) -> Master | Refusal:
    """Return the master for the game at a table if it begins now; or why it cannot begin. ``playing`` as in
    :func:`_playing`."""
    playing = _playing(server) if playing is None else playing
    in_play = playing.total()
    if in_play >= server.config.max_table_games:
        return Refusal(RefusalReason.GAME_LIMIT, f"the limit of games at tables is reached: {in_play}")
    origin, most_per_ip = table.owner.connection.origin, server.config.max_table_games_per_ip
    own = playing[origin] if origin else 0
    if origin and own >= most_per_ip:
        text = f"the limit of games at tables of players from this address is reached: {most_per_ip}"
        return Refusal(RefusalReason.GAME_LIMIT, text)
    left = server.config.max_table_games - in_play
    if is_last_of_others(own, left, server.config.max_table_games, most_per_ip):
        text = f"{own} games are in play at tables of players from this address, and the last {left} are for others"
        return Refusal(RefusalReason.GAME_LIMIT, text)
    if server.closed:
        why = "it is shutting down" if server.condition.draining else "it cannot write down what happens"
        return Refusal(RefusalReason.NO_MASTER, f"the server begins no game now: {why}")
    if obstacle := server.condition.type_obstacle(table.type.name):
        return Refusal(RefusalReason.NO_MASTER, obstacle)
    programs = len(table.members) < table.seats
    for master in table.type.free_masters(table.seats):
        if can_lead(master, table.options, table.seats, programs=programs):
            return master
    missing = _players_needed(table) if programs else 0
    if missing:
        more = f"{missing} more {'player is' if missing == 1 else 'players are'} needed"
        return Refusal(RefusalReason.NO_MASTER, f"{more}: no game master here plays seats itself")
    return Refusal(RefusalReason.NO_MASTER, "no game master that could lead this game is here and has room for it")


def _players_needed(table: Table) -> int:
    """Return how many players more a table needs before the smallest game can begin there; 0 where masters play seats,
    where there is none, and where it is not players that are missing."""
    if not table.type.masters or has_programs(table.type):
        return 0
    least = min(master.players_min for master in table.type.masters.values())
    return max(0, least - len(table.members))


def _master_for_members(server: ServerState, table: Table) -> Master | None:
    """Return a master that leads the game with exactly the players who are there, if no master plays free seats."""
    seats = len(table.members)
    masters = [] if server.is_closed(table.type) else table.type.free_masters(seats)
    fitting = (master for master in masters if can_lead(master, table.options, seats, programs=False))
    return next(fitting, None)


def _guests(server: ServerState, table: Table) -> Sequence[Player]:
    """Return invited players without a lobby, who cannot send x-join: those who wait for a game join when it begins, if
    there is room."""
    if table.type.championship is not None:
        return []
    invited = [server.names.players[form] for form in table.invited if form in server.names.players]
    waiting = [player for player in invited if table.type.waiting.get(player.conn) is player]
    return [player for player in waiting if not player.may(Family.LOBBY)][: table.free]


def _begin(server: ServerState, table: Table, master: Master) -> None:
    members = table.begins()
    options = {option.name: option.value for option in (master.offers or {}).values()}
    options.update(table.options)
    total = table.seats if len(members) < table.seats else 0
    setting = Setting(options, total, beginning.new_seed(server, master), master.setup, table)
    beginning.begin(server, table.type, master, members, setting)


# How requests are refused.


def busy(player: Player, message: Extension) -> Refusal | None:
    """Return why this player cannot sit down anywhere now; None if it can."""
    if player.table is not None:
        where = f"you sit at table {player.table.id}"
    elif player.game is not None:
        owes = player.state is PeerState.OWING
        where = f"you owe a thank you for game {player.game.id}" if owes else f"you are in game {player.game.id}"
    else:
        return None
    return Refusal(RefusalReason.ALREADY_PLAYING, f"{message.TYPE}: {where}")


def invalid(message: Extension, text: str) -> Refusal:
    """Return the refusal of a request that does not fit the table or the game at present."""
    return Refusal(RefusalReason.INVALID_GAME, f"{message.TYPE}: {text}")


def not_advertiser(message: Extension, table: Table | None) -> Refusal:
    """Return the refusal of a request that only the owner of the table may make."""
    owner = "no player" if table is None else table.owner.name
    return Refusal(RefusalReason.NOT_ADVERTISER, f"{message.TYPE}: only the owner of the table may do that: {owner}")
