"""Who sits where."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.championship.assignment import EXACT_UP_TO
from ugs.championship.seats import SeatCounts, deal, matched, seated


@st.composite
def games_of_a_field(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """Games of a field in which some may play more than others."""
    seats = draw(st.integers(2, 7))
    field = range(draw(st.integers(seats, 15)))
    game = st.permutations(field).map(lambda order: tuple(order[:seats]))
    return draw(st.lists(game, max_size=40))


@given(games=games_of_a_field())
def test_everybody_sits_in_every_seat_within_one_at_any_moment(games: list[tuple[int, ...]]) -> None:
    had: dict[int, Counter[int]] = {}
    for before, after in zip(games, seated(games), strict=True):
        assert sorted(before) == sorted(after)
        for seat, player in enumerate(after):
            had.setdefault(player, Counter())[seat] += 1
    for counts in had.values():
        seats = [counts[seat] for seat in range(len(games[0]))]
        assert max(seats) - min(seats) <= 1


@given(games=games_of_a_field())
def test_each_run_of_games_has_every_seat_once(games: list[tuple[int, ...]]) -> None:
    had: dict[int, list[int]] = {}
    for game in seated(games):
        for seat, player in enumerate(game):
            had.setdefault(player, []).append(seat)
    for seats in had.values():
        for start in range(0, len(seats), len(games[0])):
            run = seats[start : start + len(games[0])]
            assert len(set(run)) == len(run)


def test_no_games_need_no_seats() -> None:
    assert seated([]) == []


@given(data=st.data())
def test_a_deal_is_the_most_even_there_is(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 4), min_size=seats, max_size=seats)
    had = data.draw(st.lists(row, min_size=seats, max_size=seats))
    order = deal(had)
    assert sorted(order) == list(range(seats))
    cost = sum(had[player][seat] for seat, player in enumerate(order))
    assert cost == min(
        sum(had[player][seat] for seat, player in enumerate(other)) for other in permutations(range(seats))
    )


def test_among_equals_who_is_named_first_sits_first() -> None:
    assert SeatCounts("abc", 3).deal(["c", "a", "b"]) == ("c", "a", "b")


def test_at_a_large_table_nobody_sits_again_where_it_sat() -> None:
    size = EXACT_UP_TO + 4
    had = [[int(seat == player) for seat in range(size)] for player in range(size)]
    order = deal(had)
    assert sorted(order) == list(range(size))
    assert all(player != seat for seat, player in enumerate(order))


def test_two_who_have_both_sat_first_cannot_both_be_spared() -> None:
    seats = SeatCounts("abc", 2)
    seats.add(("a", "c"))
    seats.add(("b", "c"))
    assert seats.wanted("a") == [1]
    assert seats.excess(["a", "b"]) == 1
    assert seats.excess(["a", "c"]) == 0
    assert seats.deal(["a", "c"]) == ("c", "a")


@pytest.mark.parametrize(("wanted", "most"), [([[0], [0, 1], [1, 2]], 3), ([[0], [0], [1, 2]], 2), ([[], [1]], 1)])
def test_as_many_as_possible_get_a_seat_they_want(wanted: list[list[int]], most: int) -> None:
    assert matched(wanted) == most
