"""Lists: who is here, and what is played."""

from ugs.broker.extensions.lobby.choices import has_programs, offered
from ugs.broker.extensions.request import Refusal
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import GameType, Player
from ugs.wire.extensions import (
    GameTypeInfo,
    GameTypes,
    ListGameTypes,
    ListPlayers,
    OfferedOption,
    PlayerInfo,
    Players,
)


def players(desk: Desk, player: Player, message: ListPlayers) -> Refusal | None:
    """All players who are logged in or may come back, in the order of their logins."""
    infos = tuple([_player(desk, one) for one in desk.names.players.values()])
    desk.tell([player], Players(infos, message.ref))
    return None


def game_types(desk: Desk, player: Player, message: ListGameTypes) -> Refusal | None:
    """Every game type with a player or a master, in the order of names."""
    types = [known for known in desk.types.values() if known.players or known.masters]
    games = tuple([_game_type(known) for known in sorted(types, key=lambda known: known.name)])
    desk.tell([player], GameTypes(games, message.ref))
    return None


def _player(desk: Desk, player: Player) -> PlayerInfo:
    silent_s = desk.now - player.connection.active_at
    play, game_id = "WAITING", ""
    if player.table is not None:
        play, game_id = "JOINED", player.table.id
    elif player.game is not None:
        play, game_id = "PLAYING", player.game.id
    if silent_s >= desk.config.player_inactive_s:
        activity = "INACTIVE"
    else:
        idle = player.away or silent_s >= desk.config.player_idle_s
        activity = "IDLE" if idle else "ACTIVE"
    return PlayerInfo(
        player.name,
        player.type.name,
        desk.now - player.since,
        silent_s,
        "DISCONNECTED" if player.away else "CONNECTED",
        activity,
        play,
        game_id,
    )


def _game_type(game_type: GameType) -> GameTypeInfo:
    masters = game_type.masters.values()
    options: dict[str, OfferedOption] = {}
    for option in offered(game_type):
        options.setdefault(option.name, option)
    return GameTypeInfo(
        game_type.name,
        min((one.players_min for one in masters), default=0),
        max((one.players_max for one in masters), default=0),
        bool(masters),
        has_programs(game_type),
        tuple(options.values()),
    )
