"""``x-start`` before all seats are taken."""

from typing import Any

import pytest

from tests.broker.house import House, Peer, turn
from ugs.broker.events import JournalLost
from ugs.broker.values.questions import WhyAsked
from ugs.wire.extensions import Advertise, Failed, Family, Join, NewTable, Ok, RefusalReason, Start, Visibility
from ugs.wire.messages import BeginGame, Choice, Error

LOBBY, TABLE = Family.LOBBY, Family.TABLE


def table(house: House, seats: int, computers: int = 0, options: tuple[Choice, ...] = ()) -> tuple[Peer, Peer]:
    """ada has set up a table of this size, and ben sits at it."""
    ada, ben = house.guest("ada", LOBBY), house.guest("ben", LOBBY)
    ada.says(Advertise(NewTable("Friday", seats, Visibility.PUBLIC, computers, options)))
    ben.says(Join("g1"))
    for peer in (ada, ben):
        peer.hears()
    return ada, ben


def test_a_master_that_plays_no_seats_leads_those_who_are_there(house: House) -> None:
    master = house.master(players=(2, 4))
    ada, ben = table(house, 4)
    ada.says(Start())
    assert Ok() in ada.hears()
    assert master.hears() == [BeginGame("g1", ("ada", "ben"))]
    master.says(turn("g1", "ada"))
    assert ben.hears()[-1] == turn("g1", "ada")


def test_not_if_they_are_fewer_than_its_least(house: House) -> None:
    master = house.master(players=(3, 4))
    ada, _ben = table(house, 4)
    ada.says(Start())
    (refused,) = ada.hears()
    assert isinstance(refused, Failed)
    assert refused.code is RefusalReason.NO_MASTER
    assert master.hears() == []


def test_a_master_that_plays_seats_plays_the_free_ones() -> None:
    house = House(masters_per_game=2)
    v4, able = house.master(name="v4", players=(2, 4)), house.leader("m", TABLE, players=(2, 4))
    ada, _ben = table(house, 4)
    ada.says(Start())
    assert v4.hears() == []
    assert able.hears() == [BeginGame("g1", ("ada", "ben"), (), 4)]


def test_where_computer_seats_were_asked_for_nobody_goes_without_them(house: House) -> None:
    house.guest("ada", LOBBY).says(Advertise(NewTable("Friday", 3, Visibility.PUBLIC, 1)))
    ada = house.peers[1]
    house.master(players=(2, 4))
    ada.hears()
    ada.says(Start())
    refused = ada.hears()[-1]
    assert isinstance(refused, Failed)
    assert refused.code is RefusalReason.NO_MASTER


def test_while_no_game_may_begin_none_begins_with_fewer(house: House) -> None:
    house.master(players=(2, 4))
    ada, _ben = table(house, 4)
    house.happens(JournalLost("full"))
    ada.says(Start())
    refused = ada.hears()[-1]
    assert isinstance(refused, Failed)
    assert refused.code is RefusalReason.NO_MASTER


@pytest.mark.parametrize("families", [(LOBBY,), (LOBBY, Family.CLOCK)], ids=["plain", "clock"])
@pytest.mark.parametrize(("computers", "allowed_s"), [(1, 600), (0, 30)])
def test_who_plays_the_computer_alone_may_think_for_longer(
    computers: int, allowed_s: float, families: tuple[Family, ...]
) -> None:
    house = House()
    master = house.leader("m", TABLE)
    ada = house.guest("ada", *families)
    ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC, computers)))
    if computers:
        ada.says(Start())
    else:
        house.guest("ben", LOBBY).says(Join("g1"))
    master.says(turn("g1", "ada"))
    answer: Any = house.is_asked(WhyAsked("g1"))
    assert answer["found"][0]["limit_s"] == allowed_s
    house.passes(allowed_s - 1)
    assert "g1" in house.broker.server.games
    ada.hears()
    house.passes(2)
    assert [one.text.split(":")[0] for one in ada.hears() if isinstance(one, Error)] == [
        f"no move within {allowed_s:g} s"
    ]
