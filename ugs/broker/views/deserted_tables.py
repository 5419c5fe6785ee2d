"""Tables where all who sit there have lost their lines: who sits down waits for people who may never come back."""

from typing import Final

from ugs.broker.state.model import Player, Table
from ugs.broker.state.server_state import ServerState

AWAY_S: Final = 5.0
"""Seconds without a line after which a player counts as away from its table: a page that is loaded again takes less."""


def is_deserted(server: ServerState, table: Table) -> bool:
    """Whether no one at a table has a line, or had one some seconds ago. It is in no list until one of them is back;
    who knows its id may still sit down."""
    return all(_is_long_away(server, player) for player in table.members)


def _is_long_away(server: ServerState, player: Player) -> bool:
    until = server.absent.until.get(player, 0.0)
    return player.away and server.now >= until - server.config.session_grace_s + AWAY_S
