"""Everybody against everybody."""

from collections import Counter
from itertools import combinations

import pytest

from tests.championship.playing import games_of, names, plan, seat_difference
from tests.profile import sized
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.pairing.rounds import berger, grouped

# The pairings for 4 and for 6 as printed in handbooks of chess organisers, the first seat first.
PRINTED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        *("1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3"),
        *("3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"),
    ],
}


def all_fixtures(entrants: int, seats: int, repeats: int = 1) -> list[Fixture]:
    """Every fixture of a round robin."""
    field = names(entrants)
    return list(RoundRobin(plan(repeats=repeats), field, seats).open_fixtures(field))


@pytest.mark.parametrize("entrants", PRINTED)
def test_pairs_follow_the_printed_tables(entrants: int) -> None:
    printed = [{tuple(int(one) - 1 for one in pair.split("-")) for pair in line.split()} for line in PRINTED[entrants]]
    assert [set(games) for games in berger(entrants, 1)] == printed


@pytest.mark.parametrize("entrants", [*range(2, 12), 39, 40])
@pytest.mark.parametrize("repeats", [1, 2, 3, 4])
def test_every_pairing_is_played_so_often_in_both_orders(entrants: int, repeats: int) -> None:
    orders = Counter(fixture.nicks for fixture in all_fixtures(entrants, 2, repeats))
    for one, other in combinations(names(entrants), 2):
        assert orders[one, other] + orders[other, one] == repeats
        assert abs(orders[one, other] - orders[other, one]) == repeats % 2


@pytest.mark.parametrize("entrants", sized(quick=[*range(2, 13), 39, 40], deep=range(2, 41)))
@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_everybody_sits_first_as_often_as_second_within_one(entrants: int, repeats: int) -> None:
    assert seat_difference(all_fixtures(entrants, 2, repeats), 2) <= 1


@pytest.mark.parametrize("entrants", [2, 5, 8, 21, 40])
def test_nobody_plays_twice_in_a_round_and_as_many_as_can_play_at_the_same_time(entrants: int) -> None:
    rounds: dict[int, list[Fixture]] = {}
    for fixture in all_fixtures(entrants, 2):
        rounds.setdefault(fixture.round, []).append(fixture)
    assert list(rounds) == list(range(1, entrants + entrants % 2))
    for fixtures in rounds.values():
        assert len(fixtures) == entrants // 2
        assert max(games_of(fixtures).values()) == 1


@pytest.mark.parametrize(
    ("entrants", "seats", "repeats"), [(3, 3, 5), (4, 3, 1), (9, 4, 2), (12, 7, 1), (30, 5, 1), (40, 7, 1)]
)
def test_with_more_seats_everybody_meets_and_sits_everywhere_within_one(
    entrants: int, seats: int, repeats: int
) -> None:
    fixtures = all_fixtures(entrants, seats, repeats)
    assert len(set(games_of(fixtures).values())) == 1
    assert seat_difference(fixtures, seats) <= 1
    met = {pair for fixture in fixtures for pair in combinations(sorted(fixture.nicks), 2)}
    assert met == set(combinations(names(entrants), 2))


def test_groups_of_a_round_have_nobody_in_common() -> None:
    for games in grouped(21, 3, 1):
        players = [player for game in games for player in game]
        assert len(set(players)) == len(players)


def test_fixtures_are_numbered_from_one_in_the_order_of_rounds() -> None:
    fixtures = all_fixtures(9, 3)
    assert [fixture.number for fixture in fixtures] == list(range(1, len(fixtures) + 1))
    assert [fixture.round for fixture in fixtures] == sorted(fixture.round for fixture in fixtures)
