"""Who sits where: over time, everybody sits in every seat equally often.

Each deal is a small assignment problem: the cost of a seat is how often this player has had it, and the cheapest
arrangement is taken, so a surplus is evened out at the next chance. Among equals, who came first sits first.
"""

from collections.abc import Mapping, Sequence

EXACT_UP_TO = 16
"""Larger tables are dealt greedily: the exact method grows with the cube of the number of seats."""


class Seating:
    """How often each player of one game type has had each seat."""

    def __init__(self) -> None:
        self._had: dict[str, list[int]] = {}

    def deal(self, nicks: Sequence[str]) -> tuple[str, ...]:
        """Seat these players, first seat first, and remember it."""
        cost = [self._costs(nick, len(nicks)) for nick in nicks]
        chosen = cheapest(cost) if len(nicks) <= EXACT_UP_TO else greedy(cost)
        seats: list[str] = [""] * len(nicks)
        for player, seat in enumerate(chosen):
            seats[seat] = nicks[player]
            self._had[nicks[player]][seat] += 1
        return tuple(seats)

    def restore(self, had: Mapping[str, Sequence[int]]) -> None:
        """Begin with how often each player had each seat before."""
        self._had = {nick: list(seats) for nick, seats in had.items()}

    def forget(self, nick: str) -> None:
        """This player has gone without leaving a trace in the table."""
        self._had.pop(nick, None)

    def had(self, nick: str) -> tuple[int, ...]:
        """How often this player has had the first seat, the second, …"""
        return tuple(self._had.get(nick, ()))

    def _costs(self, nick: str, seats: int) -> list[int]:
        had = self._had.setdefault(nick, [])
        had.extend([0] * (seats - len(had)))
        return had[:seats]


def greedy(cost: Sequence[Sequence[int]]) -> list[int]:
    """One player after the other takes the seat it has had least among those still free."""
    free = set(range(len(cost)))
    chosen = []
    for row in cost:
        seat = min(free, key=lambda s: (row[s], s))
        free.remove(seat)
        chosen.append(seat)
    return chosen


def cheapest(cost: Sequence[Sequence[int]]) -> list[int]:
    """The assignment of rows to columns with the least sum: the Hungarian method by shortest augmenting paths.

    ``result[row]`` is the column. Row by row a path of alternating free and taken columns is found along which all
    reduced costs are zero; the potentials keep them from turning negative.
    """
    n = len(cost)
    none = n  # an extra column: "no column yet"
    row_of = [-1] * (n + 1)
    row_potential = [0.0] * n
    column_potential = [0.0] * (n + 1)
    for row in range(n):
        row_of[none] = row
        column = none
        distance = [float("inf")] * n
        came_from = [none] * n
        done = [False] * (n + 1)
        while row_of[column] != -1:
            done[column] = True
            here = row_of[column]
            step, nearest = float("inf"), none
            for c in range(n):
                if done[c]:
                    continue
                reduced = cost[here][c] - row_potential[here] - column_potential[c]
                if reduced < distance[c]:
                    distance[c], came_from[c] = reduced, column
                if distance[c] < step:
                    step, nearest = distance[c], c
            for c in range(n + 1):
                if done[c]:
                    row_potential[row_of[c]] += step
                    column_potential[c] -= step
                else:  # never the extra column, which is done from the start
                    distance[c] -= step
            column = nearest
        while column != none:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    chosen = [0] * n
    for c in range(n):
        chosen[row_of[c]] = c
    return chosen
