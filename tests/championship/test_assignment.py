"""Assignments with the least sum of costs, and with a small one."""

from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.championship.assignment import EXACT_UP_TO, assigned, cheapest, dealt, sampled

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
@given(st.lists(st.dictionaries(st.integers(0, 40), st.integers(0, 9), max_size=40), min_size=1, max_size=40))
def test_the_method_for_large_games_gives_everybody_a_seat(had: list[dict[int, int]]) -> None:
    assert sorted(sampled(had)) == list(range(len(had)))


def test_few_are_dealt_the_best_seats_though_nothing_is_kept_of_those_they_never_had() -> None:
    assert dealt([{}, {0: 1}, {0: 2, 1: 1}]) == [0, 1, 2]


def test_in_a_large_game_nobody_gets_a_seat_again_while_others_are_left() -> None:
    size = EXACT_UP_TO + 1
    for had in ([{row: 1} for row in range(size)], [{size - 1 - row: 1} for row in range(size)]):
        chosen = dealt(had)
        assert sorted(chosen) == list(range(size))
        assert all(seat not in counts for seat, counts in zip(chosen, had, strict=True))


class Counts(dict[int, int]):
    """How often a player had each seat; counts how often it was asked."""

    asked = 0

    def get(self, seat: int, default: int = 0) -> int:  # type: ignore[override]
        Counts.asked += 1
        return super().get(seat, default)


def test_the_work_for_a_large_game_grows_with_its_players_alone() -> None:
    asked = []
    for players in (1000, 4000):
        Counts.asked = 0
        sampled([Counts(dict.fromkeys(range(number % 7, players, 3), 1)) for number in range(players)])
        asked.append(Counts.asked / players)
    assert asked[1] < 1.2 * asked[0]
