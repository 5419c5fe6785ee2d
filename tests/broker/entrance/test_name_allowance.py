"""New names from one address: an allowance for a day, given back by those who were in no game."""

from typing import Any

import pytest

from tests.broker.entrance.tokens import has_token
from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.entrance import name_allowance
from ugs.wire.extensions import Failed, Family, RefusalReason
from ugs.wire.messages import LoginError, LoginResponse, Logout, PlayerLogin

HERE = "192.0.2.1:1000"
FULL = LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)


def comes(house: House, nick: str, address: str = HERE, *, game_type: str = CHESS, by_gateway: bool = False) -> Peer:
    """A player logs in from this address."""
    peer = house.connects(address=address, by_gateway=by_gateway)
    peer.says(PlayerLogin(nick, game_type))
    return peer


def is_in(peer: Peer) -> bool:
    """Whether its login was accepted."""
    return LoginResponse() in peer.mail


def plays_and_goes(house: House, game_id: str, *peers: Peer) -> None:
    """A game of these, from its first state to its end; then all of them log out."""
    (master,) = [peer for peer in house.peers.values() if peer.conn == 1]
    nicks = [peer.name for peer in peers]
    master.says(turn(game_id, nicks[0]))
    master.says(over(game_id, nicks[0], losers=tuple(nicks[1:])))
    thank(game_id, *peers)
    for peer in peers:
        peer.says(Logout())


def test_names_that_played_use_up_the_allowance_of_their_address() -> None:
    house = House(max_new_names_per_ip=2)
    house.master()
    plays_and_goes(house, "g1", comes(house, "a1"), comes(house, "a2"))
    third = comes(house, "a3")
    assert third.hears() == [FULL]
    (note,) = [note for note in house.notes if note.event == "login refused"]
    assert note.fields["why"] == (
        "2 new names have come from your address within a day, and no more may (max_new_names_per_ip); "
        "this one is let in after 1 d"
    )
    assert is_in(comes(house, "b1", "192.0.2.2:1000")), "another address has an allowance of its own"


def test_a_name_with_a_row_is_not_new() -> None:
    house = House(max_new_names_per_ip=2)
    house.master()
    plays_and_goes(house, "g1", comes(house, "a1"), comes(house, "a2"))
    assert is_in(comes(house, "a1"))
    assert not is_in(comes(house, "a1", game_type="go")), "of another game type it has none"


def test_who_was_in_no_game_costs_nothing() -> None:
    house = House(max_new_names_per_ip=2)
    for number in range(5):
        peer = comes(house, f"a{number}")
        assert is_in(peer)
        peer.says(Logout())
    assert not name_allowance.DAYS.of(house.broker.server)


def test_those_who_are_there_count() -> None:
    house = House(max_new_names_per_ip=2)
    first = comes(house, "a1")
    comes(house, "a2")
    assert not is_in(comes(house, "a3"))
    first.is_lost()
    assert is_in(comes(house, "a3"))


def test_a_game_that_became_void_counts_too() -> None:
    house = House(max_new_names_per_ip=2)
    master = house.master()
    players = [comes(house, "a1"), comes(house, "a2")]
    master.says(turn("g1", "a1"))
    master.is_lost()
    for peer in players:
        peer.says(Logout())
    assert not is_in(comes(house, "a3"))


def test_the_allowance_is_new_after_a_day() -> None:
    house = House(max_new_names_per_ip=2)
    house.master()
    plays_and_goes(house, "g1", comes(house, "a1"), comes(house, "a2"))
    house.passes(name_allowance.DAY_S / 2)
    assert not is_in(comes(house, "a3"))
    house.passes(name_allowance.DAY_S / 2)
    assert is_in(comes(house, "a3"))


def test_who_goes_a_day_later_gives_back_nothing_of_the_next_day() -> None:
    house = House(max_new_names_per_ip=2)
    old = comes(house, "a1")
    house.passes(name_allowance.DAY_S)
    comes(house, "a2")
    comes(house, "a3")
    old.says(Logout())
    assert not is_in(comes(house, "a4"))


def test_a_household_is_one_address() -> None:
    house = House(max_new_names_per_ip=1)
    comes(house, "a1", "[2001:db8::1]:1000")
    assert not is_in(comes(house, "a2", "[2001:db8::2]:1000"))
    assert is_in(comes(house, "a3", "[2001:db8:0:1::1]:1000"))


@pytest.mark.parametrize("how", [{"address": "127.0.0.1:1000"}, {"address": HERE, "by_gateway": True}, {"address": ""}])
def test_this_machine_and_gateways_have_no_limit(how: dict[str, Any]) -> None:
    house = House(max_new_names_per_ip=1)
    assert [is_in(comes(house, nick, **how)) for nick in ("a1", "a2", "a3")] == [True] * 3


def test_a_name_with_a_token_is_not_counted() -> None:
    house = House(max_new_names_per_ip=1, auth_addresses=["192.0.2.0/24 *"])
    has_token(house, "a2")
    comes(house, "a1")
    assert is_in(comes(house, "a2"))


def test_who_can_read_it_is_told_when_to_come_again() -> None:
    house = House(max_new_names_per_ip=1)
    comes(house, "a1")
    peer = house.greets(Family.LOBBY, address=HERE)
    peer.says(PlayerLogin("a2", CHESS))
    failed, answer = peer.hears()
    assert isinstance(failed, Failed)
    assert (failed.code, failed.wait_s) == (RefusalReason.USER_LIMIT, name_allowance.DAY_S)
    assert "max_new_names_per_ip" in failed.text
    assert answer == FULL


def test_addresses_that_are_remembered_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_allowance, "MAX_ADDRESSES", 2)
    house = House()
    for number in (1, 2, 3):
        comes(house, f"a{number}", f"192.0.2.{number}:1000")
    assert list(name_allowance.DAYS.of(house.broker.server)) == ["192.0.2.2", "192.0.2.3"]
    house.peers[1].says(Logout())
    assert list(name_allowance.DAYS.of(house.broker.server)) == ["192.0.2.2", "192.0.2.3"]
