"""A Swiss tournament, round by round."""

from collections import Counter
from random import Random

import pytest

from tests.championship.playing import Player, names, plan
from ugs.championship.schedule import Fixture
from ugs.championship.swiss import Swiss, enough_rounds


def swiss(entrants: int, seats: int = 2, rounds: int = 0) -> Swiss:
    """Return a tournament of ``entrants`` entrants."""
    return Swiss(plan(format="swiss", rounds=rounds), names(entrants), seats)


def win(schedule: Swiss, fixture: Fixture, winner: str) -> None:
    """Play a game."""
    schedule.begin(fixture)
    schedule.settle(fixture, {nick: float(nick == winner) for nick in fixture.nicks})


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(2, 2, 1), (3, 2, 2), (8, 2, 3), (9, 2, 4), (1000, 2, 10), (9, 3, 2), (10, 3, 3), (40, 7, 3)],
)
def test_without_a_number_there_are_enough_rounds_for_one_winner(entrants: int, seats: int, rounds: int) -> None:
    assert enough_rounds(entrants, seats) == rounds


def test_the_next_round_waits_for_the_last_game_and_pairs_equal_points() -> None:
    schedule = swiss(4)
    first, second = schedule.open_fixtures(schedule.field)
    assert [first.nicks, second.nicks] == [("p01", "p03"), ("p04", "p02")]
    win(schedule, first, "p01")
    assert schedule.open_fixtures({"p01", "p03"}) == []
    win(schedule, second, "p04")
    assert [(set(one.nicks), one.round) for one in schedule.open_fixtures(schedule.field)] == [
        ({"p01", "p04"}, 2),
        ({"p02", "p03"}, 2),
    ]


def test_who_sits_out_has_a_bye_and_its_point_the_last_first_and_nobody_twice() -> None:
    schedule = swiss(5, rounds=5)
    assert schedule.byes() == ((1, "p05"),)
    assert schedule.points["p05"] == 1
    Player(schedule, Random(5)).to_the_end()
    assert Counter(nick for _, nick in schedule.byes()) == dict.fromkeys(schedule.field, 1)
    assert [number for number, _ in schedule.byes()] == [1, 2, 3, 4, 5]


def test_the_opponent_of_a_leaver_has_won_and_the_round_is_over() -> None:
    schedule = swiss(4, rounds=3)
    win(schedule, schedule.open_fixtures(schedule.field)[0], "p01")
    assert [fixture.nicks for fixture in schedule.withdraw("p02")] == [("p04", "p02")]
    assert schedule.points == {"p01": 1, "p02": 0, "p03": 1, "p04": 1}, "the third one has a bye by now"
    assert [set(fixture.nicks) for fixture in schedule.open_fixtures(schedule.field)] == [{"p01", "p04"}]
    assert schedule.byes() == ((2, "p03"),)


def test_in_games_of_more_the_others_have_a_bye_when_one_leaves() -> None:
    schedule = swiss(6, seats=3, rounds=1)
    (dropped,) = schedule.withdraw("p01")
    assert [nick for _, nick in schedule.byes()] == [nick for nick in dropped.nicks if nick != "p01"]


def test_what_is_given_up_gives_nobody_a_point() -> None:
    schedule = swiss(2)
    (fixture,) = schedule.open_fixtures(schedule.field)
    schedule.begin(fixture)
    schedule.begin(fixture)
    assert not schedule.finished
    schedule.settle(fixture, {})
    schedule.settle(fixture, {"p01": 1.0})
    assert schedule.points == {"p01": 0, "p02": 0}
    assert schedule.finished


def test_it_ends_early_when_too_few_are_left() -> None:
    schedule = swiss(3, rounds=9)
    schedule.withdraw("p01")
    schedule.withdraw("p02")
    assert schedule.finished
    assert schedule.total == 9
    assert schedule.placing() is None


@pytest.mark.parametrize("entrants", [6, 8, 10, 12])
def test_as_many_rounds_as_a_round_robin_let_everybody_meet_once(entrants: int) -> None:
    player = Player(swiss(entrants, rounds=entrants // 2), Random(entrants)).to_the_end()
    assert len({frozenset(fixture.nicks) for fixture in player.begun}) == len(player.begun)


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (16, 2), (23, 2), (64, 2), (27, 3), (30, 4), (40, 7)])
def test_after_enough_rounds_one_at_most_has_won_all(entrants: int, seats: int) -> None:
    for seed in range(5):
        player = Player(swiss(entrants, seats), Random(seed), drawn=0.0).to_the_end()
        assert isinstance(player.schedule, Swiss)
        rounds = player.schedule.rounds
        assert sum(points == rounds for points in player.schedule.points.values()) <= 1


def test_who_has_won_all_meets_others_who_have_even_if_both_had_the_same_seat() -> None:
    schedule = swiss(4)
    for fixture in schedule.open_fixtures(schedule.field):
        win(schedule, fixture, fixture.nicks[0])
    winners = {nick for nick, points in schedule.points.items() if points}
    assert winners in [set(fixture.nicks) for fixture in schedule.open_fixtures(schedule.field)]
