"""Assignments with the least sum of costs, and with a small one."""

from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.championship.assignment import EXACT_UP_TO, assigned, cheapest, greedy

costs = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
)


def total(cost: list[list[int]], chosen: list[int]) -> int:
    """Return the cost of an assignment."""
    return sum(cost[row][column] for row, column in enumerate(chosen))


@settings(max_examples=sized(quick=60, deep=600))
@given(costs)
def test_the_exact_method_finds_the_least_cost_of_all_arrangements(cost: list[list[int]]) -> None:
    chosen = cheapest(cost)
    assert sorted(chosen) == list(range(len(cost)))
    least = min(total(cost, list(columns)) for columns in permutations(range(len(cost))))
    assert total(cost, chosen) == least


def test_two_get_the_cheapest_seats_and_among_equal_ones_the_first_comes_first() -> None:
    for first, second, third, fourth in product(range(3), repeat=4):
        cost = [[first, second], [third, fourth]]
        assert total(cost, assigned(cost)) == total(cost, cheapest(cost))
        if first + fourth == second + third:
            assert assigned(cost) == [0, 1]


@settings(max_examples=sized(quick=30, deep=300))
@given(costs)
def test_the_greedy_method_gives_everybody_a_seat(cost: list[list[int]]) -> None:
    assert sorted(greedy(cost)) == list(range(len(cost)))


def test_a_large_square_is_assigned_greedily_and_nobody_gets_what_costs_more_than_need_be() -> None:
    size = EXACT_UP_TO + 1
    cost = [[int(row == column) for column in range(size)] for row in range(size)]
    chosen = assigned(cost)
    assert sorted(chosen) == list(range(size))
    assert total(cost, chosen) == 0
