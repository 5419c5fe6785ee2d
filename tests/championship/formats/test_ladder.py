"""A ladder: close ratings, no immediate rematch."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.championship.playing import Player, names, plan
from tests.profile import sized
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.ladder import BEGINNING, Ladder


def ladder(entrants: int, seats: int = 2, rounds: int = 0) -> Ladder:
    """Return a ladder of ``entrants`` entrants."""
    return Ladder(plan(format="ladder", rounds=rounds), names(entrants), seats)


def win(schedule: Ladder, fixture: Fixture, winner: str) -> None:
    """Play a game."""
    schedule.begin(fixture)
    schedule.settle(fixture, {winner: 1.0})


def test_it_pairs_exactly_those_who_are_free_and_nobody_twice() -> None:
    schedule = ladder(6)
    offers = schedule.open_fixtures(["p02", "p03", "p05", "p06"])
    assert sorted(nick for fixture in offers for nick in fixture.nicks) == ["p02", "p03", "p05", "p06"]
    assert list(schedule.open_fixtures(["p04"])) == []
    assert len(schedule.open_fixtures(["p01", "p02", "p03"])) == 1


def test_a_win_among_equals_moves_sixteen_points_and_a_draw_none() -> None:
    schedule = ladder(2)
    (fixture,) = schedule.open_fixtures(names(2))
    win(schedule, fixture, "p02")
    assert schedule.ratings == {"p01": BEGINNING - 16, "p02": BEGINNING + 16}
    schedule = ladder(2)
    (fixture,) = schedule.open_fixtures(names(2))
    schedule.begin(fixture)
    schedule.settle(fixture, {"p01": 0.5, "p02": 0.5})
    assert schedule.ratings == {"p01": BEGINNING, "p02": BEGINNING}


def test_the_winner_of_four_takes_a_third_of_the_stake_of_each() -> None:
    schedule = ladder(4, seats=4)
    (fixture,) = schedule.open_fixtures(names(4))
    win(schedule, fixture, "p03")
    assert schedule.ratings["p03"] == pytest.approx(BEGINNING + 16)
    assert sum(schedule.ratings.values()) == pytest.approx(4 * BEGINNING)


def test_what_is_given_up_moves_nothing() -> None:
    schedule = ladder(2, rounds=1)
    (fixture,) = schedule.open_fixtures(names(2))
    schedule.begin(fixture)
    schedule.settle(fixture, {})
    assert set(schedule.ratings.values()) == {BEGINNING}
    assert schedule.finished


def test_the_closest_rating_is_the_opponent() -> None:
    schedule = ladder(5)
    schedule.ratings = {"p01": 1500, "p02": 1900, "p03": 1100, "p04": 1520, "p05": 1850}
    assert [set(fixture.nicks) for fixture in schedule.open_fixtures(names(5))] == [{"p01", "p04"}, {"p02", "p05"}]


def test_two_do_not_meet_again_while_another_opponent_remains() -> None:
    schedule = ladder(3)
    (fixture,) = schedule.open_fixtures(["p01", "p02"])
    win(schedule, fixture, "p01")
    assert list(schedule.open_fixtures(["p01", "p02"])) == []
    (fixture,) = schedule.open_fixtures(names(3))
    assert "p03" in fixture.nicks
    schedule.withdraw("p03")
    assert [set(fixture.nicks) for fixture in schedule.open_fixtures(names(3))] == [{"p01", "p02"}]


def test_two_alone_play_again_and_again_with_seats_exchanged() -> None:
    schedule = ladder(2, rounds=4)
    orders = []
    while not schedule.finished:
        (fixture,) = schedule.open_fixtures(names(2))
        orders.append(fixture.nicks)
        win(schedule, fixture, "p01")
    assert orders == [("p01", "p02"), ("p02", "p01")] * 2


def test_without_a_number_of_games_it_ends_only_when_too_few_are_left() -> None:
    schedule = ladder(3)
    assert schedule.total is None
    for nick in ("p01", "p02"):
        assert not schedule.finished
        assert schedule.withdraw(nick) == []
    assert schedule.finished
    assert schedule.placing() is None


def test_an_offer_keeps_its_number_until_it_is_begun() -> None:
    schedule = ladder(4)
    first, second = schedule.open_fixtures(names(4))
    schedule.begin(second)
    assert list(schedule.open_fixtures(first.nicks)) == [first]
    schedule.begin(first)
    schedule.settle(first, {})
    schedule.settle(second, {})
    assert all(fixture.number > 2 for fixture in schedule.open_fixtures(names(4)))


@given(entrants=st.integers(3, 20), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=8, deep=80))
def test_no_two_meet_twice_in_a_row_as_long_as_it_has_no_end(entrants: int, seed: int) -> None:
    player = Player(ladder(entrants), Random(seed)).some(200)
    latest: dict[str, frozenset[str]] = {}
    for fixture in player.begun:
        together = frozenset(fixture.nicks)
        assert not all(latest.get(nick) == together for nick in together)
        latest.update(dict.fromkeys(together, together))


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(5, 2, 3), (9, 4, 7), (3, 2, 20), (40, 7, 2), (7, 6, 5)])
def test_with_a_number_of_games_everybody_finds_opponents_for_all(entrants: int, seats: int, rounds: int) -> None:
    for seed in range(10):
        player = Player(ladder(entrants, seats, rounds), Random(seed)).to_the_end()
        assert len(player.begun) == player.schedule.total == entrants * rounds // seats
