"""Lines of sight in a battle, and what lies on them.

A path is a list of hexes from the striker to the target. Hazards belong to the hex on their high side. The rules have
numbers here, which are those of the tests.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from game_masters.titan.battlelands import (
    AT,
    BRAMBLE,
    CLIFF,
    DUNE,
    PLACES,
    STEPS,
    TREE,
    WALL,
    Battleland,
    Hex,
    distance,
)


def paths(origin: Hex, target: Hex) -> list[list[Hex]]:
    """Return the paths that a creature may see another one along, at range 3 or 4."""
    (x, y), (to_x, to_y) = PLACES[origin], PLACES[target]
    length = distance(origin, target)
    dx, dy = to_x - x, to_y - y
    for step in STEPS:
        if (length * step[0], length * step[1]) == (dx, dy):
            return [[AT[x + number * step[0], y + number * step[1]] for number in range(length + 1)]]
    # Two directions beside each other: the first comes up once or twice, the second as often as is left.
    for number, first in enumerate(STEPS):
        for second in (STEPS[(number + 1) % 6], STEPS[number - 1]):
            if length == 2 and (first[0] + second[0], first[1] + second[1]) == (dx, dy):
                middles = (AT.get((x + way[0], y + way[1])) for way in (first, second))
                # The line runs along the side between two hexes: one open side is enough.
                return [[origin, middle, target] for middle in middles if middle is not None]
            if length == 3 and (2 * first[0] + second[0], 2 * first[1] + second[1]) == (dx, dy):
                near = AT.get((x + first[0], y + first[1]))
                far = AT.get((x + first[0] + second[0], y + first[1] + second[1]))
                # A path that leaves the map does not exist.
                return [[origin, near, far, target]] if near is not None and far is not None else []
    raise ValueError(f"{origin} and {target} are {length + 1} apart")


def open_paths(land: Battleland, origin: Hex, target: Hex, occupied: Collection[Hex]) -> list[list[Hex]]:
    """Return the paths that the target can be seen along."""
    return [path for path in paths(origin, target) if not blocked(land, path, occupied)]


def brambles(land: Battleland, found: Sequence[Sequence[Hex]]) -> int:
    """Return the number of bramble hexes between the ends, on the path with the fewest."""
    return min(sum(land.surface(hex) == BRAMBLE for hex in path[1:-1]) for path in found)


def blocked(land: Battleland, path: Sequence[Hex], occupied: Collection[Hex]) -> bool:
    """Return whether a path is blocked."""
    between = path[1:-1]
    crossings = list(pairwise(path))
    down = [land.going_down(*crossing) for crossing in crossings]
    up = [land.going_up(*crossing) for crossing in crossings]
    own_first, own_last = down[0], up[-1]
    # What belongs to hexes between the ends, crossing by crossing.
    middle = [
        (None if place == 0 else down[place], None if place == len(up) - 1 else up[place]) for place in range(len(up))
    ]
    hazards_between = {hazard for pair in middle for hazard in pair if hazard is not None}
    # 1: no line leads through a tree.
    if any(land.surface(hex) == TREE for hex in between):
        return True
    # 2: a wall that goes up at the first step, or down at the last one, is in the way.
    if up[0] == WALL or down[-1] == WALL:
        return True
    # 3: creatures hide what is behind them, unless they stand lower than both ends.
    low = min(land.elevation(path[0]), land.elevation(path[-1]))
    for hex in between:
        if hex in occupied and land.elevation(hex) >= low:
            seen_over = (hex == path[1] and own_first == CLIFF) or (hex == path[-2] and own_last == CLIFF)
            if not seen_over:
                return True
    # 4: dunes and cliffs between the ends, unless both ends stand on cliffs of their own.
    if hazards_between & {DUNE, CLIFF} and not own_first == own_last == CLIFF:
        return True
    # 5: anything that rises between the ends, if neither of them has a high side there.
    if hazards_between and own_first is None and own_last is None:
        return True
    # 6: hazards at all three steps, unless both ends have one of their own or one stands on a cliff.
    if len(crossings) == 3 and all(one or other for one, other in zip(down, up, strict=True)):
        both = own_first is not None and own_last is not None
        return not both and CLIFF not in (own_first, own_last)
    return False
