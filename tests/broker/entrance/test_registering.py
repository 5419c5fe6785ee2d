"""Names that register themselves with their first login."""

import pytest

from tests.broker.entrance.tokens import DELAY_S, HOME, REFUSED, checks, has_token, loses_token, registers, shows
from tests.broker.house import CHESS, House
from ugs.broker.effects import Prove
from ugs.broker.entrance.proofs import MIN_SECRET
from ugs.broker.events import Proved
from ugs.broker.values.identity import Role
from ugs.wire.extensions import Family
from ugs.wire.messages import LoginResponse, Logout, PlayerLogin


@pytest.fixture
def open_house() -> House:
    return House(auth="register", max_registered_per_ip=2, max_registered=3)


def test_the_first_login_of_a_name_sets_its_secret(open_house: House) -> None:
    ann = open_house.connects(address=HOME)
    ann.says(PlayerLogin("ann#long secret", CHESS))
    assert registers(open_house) == Prove(ann.conn, Role.PLAYER, "ann", "192.0.2.1", "long secret")
    assert ann.hears() == [LoginResponse()]
    ann.says(Logout())
    ann, eve = open_house.connects(address=HOME), open_house.connects(address="203.0.113.1:1")
    eve.says(PlayerLogin("Ann#other secret", CHESS))
    checks(open_house, right=False)
    ann.says(PlayerLogin("ann#long secret", CHESS))
    checks(open_house)
    open_house.passes(DELAY_S)
    assert ann.hears() == [LoginResponse()]
    assert eve.hears() == [REFUSED]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("ann", "a secret is needed, which then belongs to this name; send it in x-hello, or as NAME#SECRET"),
        ("ann#short", f"the secret has 5 characters; at least {MIN_SECRET} are needed"),
        ("ann#        ", "the secret has hardly any different characters; at least 4 are needed"),
    ],
)
def test_a_name_needs_a_secret_that_is_none_of_the_shortest(open_house: House, said: str, why: str) -> None:
    open_house.connects(address=HOME).says(PlayerLogin(said, CHESS))
    open_house.passes(DELAY_S)
    assert open_house.proving == []
    assert open_house.noted("token refused")[0]["why"] == why


def test_a_login_that_would_be_refused_registers_nothing(open_house: House) -> None:
    for nick in (" #long secret", "\u202eann#long secret"):
        open_house.connects(address=HOME).says(PlayerLogin(nick, CHESS))
    assert open_house.proving == []


def test_an_address_registers_so_many_names_and_the_server_so_many_in_all(open_house: House) -> None:
    for nick in ("ann", "ben"):
        open_house.connects(address="[2001:db8::1]:5").says(PlayerLogin(f"{nick}#long secret", CHESS))
        registers(open_house)
    cat = open_house.connects(address="[2001:db8::2]:5")
    cat.says(PlayerLogin("cat#long secret", CHESS))
    dan = open_house.connects(address=HOME)
    dan.says(PlayerLogin("dan#long secret", CHESS))
    eve = open_house.connects(address="203.0.113.1:1")
    eve.says(PlayerLogin("eve#long secret", CHESS))
    assert [one.name for one in open_house.proving] == ["dan"]
    open_house.passes(DELAY_S)
    assert [one["why"] for one in open_house.noted("token refused")] == [
        "2 names were registered from your address, and no more may be",
        "3 names have tokens, and no more may be registered",
    ]


def test_what_came_to_nothing_does_not_count(open_house: House) -> None:
    for number in range(3):
        dan = open_house.connects(address=HOME)
        dan.says(PlayerLogin("dan#long secret", CHESS))
        (asked,) = open_house.proving
        open_house.proving.clear()
        if number == 0:
            dan.is_lost()
        open_house.happens(Proved(asked.conn, failure="the disk is full"))
    assert open_house.broker.server.entry.identities.registered.total() == 0


def test_of_two_that_register_a_name_the_first_has_it(open_house: House) -> None:
    first, second = open_house.connects(address=HOME), open_house.connects(address="203.0.113.1:1")
    first.says(PlayerLogin("ann#long secret", CHESS))
    second.says(PlayerLogin("ann#other secret", CHESS))
    has_token(open_house, "ann", "hash of long secret")
    open_house.happens(Proved(first.conn, "hash of long secret"))
    open_house.happens(Proved(second.conn, ""))
    open_house.passes(DELAY_S)
    assert [first.hears(), second.hears()] == [[LoginResponse()], [REFUSED]]


def test_a_name_whose_token_was_revoked_is_not_registered_again(open_house: House) -> None:
    ann = open_house.connects(address=HOME)
    ann.says(PlayerLogin("ann#long secret", CHESS))
    registers(open_house)
    loses_token(open_house, "ANN", "lost her laptop")
    for secret in ("long secret", "another secret"):
        finder = shows(open_house, secret, Family.SESSION)
        finder.says(PlayerLogin("ann", CHESS))
        open_house.passes(DELAY_S)
        assert "the token of this name was revoked; ask the organiser for a new one" in str(finder.hears())
    has_token(open_house, "ann")
    ann = open_house.connects(address=HOME)
    ann.says(PlayerLogin("ann#given secret", CHESS))
    checks(open_house)
    assert ann.hears() == [LoginResponse()]
