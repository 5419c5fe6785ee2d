"""Scores as counts, with their mean and spread."""

import pytest

from ugs.match.counts import WrongCounts, check, counted, moments


def test_single_games_and_pairs_are_counted_by_their_share_of_the_points() -> None:
    assert counted([0, 1, 1, 0.5], 3) == (1, 1, 2)
    assert counted([0, 0.25, 0.25, 0.75, 1], 5) == (1, 2, 0, 1, 1)


@pytest.mark.parametrize("wrong", [(1, 2), (1, 2, 3, 4), (1, -1, 3)])
def test_other_counts_are_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(WrongCounts, match="three counts of games or five counts of pairs"):
        check(wrong)


def test_nothing_is_known_of_no_games() -> None:
    assert moments((0, 0, 0)) is None


def test_mean_and_spread_are_those_of_all_observations() -> None:
    known = moments((2, 0, 2))
    assert known is not None
    assert (known.number, known.games_each, known.mean, known.deviation) == (4, 1, 0.5, 0.5)
    assert (known.skewness, known.kurtosis, known.error) == (0, 1, 0.25)


def test_equal_observations_have_no_spread() -> None:
    known = moments((0, 0, 7, 0, 0))
    assert known is not None
    assert (known.games_each, known.deviation, known.skewness, known.kurtosis) == (2, 0, 0, 3)
