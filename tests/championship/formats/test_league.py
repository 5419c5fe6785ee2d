"""Divisions, season after season."""

import pytest

from tests.championship.formats.test_stages import best_win, win
from tests.championship.playing import names, plan
from ugs.championship.formats.format_table import make
from ugs.championship.formats.league import League
from ugs.championship.plan import PlanError


def league(entrants: int = 6, **keys: object) -> League:
    """A league of two divisions."""
    made = make(plan(**{"format": "league", "divisions": 2, "rounds": 2, **keys}), names(entrants), 2)
    assert isinstance(made, League)
    return made


def test_the_best_goes_up_and_the_last_goes_down() -> None:
    schedule = league()
    games = list(schedule.open_fixtures(schedule.field))
    assert {fixture.label for fixture in games} == {"season 1, division 1", "season 1, division 2"}
    for fixture in games:
        win(schedule, fixture)
    upper = {nick for one in schedule.open_fixtures(schedule.field) if one.label.endswith("1") for nick in one.nicks}
    assert upper == {"p01", "p02", "p04"}
    assert min(one.round for one in schedule.open_fixtures(schedule.field)) == 4
    best_win(schedule)
    assert schedule.finished
    assert list(schedule.placing())[:4] == ["p01", "p02", "p04", "p03"]
    assert schedule.total == 12


def test_without_a_number_of_seasons_it_goes_on_until_too_few_are_left() -> None:
    schedule = league(rounds=0)
    assert schedule.total is None
    for _ in range(5):
        for fixture in list(schedule.open_fixtures(schedule.field)):
            win(schedule, fixture)
    for nick in names(5):
        schedule.withdraw(nick)
    assert schedule.finished
    assert schedule.not_enterable()


def test_who_enters_plays_from_the_next_season_on_in_the_last_division() -> None:
    schedule = league()
    assert schedule.not_enterable() == ""
    schedule.enter("zoe")
    assert "zoe" in schedule.placing()
    for fixture in list(schedule.open_fixtures(schedule.field)):
        win(schedule, fixture)
    lower = {nick for one in schedule.open_fixtures(schedule.field) if one.label.endswith("2") for nick in one.nicks}
    assert "zoe" in lower
    assert schedule.not_enterable() == "its last season is played"


def test_a_field_that_is_too_small_is_refused() -> None:
    with pytest.raises(PlanError, match="divisions = 4: 6 entrants in games of 2; allowed: at most 3"):
        league(divisions=4)
    with pytest.raises(PlanError, match="promoted = 2: a division has 3"):
        league(promoted=2)
