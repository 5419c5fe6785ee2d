"""When moves are due: at moments that chance has chosen beforehand, independent of the moves before.

A load that waits for an answer before it asks again leaves out what happens while the server is slow. Here the server's
pace changes nothing: what is due while it stands still is due all the same, and counts from that moment.
"""

import random
from collections.abc import Iterator

from ugs.bench.load import PLAYERS_PER_GAME, Load

_NANOSECONDS = 1e9


def moves_per_second(load: Load, deliveries_per_second: float) -> float:
    """Return how many moves lead to that many deliveries.

    A game of M moves is a begin, M moves to the master, and M + 1 states to each of its players.
    """
    deliveries = 1 + load.moves + PLAYERS_PER_GAME * (load.moves + 1)
    return deliveries_per_second * load.moves / deliveries


def due_moments(begin: int, end: int, per_second: float, seed: int) -> Iterator[int]:
    """Return moments from ``begin`` up to ``end``, in nanoseconds: ``per_second`` on average, and each as likely
    at any time, as when very many people play who know nothing of each other."""
    chance = random.Random(seed)
    moment = begin + chance.expovariate(per_second) * _NANOSECONDS
    while moment < end:
        yield int(moment)
        moment += chance.expovariate(per_second) * _NANOSECONDS
