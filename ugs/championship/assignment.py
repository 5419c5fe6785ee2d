"""Assigns each row of a square of costs a column of its own so that the sum is small: here, seats to players."""

from collections.abc import Sequence

EXACT_UP_TO = 16
"""Larger squares are assigned greedily: the exact method grows with the cube of the number of seats."""


def assigned(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row of the square ``cost`` its column, so that the sum is the least. For more than EXACT_UP_TO
    rows the sum is only small. Among equally cheap columns, earlier rows get the lower ones."""
    if len(cost) == 2:  # nearly all there ever are
        (first, second), (third, fourth) = cost
        return [0, 1] if first + fourth <= second + third else [1, 0]
    return cheapest(cost) if len(cost) <= EXACT_UP_TO else greedy(cost)


def greedy(cost: Sequence[Sequence[int]]) -> list[int]:
    """Give each row in turn the cheapest free column, then exchange the columns of two rows as long as that helps."""
    free = set(range(len(cost)))
    chosen = []
    for row in cost:
        column = min(free, key=lambda c: (row[c], c))
        free.remove(column)
        chosen.append(column)
    pairs = [(one, other) for one in range(len(cost)) for other in range(one)]
    while any(_exchanged(cost, chosen, one, other) for one, other in pairs):
        pass
    return chosen


def _exchanged(cost: Sequence[Sequence[int]], chosen: list[int], one: int, other: int) -> bool:
    """Exchange the columns of two rows if that is cheaper. Return whether it was."""
    mine, yours = chosen[one], chosen[other]
    if cost[one][yours] + cost[other][mine] >= cost[one][mine] + cost[other][yours]:
        return False
    chosen[one], chosen[other] = yours, mine
    return True


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
