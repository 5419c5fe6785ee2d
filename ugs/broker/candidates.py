"""Who may be in the field of a championship that has not begun."""

from collections import Counter
from math import inf

from ugs.address import ip_of
from ugs.broker.state.championship import Championship
from ugs.broker.state.model import GameType, Player


def candidates(game_type: GameType, championship: Championship) -> list[str]:
    """The players who are there and would play, in the order of their logins.

    A championship for those who come first could be used up by the nicks of one address. So only
    :func:`per_origin` of an address count, besides those whose names have tokens and those on this machine.
    """
    there = [player for player in game_type.players.values() if player.pooled and not player.away]
    names = frozenset(championship.plan.entrants)
    if names:
        return [player.name for player in there if player.name in names]
    most = per_origin(game_type, championship)
    found: Counter[str] = Counter()
    fields = []
    for player in there:
        if player.identity is None and not _is_here(player):
            found[player.connection.origin] += 1
            if found[player.connection.origin] > most:
                continue
        fields.append(player.name)
    return fields


def per_origin(game_type: GameType, championship: Championship) -> float:
    """How many entrants without a token one address may have."""
    first = championship.plan.first
    return game_type.settings.entrants_per_ip or ((first + 1) // 2 if first else inf)


def _is_here(player: Player) -> bool:
    """Whether a player comes from this machine, where its organiser starts what should play."""
    ip = ip_of(player.connection.host)
    return ip is not None and ip.is_loopback
