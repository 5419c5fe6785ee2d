"""Nicks that other servers may have: what the broker asks, and what it does with the answers."""

import pytest

from tests.broker.house import CHESS, House
from ugs.broker.effects import ClaimNick, ReleaseNick
from ugs.broker.events import NickClaimed, NickLost
from ugs.wire.extensions import Failed, Family, Ok, RefusalReason, Watch
from ugs.wire.messages import Error, LoginError, LoginResponse, PlayerLogin

OURS, THEIRS = NickClaimed("ann", watches=False), NickClaimed("ann", watches=False, holder="b")
CLAIM, RELEASE = ClaimNick("ann", watches=False), ReleaseNick("ann", watches=False)


@pytest.fixture
def house() -> House:
    return House(node="a")


def test_a_login_waits_until_its_nick_is_known_to_be_free(house: House) -> None:
    ann = house.connects()
    ann.says(PlayerLogin("Ann", CHESS))
    assert house.claiming == [CLAIM]
    assert ann.hears() == []
    ann.says(PlayerLogin("bob", CHESS))
    assert "has not been answered yet" in ann.hears_error()
    house.happens(OURS)
    assert LoginResponse() in ann.hears()
    ann.is_lost()
    assert house.claiming == [CLAIM, RELEASE]


def test_a_nick_in_use_at_another_node_is_refused_as_one_in_use_here(house: House) -> None:
    ann = house.connects()
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(THEIRS)
    assert ann.hears() == [LoginResponse(LoginError.WRONG_NICK)]
    assert house.claiming == [CLAIM]


def test_a_server_that_cannot_ask_refuses_for_now_with_the_reason(house: House) -> None:
    ann = house.greets(Family.LOBBY)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(NickClaimed("ann", watches=False, failure="cannot ask"))
    refusal, answer = ann.hears()[-2:]
    assert isinstance(refusal, Failed)
    assert (refusal.code, refusal.wait_s) == (RefusalReason.USER_LIMIT, 5.0)
    assert answer == LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)


def test_two_who_want_a_nick_at_once_ask_once_and_the_first_has_it(house: House) -> None:
    first, second = house.connects(), house.connects()
    for peer in (first, second):
        peer.says(PlayerLogin("ann", CHESS))
    house.happens(OURS)
    assert LoginResponse() in first.hears()
    assert second.hears() == [LoginResponse(LoginError.WRONG_NICK)]
    assert house.claiming == [CLAIM]


def test_the_nick_of_a_newcomer_who_has_gone_is_released(house: House) -> None:
    ann = house.connects()
    ann.says(PlayerLogin("ann", CHESS))
    ann.is_lost()
    house.happens(OURS)
    assert house.claiming == [CLAIM, RELEASE]


def test_a_session_keeps_its_nick_and_comes_back_without_a_claim() -> None:
    house = House(node="a", session_grace_s=60)
    ann = house.greets(Family.SESSION)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(OURS)
    assert ann.mail.pop(0) == LoginResponse()
    ann.reads_token()
    ann.is_lost()
    house.returns(ann.token)
    assert house.claiming == [CLAIM]


def test_idle_and_absent_players_lose_a_nick_that_another_node_has_and_those_in_a_game_play_on() -> None:
    house = House(node="a")
    master = house.master()
    players = []
    for nick in ("ann", "ben", "eve"):
        players.append(house.connects())
        players[-1].says(PlayerLogin(nick, CHESS))
        house.happens(NickClaimed(nick, watches=False))
    ann, _, eve = players
    assert master.mail
    for nick in ("ann", "eve"):
        house.happens(NickLost(nick, "b"))
    assert not ann.is_closed()
    assert eve.is_closed()
    assert Error("nick 'eve' is in use at node b by now") in eve.mail


def test_an_absent_player_departs_when_another_node_has_its_nick() -> None:
    house = House(node="a", session_grace_s=60)
    ann = house.greets(Family.SESSION)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(OURS)
    ann.is_lost()
    house.happens(NickLost("ann", "b"))
    assert house.claiming == [CLAIM, RELEASE]


SEEN, RESERVED = NickClaimed("sue", watches=True), NickClaimed("sue", watches=True, holder="b")


def test_a_spectator_waits_for_its_name_as_a_player_does(house: House) -> None:
    house.master()
    sue = house.greets(Family.WATCH)
    sue.says(Watch(game_type=CHESS, nick="sue"))
    assert house.claiming == [ClaimNick("sue", watches=True)]
    assert sue.hears() == []
    house.happens(SEEN)
    assert sue.hears() == [Ok()]


@pytest.mark.parametrize(
    ("answer", "reason", "text"),
    [
        (RESERVED, RefusalReason.DUPLICATE_USER, "x-watch: nick is in use"),
        (NickClaimed("sue", watches=True, failure="cannot ask"), RefusalReason.USER_LIMIT, "x-watch: cannot ask"),
    ],
)
def test_a_spectator_whose_name_is_not_free_is_refused(
    house: House, answer: NickClaimed, reason: RefusalReason, text: str
) -> None:
    house.master()
    sue = house.greets(Family.WATCH)
    sue.says(Watch(game_type=CHESS, nick="sue", ref="1"))
    house.happens(answer)
    (refusal,) = sue.hears()
    assert isinstance(refusal, Failed)
    assert (refusal.code, refusal.ref) == (reason, "1")
    assert refusal.text.startswith(text)


def test_a_spectator_without_a_name_may_be_refused_one_and_looks_on(house: House) -> None:
    house.master()
    sue = house.greets(Family.WATCH)
    sue.says(Watch(game_type=CHESS))
    assert sue.hears() == [Ok()]
    sue.says(Watch(game_type=CHESS, nick="sue"))
    house.happens(RESERVED)
    assert isinstance(sue.hears()[0], Failed)
    assert not sue.is_closed()


def test_a_server_alone_asks_for_nothing() -> None:
    house = House()
    house.player("ann").is_lost()
    assert house.claiming == []
