"""A Swiss tournament, round by round."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from tests.championship.playing import Player, names, plan
from tests.profile import sized
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.swiss import Swiss, enough_rounds


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
    assert schedule.points["p05"] == 0.5
    Player(schedule, Random(5)).to_the_end()
    assert Counter(nick for _, nick in schedule.byes()) == dict.fromkeys(schedule.field, 1)
    assert [number for number, _ in schedule.byes()] == [1, 2, 3, 4, 5]


def test_the_opponent_of_a_leaver_has_won_and_the_round_is_over() -> None:
    schedule = swiss(4, rounds=3)
    win(schedule, schedule.open_fixtures(schedule.field)[0], "p01")
    assert [fixture.nicks for fixture in schedule.withdraw("p02")] == [("p04", "p02")]
    assert schedule.points == {"p01": 1, "p02": 0, "p03": 0.5, "p04": 1}, "the third one has a bye by now"
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


STRENGTH = {nick: Random(nick).random() for nick in names(60)}
WINNERS: dict[str, Callable[[Fixture], str]] = {
    "the strongest": lambda fixture: max(fixture.nicks, key=STRENGTH.__getitem__),
    "the first seat": lambda fixture: fixture.nicks[0],
    "the last seat": lambda fixture: fixture.nicks[-1],
    "the best seed": lambda fixture: min(fixture.nicks),
    "anybody": lambda fixture: Random(str(fixture)).choice(fixture.nicks),
}
FAIR_TO_SEATS = ("the strongest", "the best seed", "anybody")


def unbeaten_in(schedule: Swiss, winner_of: Callable[[Fixture], str]) -> set[str]:
    """Play without draws; return those who have won every game they played."""
    beaten: set[str] = set()
    while not schedule.finished:
        for fixture in schedule.open_fixtures(schedule.field):
            beaten.update({*fixture.nicks} - {winner_of(fixture)})
            win(schedule, fixture, winner_of(fixture))
    return {*schedule.field} - beaten


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("winner", WINNERS)
def test_after_enough_rounds_one_at_most_has_won_all_it_played(seats: int, winner: str) -> None:
    for entrants in range(seats, 61, sized(quick=3, deep=1)):
        assert len(unbeaten_in(swiss(entrants, seats), WINNERS[winner])) <= 1, entrants


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("winner", FAIR_TO_SEATS)
def test_the_seats_of_the_unbeaten_stay_within_two(seats: int, winner: str) -> None:
    for entrants in range(seats, 61, sized(quick=4, deep=1)):
        schedule, had = swiss(entrants, seats), {nick: [0] * seats for nick in names(entrants)}
        beaten: set[str] = set()
        while not schedule.finished:
            for fixture in schedule.open_fixtures(schedule.field):
                for seat, nick in enumerate(fixture.nicks):
                    had[nick][seat] += 1
                beaten.update({*fixture.nicks} - {WINNERS[winner](fixture)})
                win(schedule, fixture, WINNERS[winner](fixture))
            unbeaten = [had[nick] for nick in had if nick not in beaten]
            assert all(max(seated) - min(seated) <= 2 for seated in unbeaten), entrants


@pytest.mark.parametrize(("bye", "worth"), [("share", 1 / 3), ("win", 1), ("half", 0.5), ("nothing", 0)])
def test_a_bye_is_worth_what_the_plan_says(bye: str, worth: float) -> None:
    schedule = Swiss(plan(format="swiss", bye=bye), names(4), 3)
    assert schedule.points["p04"] == pytest.approx(worth)


def test_who_has_won_all_meets_others_who_have_even_if_both_had_the_same_seat() -> None:
    schedule = swiss(4)
    for fixture in schedule.open_fixtures(schedule.field):
        win(schedule, fixture, fixture.nicks[0])
    winners = {nick for nick, points in schedule.points.items() if points}
    assert winners in [set(fixture.nicks) for fixture in schedule.open_fixtures(schedule.field)]


def agreement(bye: str, seeds: int) -> float:
    """Kendall's tau between strength and points, averaged over contests of 9 entrants in games of 5. The seeding says
    nothing of strength, and the winner of a game is drawn in proportion to it."""
    total = 0.0
    for seed in range(seeds):
        random = Random(seed)
        field = names(9)
        strength = {nick: 4 ** random.gauss(0, 1) for nick in field}
        schedule = Swiss(plan(format="swiss", rounds=6, bye=bye), field, 5)
        while not schedule.finished:
            for fixture in schedule.open_fixtures(field):
                (winner,) = random.choices(fixture.nicks, [strength[nick] for nick in fixture.nicks])
                win(schedule, fixture, winner)
        pairs = list(combinations(field, 2))
        agree = [(strength[one] - strength[two]) * (schedule.points[one] - schedule.points[two]) for one, two in pairs]
        total += sum((each > 0) - (each < 0) for each in agree) / len(pairs)
    return total / seeds


def test_a_bye_worth_its_share_lets_the_points_say_more_of_strength() -> None:
    seeds = sized(quick=60, deep=1500)
    assert agreement("share", seeds) > agreement("win", seeds) + 0.02
