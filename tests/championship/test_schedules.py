"""What every format promises, in random play: 2 to 40 entrants, 2 to 7 seats, void games, leavers, restarts."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.championship.playing import Player, games_of, names, plan, seat_difference
from tests.profile import sized
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.format_table import FORMATS, make
from ugs.championship.plan import Plan

DYNAMIC_ROUNDS = 5
KEYS: dict[str, dict[str, Any]] = {
    "round-robin": {},
    "swiss": {"rounds": DYNAMIC_ROUNDS},
    "knock-out": {"best_of": 3, "third_place": True},
    "ladder": {"rounds": DYNAMIC_ROUNDS},
    "gauntlet": {"repeats": 3},
    "stages": {
        "stages": (
            {"groups": 2, "go_on": 2, "play_off": True},
            {"format": "swiss", "go_on": 3, "rounds": 2},
            {"format": "knock-out", "best_of": 3, "third_place": True},
        )
    },
    "league": {"rounds": 3, "divisions": 2},
}
STATIC = ("round-robin", "gauntlet")
COMPOSITE = ("stages", "league")
SAME_AFTER_A_RESTART = ("round-robin", "gauntlet", "swiss", "knock-out", *COMPOSITE)


def field_and_seats(draw: Callable[..., int], most_entrants: int = 40, form: str = "") -> tuple[int, int]:
    """A size of field, and a number of seats for it."""
    entrants = draw(st.integers(2, most_entrants))
    seats = draw(st.integers(2, min(3 if form in COMPOSITE else 7, entrants)))
    return (entrants // 2 + 2 * seats, seats) if form in COMPOSITE else (entrants, seats)


def plan_of(form: str) -> Plan:
    """A plan of this format with values that matter to it."""
    return plan(format=form, **KEYS[form])


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=6, deep=60))
def test_everybody_plays_the_right_number_of_games(form: str, data: st.DataObject, seed: int) -> None:
    entrants, seats = field_and_seats(data.draw, form=form)
    player = Player(make(plan_of(form), names(entrants), seats), Random(seed), at_a_time=data.draw(st.integers(1, 20)))
    player.voids = 0.1
    player.to_the_end()
    total = player.schedule.total
    assert total is not None
    games = games_of(player.begun)
    if form == "round-robin":
        assert len(set(games.values())) == 1
        assert len(player.begun) == total
    elif form == "gauntlet":
        assert games["p01"] == len(player.begun) == total
        assert len({games[nick] for nick in player.schedule.field[1:]}) == 1
    elif form == "swiss":
        byes = [nick for _, nick in player.schedule.byes()]
        assert all(games[nick] + byes.count(nick) == DYNAMIC_ROUNDS for nick in player.schedule.field)
        assert max(map(byes.count, player.schedule.field)) - min(map(byes.count, player.schedule.field)) <= 1
        assert len(player.begun) == total
    elif form == "ladder":
        assert len(player.begun) == total
        assert sum(DYNAMIC_ROUNDS - games[nick] for nick in player.schedule.field) == entrants * DYNAMIC_ROUNDS % seats
    else:
        placing = player.schedule.placing()
        assert placing is not None
        assert sorted(placing) == list(player.schedule.field)


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=5, deep=50))
def test_it_ends_when_entrants_leave_and_fixtures_are_given_up(form: str, data: st.DataObject, seed: int) -> None:
    entrants, seats = field_and_seats(data.draw, form=form)
    player = Player(make(plan_of(form), names(entrants), seats), Random(seed))
    player.voids, player.leaving, player.given_up = 0.1, data.draw(st.sampled_from([0.0, 0.01, 0.1, 0.5])), 0.05
    player.to_the_end()
    assert not {fixture.number for fixture in player.begun} & {fixture.number for fixture in player.dropped}
    if form in STATIC:
        assert len(player.begun) + len(player.dropped) == player.schedule.total


@pytest.mark.parametrize("form", FORMATS)
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=5, deep=50))
def test_after_a_restart_at_any_moment_it_goes_on_as_if_nothing_had_been(
    form: str, data: st.DataObject, seed: int
) -> None:
    entrants, seats = field_and_seats(data.draw, 24, form)
    player = Player(make(plan_of(form), names(entrants), seats), Random(seed))
    player.voids, player.given_up, player.leaving = 0.1, 0.05, data.draw(st.sampled_from([0.0, 0.03]))
    player.some(data.draw(st.integers(0, 60)))
    again = player.rebuilt()
    if form in SAME_AFTER_A_RESTART:
        before, after = player.schedule, again.schedule
        assert list(after.open_fixtures(player.free)) == list(before.open_fixtures(player.free))
        assert list(after.byes()) == list(before.byes())
        assert after.placing() == before.placing()
        assert after.finished == before.finished
    again.to_the_end()
    numbers = [fixture.number for fixture in again.begun]
    assert len(set(numbers)) == len(numbers)
    if form in STATIC:
        assert len(again.begun) + len(again.dropped) == again.schedule.total


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss"])
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=5, deep=40))
def test_everybody_sits_in_every_seat_equally_often_within_one(form: str, data: st.DataObject, seed: int) -> None:
    entrants, seats = field_and_seats(data.draw)
    if form == "swiss":  # certain if nobody sits out, a rematch is easy to avoid, and nobody has won every game
        entrants = max(entrants // seats * seats, 8 if seats == 2 else 0)
    repeats = data.draw(st.integers(1, 4))
    keys = {"rounds": DYNAMIC_ROUNDS} if form == "swiss" else {"repeats": repeats}
    player = Player(make(plan(format=form, **keys), names(entrants), seats), Random(seed), drawn=1.0).to_the_end()
    assert seat_difference(player.begun, seats) <= 1


@pytest.mark.parametrize("form", FORMATS)
@given(seed=st.integers(0, 2**32), entrants=st.integers(6, 20))
@settings(max_examples=sized(quick=4, deep=30))
def test_what_is_told_of_a_fixture_that_nobody_offered_is_taken_as_it_is(form: str, seed: int, entrants: int) -> None:
    schedule = make(plan_of(form), names(entrants), 2)
    player = Player(schedule, Random(seed))
    player.some(seed % 20)
    stranger = Fixture(10_000, ("p02", "p01"), 1, "from another version")
    schedule.begin(stranger)
    assert not schedule.finished
    schedule.settle(stranger, {"p01": 1.0})
    player.begun.append(stranger)
    player.to_the_end()
