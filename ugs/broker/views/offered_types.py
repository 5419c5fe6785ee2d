"""Game types as lists of the lobby show them."""

from collections.abc import Iterable
from itertools import islice

from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.views.offered_options import each_offered
from ugs.wire.extensions import GameTypeInfo, OfferedOption


def type_info(game_type: GameType, options: Iterable[OfferedOption], node: str) -> GameTypeInfo:
    """Return a game type with these options, at the node of this name."""
    masters = game_type.masters.values()
    return GameTypeInfo(
        game_type.name,
        min((one.players_min for one in masters), default=0),
        max((one.players_max for one in masters), default=0),
        bool(masters),
        any(master.can_play_seats for master in masters),
        tuple(options),
        node,
    )


def led_types(server: ServerState, most: int) -> tuple[GameTypeInfo, ...]:
    """Return the game types that masters here lead, at most so many, each with its first options, at most so many."""
    led = (one for one in server.types.values() if one.masters)
    return tuple([type_info(one, islice(_distinct(one), most), server.config.node) for one in islice(led, most)])


def _distinct(game_type: GameType) -> Iterable[OfferedOption]:
    """Return the options of all masters that can get games, those of one name once."""
    found: dict[str, OfferedOption] = {}
    for option in each_offered(game_type):
        found.setdefault(option.name, option)
    return found.values()
