"""A championship played through on paper."""

import pytest

from tests.championship.playing import plan
from ugs.championship.balance import Balance
from ugs.championship.forecast import Forecast, forecast, report
from ugs.championship.formats.format_table import FORMATS
from ugs.championship.plan import PlanError
from ugs.championship.used_keys import USED_BY


def test_a_round_robin_takes_as_many_waves_as_rounds() -> None:
    spring = plan()
    assert forecast(spring, 8, 2, game_s=90) == Forecast(
        plan=spring,
        entrants=8,
        seats=2,
        game_s=90,
        at_a_time=0,
        games=28,
        games_at_most=28,
        most_at_once=4,
        duration_s=7 * 90,
        balance=Balance(28, 7, 7, 1, 1, 0, 1),
        byes=0,
    )


@pytest.mark.parametrize(("at_a_time", "duration_s"), [(1, 280), (3, 100), (4, 70), (99, 70)])
def test_fewer_games_at_a_time_take_longer(at_a_time: int, duration_s: float) -> None:
    assert forecast(plan(), 8, 2, 10, at_a_time).duration_s == duration_s


def test_the_better_seed_wins_where_it_matters() -> None:
    told = forecast(plan(format="knock-out", best_of=3), ["ann", "ben", "cat", "dan"], 2, 60)
    assert (told.games, told.games_at_most, told.duration_s) == (6, 9, 240)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (11, 2), (11, 4), (31, 5)])
def test_every_format_comes_to_its_end(form: str, entrants: int, seats: int) -> None:
    rounds = {"rounds": 3} if form in USED_BY["rounds"] else {}
    told = forecast(plan(format=form, **rounds), entrants, seats, 1, 7)
    assert told.games is not None
    assert told.games_at_most is not None
    assert told.balance is not None
    assert told.duration_s is not None
    assert 0 < told.games <= told.games_at_most
    assert told.games == told.balance.games
    assert told.most_at_once <= 7
    assert told.duration_s >= told.games / 7
    assert len(report(told).splitlines()) >= 6


def test_the_report_says_it_in_words() -> None:
    assert report(forecast(plan(), 8, 2, 90, 3)).splitlines() == [
        "spring: chess; round robin; 8 entrants, 2 seats",
        "  games     28; 7 of each entrant",
        "  meetings  1 of every two",
        "  seats     each entrant has all seats equally often, within 1",
        "  at a time 3 (limit 3)",
        "  duration  about 15 min, at 90 s a game",
    ]
    swiss = report(forecast(plan(format="swiss"), 11, 2, 5000))
    assert "35 pairs never meet" in swiss
    assert "byes      4, each worth 0.5 of a won game" in swiss
    assert "about 5 h 33 min" in swiss
    assert swiss.endswith("here the better seed has won every game.")


def test_what_has_no_end_has_a_pace() -> None:
    told = forecast(plan(format="ladder"), 10, 2, 36, 3)
    assert (told.games, told.duration_s, told.balance, told.most_at_once) == (None, None, None, 3)
    assert "about 300 games an hour" in report(told)


def test_the_champion_of_a_gauntlet_is_one_of_so_many() -> None:
    told = forecast(plan(format="gauntlet", champion="eve"), 5, 2, 1)
    assert (told.games, told.most_at_once) == (4, 1)


@pytest.mark.parametrize(("field", "seats", "game_s"), [(1, 2, 1.0), (4, 5, 1.0), (4, 2, 0.0)])
def test_what_does_not_fit_is_named(field: int, seats: int, game_s: float) -> None:
    with pytest.raises(PlanError):
        forecast(plan(), field, seats, game_s)


@pytest.mark.parametrize(
    ("keys", "entrants", "why"),
    [
        ({"format": "ladder", "rounds": 10**6}, 1000, "500000000 games are too many for a dry run"),
        ({"format": "league", "rounds": 10**6}, 64, "[0-9]+ games are too many for a dry run"),
        ({}, 10**9, "entrants: 1000000000; allowed: at most 20000"),
    ],
)
def test_what_takes_for_ever_is_not_played_through(keys: dict[str, object], entrants: int, why: str) -> None:
    with pytest.raises(PlanError, match=why):
        forecast(plan(**keys), entrants, 2, 60)


def test_the_options_of_its_games_are_told() -> None:
    told = report(forecast(plan(options={"board_size": 7, "mode": "ADULT"}), 4, 2, 60))
    assert "\n  options   board size: 7, mode: ADULT\n" in told
    assert "options" not in report(forecast(plan(), 4, 2, 60))
