"""Names that have to be proven: who comes in at once, whose secret is checked, who is refused, and what is told."""

from collections.abc import Callable

import pytest

from tests.broker.entrance.tokens import DELAY_S, HOME, REFUSED, checks, checks_in, has_token, shows
from tests.broker.extensions.in_session import STRANGER, refused
from tests.broker.house import CHESS, House, Peer
from ugs.broker.effects import Prove, Send
from ugs.broker.entrance.proofs import MAX_SECRET, WRONG
from ugs.broker.events import Disconnected, Proved, Started, Timer, TimerFired, TimerKind
from ugs.broker.state.identities import FEW, MAX_WAIT_S, TRIES_AT_ONCE, TRY_S, Tries
from ugs.broker.values.identity import Role
from ugs.wire.extensions import Failed, Family, Hello, RefusalReason, Resume
from ugs.wire.messages import Error, GameMasterLogin, LoginError, LoginResponse, Logout, PlayerLogin


@pytest.fixture
def house() -> House:
    return House(auth="tokens")


# One name and its token.


def test_behind_the_name_or_in_x_hello_a_right_token_lets_in(house: House) -> None:
    has_token(house, "ann")
    has_token(house, "Bob")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ANN#s3cret#x", CHESS))
    assert house.proving == [Prove(ann.conn, Role.PLAYER, "ANN", "192.0.2.1", "s3cret#x", "hash of ann")]
    assert ann.hears() == []
    checks(house)
    assert ann.hears() == [LoginResponse()]
    assert ann.name == "ANN"
    bob = shows(house, "t0ken", Family.SESSION)
    bob.says(PlayerLogin("bob", CHESS))
    assert checks(house).secret == "t0ken"
    assert bob.mail.pop(0) == LoginResponse()
    bob.reads_token()
    assert bob.connection.token == ""
    assert "s3cret" not in str(house.notes) + str(house.records)
    assert "t0ken" not in str(house.notes) + str(house.records)


def test_effects_and_messages_do_not_show_a_secret() -> None:
    assert "s3cret" not in repr(Prove(1, Role.PLAYER, "ann", "", "s3cret"))
    assert "s3cret" not in repr(Hello((), token="s3cret"))


def test_a_wrong_token_is_refused_after_a_while_and_the_third_closes(house: House) -> None:
    has_token(house, "ann")
    eve = house.connects(address=HOME)
    for number in range(1, 4):
        eve.says(PlayerLogin("ann#guess", CHESS))
        house.passes(DELAY_S / 4)
        checks(house, right=False)
        house.passes(DELAY_S / 2)
        assert eve.hears() == []
        house.passes(DELAY_S / 4)
        assert eve.hears() == [REFUSED]
        assert eve.is_closed() is (number == 3)
    assert [(one["why"], one["said"]) for one in house.noted("token refused")] == [(WRONG, "ann")] * 3
    assert "guess" not in str(house.notes)
    refused = house.broker.server.turned_away.refused.find("player", "ann")
    assert refused is not None
    assert (refused.why, refused.times) == (WRONG, 3)


def test_who_has_said_x_hello_is_told_why(house: House) -> None:
    has_token(house, "ann")
    eve = shows(house, "guess")
    eve.says(PlayerLogin("ann", CHESS))
    checks(house, right=False)
    house.passes(DELAY_S)
    assert eve.hears() == [Failed(RefusalReason.INVALID_PLAYER, f"playerLogin: {WRONG}"), REFUSED]


def test_a_token_that_begins_otherwise_is_not_even_checked(house: House) -> None:
    has_token(house, "ann", key="abcdefgh")
    eve = house.connects(address=HOME)
    eve.says(PlayerLogin("ann#abcdefgX-and-so-on", CHESS))
    assert house.proving == []
    house.passes(DELAY_S)
    assert eve.hears() == [REFUSED]
    eve.says(PlayerLogin("ann#abcdefgh-and-so-on", CHESS))
    assert len(house.proving) == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("ann", "this name has a token, which was not given; send it in x-hello, or behind the name as NAME#TOKEN"),
        ("ann#", "this name has a token, which was not given; send it in x-hello, or behind the name as NAME#TOKEN"),
        ("ann#" + "s" * (MAX_SECRET + 1), "its secret has 129 characters; at most 128 are allowed"),
        ("bob", "this name has no token here, and every player needs one; ask the organiser for it"),
        ("bob#secret", "this name has no token here, and every player needs one; ask the organiser for it"),
    ],
)
def test_without_a_look_at_the_secret_it_is_refused_just_as_late(house: House, said: str, why: str) -> None:
    has_token(house, "ann")
    eve = house.connects(address=HOME)
    eve.says(PlayerLogin(said, CHESS))
    assert house.proving == []
    house.passes(DELAY_S / 2)
    assert eve.hears() == []
    house.passes(DELAY_S / 2)
    assert eve.hears() == [REFUSED]
    assert house.noted("token refused")[0]["why"] == why


def test_what_is_wrong_in_any_case_is_said_before_a_check(house: House) -> None:
    has_token(house, "ann")
    checks_in(house, "ann")
    eve = house.connects(address=HOME)
    eve.says(PlayerLogin("ann#guess", CHESS))
    eve.says(PlayerLogin("ann#guess", ""))
    eve.says(PlayerLogin(None, CHESS))
    assert house.proving == []
    assert eve.hears() == [REFUSED] * 3
    assert eve.is_closed()


def test_while_a_login_is_checked_another_one_is_wrong_and_all_else_as_before(house: House) -> None:
    has_token(house, "ann")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann#token", CHESS))
    ann.says(PlayerLogin("ben#token", CHESS))
    assert ann.hears_error() == "playerLogin: your last login has not been answered yet"
    ann.says(GameMasterLogin("m", CHESS, "2", "2"))
    assert ann.hears_error() == "gameMasterLogin: your last login has not been answered yet"
    house.passes(house.config.login_timeout_s)
    assert not ann.is_closed(), "it is the server that takes so long"
    checks(house)
    assert ann.hears() == [LoginResponse()]
    house.passes(house.config.login_timeout_s)
    assert not ann.is_closed()


def test_who_is_refused_has_the_usual_time_to_try_again(house: House) -> None:
    has_token(house, "ann")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann#wrong", CHESS))
    checks(house, right=False)
    house.passes(DELAY_S)
    assert ann.hears() == [REFUSED]
    house.passes(house.config.login_timeout_s)
    assert ann.is_closed()


@pytest.mark.parametrize("goes", [lambda peer: peer.is_lost(), lambda peer: peer.says(Logout())])
def test_who_goes_meanwhile_is_forgotten(house: House, goes: Callable[[Peer], object]) -> None:
    has_token(house, "ann")
    ann, ben = house.connects(address=HOME), house.connects(address=HOME)
    ann.says(PlayerLogin("ann#token", CHESS))
    ben.says(PlayerLogin("ben", CHESS))
    goes(ann)
    goes(ben)
    checks(house)
    house.passes(60)
    assert house.broker.server.connections == {}
    assert [ann.hears(), ben.hears()] == [[], []]


def test_a_session_that_goes_on_meanwhile_is_not_disturbed(house: House) -> None:
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    back = shows(house, "token", Family.SESSION)
    back.says(PlayerLogin("ann", CHESS))
    back.says(Resume(ann.token))
    assert back.mail.pop(0) == LoginResponse()
    back.reads_token()
    checks(house, right=False)
    house.passes(60)
    assert not back.is_closed()
    assert not any(isinstance(one, LoginResponse | Error) for one in back.hears())


def test_a_server_that_stops_lets_nobody_in_whose_name_has_just_been_proven(house: House) -> None:
    house = House(auth="none", drain_s=30)
    _, ann, _ = house.table("ann", "ben")
    has_token(house, "cat")
    cat = house.connects(address=HOME)
    cat.says(PlayerLogin("cat#token", CHESS))
    house.is_asked_to_stop()
    checks(house)
    assert not any(isinstance(one, LoginResponse) for one in cat.hears())
    assert ann.hears() == []


def test_a_failure_of_the_server_is_no_fault_of_the_token(house: House) -> None:
    has_token(house, "ann")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann#token", CHESS))
    house.happens(Proved(ann.conn, failure="the disk is full"))
    house.passes(DELAY_S)
    assert ann.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]


def test_an_answer_that_nobody_waits_for_is_dropped(house: House) -> None:
    has_token(house, "ann")
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(Proved(ann.conn, "hash of ann"))
    house.happens(Proved(77, "hash of ann"))
    house.passes(DELAY_S)
    assert ann.hears() == [REFUSED]


# Who needs none.


@pytest.mark.parametrize(
    ("rule", "player", "master"),
    [
        ("203.0.113.0/24 Ann", True, False),
        ("203.0.113.0/24 Ann#master", False, True),
        ("203.0.113.0/24 ann #master", False, True),
        ("203.0.113.0/24 *", True, True),
    ],
)
def test_an_address_stands_for_a_player_of_a_name_and_for_its_master_only_if_it_says_so(
    rule: str, player: bool, master: bool
) -> None:
    """Who leads games says who has won: the laptop of ann let its user in as master ann, too."""
    house = House(auth="tokens", auth_addresses=[rule], wrong_token_delay_s=0)
    came = []
    for login in (PlayerLogin("ann", CHESS), GameMasterLogin("ann", CHESS, "2", "2")):
        peer = house.connects(address="203.0.113.9:1")
        peer.says(login)
        house.passes(1)
        came.append(LoginResponse() in peer.hears())
    assert came == [player, master]


def test_an_address_may_need_no_token_for_some_names_or_for_all() -> None:
    house = House(auth="tokens", auth_addresses=["127.0.0.1 *", "203.0.113.0/24 Ann"])
    has_token(house, "ann")
    for address, nick in (("127.0.0.1:1", "bob"), ("203.0.113.9:1", "ann")):
        peer = house.connects(address=address)
        peer.says(PlayerLogin(nick, CHESS))
        assert peer.hears() == [LoginResponse()]
    for address, nick in (("203.0.113.9:1", "cat"), ("a socket", "cat")):
        peer = house.connects(address=address)
        peer.says(PlayerLogin(nick, CHESS))
        assert peer.hears() == []
    assert house.proving == []


def test_from_an_address_that_needs_none_a_wrong_token_is_noted() -> None:
    house = House(auth="tokens", auth_addresses=["127.0.0.1 *"])
    has_token(house, "ann", key="abcdefgh")
    for said in ("ann#wrong token", "ann#abcdefgh and the rest", "bob#anything", "cat"):
        peer = house.connects(address="127.0.0.1:1")
        peer.says(PlayerLogin(said, CHESS))
        peer.says(Logout())
    assert [one["name"] for one in house.noted("token not needed")] == ["ann", "bob"]


def test_without_auth_only_names_that_have_tokens_need_them() -> None:
    house = House()
    has_token(house, "ann")
    for nick in ("bot#1", "bot#2"):
        assert house.player(nick).name == nick
    for nick in ("ann#secret", "ANN#secret"):
        house.connects(address=HOME).says(PlayerLogin(nick, CHESS))
    assert [one.secret for one in house.proving] == ["secret", "secret"]


def test_a_gateway_shows_the_token_by_itself() -> None:
    house = House(auth="tokens")
    has_token(house, "ann")
    client = house.connects(by_gateway=True, address=HOME)
    client.says(Hello((), token="secret"))
    client.says(PlayerLogin("ann", CHESS))
    assert [one.secret for one in house.proving] == ["secret"]
    checks(house, right=False)
    house.passes(DELAY_S)
    assert client.hears() == [Hello(()), REFUSED]
    again = house.connects(by_gateway=True, address=HOME)
    again.says(PlayerLogin("ann#secret", CHESS))
    assert house.proving == []


# Masters.


def test_a_master_needs_a_token_as_soon_as_players_do_unless_the_type_says_otherwise() -> None:
    free = {"go": {"auth_masters": "none"}}
    house = House(auth="register", game_types=free)
    has_token(house, "m1", role=Role.MASTER)
    house.master("anybody", game_type="go")
    stranger, right = house.connects(address=HOME), house.connects(address=HOME)
    stranger.says(GameMasterLogin("m2#secret", CHESS, "2", "2"))
    right.says(GameMasterLogin("m1#secret", CHESS, "2", "2"))
    assert checks(house).role is Role.MASTER
    assert right.hears() == [LoginResponse()]
    house.passes(DELAY_S)
    assert stranger.hears() == [REFUSED]
    assert house.noted("token refused")[0]["said"] == "m2"


def test_a_type_may_want_tokens_of_its_masters_alone() -> None:
    house = House(game_types={CHESS: {"auth_masters": "tokens"}})
    has_token(house, "m1", role=Role.MASTER, game_type="go")
    house.player("ann")
    house.master("other", game_type="checkers")
    for said in ("m1#secret", "m2#secret", None):
        house.connects(address=HOME).says(GameMasterLogin(said, CHESS, "2", "2"))
    house.passes(DELAY_S)
    assert house.proving == []
    assert [one["why"] for one in house.noted("token refused")] == [
        "the token of this name is for the game type 'go' only",
        "this name has no token here, and every game master needs one: `ugs token add --master` makes it",
    ]


def test_the_token_of_a_player_is_none_of_a_master(house: House) -> None:
    has_token(house, "ann")
    house.connects(address=HOME).says(GameMasterLogin("ann#token", CHESS, "2", "2"))
    assert house.proving == []


# Reserved names.


def test_entrants_of_a_plan_may_be_reserved() -> None:
    house = House()
    house.plans(entrants=("ann", "ben"), reserved=True)
    has_token(house, "ann")
    house.player("cat", "go")
    ben, ann = house.connects(address=HOME), house.connects(address=HOME)
    ben.says(PlayerLogin("BEN#anything", CHESS))
    ann.says(PlayerLogin("ann#token", CHESS))
    checks(house)
    assert ann.hears() == [LoginResponse()]
    house.passes(DELAY_S)
    assert ben.hears() == [REFUSED]
    assert house.noted("token refused")[0]["why"] == (
        "this nick is reserved for an entrant of cup, and the organiser has not made its token yet"
    )
    house.master("ben")


# Guesses.


def test_an_address_tries_a_few_secrets_for_a_name_at_once_and_then_by_and_by() -> None:
    house = House(auth="tokens", login_attempts=100, wrong_token_delay_s=0)
    has_token(house, "ann")
    has_token(house, "ben")
    peers = [house.connects(address=HOME) for _ in range(TRIES_AT_ONCE + 7)]
    for peer in peers:
        peer.says(PlayerLogin("ann#guess", CHESS))
    assert len(house.proving) == TRIES_AT_ONCE
    at_home, elsewhere = house.connects(address=HOME), house.connects(address="203.0.113.1:1")
    at_home.says(PlayerLogin("ben#token", CHESS))
    elsewhere.says(PlayerLogin("ann#token", CHESS))
    assert len(house.proving) == TRIES_AT_ONCE + 2
    house.passes(TRY_S)
    assert len(house.proving) == TRIES_AT_ONCE + 3
    house.passes(MAX_WAIT_S)
    assert len(house.proving) == TRIES_AT_ONCE + 2 + int(MAX_WAIT_S / TRY_S)
    whys = [one["why"] for one in house.noted("token refused")]
    assert whys == ["too many secrets were tried for this name from your address; wait a little"] * 2


def test_right_secrets_do_not_count(house: House) -> None:
    has_token(house, "ann")
    for _ in range(TRIES_AT_ONCE * 3):
        checks_in(house, "ann").says(Logout())


def test_tries_are_forgotten_in_time() -> None:
    tries = Tries()
    for number in range(FEW + 1):
        assert tries.wait_s(f"192.0.2.{number}", Role.PLAYER, "ann", 0) == 0
    assert len(tries.until) == FEW + 1
    for number in range(FEW):
        tries.wait_s(f"203.0.113.{number}", Role.PLAYER, "ann", 1000)
    assert len(tries.until) <= FEW + 1
    tries.was_right("nowhere", Role.PLAYER, "ann")


# Sessions.


def test_the_token_of_a_nick_takes_the_place_of_its_absent_player(house: House) -> None:
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    back = checks_in(house, "ann", Family.SESSION, address="203.0.113.9:1")
    assert back.token != ann.token
    assert back.player.name == "ann"


def test_who_has_the_token_plays_another_game_at_once(house: House) -> None:
    """It had to wait for a minute, between two championships of different games for instance."""
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    again = shows(house, "token", Family.SESSION)
    again.says(PlayerLogin("ann", "go"))
    checks(house)
    assert again.mail.pop(0) == LoginResponse()
    again.reads_token()
    assert again.player.type.name == "go"
    assert house.broker.server.names.players["ann"] is again.player
    assert refused(house, ann.token) == STRANGER


def test_an_entrant_does_not_leave_its_championship_by_another_game() -> None:
    house = House()
    has_token(house, "ann")
    house.plans(entrants=("ann", "ben"))
    house.player("ben")
    ann = checks_in(house, "ann", Family.SESSION)
    assert house.broker.server.types[CHESS].championship is not None
    ann.is_lost()
    again = shows(house, "token")
    again.says(PlayerLogin("ann", "go"))
    checks(house)
    failed, answer = again.hears()
    assert answer == REFUSED
    assert isinstance(failed, Failed)
    assert f"kept for its absent player of {CHESS!r} for another 60 s" in failed.text


@pytest.mark.parametrize(
    ("game_type", "error"),
    [
        ("go", LoginError.PLAYERS_POOL_OVERFLOW),
        ("halma", LoginError.IMPROPER_GAME_TYPE),
        (None, LoginError.IMPROPER_GAME_TYPE),
    ],
)
def test_where_the_other_game_has_no_room_or_is_none_it_is_refused_and_keeps_its_place(
    game_type: str | None, error: LoginError
) -> None:
    house = House(max_pool=2, allowed_game_types=["go", CHESS])
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    house.players("ben", "cat", game_type="go")
    again = house.connects(address=HOME)
    again.says(PlayerLogin("ann#token", game_type))
    checks(house)
    assert again.hears() == [LoginResponse(error)]
    house.returns(ann.token)


def test_a_wrong_one_does_not_and_neither_does_another_game_while_others_wait() -> None:
    house = House()
    has_token(house, "ann")
    house.master()
    house.player("ben")
    checks_in(house, "ann", Family.SESSION).is_lost()
    eve = house.connects(address=HOME)
    eve.says(PlayerLogin("ann#guess", CHESS))
    checks(house, right=False)
    house.passes(DELAY_S)
    assert eve.hears() == [REFUSED]
    ann = house.connects(address=HOME)
    ann.says(PlayerLogin("ann#token", "go"))
    checks(house)
    assert ann.hears() == [REFUSED]
    gateway = house.connects(by_gateway=True, address=HOME)
    gateway.says(Hello((), token="token"))
    gateway.says(PlayerLogin("ann", CHESS))
    checks(house)
    assert gateway.hears() == [Hello(()), REFUSED]


@pytest.mark.parametrize(
    ("auth", "rules", "stays"),
    [("tokens", [], False), ("tokens", ["203.0.113.0/24 ann"], True), ("none", [], True)],
)
def test_after_a_restart_who_has_no_token_any_more_stays_only_where_none_is_needed(
    auth: str, rules: list[str], stays: bool
) -> None:
    house = House(auth="none")
    house.guest("ann", Family.SESSION)
    house.settings |= {"auth": auth, "auth_addresses": rules}
    again = house.again()
    assert (again.broker.server.names.player("ann") is not None) is stays


def test_after_a_restart_who_has_a_token_comes_back_as_before(house: House) -> None:
    has_token(house, "ann")
    ann = checks_in(house, "ann", Family.SESSION)
    ann.is_lost()
    again = House(auth="tokens", past=house.again().past)
    has_token(again, "ann")
    again.happens(Started())
    assert again.returns(ann.token).player.name == "ann"


def test_nothing_is_left_of_connections_that_end(house: House) -> None:
    has_token(house, "ann")
    peer = house.connects(address=HOME)
    peer.says(PlayerLogin("ann#token", CHESS))
    house.happens(Disconnected(peer.conn))
    assert not [one for one in house.happens(Proved(peer.conn, "hash of ann")) if isinstance(one, Send)]
    for kind in (TimerKind.LOGIN, TimerKind.PROOF):
        assert house.happens(TimerFired(Timer(kind, peer.conn))) == []
