"""The most pairs that can be made at the same time."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ugs.championship.pairing.matching import UNSET, most_pairs


def most_by_trying(edges: list[tuple[int, int]], used: frozenset[int] = frozenset()) -> int:
    """Return the largest number of pairs, found by trying all."""
    best = 0
    for at, (one, other) in enumerate(edges):
        if one not in used and other not in used:
            best = max(best, 1 + most_by_trying(edges[at + 1 :], used | {one, other}))
    return best


@given(data=st.data())
def test_there_are_never_more_pairs(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    edges = data.draw(st.lists(st.sampled_from([*combinations(range(size), 2)] or [(0, 0)]), max_size=12, unique=True))
    edges = [edge for edge in edges if edge != (0, 0)]
    partners = [[a + b - one for a, b in edges if one in (a, b)] for one in range(size)]
    pair = most_pairs(partners)
    for one, other in enumerate(pair):
        if other != UNSET:
            assert pair[other] == one
            assert other in partners[one]
    assert sum(other != UNSET for other in pair) == 2 * most_by_trying(edges)


def test_odd_circles_do_not_get_in_the_way() -> None:
    # Two triangles with a tail each, joined by one edge.
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (0, 6), (5, 7)]
    partners = [[a + b - one for a, b in edges if one in (a, b)] for one in range(8)]
    assert UNSET not in most_pairs(partners)


def test_what_was_begun_is_gone_on_with() -> None:
    partners = [[1, 3], [0, 2], [1], [0]]
    assert most_pairs(partners, begun=[1, 0, UNSET, UNSET]) == [3, 2, 1, 0]
