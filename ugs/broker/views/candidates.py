"""Who may be in the field of a championship that has not begun."""

from collections import Counter
from math import inf

from ugs.address import ip_of
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Connection
from ugs.broker.state.model import GameType


def candidates(game_type: GameType, championship: Championship, *, absent: bool = False) -> list[str]:
    """The players who are there and would play, in the order of their logins; with ``absent`` also those whose line is
    cut and who may come back: who has lost it at the hour is in the field all the same.

    A championship for those who come first could be used up by the nicks of one address. So only
    :func:`per_origin` of an address count, besides those whose names have tokens and those on this machine.
    """
    # A player at a table or without a line could not begin its first game.
    there = [player for player in game_type.players.values() if player.pooled and (absent or not player.away)]
    names = frozenset(championship.plan.entrants)
    if names:
        return [player.name for player in there if player.name in names]
    most = per_origin(game_type, championship)
    found: Counter[str] = Counter()
    here: dict[str, bool] = {}
    fields = []
    for player in there:  # at each login of the type: slow checks only if an address is full
        if player.identity is None:
            origin = player.connection.origin
            found[origin] += 1
            if found[origin] > most:
                if origin not in here:
                    here[origin] = is_here(player.connection)
                if not here[origin]:
                    continue
        fields.append(player.name)
    return fields


def may_come_late(game_type: GameType, championship: Championship, connection: Connection) -> bool:
    """Return whether one more player without a token may enter from there while the championship is played. Without a
    setting the limit is half the number of those who began it or came late with a token: otherwise players who come and
    leave could fill it with departed entrants."""
    if championship.plan.entrants or not connection.origin or is_here(connection):
        return True
    most = game_type.settings.entrants_per_ip or (len(championship.field) - championship.late.total() + 1) // 2
    return championship.late[connection.origin] < most


def per_origin(game_type: GameType, championship: Championship) -> float:
    """Return how many entrants without a token one address may have."""
    first = championship.plan.first
    return game_type.settings.entrants_per_ip or ((first + 1) // 2 if first else inf)


def is_here(connection: Connection) -> bool:
    """Return whether a player comes from this machine, where the organiser starts bots."""
    ip = ip_of(connection.host)
    return ip is not None and ip.is_loopback
