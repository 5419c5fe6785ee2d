"""Openings: each is played with all orders of seats."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.championship.playing import Player, names, plan
from ugs.championship.formats.format_table import make
from ugs.championship.plan import PlanError, load_plan, number_of_orders, parse_plan, seat_orders

TWO = ({"name": "first", "text": "a = 1"}, {"name": "second", "text": "a = 2"})


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (5, 2), (4, 3), (7, 3)])
def test_every_group_plays_every_opening_in_every_order(form: str, entrants: int, seats: int) -> None:
    bare = make(plan(format=form), names(entrants), seats)
    player = Player(make(plan(format=form, openings=TWO), names(entrants), seats), Random(1)).to_the_end()
    orders = len(seat_orders(seats))
    assert len(player.begun) == player.schedule.total == (bare.total or 0) * 2 * orders
    played = Counter((frozenset(one.nicks), one.nicks, one.opening) for one in player.begun)
    groups = Counter(frozenset(one.nicks) for one in bare.open_fixtures(bare.field))
    assert all(times == groups[group] for (group, _, _), times in played.items())
    assert len(played) == len(groups) * 2 * orders


def test_games_of_a_match_share_an_opening_in_both_orders() -> None:
    schedule = make(plan(format="knock-out", best_of=4, openings=TWO), names(2), 2)
    seen = []
    while offers := schedule.open_fixtures(schedule.field):
        schedule.begin(offers[0])
        seen.append((offers[0].opening, offers[0].nicks[0]))
        schedule.settle(offers[0], {names(2)[len(seen) % 2]: 1.0})
    assert [opening for opening, _ in seen[:4]] == [1, 1, 2, 2]
    assert {first for _, first in seen[:2]} == {first for _, first in seen[2:4]} == {*names(2)}


def test_groups_of_a_stage_have_them_too() -> None:
    schedule = make(plan(format="stages", stages=({"groups": 2},), openings=TWO), names(4), 2)
    assert {fixture.opening for fixture in schedule.open_fixtures(schedule.field)} == {1, 2}


def test_more_seats_than_four_have_each_seat_once() -> None:
    assert len(seat_orders(4)) == 24
    assert [order[0] for order in seat_orders(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("keys", [{"format": "swiss"}, {"format": "ladder"}, {"stages": ({"format": "swiss"},)}])
def test_where_pairings_are_played_once_there_are_none(keys: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a Swiss and a ladder play each pairing once"):
        plan(**{"format": "stages", **keys}, openings=TWO)


def test_they_come_from_files_beside_the_plan(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    head = 'name = "cup"\ngame_type = "go"\nfirst = 2\n'
    (tmp_path / "corner.toml").write_text("players = 2\n")
    file.write_text(f'{head}[openings]\nfiles = ["corner.toml"]\n')
    (opening,) = load_plan(file).openings
    assert (opening.name, opening.text) == ("corner", "players = 2\n")
    file.write_text(f'{head}[openings]\nfiles = ["edge.toml"]\n')
    with pytest.raises(PlanError, match=r"edge.toml': cannot be read"):
        load_plan(file)
    file.write_text(f"{head}[openings]\ncount = 3\n")
    with pytest.raises(PlanError, match="openings: allowed: files, a list of files"):
        load_plan(file)


def test_orders_are_counted_without_being_made() -> None:
    assert [number_of_orders(seats) for seats in range(2, 9)] == [len(seat_orders(seats)) for seats in range(2, 9)]
    assert number_of_orders(10**9) == 10**9


DEALS = {"deals": "same", "deal_seed": "x", "seats": 3, "repeats": 2}


def test_deals_are_openings_with_a_seed_of_their_own() -> None:
    first, second = plan(**DEALS).openings
    assert (first.name, second.name) == ("deal 1", "deal 2")
    assert first.text.startswith('players = 3\nseed = "')
    assert first.text != second.text
    assert plan(**DEALS) == plan(**DEALS)
    assert plan(**{**DEALS, "deal_seed": "y"}).openings != plan(**DEALS).openings


def test_a_plan_with_deals_can_be_read_again() -> None:
    one = plan(**DEALS)
    assert parse_plan(one.plain(), "again") == one


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
def test_every_deal_is_played_by_a_group_with_everybody_in_each_seat(form: str) -> None:
    schedule = make(plan(format=form, **DEALS), names(3), 3)
    player = Player(schedule, Random(1)).to_the_end()
    seats = Counter((one.opening, seat, nick) for one in player.begun for seat, nick in enumerate(one.nicks))
    assert seats == dict.fromkeys(((deal, seat, nick) for deal in (1, 2) for seat in range(3) for nick in names(3)), 2)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"seats": 0}, "give seats"),
        ({"openings": TWO}, "give one of the two"),
        ({"format": "swiss"}, "play each pairing once"),
        ({"deals": "other"}, "same"),
        ({"deal_seed": ""}, "need each other"),
    ],
)
def test_deals_need_seats_and_pairings_that_are_played_again(keys: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        plan(**{**DEALS, **keys})
