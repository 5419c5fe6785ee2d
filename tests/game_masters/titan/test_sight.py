"""Lines of sight on all battlelands, against the rules written down once more, clause by clause."""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, product

import pytest

from game_masters.titan.battlelands import BATTLELANDS, HEXES, SIDE_TO, Battleland, Hex, distance
from game_masters.titan.sight import blocked, paths


def own(land: Battleland, hex: Hex, near: Hex) -> str | None:
    """The hazard of ``hex`` on its side to a neighbour."""
    return land.hazard(hex, SIDE_TO[hex, near])


def reasons(land: Battleland, path: Sequence[Hex], occupied: Collection[Hex]) -> set[int]:
    """The numbers of the clauses that block a path."""
    between, crossings = path[1:-1], list(pairwise(path))
    first, last = own(land, path[0], path[1]), own(land, path[-1], path[-2])
    low = min(land.elevation(path[0]), land.elevation(path[-1]))
    sides = ((here, near) for one, other in crossings for here, near in ((one, other), (other, one)))
    inner = [hazard for here, near in sides if here in between and (hazard := own(land, here, near))]
    in_the_way = [hex for hex in between if hex in occupied and land.elevation(hex) >= low]
    overlooked = {path[1]} if first == "Cliff" else set()
    overlooked |= {path[-2]} if last == "Cliff" else set()
    clauses = {
        1: any(land.surface(hex) == "Tree" for hex in between),
        2: "Wall" in (own(land, path[1], path[0]), own(land, path[-2], path[-1])),
        3: bool(set(in_the_way) - overlooked),
        4: bool({"Dune", "Cliff"} & set(inner)) and not first == last == "Cliff",
        5: bool(inner) and not first and not last,
        6: len(crossings) == 3
        and all(own(land, one, other) or own(land, other, one) for one, other in crossings)
        and not (first and last)
        and "Cliff" not in (first, last),
    }
    return {number for number, blocks in clauses.items() if blocks}


def lines(land: Battleland) -> Iterator[tuple[list[Hex], set[Hex]]]:
    """All paths of ranges 3 and 4, each with nobody between, and with somebody on each hex between."""
    for origin, target in product(HEXES, HEXES):
        if distance(origin, target) in (2, 3):
            for path in paths(origin, target):
                yield path, set()
                yield from ((path, {hex}) for hex in path[1:-1])


@pytest.mark.parametrize("terrain", BATTLELANDS)
def test_every_line_is_open_unless_a_clause_blocks_it(terrain: str) -> None:
    land = BATTLELANDS[terrain]
    for path, occupied in lines(land):
        assert blocked(land, path, occupied) == bool(reasons(land, path, occupied)), (path, occupied)


def test_each_clause_blocks_some_line_alone() -> None:
    alone = [found for land in BATTLELANDS.values() for line in lines(land) if len(found := reasons(land, *line)) == 1]
    assert {number for found in alone for number in found} == {1, 2, 3, 4, 5, 6}


def test_ranges_count_both_ends_and_paths_lead_from_neighbour_to_neighbour() -> None:
    for origin, target in product(HEXES, HEXES):
        if distance(origin, target) in (2, 3):
            for path in paths(origin, target):
                assert (path[0], path[-1], len(path)) == (origin, target, distance(origin, target) + 1)
                assert all(pair in SIDE_TO for pair in pairwise(path))
