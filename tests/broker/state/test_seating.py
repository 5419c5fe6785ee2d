"""Over time, each player has each seat equally often."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.broker.house import House, over, thank
from tests.profile import sized
from ugs.broker.state.seating import Seating
from ugs.championship.assignment import EXACT_UP_TO
from ugs.wire.messages import BeginGame


def test_a_player_who_comes_first_sits_first() -> None:
    assert Seating().deal(["ann", "ben", "cat"]) == ("ann", "ben", "cat")


def test_two_who_meet_again_and_again_take_turns() -> None:
    seating = Seating()
    firsts = [seating.deal(["ann", "ben"])[0] for _ in range(6)]
    assert firsts == ["ann", "ben"] * 3


@pytest.mark.parametrize("players", [2, 3, 5, EXACT_UP_TO, EXACT_UP_TO + 1, 64, 200])
def test_a_fixed_company_has_sat_everywhere_after_as_many_games_as_it_has_players(players: int) -> None:
    seating, nicks = Seating(), [f"p{number}" for number in range(players)]
    for _ in range(players):
        seating.deal(nicks)
    assert {seating.had(nick) for nick in nicks} == {(1,) * players}


@settings(derandomize=True, max_examples=sized(quick=40, deep=300), deadline=None)
@given(st.integers(2, 4), st.integers(4, 8), st.integers(0, 2**32))
def test_a_changing_company_stays_balanced(seats: int, company: int, seed: int) -> None:
    seating, draw = Seating(), random.Random(seed)
    nicks = [f"p{number}" for number in range(company)]
    for _ in range(200):
        seating.deal(draw.sample(nicks, seats))
    for nick in nicks:
        had = seating.had(nick)
        assert max(had) - min(had) <= 4, had


def test_a_surplus_from_before_is_evened_out() -> None:
    seating = Seating()
    seating.deal(["ann", "ben"])
    assert seating.deal(["ann", "cat"]) == ("cat", "ann")
    assert seating.deal(["ben", "cat"]) == ("ben", "cat")


def test_a_seat_of_a_larger_game_counts_from_zero() -> None:
    seating = Seating()
    seating.deal(["ann", "ben"])
    seating.deal(["ben", "ann"])
    assert seating.deal(["ann", "ben", "cat"])[2] != "cat"
    assert seating.had("ann") == (1, 1, 1) or seating.had("ben") == (1, 1, 1)


def test_a_player_who_is_forgotten_begins_anew() -> None:
    seating = Seating()
    seating.deal(["ann", "ben"])
    seating.forget("ann")
    seating.forget("nobody")
    assert seating.had("ann") == ()
    assert seating.deal(["cat", "ann"]) == ("cat", "ann")


def test_large_games_are_dealt_one_after_the_other() -> None:
    seating, nicks = Seating(), [f"p{number:02}" for number in range(EXACT_UP_TO + 1)]
    first, second = seating.deal(nicks), seating.deal(nicks)
    assert sorted(first) == sorted(second) == nicks
    moved = [nick for nick in nicks if first.index(nick) != second.index(nick)]
    assert len(moved) >= len(nicks) - 1


def test_the_first_nick_of_begin_game_changes_from_game_to_game(house: House) -> None:
    master = house.master("m", players=(3, 3))
    company = house.players("ann", "ben", "cat")
    firsts: Counter[str] = Counter()
    for number in range(1, 7):
        (begin,) = master.hears()
        assert isinstance(begin, BeginGame)
        firsts[begin.players[0]] += 1
        master.says(over(f"g{number}", "ann", losers=("ben", "cat")))
        thank(f"g{number}", *company)
    assert firsts == {"ann": 2, "ben": 2, "cat": 2}
