"""The linear algebra that a fit needs, in plain Python: fast enough for a few hundred unknowns."""

from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import TypeAlias

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[Vector]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products; the longer vector is cut to the length of the shorter."""
    total: float = sum(map(mul, one, other))
    return total


def cholesky(matrix: Matrix) -> Matrix:
    """The Cholesky factor of a symmetric positive definite matrix: the lower triangle L, row by row, with L times its
    transpose equal to the matrix. Raises ValueError when the matrix is not positive definite."""
    lower: Matrix = []
    for number, given in enumerate(matrix):
        row: Vector = []
        for column in range(number):
            # The row is as long as it is filled in so far, and the product ends with it.
            row.append((given[column] - dot(row, lower[column])) / lower[column][column])
        rest = given[number] - dot(row, row)
        # Not "rest <= 0": this way NaN is refused, too.
        if not rest > 0:
            raise ValueError("the matrix is not positive definite")
        row.append(sqrt(rest))
        lower.append(row)
    return lower


def inverse_columns(lower: Matrix) -> Matrix:
    """The columns of the inverse of L. The dot product of columns i and j is entry i, j of the inverse of the factored
    matrix."""
    size = len(lower)
    columns: Matrix = []
    for number in range(size):
        found: Vector = [1 / lower[number][number]]
        for row in range(number + 1, size):
            found.append(-dot(lower[row][number:], found) / lower[row][row])
        columns.append([0.0] * number + found)
    return columns


def solve(lower: Matrix, right: Vector) -> Vector:
    """Solve for x: L times its transpose times x equals ``right``."""
    forward: Vector = []
    for row, value in zip(lower, right, strict=True):
        forward.append((value - dot(row, forward)) / row[-1])
    back = [0.0] * len(forward)
    for number in reversed(range(len(forward))):
        back[number] = forward[number] / lower[number][number]
        for column in range(number):
            forward[column] -= lower[number][column] * back[number]
    return back
