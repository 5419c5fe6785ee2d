"""Lists: who is here, what is played, and tables that a player may join.

A list has at most ``list_rows`` rows; options count as rows. Its cost is taken from the allowance of its reader.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ugs.broker.extensions.lobby.tables import info_of
from ugs.broker.extensions.request import Refusal
from ugs.broker.state.allowance import texts
from ugs.broker.state.model import GameType, Player, Table
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.broker.views.deserted_tables import is_deserted
from ugs.broker.views.offered_options import each_offered
from ugs.broker.views.offered_types import type_info
from ugs.broker.views.privacy import may_find
from ugs.broker.views.whole import others
from ugs.wire.extensions import (
    GameTypeInfo,
    GameTypes,
    ListGameTypes,
    ListPlayers,
    ListTables,
    OfferedOption,
    PlayerInfo,
    Players,
    Tables,
)

FEW = 8
"""Tables with options of more rows are left out first if not all fit."""


def players(server: ServerState, player: Player, message: ListPlayers) -> Refusal | None:
    """Answer with all players who are logged in or may come back, in the order of the logins, then with those that
    other nodes show. If there are more than ``list_rows``, players of the same game type come first, and the rest is
    cut off. Ids of tables and games are given only to readers who may find them."""
    most, all_players = server.config.list_rows, server.names.players.values()
    listed: Collection[Player] = all_players
    if len(all_players) > most:
        # Cut before it is sorted: the list costs what it shows, not what the server holds.
        own = sorted(islice(player.type.players.values(), most), key=lambda one: one.since)
        of_others = (one for one in all_players if one.type is not player.type)
        listed = [*own, *islice(of_others, most - len(own))]
    infos = [_player(server, one, player) for one in listed]
    infos += islice(_players_elsewhere(server), most - len(infos))
    server.send_extension([player], Players(tuple(infos), message.ref))
    server.charge(player, len(infos))
    return None


def game_types(server: ServerState, player: Player, message: ListGameTypes) -> Refusal | None:
    """Answer with all game types that have a player or a master, ordered by name, always including the reader's. If not
    all options fit, those of the reader's type come first, and types of other nodes last."""
    most = server.config.list_rows
    of_others = (one for one in server.types.values() if one is not player.type and (one.players or one.masters))
    types = [player.type, *islice(of_others, most - 1)]
    options, rows = _options(types, most - len(types))
    games = [type_info(known, options.get(known.name, ()), server.config.node) for known in types]
    games, elsewhere_rows = _with_elsewhere(server, games, most - len(types) - rows)
    server.send_extension([player], GameTypes(tuple(games), message.ref))
    server.charge(player, len(types) + rows + elsewhere_rows)
    return None


def tables(server: ServerState, player: Player, message: ListTables) -> Refusal | None:
    """Answer with the tables that this player may join, without deserted ones, oldest first. If not all fit, tables
    that it is invited to come first, and those with few options before those with many. Among the invited players, only
    the reader is named."""
    form = unique_form(player.name)
    free = [
        table
        for table in server.tables.values()
        if table.type is player.type and not table.playing and table.free > 0 and may_find(player, table)
    ]
    free = [table for table in free if not is_deserted(server, table)]
    listed = _fitting(free, form, server.config.list_rows)
    infos = [info_of(table, [table.invited[form]] if form in table.invited else []) for table in listed]
    server.send_extension([player], Tables(tuple(infos), message.ref))
    server.charge(player, sum(_rows(table, form) for table in listed))
    return None


def _rows(table: Table, form: str) -> float:
    return table.rows + (form in table.invited)


def _fitting(free: Sequence[Table], form: str, most: int) -> Sequence[Table]:
    """Return the tables that fit into ``most`` rows, for the player whose nick has this form."""
    if sum(_rows(table, form) for table in free) <= most:
        return free
    left, chosen = float(most), set[str]()
    for table in sorted(free, key=lambda table: (form not in table.invited, table.rows > FEW)):
        if _rows(table, form) <= left:
            left -= _rows(table, form)
            chosen.add(table.id)
    return [table for table in free if table.id in chosen]


def _player(server: ServerState, player: Player, reader: Player) -> PlayerInfo:
    silent_s = server.now - player.connection.active_at
    place = player.table or player.game
    play = "WAITING" if place is None else "JOINED" if place is player.table else "PLAYING"
    game_id = place.id if place is not None and may_find(reader, place) else ""
    if silent_s >= server.config.player_inactive_s:
        activity = "INACTIVE"
    else:
        idle = player.away or silent_s >= server.config.player_idle_s
        activity = "IDLE" if idle else "ACTIVE"
    return PlayerInfo(
        player.name,
        player.type.name,
        server.now - player.since,
        silent_s,
        "DISCONNECTED" if player.away else "CONNECTED",
        activity,
        play,
        game_id,
        server.config.node,
    )


def _players_elsewhere(server: ServerState) -> Iterator[PlayerInfo]:
    """Yield the players that other nodes show: in games that can be watched, and in pools. Nothing else is known of
    them, but that a player has been there for as long as its game."""
    for node in others(server):
        there = node.overview.public
        for game in there.games:
            since_s = game.running_s + node.age_s
            for nick in game.nicks:
                yield PlayerInfo(
                    nick, game.game_type, since_s, 0.0, "CONNECTED", "ACTIVE", "PLAYING", game.game, node.name
                )
        for one in there.game_types:
            for nick in one.waiting:
                yield PlayerInfo(nick, one.game_type, 0.0, 0.0, "CONNECTED", "ACTIVE", "WAITING", "", node.name)


def _options(types: Sequence[GameType], most: float) -> tuple[dict[str, tuple[OfferedOption, ...]], float]:
    """Return the options of these types that fit into ``most`` rows, by the name of the type, and their rows."""
    left = most
    shown: dict[str, tuple[OfferedOption, ...]] = {}
    for known in types:
        # Several masters of a type offer mostly the same: each option is listed once.
        distinct: dict[str, OfferedOption] = {}
        for option, rows in _with_rows(known):
            if option.name not in distinct:
                if rows > left:
                    return {**shown, known.name: tuple(distinct.values())}, most - left
                left -= rows
                distinct[option.name] = option
        shown[known.name] = tuple(distinct.values())
    return shown, most - left


def _with_rows(game_type: GameType) -> Iterator[tuple[OfferedOption, float]]:
    for option in each_offered(game_type):
        yield option, _rows_of(option)


def _rows_of(option: OfferedOption) -> float:
    return 1 + texts(len(option.name) + len(option.value) + len(option.values))


def _with_elsewhere(
    server: ServerState, games: Sequence[GameTypeInfo], most: float
) -> tuple[list[GameTypeInfo], float]:
    """Return these game types and those that other nodes lead, ordered by name, and how many rows the latter take."""
    found, left = {one.game_type: one for one in games}, most
    for node in others(server):
        for offered in node.overview.offers:
            known = found.get(offered.game_type)
            rows = 1 + sum([_rows_of(option) for option in offered.options])
            if (known is None or not known.master) and rows <= left:
                found[offered.game_type] = replace(offered, node=node.name)
                left -= rows
    return sorted(found.values(), key=lambda one: one.game_type), most - left
