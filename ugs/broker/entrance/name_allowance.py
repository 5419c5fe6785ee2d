"""How many new names one address may use in a day.

A client with a game master of its own can let new nicks play games quickly, and each leaves a row in the standings and
results on disk for ever. So a nick without a row costs its address one of ``max_new_names_per_ip``; it is given back if
the nick leaves without a game. Names with tokens have a limit of their own. Gateways and peers on this machine are
trusted.
"""

from typing import Final

from ugs.broker.state.connection import Connection
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Role
from ugs.broker.views.candidates import is_here
from ugs.durations import duration_text
from ugs.value import state

DAY_S: Final = 86_400.0
MAX_ADDRESSES: Final = 100_000
"""Addresses that are remembered; beyond that, the one whose day began first is forgotten."""


@state(eq=False)
class Day:
    """The new names of one address."""

    origin: str
    until: float
    """When the next day begins."""
    names: int = 0


DAYS: Final[Key[dict[str, Day]]] = Key("new names", dict)
"""With the server: by address, ordered by when the days began."""
OWN: Final[Key[list[Day]]] = Key("is a new name of", list)
"""With a player: the day that it counts in, if it does."""


def wait_s(server: ServerState, connection: Connection, nick: str, game_type: str) -> float | None:
    """Return the seconds until a nick without a row may come from there; None if it may now."""
    day = DAYS.of(server).get(connection.origin)
    if day is None or day.names < server.config.max_new_names_per_ip or day.until <= server.now:
        return None
    known = server.types.get(game_type)
    if known is not None and nick in known.open_standings:
        return None
    free = _is_free(server, connection, nick) or is_here(connection)
    return None if free else day.until - server.now


def why_not(server: ServerState, wait: float) -> str:
    """Return why it may not, for people."""
    most = server.config.max_new_names_per_ip
    return (
        f"{most} new names have come from your address within a day, and no more may (max_new_names_per_ip); "
        f"this one is let in after {duration_text(wait, up=True)}"
    )


def count(server: ServerState, player: Player) -> None:
    """Take a new row from the allowance of the player's address."""
    origin = player.connection.origin
    if _is_free(server, player.connection, player.name):
        return
    days = DAYS.of(server)
    day = days.get(origin)
    if day is None or day.until <= server.now:
        days.pop(origin, None)
        day = days[origin] = Day(origin, server.now + DAY_S)
        if len(days) > MAX_ADDRESSES:
            del days[next(iter(days))]
    day.names += 1
    OWN.of(player).append(day)


def give_back(server: ServerState, player: Player) -> None:
    """A player is gone: if it played no game, its address gets the name back."""
    own = OWN.find(player)
    # Only a name that left nothing behind: a game has written rows that stay.
    if not own or player.game is not None or player.last_game:
        return
    # The day of its login, which may be over: then giving back changes nothing that counts.
    (day,) = own
    day.names -= 1
    days = DAYS.of(server)
    if not day.names and days.get(day.origin) is day:
        del days[day.origin]


def _is_free(server: ServerState, connection: Connection, nick: str) -> bool:
    """Return whether a name costs nothing, from this connection or from any."""
    return not connection.origin or connection.by_gateway or server.entry.identities.find(Role.PLAYER, nick) is not None
