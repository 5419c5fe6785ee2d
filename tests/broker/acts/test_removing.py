"""Who has to go, and who may not come in; in dialogues."""

import math

import pytest

from tests.broker.acts.acting import acts, recorded, refused
from tests.broker.house import CHESS, House, over
from ugs.broker.acts.removing import GO_AT_ONCE
from ugs.broker.effects import RecordAct, RecordSessionOver
from ugs.broker.events import AccessRead
from ugs.broker.values.access import AccessRule
from ugs.broker.values.questions import ActKind, ServerAsked
from ugs.broker.verdict import Cause, Outcome
from ugs.wire.extensions import Failed, Family, RefusalReason, Resume, Watch
from ugs.wire.messages import Error, GameMasterLogin, LoginError, LoginResponse, PlayerLogin

REMOVE, BAN, UNBAN = ActKind.REMOVE, ActKind.BAN, ActKind.UNBAN
REMOVE_ADDRESS, BAN_ADDRESS, UNBAN_ADDRESS = ActKind.REMOVE_ADDRESS, ActKind.BAN_ADDRESS, ActKind.UNBAN_ADDRESS
TOLD = "removed by the organiser: because"


@pytest.fixture
def house() -> House:
    return House()


def test_who_is_removed_is_told_why_and_has_lost_its_game(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    assert acts(house, REMOVE, "ANN") == {"ok": True, "removed": 1}
    assert ann.hears_error() == TOLD
    assert ann.is_closed()
    master.says(over("g1", "ben"))
    (result,) = house.results
    assert (result.verdict.cause, result.verdict.culprit) == (Cause.EXPELLED, "ann")
    assert [seat.outcome for seat in result.seats] == [Outcome.LOST, Outcome.WON]
    assert not ben.is_closed()
    house.player("ann")


def test_a_session_ends_with_it(house: House) -> None:
    ann = house.guest("ann", Family.SESSION)
    ann.is_lost()
    assert acts(house, REMOVE, "ann")["removed"] == 1
    assert any(isinstance(one, RecordSessionOver) for one in house.records)
    back = house.greets(Family.SESSION)
    back.says(Resume(ann.token))
    assert "no such session" in str(back.hears())


def test_master_and_spectator_of_a_name_go_too(house: House) -> None:
    master, _ann, _ben = house.table("ann", "ben")
    spectator = house.greets(Family.WATCH)
    spectator.says(Watch("g1", nick="m"))
    spectator.hears()
    assert acts(house, REMOVE, "m")["removed"] == 2
    assert master.is_closed()
    assert spectator.is_closed()
    assert Error(TOLD) in spectator.hears()
    assert house.results[0].verdict.cause is Cause.MASTER_LOST


def test_nobody_of_that_name(house: House) -> None:
    house.player("annabel")
    assert refused(house, REMOVE, "ann") == "no peer here is called 'ann'; there is 'annabel'"
    assert refused(house, REMOVE, "eve") == "no peer here is called 'eve'"
    assert refused(house, REMOVE, "") == "no peer here is called ''"


def test_all_of_an_address_go_a_few_at_a_time(house: House) -> None:
    peers = [house.connects(address=f"203.0.113.{number}:1") for number in range(GO_AT_ONCE + 3)]
    mapped = house.connects(address="[::ffff:203.0.113.99]:5")
    other, strange = house.connects(address="203.0.114.1:1"), house.connects(address="a socket")
    away = house.guest("away", Family.SESSION, address="203.0.113.77:1")
    away.is_lost()
    leaves = peers[-1]
    assert acts(house, REMOVE_ADDRESS, "203.0.113.0/24")["removed"] == GO_AT_ONCE + 5
    assert sum(peer.is_closed() for peer in peers) == GO_AT_ONCE
    leaves.is_lost()
    house.passes(0)
    assert all(peer.is_closed() for peer in [*peers[:-1], mapped])
    assert not other.is_closed()
    assert not strange.is_closed()
    assert house.broker.server.names.player("away") is None
    assert all(peer.hears_error() == TOLD for peer in peers[:-1])


def test_two_acts_share_the_work(house: House) -> None:
    peers = [house.connects(address=f"203.0.113.{number}:1") for number in range(2 * GO_AT_ONCE)]
    acts(house, REMOVE_ADDRESS, "203.0.113.0/24")
    acts(house, BAN_ADDRESS, "203.0.113.0/24")
    house.passes(0)
    assert all(peer.is_closed() for peer in peers)


@pytest.mark.parametrize("act", [BAN_ADDRESS, REMOVE_ADDRESS])
def test_a_login_between_two_steps_is_no_way_round_a_ban(house: House, act: ActKind) -> None:
    peers = [house.connects(address="203.0.113.7:1") for _ in range(GO_AT_ONCE + 2)]
    acts(house, act, "203.0.113.7")
    peers[-1].says(PlayerLogin("late", "chess"))
    assert house.broker.server.names.player("late") is not None
    house.passes(0)
    assert house.broker.server.names.player("late") is None
    assert all(peer.is_closed() for peer in peers)


def test_a_banned_name_is_not_let_in_whatever_it_wants_to_be(house: House) -> None:
    ann = house.player("ann")
    acts(house, BAN, "ann", seconds=60.0)
    assert recorded(house) == [RecordAct("ban", "ann", "", "root", "because", 60.0)]
    assert ann.hears_error() == TOLD
    text = "ann is banned from this server for another 1 min: because"
    for message in (PlayerLogin("Ann", CHESS), GameMasterLogin("ANN", CHESS, "2", "2")):
        peer = house.connects()
        peer.says(message)
        assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK), Error(text)]
        assert peer.is_closed()
    told = house.greets(Family.LOBBY)
    told.says(PlayerLogin("ann", CHESS))
    why = Failed(RefusalReason.INVALID_PLAYER, f"playerLogin: {text}")
    assert told.hears() == [why, LoginResponse(LoginError.WRONG_NICK), Error(text)]
    table = house.table("ben", "cat")
    spectator = house.greets(Family.WATCH)
    spectator.says(Watch("g1", nick="ann"))
    assert text in str(spectator.hears())
    house.passes(61)
    assert table
    house.player("ann")


def test_a_ban_may_be_for_good_and_be_lifted(house: House) -> None:
    acts(house, BAN, "ann")
    house.passes(1_000_000)
    late = house.connects()
    late.says(PlayerLogin("ann", CHESS))
    assert late.hears()[-1] == Error("ann is banned from this server: because")
    assert refused(house, UNBAN, "ben") == "'ben' is not banned; banned are: 'ann'"
    acts(house, UNBAN, "ANN")
    house.player("ann")
    assert refused(house, UNBAN, "ann") == "'ann' is not banned; banned are: none"


def test_a_ban_may_be_changed_and_keeps_its_spelling(house: House) -> None:
    acts(house, BAN, "ann")
    acts(house, BAN, "ANN", seconds=10.0)
    assert [one.subject for one in recorded(house)] == ["ann", "ann"]
    assert [ban.until for ban in house.broker.server.entry.access.bans.standing(house.now)] == [house.now + 10]
    acts(house, UNBAN, "Ann")
    assert house.again().broker.server.entry.access.bans.standing(house.now) == []


def test_from_a_banned_range_nobody_comes_in(house: House) -> None:
    house.connects(address="203.0.113.8:1")
    acts(house, BAN_ADDRESS, "203.0.113.9/24", seconds=60.0)
    assert recorded(house)[-1].subject == "203.0.113.0/24"
    for address in ("203.0.113.7:99", "[::ffff:203.0.113.7]:1"):
        peer = house.connects(address=address)
        assert peer.hears_error() == "203.0.113.0/24 is banned from this server for another 1 min: because"
        assert peer.is_closed()
    for address in ("203.0.114.7:99", "[2001:db8::1]:1", "somewhere", ""):
        assert not house.connects(address=address).is_closed()
    assert refused(house, UNBAN_ADDRESS, "203.0.113.0/25") == (
        "203.0.113.0/25 is not banned; banned are: '203.0.113.0/24'"
    )
    acts(house, UNBAN_ADDRESS, "203.0.113.0/24")
    assert not house.connects(address="203.0.113.7:99").is_closed()


def test_of_several_bans_the_longest_is_told(house: House) -> None:
    acts(house, BAN_ADDRESS, "2001:db8::/32", seconds=20.0)
    acts(house, BAN_ADDRESS, "2001:db8:1::/48", seconds=100.0)
    acts(house, BAN_ADDRESS, "192.0.0.0/8", seconds=1.0)
    assert "another 1 min 40 s" in house.connects(address="[2001:db8:1::7]:1").hears_error()
    assert "another 20 s" in house.connects(address="[2001:db8:2::7%eth0]:1").hears_error()
    house.passes(20)
    assert not house.connects(address="[2001:db8:2::7]:1").is_closed()
    assert len(house.broker.server.entry.access.bans.ranges) == 2, "one that is over is forgotten when it is met"


def test_bans_outlive_the_server(house: House) -> None:
    acts(house, BAN, "ann", seconds=60.0)
    acts(house, BAN, "ben")
    acts(house, BAN, "cat")
    acts(house, UNBAN, "cat")
    acts(house, BAN_ADDRESS, "203.0.113.0/24")
    again = house.again()
    standing = again.broker.server.entry.access.bans.standing(again.now)
    assert [(ban.subject, ban.until) for ban in standing] == [
        ("ann", again.now + 60),
        ("ben", math.inf),
        ("203.0.113.0/24", math.inf),
    ]
    told = again.is_asked(ServerAsked())
    assert told["bans"] == [
        {"subject": "ann", "is_address": False, "why": "because", "left_s": 60.0},
        {"subject": "ben", "is_address": False, "why": "because", "left_s": None},
        {"subject": "203.0.113.0/24", "is_address": True, "why": "because", "left_s": None},
    ]
    assert told["more_bans"] == 0


@pytest.mark.parametrize("kind", [REMOVE_ADDRESS, BAN_ADDRESS, UNBAN_ADDRESS, ActKind.FORGET_ADDRESS])
@pytest.mark.parametrize(
    ("subject", "why"),
    [
        ("ann", "'ann' is no address and no range of addresses, such as 203.0.113.7 or 203.0.113.0/24"),
        ("", "'' is no address and no range of addresses, such as 203.0.113.7 or 203.0.113.0/24"),
        ("0.0.0.0/0", "'0.0.0.0/0': a range has at least 8 bits in common"),
        ("::/8", "'::/8': a range has at least 16 bits in common"),
    ],
)
def test_what_is_no_range(house: House, kind: ActKind, subject: str, why: str) -> None:
    assert refused(house, kind, subject).startswith(why)


def test_a_nick_that_looks_like_a_range_is_a_nick(house: House) -> None:
    joker = house.player("0.0.0.0/0")
    ben = house.player("ben")
    acts(house, BAN, "0.0.0.0/0")
    assert joker.is_closed()
    assert not ben.is_closed()
    assert not house.connects().is_closed()


def test_nobody_is_there(house: House) -> None:
    assert refused(house, REMOVE_ADDRESS, "203.0.113.7") == "no peer here comes from 203.0.113.7/32"
    assert refused(house, BAN, "").startswith("name is empty")


# Who is allowed.


def test_where_some_names_are_allowed_nobody_else_comes_in(house: House) -> None:
    ann, eve, spectator = house.player("ann"), house.player("eve"), house.greets(Family.WATCH)
    newcomer = house.connects()
    assert acts(house, ActKind.ALLOW, "Ann")["removed"] == 1
    assert eve.hears_error() == TOLD
    assert (ann.is_closed(), eve.is_closed(), newcomer.is_closed()) == (False, True, False)
    newcomer.says(PlayerLogin("bob", CHESS))
    assert newcomer.hears() == [
        LoginResponse(LoginError.WRONG_NICK),
        Error("only some names may come in at present, and this is none of them"),
    ]
    house.connects().says(GameMasterLogin("m", CHESS, "2", "2"))
    assert house.broker.server.names.masters == {}
    spectator.says(Watch(game_type=CHESS, nick="bob"))
    assert "only some names may come in" in str(spectator.hears())
    spectator.says(Watch(game_type=CHESS))
    assert len(acts(house, ActKind.ALLOW, "bob")) == 2
    house.player("bob")
    house = house.again()
    house.connects().says(PlayerLogin("eve", CHESS))
    assert house.broker.server.names.players == {}
    assert refused(house, ActKind.DISALLOW, "eve") == "'eve' is not allowed; allowed are: 'Ann', 'bob'"
    acts(house, ActKind.DISALLOW, "ANN")
    acts(house, ActKind.DISALLOW, "bob")
    house.player("eve")


def test_what_is_allowed_for_a_time_keeps_others_out_for_that_time(house: House) -> None:
    acts(house, ActKind.ALLOW_ADDRESS, "192.0.2.0/24", seconds=60)
    assert house.is_asked(ServerAsked())["allowed"] == [
        {"subject": "192.0.2.0/24", "is_address": True, "why": "because", "left_s": 60}
    ]
    stranger = house.connects(address="203.0.113.1:1")
    assert stranger.hears_error() == "only some addresses may come in at present, and yours is none of them"
    assert stranger.is_closed()
    assert house.connects(address="a socket").is_closed()
    house.player("ann")
    house.passes(60)
    assert not house.connects(address="203.0.113.1:1").is_closed()
    assert not house.connects(address="192.0.2.1:1").is_closed()


def test_a_ban_is_stronger_than_what_is_allowed(house: House) -> None:
    acts(house, ActKind.ALLOW_ADDRESS, "192.0.2.0/24")
    acts(house, BAN_ADDRESS, "192.0.2.7")
    assert house.connects(address="192.0.2.7:1").is_closed()
    acts(house, UNBAN_ADDRESS, "192.0.2.7")
    assert not house.connects(address="192.0.2.7:1").is_closed()
    acts(house, ActKind.DISALLOW_ADDRESS, "192.0.2.0/24")
    assert not house.connects(address="203.0.113.1:1").is_closed()


@pytest.mark.parametrize("kind", [ActKind.ALLOW_ADDRESS, ActKind.DISALLOW_ADDRESS])
def test_an_address_that_is_none_cannot_be_allowed(house: House, kind: ActKind) -> None:
    assert "is no address and no range" in refused(house, kind, "room 5")


def test_a_name_that_is_none_cannot_be_allowed(house: House) -> None:
    assert refused(house, ActKind.ALLOW, "") == "name is empty"


# The organiser's file.


def test_the_file_shuts_out_and_lets_in_and_is_read_again(house: House) -> None:
    ann, eve = house.player("ann"), house.player("eve")
    away = house.guest("far", Family.SESSION, address="203.0.113.9:1")
    away.is_lost()
    rules = (
        AccessRule("EVE", False, "cheats"),
        AccessRule("203.0.113.0/24", True, "flood", 60.0),
        AccessRule("198.51.100.0/24", True, "room 5", allows=True),
        AccessRule("192.0.2.0/24", True, "room 6", allows=True),
    )
    house.happens(AccessRead(rules))
    assert eve.hears_error() == "removed by the organiser: EVE is banned from this server: cheats"
    assert not ann.is_closed()
    assert house.broker.server.names.player("far") is None
    assert house.connects(address="203.0.113.1:1").hears_error() == (
        "203.0.113.0/24 is banned from this server for another 1 min: flood"
    )
    assert house.connects(address="10.0.0.1:1").is_closed()
    bob = house.connects()
    bob.says(PlayerLogin("eve", CHESS))
    assert bob.is_closed()
    told = house.is_asked(ServerAsked())
    assert [len(told[what]) for what in ("bans", "allowed")] == [2, 2]  # type: ignore[arg-type]
    house.happens(AccessRead(()))
    house.player("eve")
    assert not house.connects(address="10.0.0.1:1").is_closed()


def test_an_absent_player_of_an_earlier_life_is_kept_since_nobody_knows_its_address(house: House) -> None:
    ann = house.guest("ann", Family.SESSION)
    house = house.again()
    house.happens(AccessRead((AccessRule("10.0.0.0/8", True, "home", allows=True),)))
    assert house.broker.server.names.player("ann") is not None
    house.happens(AccessRead((AccessRule("ann", False, "out"),)))
    assert house.broker.server.names.player("ann") is None
    assert ann.token
