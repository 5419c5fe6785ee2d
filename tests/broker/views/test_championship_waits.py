"""What a championship waits for, in dialogues."""

from typing import Any

from tests.broker.house import CHESS, House, over
from tests.broker.views.test_why import PLAN, only, plan_hour, planned, play
from ugs.broker.events import JournalLost
from ugs.broker.values.questions import Order, OrderKind, PlanAsked
from ugs.championship.plan import parse_plan
from ugs.wire.extensions import Family, Quit, Wait


def spring(house: House) -> dict[str, Any]:
    """The entry of the championship."""
    found = only(house, "spring")
    assert (found["kind"], found["name"], found["game_type"]) == ("championship", "spring", CHESS)
    return found


def held(house: House) -> dict[tuple[str, ...], list[str]]:
    """Why its games cannot begin yet, by the players."""
    return {tuple(one["nicks"]): one["why"] for one in spring(house)["fixtures"]}


def test_before_it_begins_it_is_told_who_is_missing(house: House) -> None:
    planned(house, entrants=["ann", "ben"], first=0)
    house.player("ann")
    found = spring(house)
    assert (found["state"], found["fixtures"]) == ("announced", [])
    assert found["why"] == [
        "there is no game master for chess",
        "championship spring has not begun: 1 of 2 entrants are here; ben missing",
    ]


def test_of_those_who_are_enough_none_is_named(house: House) -> None:
    house.master()
    planned(house, first=3)
    house.players("ann", "ben")
    assert spring(house)["why"] == ["championship spring has not begun: 2 of 3 players are here"]


def test_a_game_of_open_play_that_holds_a_fixture_up_is_named(house: House) -> None:
    master = house.master()
    ann, _ben = house.player("ann"), house.player("ben")
    (old,) = house.broker.games
    planned(house, entrants=["ann", "cat"], open_play=True)
    house.player("cat")
    assert held(house) == {("ann", "cat"): [f"ann plays game {old.id}"]}
    assert spring(house)["why"] == []
    master.says(over(old.id, "ben", losers=("ann",)))
    assert held(house) == {("ann", "cat"): [f"ann owes a thank you for game {old.id}"]}
    ann.is_lost()


def test_lines_that_are_lost_and_games_that_run_are_told(house: House) -> None:
    house.master()
    planned(house, entrants=["ann", "ben", "cat", "dan"], format="knock-out", return_s=60)
    peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat", "dan")}
    assert spring(house)["why"] == ["2 games of championship spring run"]
    peers["ann"].is_lost()
    assert "ann is away (for 1 min at most)" in spring(house)["why"]
    assert held(house) == {}


def test_what_holds_up_all_games_holds_up_each(house: House) -> None:
    master = house.master()
    planned(house, entrants=["ann", "ben", "cat"])
    peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
    (game,) = house.broker.games
    house.is_asked(Order(OrderKind.PAUSE, "spring", "eve", "lunch"))
    first, second = game.seats
    play(master, game.id, peers[first], peers[second])
    assert house.broker.games == []
    assert [*held(house).values()] == [["championship spring is paused: lunch"]] * 2
    house.happens(JournalLost("disk full"))
    lost = "no game begins while nothing can be written down: disk full"
    assert spring(house)["why"] == [lost, "championship spring is paused: lunch"]
    assert [*held(house).values()] == [[lost, "championship spring is paused: lunch"]] * 2


def test_a_round_that_waits_for_its_date_is_told(house: House) -> None:
    house.master()
    dated = {**PLAN, "format": "knock-out", "entrants": ["ann", "ben"], "round_dates": ["2030-05-01T20:00"]}
    assert house.is_asked(PlanAsked(parse_plan(dated, "test"), "eve", date_s=1_900_000_000))["ok"] is True
    house.players("ann", "ben")
    assert held(house) == {("ann", "ben"): [f"it does not begin before {plan_hour()}"]}


def test_an_entrant_that_looks_for_a_table_is_not_free(house: House) -> None:
    master = house.master()
    planned(house, entrants=["ann", "ben", "cat"])
    peers = {nick: house.guest(nick, Family.LOBBY) for nick in ("ann", "ben", "cat")}
    for peer in peers.values():
        peer.says(Wait())
    (game,) = house.broker.games
    (idle,) = peers.keys() - {*game.seats}
    peers[idle].says(Quit())
    play(master, game.id, *(peers[nick] for nick in game.seats))
    waits = [why for nicks, why in held(house).items() if idle in nicks]
    assert waits == [[f"{idle} looks for a table"]] * 2


def test_a_ladder_is_not_asked_for_games_and_one_that_is_over_waits_for_nothing(house: House) -> None:
    master = house.master()
    planned(house, entrants=["ann", "ben"], format="ladder", rounds=1)
    house.players("ann", "ben")
    (game,) = house.broker.games
    assert (held(house), spring(house)["why"]) == ({}, ["1 game of championship spring runs"])
    house.is_asked(Order(OrderKind.CANCEL, "spring", "eve", "rain"))
    master.says(over(game.id, "ann", losers=("ben",)))
    assert (spring(house)["state"], spring(house)["why"]) == ("cancelled", [])
