"""Which rows of departed players are kept.

All standings of open play together keep at most ``standings_rows`` of them, of at most MAX_TYPES game types. Beyond
that, the longest standings lose the rows with the fewest games; an unused game type with the fewest such rows loses all
of them. The journal keeps everything: the page and ``ugs standings`` count all rows, and so does the next life of the
server.
"""

from dataclasses import field
from typing import Final

from ugs.broker.championships import champions_list
from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.standings import MAX_TYPES
from ugs.value import state


@state(eq=False)
class KeptRows:
    """The rows of departed players, as last counted."""

    rows: dict[str, int] = field(default_factory=dict)
    """By game type; types without any are missing."""
    total: int = 0
    dropped: int = 0
    """How many were dropped in this life of the server."""


KEPT: Final[Key[KeptRows]] = Key("rows of players who have gone", KeptRows)
"""With the server."""


def count(server: ServerState, game_type: GameType) -> None:
    """A player has come or left, or a game has been counted: drop rows beyond the limits, of any type."""
    kept = KEPT.of(server)
    _recount(kept, game_type)
    while kept.total > server.config.standings_rows:
        longest = server.types[max(kept.rows, key=kept.rows.__getitem__)]
        before = kept.rows[longest.name]
        # Dropped one at a time: after each the longest standings may be others.
        if _recount(kept, longest) == before:  # some players may have come back after a restart since the last count
            _drop(server, longest, 1)
    while len(kept.rows) > MAX_TYPES:
        shortest = min((server.types[name] for name in kept.rows), key=_use)
        _drop(server, shortest, _recount(kept, shortest))


def _use(game_type: GameType) -> tuple[bool, int]:
    """Return how useful its standings are: whether any player is there, and the number of rows of departed ones."""
    return bool(game_type.players or game_type.masters), game_type.open_standings.gone


def _recount(kept: KeptRows, game_type: GameType) -> int:
    """Count the rows of this type again, and return their number."""
    now = game_type.open_standings.gone
    kept.total += now - kept.rows.pop(game_type.name, 0)
    if now:
        kept.rows[game_type.name] = now
    return now


def _drop(server: ServerState, game_type: GameType, number: int) -> None:
    kept = KEPT.of(server)
    for _ in range(number):
        nick = game_type.open_standings.drop_least()
        game_type.seating.forget(nick)
    kept.dropped += number
    _recount(kept, game_type)
    champions_list.changed(server, game_type)
    server.release(game_type)
