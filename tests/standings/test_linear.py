"""The linear algebra under the fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.standings.linear import Matrix, cholesky, dot, inverse_columns, solve

NUMBERS = st.floats(-3, 3)


@st.composite
def positive_definite(draw: st.DrawFn) -> Matrix:
    """A matrix times its transpose, and something on the diagonal."""
    size = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(NUMBERS, min_size=size, max_size=size), min_size=size, max_size=size))
    return [[dot(one, other) + (i == j) for j, other in enumerate(rows)] for i, one in enumerate(rows)]


@given(positive_definite())
def test_the_factor_times_its_transpose_is_the_matrix(matrix: Matrix) -> None:
    lower = cholesky(matrix)
    for i, row in enumerate(matrix):
        assert len(lower[i]) == i + 1
        for j, value in enumerate(row):
            assert dot(lower[i], lower[j]) == pytest.approx(value, abs=1e-9)


@given(positive_definite(), st.data())
def test_a_solution_solves(matrix: Matrix, data: st.DataObject) -> None:
    right = data.draw(st.lists(NUMBERS, min_size=len(matrix), max_size=len(matrix)))
    found = solve(cholesky(matrix), right)
    for row, value in zip(matrix, right, strict=True):
        assert dot(row, found) == pytest.approx(value, abs=1e-7)


@given(positive_definite())
def test_products_of_the_columns_are_the_inverse(matrix: Matrix) -> None:
    columns = inverse_columns(cholesky(matrix))
    inverse = [[dot(one, other) for other in columns] for one in columns]
    for i, row in enumerate(matrix):
        for j in range(len(matrix)):
            assert dot(row, inverse[j]) == pytest.approx(float(i == j), abs=1e-7)


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 2.0], [2.0, 1.0]], [[float("nan")]]])
def test_a_matrix_that_is_not_positive_definite_is_refused(matrix: Matrix) -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        cholesky(matrix)
