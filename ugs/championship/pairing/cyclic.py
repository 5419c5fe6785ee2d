"""Groups for very many entrants, made without a search: each is turned round a ring of all entrants.

A base group gives as many games as there are entrants, each one step further round. Two entrants meet if the distance
between them is a distance within some base group, so all meet if the base groups have all distances up to half the
ring. For games of three, Skolem's sequences give distances in threes where two add up to the third, nearly without
waste; for larger games each base group takes the members that bring most new distances.
"""

from collections.abc import Sequence
from itertools import combinations
from math import gcd
from typing import TypeAlias

Game: TypeAlias = tuple[int, ...]

LOOK_AT = 400
"""Places that are considered for a member of a base group."""


def cyclic_groups(entrants: int, seats: int, repeats: int = 1) -> list[Game]:
    """Return games of ``seats`` out of ``range(entrants)``: all play equally many, and every two meet at least
    ``repeats`` times.

    3 <= seats, and many more entrants than seats (60 or more for 3 seats). Takes a second or two for 1000 entrants.
    """
    base = _of_three(entrants) if seats == 3 else _greedy(entrants, seats)
    turns = [turn for turn in range(1, entrants) if gcd(turn, entrants) == 1]
    games: list[Game] = []
    for number in range(repeats):
        turn = turns[number % len(turns)]  # the same distances in another order: others meet twice
        for group in base:
            members = [member * turn for member in group]
            games += [tuple([(member + step) % entrants for member in members]) for step in range(entrants)]
    return games


def _of_three(entrants: int) -> list[Game]:
    """Base groups of three, which have all distances."""
    order = -(-(entrants // 2) // 3)
    # Only for these orders there is a sequence; one too many costs a base group.
    while order % 4 > 1:
        order += 1
    # The distances in a group are d, order + sooner and order + later: over all groups each up to 3 * order once.
    return [(0, later - sooner, order + later) for sooner, later in skolem(order)]


def skolem(order: int) -> list[tuple[int, int]]:
    """Return the places 1 to ``2 * order`` in pairs whose distances are 1, 2, … ``order``, each once (T. Skolem 1957,
    by formulas). ``order`` is 8 or more, and leaves the rest 0 or 1 when divided by 4."""
    s, rest = divmod(order, 4)
    if rest == 0:
        pairs = [(4 * s + r - 1, 8 * s - r + 1) for r in range(1, 2 * s + 1)]
        pairs += [(r, 4 * s - r - 1) for r in range(1, s - 1)]
        pairs += [(s + r + 1, 3 * s - r) for r in range(1, s - 1)]
        pairs += [(s - 1, 3 * s), (s, s + 1), (2 * s, 4 * s - 1), (2 * s + 1, 6 * s)]
    else:
        pairs = [(4 * s + r + 1, 8 * s - r + 3) for r in range(1, 2 * s + 1)]
        pairs += [(r, 4 * s - r + 1) for r in range(1, s + 1)]
        pairs += [(s + r + 2, 3 * s - r + 1) for r in range(1, s - 1)]
        pairs += [(s + 1, s + 2), (2 * s + 1, 6 * s + 2), (2 * s + 2, 4 * s + 1)]
    return pairs


def _greedy(entrants: int, seats: int) -> list[Game]:
    """Base groups, each of the members that bring most distances which no group has yet."""
    missing = set(range(1, entrants // 2 + 1))

    def distances(place: int, group: Sequence[int]) -> set[int]:
        # There are two ways round a ring, and a pair meets by either.
        return {min(abs(place - member), entrants - abs(place - member)) for member in group}

    groups = []
    while missing:
        group = [0, max(missing)]
        while len(group) < seats:
            near = [(member + distance) % entrants for distance in sorted(missing)[:LOOK_AT] for member in group]
            places = [place for place in near if place not in group] or [
                place for place in range(entrants) if place not in group
            ]
            group.append(max(places, key=lambda place: (len(distances(place, group) & missing), -place)))
        missing -= {distance for one, other in combinations(group, 2) for distance in distances(one, [other])}
        groups.append(tuple(group))
    return groups
