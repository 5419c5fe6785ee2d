"""Which rows are kept of players who have gone.

All standings of open play together have at most ``standings_rows`` of them, of at most MAX_TYPES game types. Above that
the longest standings give first, of their rows those for whom the fewest games count; and a game type that nobody uses,
with the fewest of such rows, loses them. What is on disk stays: the page and ``ugs standings`` count all, and so does
the next life of the server.
"""

from dataclasses import dataclass, field
from typing import Final

from ugs.broker.championships import champions_list
from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.standings import MAX_TYPES


@dataclass(slots=True, eq=False)
class KeptRows:
    """The rows of players who have gone, as far as they were counted."""

    rows: dict[str, int] = field(default_factory=dict)
    """By game type; types without any are missing."""
    total: int = 0
    dropped: int = 0
    """How many there would be besides, in this life of the server."""


KEPT: Final[Key[KeptRows]] = Key("rows of players who have gone", KeptRows)
"""With the server."""


def count(server: ServerState, game_type: GameType) -> None:
    """Somebody has come or gone, or a game has been counted: drop what is too much, of whichever type it is."""
    kept = KEPT.of(server)
    _recount(kept, game_type)
    while kept.total > server.config.standings_rows:
        longest = server.types[max(kept.rows, key=kept.rows.__getitem__)]
        before = kept.rows[longest.name]
        if _recount(kept, longest) == before:  # some may have come back after a restart since it was counted
            _drop(server, longest, 1)
    while len(kept.rows) > MAX_TYPES:
        shortest = min((server.types[name] for name in kept.rows), key=_use)
        _drop(server, shortest, _recount(kept, shortest))


def _use(game_type: GameType) -> tuple[bool, int]:
    """Of how much use its standings are: whether somebody is there, and the rows of those who have gone."""
    return bool(game_type.players or game_type.masters), game_type.open_standings.gone


def _recount(kept: KeptRows, game_type: GameType) -> int:
    """How many there are of this type now."""
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
