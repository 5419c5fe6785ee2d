"""Groups of three and more: who plays with whom."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.championship.pairing.groups import Game, covering_groups, even_groups, least_games

# Sizes that need more games than counting alone says: there is no such design, or none is found in time.
MORE_THAN_LEAST = 2


def meetings(entrants: int, games: list[Game]) -> list[int]:
    """Return how often each two meet, sorted."""
    met = Counter(pair for game in games for pair in combinations(sorted(game), 2))
    return sorted(met[pair] for pair in combinations(range(entrants), 2))


def check(entrants: int, seats: int, games: list[Game], each: int) -> None:
    """Check that all games have ``seats`` different players, and that all play ``each`` games."""
    assert all(len(set(game)) == len(game) == seats for game in games)
    assert Counter(player for game in games for player in game) == dict.fromkeys(range(entrants), each)


@given(data=st.data())
@settings(max_examples=sized(quick=12, deep=120))
def test_all_play_equally_many_games_and_every_two_meet(data: st.DataObject) -> None:
    entrants = data.draw(st.integers(3, 40))
    seats = data.draw(st.integers(3, min(7, entrants)))
    games = covering_groups(entrants, seats)
    each = len(games) * seats // entrants
    check(entrants, seats, games, each)
    met = meetings(entrants, games)
    assert met[0] >= 1
    assert met[-1] - met[0] <= 2
    assert least_games(entrants, seats) <= each <= MORE_THAN_LEAST * least_games(entrants, seats)


@pytest.mark.parametrize(
    ("entrants", "seats", "each"),
    [
        (7, 3, 3),
        (9, 3, 4),
        (13, 3, 6),
        (15, 3, 7),
        (13, 4, 4),
        (16, 4, 5),
        (21, 5, 5),
        (31, 3, 15),
        (6, 5, 5),
        (4, 3, 3),
    ],
)
def test_where_all_can_meet_alike_they_do(entrants: int, seats: int, each: int) -> None:
    games = covering_groups(entrants, seats)
    check(entrants, seats, games, each)
    met = meetings(entrants, games)
    assert met[0] == met[-1]


FIELDS = [(10, 3), (17, 3), (20, 4), (22, 5), (12, 4), (26, 6), (24, 3)]


@pytest.mark.parametrize(("entrants", "seats"), sized(quick=FIELDS, deep=[*FIELDS, (40, 6)]))
@pytest.mark.parametrize("repeats", [2, 3, 10])
def test_a_repeated_design_is_as_even_as_a_single_one(entrants: int, seats: int, repeats: int) -> None:
    games = covering_groups(entrants, seats, repeats)
    check(entrants, seats, games, len(covering_groups(entrants, seats)) * seats // entrants * repeats)
    met = meetings(entrants, games)
    assert met[-1] - met[0] <= 1


def test_a_field_as_large_as_the_game_plays_once() -> None:
    assert covering_groups(5, 5) == [(0, 1, 2, 3, 4)]
    assert covering_groups(3, 3, repeats=2) == [(0, 1, 2)] * 2


def test_counting_says_how_many_games_are_needed_at_least() -> None:
    assert [least_games(7, 3), least_games(8, 3), least_games(40, 7), least_games(6, 4)] == [3, 6, 7, 2]


def test_the_same_question_gets_the_same_groups() -> None:
    assert covering_groups(23, 4) == covering_groups(23, 4)


@pytest.mark.parametrize(
    ("entrants", "seats", "each"), [(9, 2, 2), (9, 3, 1), (11, 4, 4), (12, 6, 1000), (5, 1, 3), (4, 4, 2)]
)
def test_so_many_games_each(entrants: int, seats: int, each: int) -> None:
    games = even_groups(entrants, seats, each)
    check(entrants, seats, games, each)
    met = meetings(entrants, games)
    assert met[-1] - met[0] <= 2


@pytest.mark.parametrize(("entrants", "seats"), sized(quick=[(60, 6)], deep=[(42, 7), (60, 6), (100, 6), (140, 7)]))
def test_a_large_field_meets_too(entrants: int, seats: int) -> None:
    games = covering_groups(entrants, seats)
    check(entrants, seats, games, len(games) * seats // entrants)
    met = meetings(entrants, games)
    assert met[0] >= 1
    assert met[-1] <= 3
