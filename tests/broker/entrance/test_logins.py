"""Logins: each cause of the five error numbers, the number of attempts, and the time a new connection has."""

import pytest

from tests.broker.house import CHESS, House
from ugs.broker.effects import Admit, RecordLogin, Send, StopTimer
from ugs.broker.entrance.logins import number
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.values.name_rules import unique_form, wrong_name
from ugs.wire.extensions import Failed, Family, Hello, RefusalReason
from ugs.wire.messages import Error, GameMasterLogin, LoginError, LoginResponse, Logout, Move, PlayerLogin, ThankYou

WRONG_NAMES = {
    "missing": None,
    "empty": "",
    "white space only": " \t\u00a0",
    "too long": "n" * 65,
    "a control character": "an\x07n",
    "a C1 control character": "an\x85n",
}
GOOD_NAMES = ["a", "n" * 64, "Łukasz", "☃", "two words", "<&\"'>"]


def test_a_player_is_let_in_admitted_and_no_longer_timed(house: House) -> None:
    ann = house.connects()
    effects = ann.says(PlayerLogin("ann", CHESS))
    assert effects[:4] == [
        RecordLogin(ann.conn, "player", "ann", CHESS, "192.0.2.1"),
        StopTimer(Timer(TimerKind.LOGIN, ann.conn)),
        Admit(ann.conn),
        Send((ann.conn,), LoginResponse()),
    ]
    assert ann.state is PeerState.IDLE


def test_a_player_may_come_before_any_master_and_waits(house: House) -> None:
    ann = house.player("ann", "a game nobody leads yet")
    assert ann.state is PeerState.IDLE


def test_a_master_is_let_in_and_registered(house: House) -> None:
    master = house.master("m", players=(2, 4))
    assert master.admitted
    assert master.state is PeerState.MASTER
    assert house.noted("master logged in")[0]["players"] == "2 to 4"


@pytest.mark.parametrize("nick", WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_error_1_for_a_nick_that_is_none(house: House, nick: str | None) -> None:
    peer = house.connects()
    peer.says(PlayerLogin(nick, CHESS))
    assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]
    assert peer.state is PeerState.NEW


@pytest.mark.parametrize(
    ("nick", "code", "why"),
    [
        ("ANN", RefusalReason.DUPLICATE_USER, "nick is in use"),
        ("n" * 65, RefusalReason.INVALID_PLAYER, "nick is longer than 64 characters"),
    ],
)
def test_who_reads_extensions_is_told_why_a_name_is_refused(
    house: House, nick: str, code: RefusalReason, why: str
) -> None:
    house.player("ann", CHESS)
    peer = house.connects()
    peer.says(Hello((str(Family.LOBBY),)))
    peer.hears()
    peer.says(PlayerLogin(nick, CHESS))
    assert peer.hears() == [Failed(code, f"playerLogin: {why}"), LoginResponse(LoginError.WRONG_NICK)]


@pytest.mark.parametrize("name", WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_error_1_for_a_masters_id_that_is_none(house: House, name: str | None) -> None:
    peer = house.connects()
    peer.says(GameMasterLogin(name, CHESS, "2", "2"))
    assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_any_other_text_is_a_name_for_players_masters_and_games(house: House, name: str) -> None:
    assert house.player(name, game_type=name).state is PeerState.IDLE
    assert house.master(name, game_type=name).state is PeerState.MASTER


@pytest.mark.parametrize(
    ("first", "second"),
    [("ann", "ann"), ("ann", "ANN"), ("stra\u00dfe", "STRASSE"), ("\u00e9", "e\u0301"), ("\u00c9", "e\u0301")],
)
def test_error_1_for_a_name_in_use_whatever_its_case_or_composition(house: House, first: str, second: str) -> None:
    house.player(first, "draughts")
    house.master(first, game_type="go")
    player, master = house.connects(), house.connects()
    player.says(PlayerLogin(second, CHESS))
    master.says(GameMasterLogin(second, CHESS, "2", "2"))
    assert player.hears() == master.hears() == [LoginResponse(LoginError.WRONG_NICK)]


def test_a_player_and_a_master_may_have_the_same_name(house: House) -> None:
    house.player("sam")
    assert house.master("sam").state is PeerState.MASTER


@pytest.mark.parametrize("game_type", WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_error_2_for_a_game_type_that_is_none(house: House, game_type: str | None) -> None:
    player, master = house.connects(), house.connects()
    player.says(PlayerLogin("ann", game_type))
    master.says(GameMasterLogin("m", game_type, "2", "2"))
    assert player.hears() == master.hears() == [LoginResponse(LoginError.IMPROPER_GAME_TYPE)]


def test_error_2_for_a_game_type_that_is_not_allowed_here() -> None:
    house = House(allowed_game_types=[CHESS])
    player, master = house.connects(), house.connects()
    player.says(PlayerLogin("ann", "Chess"))
    master.says(GameMasterLogin("m", "go", "2", "2"))
    assert player.hears() == master.hears() == [LoginResponse(LoginError.IMPROPER_GAME_TYPE)]
    assert house.player("ann").state is PeerState.IDLE


def test_error_3_when_the_pool_of_the_type_is_full() -> None:
    house = House(max_pool=2)
    house.players("ann", "ben")
    late = house.connects()
    late.says(PlayerLogin("cat", CHESS))
    assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]
    house.player("cat", "go")


def test_the_pool_counts_only_those_who_wait() -> None:
    house = House(max_pool=2)
    house.table("ann", "ben")
    house.players("cat", "dan")


def test_error_3_when_the_server_is_full() -> None:
    house = House(max_logins=2)
    house.player("ann")
    house.master("m")
    player, master = house.connects(), house.connects()
    player.says(PlayerLogin("ben", "go"))
    master.says(GameMasterLogin("n", "go", "2", "2"))
    assert player.hears() == master.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]


def test_error_3_when_a_championship_of_the_type_has_begun() -> None:
    house = House(mode="championship", championship_players=2)
    house.players("ann", "ben")
    late = house.connects()
    late.says(PlayerLogin("cat", CHESS))
    assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]


def test_error_4_for_one_master_more_than_the_type_has_room_for() -> None:
    house = House(game_types={"go": {"masters_per_game": 2}})
    house.master("m")
    house.master("g1", game_type="go")
    house.master("g2", game_type="go")
    for game_type in (CHESS, "go"):
        peer = house.connects()
        peer.says(GameMasterLogin("n", game_type, "2", "2"))
        assert peer.hears() == [LoginResponse(LoginError.MASTER_ALREADY_REGISTERED)]


@pytest.mark.parametrize(
    ("least", "most"),
    [
        (None, "2"),
        ("2", None),
        ("", "2"),
        ("two", "2"),
        ("2", "2.0"),
        ("2", "1e3"),
        ("-2", "2"),
        ("1_0", "20"),
        ("1", "2"),
        ("0", "0"),
        ("3", "2"),
        ("٢", "٣"),
        ("2", "9" * 19),
        ("++2", "2"),
    ],
)
def test_error_5_for_numbers_of_players_that_make_no_sense(house: House, least: str | None, most: str | None) -> None:
    peer = house.connects()
    peer.says(GameMasterLogin("m", CHESS, least, most))
    assert peer.hears() == [LoginResponse(LoginError.WRONG_GAME_TYPE_DESCRIPTION)]


@pytest.mark.parametrize(
    ("text", "value"), [("2", 2), (" +3\n", 3), ("007", 7), ("2147483647", 2**31 - 1), ("9223372036854775807", None)]
)
def test_a_number_may_be_written_as_xml_schema_allows(text: str, value: int | None) -> None:
    assert number(text) == value


def test_names_are_unique_in_a_form_that_does_not_change_any_more() -> None:
    for name in ("İstanbul", "ﬁ", "Ǆ", "ΌΣΟΣ", "\u0345a"):
        assert unique_form(unique_form(name)) == unique_form(name)


def test_what_is_wrong_with_a_name_is_said_in_words() -> None:
    assert [wrong_name(name) for name in WRONG_NAMES.values()] == [
        "is missing",
        "is empty",
        "is empty",
        "is longer than 64 characters",
        "holds control characters",
        "holds control characters",
    ]


def test_after_a_refusal_a_peer_may_try_again_and_after_the_third_it_is_closed(house: House) -> None:
    house.player("ann")
    peer = house.connects()
    for _ in range(2):
        peer.says(PlayerLogin("ann", CHESS))
        assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]
        assert not peer.is_closed()
    peer.says(GameMasterLogin("", CHESS, "2", "2"))
    assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]
    assert peer.is_closed()
    assert house.noted("too many refused logins")


def test_the_attempt_after_two_refusals_may_succeed(house: House) -> None:
    peer = house.connects()
    for nick in ("", None, "ann"):
        peer.says(PlayerLogin(nick, CHESS))
    assert peer.hears()[-1] == LoginResponse()
    assert peer.state is PeerState.IDLE


def test_without_a_login_in_time_a_connection_is_told_and_closed(house: House) -> None:
    peer = house.connects()
    peer.says(PlayerLogin("", CHESS))
    peer.hears()
    house.passes(9.9)
    assert not peer.is_closed()
    house.passes(0.1)
    assert peer.hears() == [Error("no login within 10 s")]
    assert peer.is_closed()


def test_a_second_login_is_an_error_and_changes_nothing(house: House) -> None:
    ann, master = house.player("ann"), house.master("m")
    for peer in (ann, master):
        peer.says(PlayerLogin("bea", "go"))
        assert "playerLogin: you are logged in already" in peer.hears_error()
        peer.says(GameMasterLogin("bea", "go", "2", "2"))
        assert "gameMasterLogin: you are logged in already" in peer.hears_error()
    assert (ann.name, master.name) == ("ann", "m")
    house.player("bea", "go")  # the attempts have not taken the nick
    assert set(house.broker.server.names.players) == {"ann", "bea"}


def test_before_the_login_anything_else_is_an_error_and_an_error_or_logout_is_not(house: House) -> None:
    peer = house.connects()
    for wrong in (Move("g1", b"<move/>"), ThankYou("g1"), LoginResponse()):
        peer.says(wrong)
        assert peer.hears_error() == f"{wrong.TYPE}: not a message for the server while you are not logged in"
    peer.says(Error("I do not like you"))
    assert peer.hears() == []
    assert not peer.is_closed()
    peer.says(Logout())
    assert peer.hears() == []
    assert peer.is_closed()


def test_a_game_type_in_which_nobody_is_left_and_nothing_was_played_is_forgotten(house: House) -> None:
    for number_of_type in range(3):
        house.player("ann", f"type {number_of_type}").says(Logout())
    house.master("m").says(Logout())
    assert house.broker.server.types == {}


def test_a_player_who_has_a_lobby_needs_no_room_in_the_pool() -> None:
    house = House(max_pool=2)
    house.players("ann", "ben")
    assert house.guest("cat", Family.LOBBY).state is PeerState.IDLE
    peer = house.connects()
    peer.says(PlayerLogin("dan", "chess"))
    assert peer.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]
