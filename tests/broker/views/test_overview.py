"""What is told of the whole server."""

import json

from tests.broker.cup import comes
from tests.broker.house import CHESS, House
from ugs.broker.state.connection import PeerState
from ugs.broker.values.questions import OrderKind, ServerAsked
from ugs.broker.values.replies import AwayEntrant
from ugs.broker.views.overview import KINDS, MAX_LINES, MAX_OVER, STATES, kind_of, overview, state_of
from ugs.broker.views.public import public
from ugs.wire.extensions import Family


def test_a_new_server_has_nothing_to_tell() -> None:
    house = House()
    assert house.is_asked(ServerAsked()) == {
        "ok": True,
        "draining": False,
        "journal_lost": "",
        "games": 0,
        "tables": 0,
        "game_types": 0,
        "paused": [],
        "bans": [],
        "more_bans": 0,
        "allowed": [],
        "more_allowed": 0,
        "championships": [],
        "more_championships": 0,
        "awaited": [],
        "over": [],
    }


def test_each_championship_that_is_not_over_has_a_line() -> None:
    house = House()
    house.plans(first=3)
    assert house.is_asked(ServerAsked())["championships"] == [f"cup ({CHESS}): announced"]
    house.master()
    peers = comes(house, "ann", "ben", "cat")
    told = house.is_asked(ServerAsked())
    assert told["championships"] == [f"cup ({CHESS}): running, 3 of 3 entrants, 0 games counted, 1 running"]
    assert json.loads(json.dumps(told)) == told
    peers["ann"].is_lost()
    (line,) = overview(house.broker.server).championships
    assert "2 of 3 entrants" in line


def test_entrants_who_may_come_back_are_away() -> None:
    house = House()
    house.plans(first=2, return_s=60)
    peers = comes(house, "ann", "ben")
    peers["ann"].is_lost()
    (line,) = overview(house.broker.server).championships
    assert line == f"cup ({CHESS}): running, 2 of 2 entrants, 1 away, 0 games counted, 0 running"


def test_until_when_an_entrant_with_a_session_is_awaited_has_both_times_in_it() -> None:
    house = House()
    house.plans(first=2, return_s=30)
    ann = house.guest("ann", Family.SESSION)
    house.player("ben")
    ann.is_lost()
    house.passes(10)
    awaited = [{"championship": "cup", "nick": "ann", "left_s": 80.0}]
    assert house.is_asked(ServerAsked())["awaited"] == awaited
    assert public(house.broker.server).championships[0].away == (AwayEntrant("ann", 80.0),)
    house.passes(60)
    assert house.is_asked(ServerAsked())["awaited"] == [{**awaited[0], "left_s": 20.0}]


def test_the_last_that_are_over_are_listed_since_they_can_be_corrected() -> None:
    house = House()
    for number in range(MAX_OVER + 1):
        house.plans(name=f"cup {number}", first=2)
        house.orders(OrderKind.CANCEL, championship=f"cup {number}")
    told = overview(house.broker.server)
    assert told.championships == ()
    assert told.over == tuple(f"cup {number} ({CHESS}): cancelled" for number in range(MAX_OVER, 0, -1))


def test_many_championships_are_counted() -> None:
    house = House()
    for number in range(MAX_LINES + 3):
        house.plans(name=f"cup {number}", first=2)
    told = overview(house.broker.server)
    assert len(told.championships) == MAX_LINES
    assert told.more_championships == 3


def test_what_is_at_the_far_end_of_a_connection_and_what_a_player_does() -> None:
    house = House()
    new, master, ann = house.connects(), house.master(), house.guest("ann", Family.SESSION)
    assert [kind_of(peer.connection) for peer in (new, master, ann)] == ["not logged in", "master", "player"]
    assert state_of(ann.player) == "idle"
    player = ann.player
    ann.is_lost()
    assert state_of(player) == "absent"
    assert set(STATES) == {PeerState.IDLE, PeerState.PLAYING, PeerState.OWING}
    assert len(set(KINDS.values())) == len(KINDS)
