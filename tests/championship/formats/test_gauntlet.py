"""One against all the others."""

from collections import Counter

import pytest

from tests.championship.playing import games_of, names, plan, seat_difference
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.gauntlet import Gauntlet
from ugs.championship.plan import PlanError


def all_fixtures(entrants: int, seats: int, repeats: int, champion: str = "") -> list[Fixture]:
    """Every fixture of a gauntlet."""
    field = names(entrants)
    return list(
        Gauntlet(plan(format="gauntlet", repeats=repeats, champion=champion), field, seats).open_fixtures(field)
    )


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_the_champion_meets_everybody_so_often_in_both_orders(repeats: int) -> None:
    orders = Counter(fixture.nicks for fixture in all_fixtures(6, 2, repeats, "p04"))
    for other in ("p01", "p02", "p03", "p05", "p06"):
        assert orders["p04", other] + orders[other, "p04"] == repeats
        assert abs(orders["p04", other] - orders[other, "p04"]) <= 1
    assert sum(orders.values()) == 5 * repeats


def test_without_a_name_the_first_seed_is_the_champion() -> None:
    assert all("p01" in fixture.nicks for fixture in all_fixtures(5, 2, 1))


@pytest.mark.parametrize(
    ("entrants", "seats", "repeats", "each"),
    [(7, 3, 1, 1), (8, 3, 1, 2), (9, 4, 2, 3), (4, 4, 3, 3), (40, 7, 1, 2), (3, 3, 2, 2)],
)
def test_with_more_seats_the_others_play_equally_often_filling_all_groups(
    entrants: int, seats: int, repeats: int, each: int
) -> None:
    fixtures = all_fixtures(entrants, seats, repeats)
    games = games_of(fixtures)
    assert games.pop("p01") == len(fixtures) == (entrants - 1) * each // (seats - 1)
    assert set(games.values()) == {each}


@pytest.mark.parametrize("entrants", [2, 3, 7, 12, 40])
@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_everybody_sits_in_every_seat_equally_often_within_one(entrants: int, repeats: int) -> None:
    for seats in range(2, min(7, entrants) + 1):
        assert seat_difference(all_fixtures(entrants, seats, repeats), seats) <= 1


def test_a_champion_who_is_not_there_is_named() -> None:
    with pytest.raises(PlanError, match=r"champion = 'eve': not in the field; allowed: one of p01, p02"):
        Gauntlet(plan(format="gauntlet", champion="eve"), names(2), 2)
