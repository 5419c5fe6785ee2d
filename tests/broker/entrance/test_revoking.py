"""Tokens that are revoked or replaced while their owners are here."""

import pytest

from tests.broker.entrance.tokens import DELAY_S, HOME, REFUSED, checks, checks_in, has_token, loses_token, shows
from tests.broker.house import CHESS, House, over, turn
from ugs.broker.events import IdentitiesRead
from ugs.broker.values.identity import Identity, Role
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family, Resume
from ugs.wire.messages import Error, GameMasterLogin, LoginResponse, PlayerLogin


@pytest.fixture
def house() -> House:
    return House(auth="tokens")


def test_who_plays_by_a_token_that_is_revoked_has_to_go_and_is_told_why(house: House) -> None:
    house = House(auth="tokens", auth_masters="none")
    for nick in ("ann", "ben"):
        has_token(house, nick)
    master = house.master()
    ann, ben = checks_in(house, "ann", Family.SESSION), checks_in(house, "ben")
    master.hears()
    master.says(turn("g1", "ann"))
    ann.hears()
    loses_token(house, "ANN", "she lost it")
    assert ann.hears_error() == "the token of ANN was revoked by the organiser: she lost it"
    assert ann.is_closed()
    master.says(over("g1", "ben"))
    assert house.results[0].verdict.cause is Cause.EXPELLED
    assert not ben.is_closed()
    back = shows(house, "", Family.SESSION)
    back.says(Resume(ann.token))
    assert "no such session" in str(back.hears())


def test_an_absent_player_whose_token_is_revoked_does_not_come_back(house: House) -> None:
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    loses_token(house, "ann")
    assert house.broker.server.names.players == {}


def test_who_holds_the_old_token_has_to_go_when_there_is_a_new_one(house: House) -> None:
    has_token(house, "m", role=Role.MASTER)
    has_token(house, "m")
    master, player = house.connects(address=HOME), checks_in(house, "m")
    master.says(GameMasterLogin("m#token", CHESS, "2", "2"))
    checks(house)
    house.happens(IdentitiesRead((Identity(1, Role.PLAYER, "m", "hash of m"),)))
    assert not player.is_closed(), "a row that is read again changes nothing"
    has_token(house, "m", "another hash", role=Role.MASTER)
    assert master.hears() == [LoginResponse(), Error("the token of m was replaced by the organiser")]
    assert (master.is_closed(), player.is_closed()) == (True, False)


def test_a_name_that_gets_its_first_token_stays_with_whoever_has_it() -> None:
    house = House()
    ann = house.player("ann")
    has_token(house, "ann")
    assert not ann.is_closed()
    loses_token(house, "nobody")


def test_an_address_that_needs_no_token_loses_none() -> None:
    house = House(auth="tokens", auth_addresses=["127.0.0.1 *"])
    has_token(house, "ann")
    ann = house.connects(address="127.0.0.1:1")
    ann.says(PlayerLogin("ann", CHESS))
    loses_token(house, "ann")
    assert not ann.is_closed()


def test_a_token_that_is_revoked_while_it_is_checked_is_wrong(house: House) -> None:
    has_token(house, "ann")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann#token", CHESS))
    loses_token(house, "ann")
    checks(house)
    house.passes(DELAY_S)
    assert ann.hears() == [REFUSED]


def test_tokens_are_found_by_their_public_beginning(house: House) -> None:
    identities = house.broker.server.entry.identities
    has_token(house, "ann", key="abcdefgh")
    has_token(house, "m", role=Role.MASTER, key="mmmmmmmm")
    found = identities.with_token("abcdefgh, and more")
    assert found is not None
    assert found.name == "ann"
    assert identities.with_token("mmmmmmmm") is None
    loses_token(house, "ann")
    assert identities.with_token("abcdefgh") is None
