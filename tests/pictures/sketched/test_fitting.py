"""Where points stand on a terminal."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.pictures.sketched.fitting import MAX_ROWS, ROWS, fit

PLACES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=24)


@given(PLACES, st.integers(1, 4), st.integers(1, 120))
def test_the_order_of_points_is_kept_within_the_width(places: list[tuple[int, int]], sign: int, columns: int) -> None:
    spots = fit(tuple(places), sign, columns)
    assert len(spots) == len(places)
    for (x, y), (column, row) in zip(places, spots, strict=True):
        assert 0 <= column < columns
        assert 0 <= row < MAX_ROWS
        for (other_x, other_y), (other_column, other_row) in zip(places, spots, strict=True):
            assert column <= other_column or x > other_x
            assert row <= other_row or y > other_y


@pytest.mark.parametrize("scale", [1, 10, 500])
@pytest.mark.parametrize("columns", [36, 76])
def test_a_grid_of_points_is_even_and_no_higher_than_it_must_be(scale: int, columns: int) -> None:
    for side, rows in ((2, 18), (7, 13), (18, 18), (19, 19), (30, 30)):
        spots = fit(tuple((x * scale, y * scale) for y in range(side) for x in range(side)), 1, columns)
        assert len(set(spots)) == side * side
        assert max(y for _, y in spots) + 1 == rows
        assert len({y for _, y in spots}) == side
        if side < ROWS:
            assert len({below - above for (_, above), (_, below) in zip(spots, spots[side:], strict=False)}) == 1


def test_points_that_lie_on_each_other_do_not_make_a_board_higher() -> None:
    assert max(y for _, y in fit(((5, 5), (5, 5), (0, 0), (9, 9)), 1, 80)) < ROWS


def test_signs_of_several_columns_stand_apart() -> None:
    spots = sorted((row, column) for column, row in fit(tuple((x, y) for x in range(8) for y in range(8)), 3, 60))
    steps = [right - left for (row, left), (below, right) in pairwise(spots) if row == below]
    assert min(steps) >= 4


def test_a_flat_board_keeps_its_rows_apart() -> None:
    assert fit(((0, 0), (1000, 1)), 1, 80) == ((0, 0), (60, 1))
    assert fit(((0, 3), (10, 3)), 1, 80) == ((0, 0), (60, 0))
