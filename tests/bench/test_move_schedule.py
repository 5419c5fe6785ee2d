"""Moments at which moves are due."""

from itertools import pairwise

import pytest

from ugs.bench.load import Load
from ugs.bench.move_schedule import due_moments, moves_per_second

SECOND = 1_000_000_000


def test_a_game_of_two_moves_is_nine_deliveries() -> None:
    """A begin, two moves to the master, three states to each of two players."""
    assert moves_per_second(Load(moves=2), 900) == pytest.approx(200)


def test_there_are_as_many_moments_as_asked_for_and_they_ascend() -> None:
    moments = list(due_moments(5 * SECOND, 15 * SECOND, 1000, seed=1))
    assert 9_600 < len(moments) < 10_400, "four standard deviations"
    assert 5 * SECOND <= moments[0] <= moments[-1] < 15 * SECOND
    assert all(before <= after for before, after in pairwise(moments))


def test_they_are_as_uneven_as_chance_makes_them() -> None:
    gaps = [after - before for before, after in pairwise(due_moments(0, 10 * SECOND, 1000, seed=1))]
    mean = sum(gaps) / len(gaps)
    assert 0.33 < sum(gap > mean for gap in gaps) / len(gaps) < 0.41, "1/e"


def test_a_seed_stands_for_a_schedule() -> None:
    first, again, other = (list(due_moments(0, SECOND, 100, seed)) for seed in (1, 1, 2))
    assert first == again != other
