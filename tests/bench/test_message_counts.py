"""Counting what was heard, and percentiles of durations."""

import pytest

from ugs.bench.message_counts import MessageTally, percentile


@pytest.mark.parametrize(
    ("percent", "expected"),
    [(0, 1), (1, 1), (50, 50), (50.5, 51), (95, 95), (99, 99), (99.1, 100), (100, 100)],
)
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(percent: float, expected: int) -> None:
    assert percentile(range(1, 101), percent) == expected


def test_the_only_value_is_every_percentile() -> None:
    assert [percentile([7], percent) for percent in (0, 50, 100)] == [7, 7, 7]


def test_there_is_no_percentile_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)


@pytest.mark.parametrize("percent", [-0.1, 100.1])
def test_a_percentile_outside_its_range_is_refused(percent: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 100"):
        percentile([1], percent)


def test_logins_and_tables_are_no_deliveries() -> None:
    tally = MessageTally(logins=9, begins=1, moves=20, states=300, champions_lists=9, games_over=9, round_trips=[5, 6])
    assert tally.deliveries() == 321


def test_counts_give_the_number_of_round_trips_not_the_trips() -> None:
    counts = MessageTally(moves=2, round_trips=[5, 6, 7]).counts()
    assert counts == {
        "logins": 0,
        "begins": 0,
        "moves": 2,
        "states": 0,
        "champions_lists": 0,
        "games_over": 0,
        "round_trips": 3,
    }
