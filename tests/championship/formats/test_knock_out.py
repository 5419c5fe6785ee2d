"""A knock-out, match by match."""

from collections.abc import Sequence
from random import Random

import pytest

from tests.championship.playing import Player, names, plan, seat_difference
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.knock_out import KnockOut


def knock_out(entrants: int, seats: int = 2, **keys: object) -> KnockOut:
    """Return a knock-out of ``entrants`` entrants."""
    return KnockOut(plan(format="knock-out", **keys), names(entrants), seats)


def the_game(schedule: KnockOut, *nicks: str) -> Fixture:
    """Return the only game that these players can play now."""
    (fixture,) = schedule.open_fixtures(nicks)
    return fixture


def over(schedule: KnockOut) -> bool:
    """Return whether it is finished. A function, so that the type checker does not remember the answer."""
    return schedule.finished


def play(schedule: KnockOut, nicks: Sequence[str], winner: str | None) -> Fixture:
    """Play the game of these players; without a winner it is drawn."""
    fixture = the_game(schedule, *nicks)
    schedule.begin(fixture)
    schedule.settle(fixture, {nick: 0.5 if winner is None else float(nick == winner) for nick in nicks})
    return fixture


def test_no_match_waits_for_another_one_of_its_round() -> None:
    schedule = knock_out(8)
    play(schedule, ["p01", "p08"], "p01")
    play(schedule, ["p04", "p05"], "p05")
    semi_final = the_game(schedule, "p01", "p05")
    assert (semi_final.label, semi_final.round) == ("semi-final", 2)
    assert len(schedule.open_fixtures(schedule.field)) == 3


def test_the_winner_the_final_and_the_rounds_make_the_places() -> None:
    schedule = knock_out(4, third_place=True)
    assert schedule.placing() == names(4)
    play(schedule, ["p01", "p04"], "p04")
    play(schedule, ["p02", "p03"], "p02")
    assert the_game(schedule, "p01", "p03").label == "third place"
    play(schedule, ["p02", "p04"], "p04")
    assert not over(schedule)
    play(schedule, ["p01", "p03"], "p03")
    assert over(schedule)
    assert schedule.placing() == ["p04", "p02", "p03", "p01"]
    assert schedule.total == 4


def test_a_match_is_a_series_until_nobody_can_catch_up_with_seats_exchanged() -> None:
    schedule = knock_out(2, best_of=5)
    games = [play(schedule, names(2), winner) for winner in ("p01", "p02", "p01", "p01")]
    assert [game.nicks for game in games] == [("p01", "p02"), ("p02", "p01")] * 2
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert over(schedule)
    assert schedule.placing() == names(2)


def test_a_drawn_game_counts_for_nobody_and_is_played_again() -> None:
    schedule = knock_out(2)
    play(schedule, names(2), None)
    assert not over(schedule)
    play(schedule, names(2), "p02")
    assert schedule.placing() == ["p02", "p01"]


@pytest.mark.parametrize("best_of", [1, 2, 3])
def test_after_three_times_as_many_games_the_higher_seed_goes_on(best_of: int) -> None:
    schedule = knock_out(2, best_of=best_of)
    for _ in range(3 * best_of):
        assert not over(schedule)
        play(schedule, names(2), None)
    assert over(schedule)
    assert schedule.placing() == names(2)


def test_after_an_even_number_of_games_a_tie_is_played_off() -> None:
    schedule = knock_out(2, best_of=2)
    for winner in ("p01", "p02", "p02"):
        assert not over(schedule)
        play(schedule, names(2), winner)
    assert schedule.placing() == ["p02", "p01"]


def test_a_game_that_is_given_up_lets_the_one_in_front_go_on_else_the_higher_seed() -> None:
    schedule = knock_out(2)
    fixture = the_game(schedule, *names(2))
    schedule.begin(fixture)
    schedule.settle(fixture, {})
    assert schedule.placing() == names(2)
    schedule = knock_out(2, best_of=3)
    play(schedule, names(2), "p02")
    fixture = the_game(schedule, *names(2))
    schedule.begin(fixture)
    schedule.settle(fixture, {})
    assert schedule.placing() == ["p02", "p01"]


def test_the_opponent_of_a_leaver_goes_on_without_playing() -> None:
    schedule = knock_out(4)
    assert [fixture.nicks for fixture in schedule.withdraw("p01")] == [("p01", "p04")]
    play(schedule, ["p02", "p03"], "p03")
    play(schedule, ["p03", "p04"], "p04")
    assert over(schedule)
    assert schedule.placing() == ["p04", "p03", "p02", "p01"] or schedule.placing() == ["p04", "p03", "p01", "p02"]


def test_who_leaves_while_waiting_leaves_its_next_match_to_the_other_one() -> None:
    schedule = knock_out(4)
    play(schedule, ["p01", "p04"], "p01")
    assert list(schedule.withdraw("p01")) == []
    play(schedule, ["p02", "p03"], "p02")
    assert over(schedule)
    assert schedule.placing()[0] == "p02"


def test_who_leaves_during_a_game_is_out_however_it_ends() -> None:
    schedule = knock_out(2)
    fixture = the_game(schedule, *names(2))
    schedule.begin(fixture)
    assert list(schedule.withdraw("p01")) == []
    assert not over(schedule)
    schedule.settle(fixture, {"p01": 1.0})
    assert over(schedule)
    assert schedule.placing() == ["p02", "p01"]


def with_a_walkover() -> tuple[KnockOut, Fixture]:
    """Return a knock-out whose first match decides who is in the final: the semi-final between was not played."""
    schedule = knock_out(8)
    first = play(schedule, ["p01", "p08"], "p01")
    play(schedule, ["p04", "p05"], "p05")
    schedule.withdraw("p05")
    play(schedule, ["p02", "p07"], "p02")
    play(schedule, ["p03", "p06"], "p03")
    play(schedule, ["p02", "p03"], "p02")
    return schedule, first


def test_a_correction_before_a_walkover_changes_the_match_after_it() -> None:
    schedule, first = with_a_walkover()
    assert the_game(schedule, "p01", "p02").label == "final"
    assert not schedule.not_correctable(first)
    schedule.correct(first, {"p01": 1.0, "p08": 0.0}, {"p01": 0.0, "p08": 1.0})
    play(schedule, ["p08", "p02"], "p08")
    assert over(schedule)
    assert schedule.placing()[:2] == ["p08", "p02"]


def test_no_correction_before_a_walkover_when_the_match_after_it_has_begun() -> None:
    schedule, first = with_a_walkover()
    schedule.begin(the_game(schedule, "p01", "p02"))
    assert schedule.not_correctable(first) == "the final has begun, whose players come from its result"


def test_when_all_leave_it_is_over() -> None:
    schedule = knock_out(5, third_place=True)
    for nick in names(5):
        schedule.withdraw(nick)
    assert over(schedule)
    assert schedule.open_fixtures(names(5)) == []
    assert sorted(schedule.placing()) == names(5)


def test_in_games_of_more_the_winner_of_a_group_goes_on() -> None:
    schedule = knock_out(9, seats=3, third_place=True)
    assert {frozenset(one.nicks) for one in schedule.open_fixtures(names(9))} == {
        frozenset({"p01", "p06", "p07"}),
        frozenset({"p02", "p05", "p08"}),
        frozenset({"p03", "p04", "p09"}),
    }
    play(schedule, ["p01", "p06", "p07"], "p07")
    play(schedule, ["p02", "p05", "p08"], "p02")
    play(schedule, ["p03", "p04", "p09"], "p04")
    play(schedule, ["p01", "p03", "p05"], "p05")
    play(schedule, ["p02", "p04", "p07"], "p04")
    assert over(schedule)
    assert schedule.placing()[:4] == ["p04", "p02", "p07", "p05"]


def test_in_games_of_more_the_best_of_those_who_stay_goes_on_when_one_leaves() -> None:
    schedule = knock_out(3, seats=3, best_of=3)
    play(schedule, names(3), "p03")
    schedule.withdraw("p01")
    assert over(schedule)
    assert schedule.placing() == ["p03", "p02", "p01"]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_in_every_match_everybody_has_every_seat_within_one(seats: int) -> None:
    player = Player(knock_out(27, seats, best_of=7, third_place=True), Random(seats)).to_the_end()
    matches: dict[tuple[int, frozenset[str]], list[Fixture]] = {}
    for fixture in player.begun:
        matches.setdefault((fixture.round, frozenset(fixture.nicks)), []).append(fixture)
    assert max(len(games) for games in matches.values()) >= 4
    assert all(seat_difference(games, seats) <= 1 for games in matches.values())
