"""Points are added in one way, so that equal points are equal numbers."""

DIGITS = 6
"""Points are rounded to this many decimal digits, so that equal points are equal numbers in any order of adding, for
any value of a draw."""


def added(points: float, more: float) -> float:
    """Return the sum of two numbers of points."""
    return round(points + more, DIGITS)
