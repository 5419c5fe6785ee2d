"""Assigns each row of a square of costs a column of its own so that the sum is small: here, seats to players."""

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice

EXACT_UP_TO = 16
"""Players who are dealt the best seats; for more a few seats are looked at for each."""
LOOK_AT = 8
"""Free seats, and other players, that are looked at for a player of a large game."""


def dealt(had: Sequence[Mapping[int, int]]) -> list[int]:
    """Return for each player its seat. ``had[player]`` is how often it had each seat; seats that it never had may be
    missing. The sum of these is the least for up to EXACT_UP_TO players, and small for more. Among equally good seats,
    earlier players get the lower ones."""
    if len(had) > EXACT_UP_TO:
        return sampled(had)
    seats = range(len(had))
    return assigned([[counts.get(seat, 0) for seat in seats] for counts in had])


def assigned(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row of the square ``cost`` its column, so that the sum is the least. Among equally cheap columns,
    earlier rows get the lower ones. The work grows with the cube of the rows."""
    if len(cost) == 2:  # nearly all there ever are
        (first, second), (third, fourth) = cost
        # Of equal ones the first player sits first: "<=", not "<".
        return [0, 1] if first + fourth <= second + third else [1, 0]
    return cheapest(cost)


def sampled(had: Sequence[Mapping[int, int]]) -> list[int]:
    """The same as :func:`dealt` with work that grows with the number of players alone.

    All move on by one seat with each game of the first player, so a fixed company sits everywhere equally often. Each
    player takes the best of the LOOK_AT free seats that are nearest to the one that this gives it; then it exchanges
    with one of the LOOK_AT players behind it where that is better for both together.
    """
    players = len(had)
    free = deque(range(players))
    free.rotate(-sum(had[0].values()))
    chosen = [_taken(free, counts) for counts in had]
    for one, counts in enumerate(had):
        for step in range(1, LOOK_AT + 1):
            # A seat that it never had cannot get better.
            if not counts.get(chosen[one], 0):
                break
            _exchange(had, chosen, one, (one + step) % players)
    return chosen


def _taken(free: deque[int], counts: Mapping[int, int]) -> int:
    """Take the seat out of the first LOOK_AT free ones that a player had least; the first of equal ones."""
    if not counts.get(free[0], 0):
        return free.popleft()
    near = list(islice(free, LOOK_AT))
    seat = min(near, key=lambda seat: counts.get(seat, 0))
    del free[near.index(seat)]  # near the left end, so that little moves
    return seat


def _exchange(had: Sequence[Mapping[int, int]], chosen: list[int], one: int, other: int) -> None:
    """Exchange the seats of two players if that is better."""
    mine, yours = chosen[one], chosen[other]
    now = had[one].get(mine, 0) + had[other].get(yours, 0)
    if had[one].get(yours, 0) + had[other].get(mine, 0) < now:
        chosen[one], chosen[other] = yours, mine


def cheapest(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return the assignment of rows to columns with the least sum: the Hungarian method by shortest augmenting paths.

    ``result[row]`` is the column. For each row, the method finds a path of alternating free and taken columns along
    which all reduced costs are zero; the potentials keep reduced costs from turning negative.
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
                # Strictly less: of equal columns the lowest, so the same costs give the same seats.
                if distance[c] < step:
                    step, nearest = distance[c], c
            for c in range(n + 1):
                if done[c]:
                    # All that is reached moves by the same, so that the edges between stay at zero.
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
