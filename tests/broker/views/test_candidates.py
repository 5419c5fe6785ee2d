"""Nobody uses up a championship by nicks of one address."""

from typing import Any

import pytest

from tests.broker.entrance.tokens import checks_in, has_token
from tests.broker.house import CHESS, House, Peer
from ugs.broker.values.questions import WhyAsked
from ugs.broker.views import candidates
from ugs.wire.messages import PlayerLogin

CUP: dict[str, Any] = {
    "entrants_per_ip": 0,
    "game_types": {CHESS: {"mode": "championship", "championship_players": 4}},
}


def comes(house: House, nick: str, address: str) -> Peer:
    """A player logs in from this address."""
    peer = house.connects(address=address)
    peer.says(PlayerLogin(nick, CHESS))
    return peer


def field(house: House) -> list[str]:
    """Who plays in the championship; empty before it has begun."""
    championship = house.broker.server.types[CHESS].championship
    assert championship is not None
    return list(championship.field)


def test_half_of_a_field_may_come_from_one_address() -> None:
    house = House(**CUP)
    house.master()
    for nick in ("a1", "a2", "a3", "a4"):
        comes(house, nick, "192.0.2.1:1000")
    assert field(house) == []
    comes(house, "bob", "192.0.2.2:1000")
    comes(house, "cat", "192.0.2.3:1000")
    assert field(house) == ["a1", "a2", "bob", "cat"]


def test_who_is_left_out_is_told_why() -> None:
    house = House(**CUP)
    house.master()
    for nick in ("a1", "a2", "a3"):
        comes(house, nick, "192.0.2.1:1000")
    answer: Any = house.is_asked(WhyAsked("a3"))
    assert answer["found"][0]["why"][:2] == [
        "championship chess has not begun: 2 of 4 players are here",
        "a3 is not one of them: at most 2 of one address are, without a token",
    ]


def test_this_machine_may_fill_the_field() -> None:
    house = House(**CUP)
    house.master()
    for nick in ("a1", "a2", "a3", "a4"):
        comes(house, nick, "127.0.0.1:1000")
    assert len(field(house)) == 4


def test_who_has_a_token_is_counted_for_no_address() -> None:
    house = House(**CUP)
    house.master()
    for nick in ("a1", "a2", "a3"):
        has_token(house, nick)
        checks_in(house, nick, address="192.0.2.1:1000")
    for nick in ("b1", "b2"):
        comes(house, nick, "192.0.2.1:1000")
    assert field(house) == ["a1", "a2", "a3", "b1"]


def test_a_setting_says_otherwise() -> None:
    house = House(entrants_per_ip=1, game_types=CUP["game_types"])
    house.master()
    for nick in ("a1", "a2"):
        comes(house, nick, "192.0.2.1:1000")
    for number in range(2, 5):
        comes(house, f"b{number}", f"192.0.2.{number}:1000")
    assert field(house) == ["a1", "b2", "b3", "b4"]


def test_named_entrants_and_an_hour_without_a_number_have_no_such_limit() -> None:
    house = House(entrants_per_ip=0)
    house.master()
    house.plans(entrants=("a1", "a2", "a3"))
    for nick in ("a1", "a2", "a3"):
        comes(house, nick, "192.0.2.1:1000")
    assert field(house) == ["a1", "a2", "a3"]
    house = House(entrants_per_ip=0)
    house.master()
    house.plans(begins_at="2030-01-01T20:00", begins_in_s=10)
    for nick in ("a1", "a2", "a3"):
        comes(house, nick, "192.0.2.1:1000")
    house.passes(10)
    assert field(house) == ["a1", "a2", "a3"]


def test_addresses_are_not_read_at_each_login(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 5000 players who waited for a championship, each login and each logout took 13 ms."""
    house = House(entrants_per_ip=0)
    house.plans(first=100, open_play=True)
    for number in range(10):
        comes(house, f"p{number}", f"192.0.2.{number}:1")
    read: list[str] = []
    monkeypatch.setattr(candidates, "ip_of", read.append)
    comes(house, "zoe", "198.51.100.1:1")
    assert read == []
