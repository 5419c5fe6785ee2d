"""Points, as every format adds them."""

from functools import reduce

from ugs.championship.point_sums import added


def test_points_are_the_same_in_whatever_order_they_are_added() -> None:
    results = [0.4, 1.0, 0.4, 0.4, 0.0, 1.0]
    assert reduce(added, results, 0.0) == reduce(added, sorted(results), 0.0) == 3.2
