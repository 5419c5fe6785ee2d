"""How many players a game of the pool wants, and how long players wait for more.

The organiser sets both, otherwise the master's ``x-offers`` do; by default the maximum is wanted, without waiting for
it.
"""

from collections.abc import Mapping
from itertools import islice

from ugs.broker.state import rests
from ugs.broker.state.model import GameType, Master, Player
from ugs.broker.state.server_state import ROUNDING, ServerState


def ready(server: ServerState, game_type: GameType) -> Mapping[int, Player]:
    """Those of the waiting players who do not rest."""
    resting = rests.resting(server, game_type)
    if not resting:
        return game_type.waiting
    return {conn: player for conn, player in game_type.waiting.items() if player not in resting}


def wanted(game_type: GameType, master: Master) -> int:
    """Return how many players a game of this master needs to begin at once; in open play it takes no more."""
    settings = game_type.settings
    offered = master.players_wanted if settings.gather_as_offered else 0
    return min(max(settings.players_wanted or offered or master.players_max, master.players_min), master.players_max)


def gathers_s(server: ServerState, game_type: GameType, master: Master, waiting: Mapping[int, Player]) -> float:
    """Seconds until a game of this master may begin with the ``waiting``, at least as many as it needs; 0: it may."""
    if len(waiting) >= wanted(game_type, master):
        return 0.0
    settings = game_type.settings
    offered_s = master.gather_s if settings.gather_as_offered else 0.0
    # D11: counted from the arrival of the playersMin-th, not of the first.
    last_needed = next(islice(waiting.values(), master.players_min - 1, None))
    wait = last_needed.idle_since + (settings.gather_s or offered_s) - server.now
    return wait if wait > ROUNDING else 0.0


def first_to_begin(
    server: ServerState, game_type: GameType, masters: list[Master], waiting: Mapping[int, Player]
) -> tuple[Master, float]:
    """Return the master that may begin first with the ``waiting``, of equals the first, and in how many seconds: one
    that would have all of them wait holds up no other."""
    waits = [gathers_s(server, game_type, master, waiting) for master in masters]
    wait = min(waits)
    return masters[waits.index(wait)], wait
