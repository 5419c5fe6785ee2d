"""Why no game of a type begins at present, in sentences for people."""

from itertools import islice

from ugs.broker.state.server_state import ServerState
from ugs.broker.views.wording import WITH_IDS, Wording, listed
from ugs.wire.extensions import NO_MASTER

MAX_LED = 100
"""Game types that are looked at for one that is led."""

STOPPING = "the server is stopping, and begins no game any more"


def closed(server: ServerState, game_type: str, wording: Wording = WITH_IDS) -> list[str]:
    """Why no game of this type begins, whoever is here; none if games may begin."""
    obstacles = []
    if server.condition.journal_lost:
        obstacles.append(wording.unwritten.format(why=server.condition.journal_lost))
    if server.condition.draining:
        obstacles.append(STOPPING)
    if obstacle := server.condition.type_obstacle(game_type):
        obstacles.append(obstacle)
    return obstacles


def no_master(server: ServerState, game_type: str) -> str:
    """Return that no master leads the games of a type, and which types are led here. Every page shows it, so names are
    not compared."""
    led = [known.name for known in islice(server.types.values(), MAX_LED) if known.masters]
    hint = f"; games of {listed(led)} are led here" if led else ""
    return f"{NO_MASTER} {game_type}{hint}"
