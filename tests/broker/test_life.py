"""The life of a connection: every message in every state has an answer, and patience with mistakes has an end."""

from collections.abc import Callable
from typing import get_args

import pytest

from tests.broker.house import CHESS, House, Peer, over
from ugs.broker import life
from ugs.broker.events import Disconnected, Garbled, Misread, Received, Timer, TimerFired, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import Cell, Rules, life_of
from ugs.wire.extensions import Family, Watch
from ugs.wire.messages import (
    BeginGame,
    ChampionRow,
    ChampionsList,
    Error,
    Extension,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)


def playing(house: House) -> Peer:
    _master, ann, _ben = house.table("ann", "ben")
    return ann


def owing(house: House) -> Peer:
    master, _ann, ben = house.table("ann", "ben")
    master.says(over("g1", "ann", losers=("ben",)))
    ben.hears()
    return ben


def leading(house: House) -> Peer:
    master, _ann, _ben = house.table("ann", "ben")
    return master


def watching(house: House) -> Peer:
    peer = house.greets(Family.WATCH)
    peer.says(Watch(game_type=CHESS))
    peer.hears()
    return peer


ARRIVE: dict[PeerState, Callable[[House], Peer]] = {
    PeerState.NEW: House.connects,
    PeerState.IDLE: lambda house: house.player("ann"),
    PeerState.PLAYING: playing,
    PeerState.OWING: owing,
    PeerState.MASTER: leading,
    PeerState.WATCHING: watching,
}
MESSAGES: list[Message] = [
    Error("oh"),
    PlayerLogin("eve", CHESS),
    GameMasterLogin("x", "go", "2", "2"),
    LoginResponse(),
    BeginGame("g1", ("ann", "ben")),
    GameState("g1", "ben", None),
    Move("g1", b"<move/>"),
    ThankYou("g1"),
    LeaveGame("g1"),
    PlayerLeftGame("ben", "g1"),
    Logout(),
    ServerShutdown(),
    ChampionsList((ChampionRow("ann", 1, 0),)),
]
NOT_NOW: dict[PeerState, str] = {
    # One letter per message, in the order of MESSAGES: is it fine (.), or answered with an error (e)?
    PeerState.NEW: "...eeeeeee.ee",
    PeerState.IDLE: ".eeeeeeeee.ee",
    PeerState.PLAYING: ".eeeee.e.e.ee",
    PeerState.OWING: ".eeeeee.ee.ee",
    PeerState.MASTER: ".eeee.eee..ee",
    PeerState.WATCHING: ".eeeeeeeee.ee",
}
CASES = [
    pytest.param(state, message, letter == "e", id=f"{message.TYPE} while {state}")
    for state, letters in NOT_NOW.items()
    for message, letter in zip(MESSAGES, letters, strict=True)
]


@pytest.mark.parametrize(("state", "message", "is_wrong"), CASES)
def test_every_message_in_every_state_is_answered(
    house: House, state: PeerState, message: Message, is_wrong: bool
) -> None:
    peer = ARRIVE[state](house)
    assert peer.state is state
    peer.says(message)
    errors = [heard.text for heard in peer.hears() if isinstance(heard, Error)]
    assert len(errors) == is_wrong
    assert all(text.startswith(f"{message.TYPE}: ") for text in errors), "the answer names the message"
    if is_wrong:
        assert peer.state is state, "and nothing has changed"


def test_the_cases_are_complete() -> None:
    assert {type(message) for message in MESSAGES} | {Extension} == set(get_args(Message))
    assert set(NOT_NOW) == set(ARRIVE) == set(PeerState)


def test_the_tables_have_every_state_and_every_happening() -> None:
    assert set(life.CONNECTION) == set(PeerState)
    assert set(life.GAME) == set(Phase)
    assert {happening for row in life.GAME.values() for happening in row} == set(Happening)


def test_every_cell_says_what_may_follow_and_every_phase_can_be_reached() -> None:
    cells = [cell for row in life.GAME.values() for cell in row.values()]
    assert all(cell.follow for cell in cells)
    assert {phase for cell in cells for phase in cell.follow} | {Phase.BEGUN} == set(Phase)


class TestPatience:
    """More than ``max_errors_per_minute`` wrong messages within a minute close a connection."""

    @pytest.mark.parametrize("state", PeerState)
    def test_the_thirty_first_is_one_too_many(self, house: House, state: PeerState) -> None:
        peer = ARRIVE[state](house)
        for _ in range(30):
            peer.says(ServerShutdown())
        assert not peer.is_closed()
        peer.hears()
        peer.says(ServerShutdown())
        answer, farewell = peer.hears()
        assert isinstance(answer, Error)
        assert farewell == Error(f"31 wrong messages: {answer.text} (at most 30 in a minute)")
        assert peer.is_closed()

    def test_a_minute_slides(self, house: House) -> None:
        peer = house.player("ann")
        for _ in range(15):
            peer.says(ServerShutdown())
        house.passes(30)
        for _ in range(15):
            peer.says(ServerShutdown())
        house.passes(30)
        for _ in range(15):
            peer.says(ServerShutdown())
        assert not peer.is_closed(), "the first fifteen are a minute old"
        peer.says(ServerShutdown())
        assert peer.is_closed()

    def test_documents_that_are_no_message_count(self, house: House) -> None:
        peer = house.player("ann")
        house.happens(Misread(peer.conn, "message type 'mvoe': unknown"))
        assert peer.hears() == [Error("message type 'mvoe': unknown")]
        assert len(peer.connection.errors) == 1

    def test_errors_that_are_told_and_refused_logins_do_not(self) -> None:
        house = House(max_errors_per_minute=0, login_attempts=9)
        peer = house.connects()
        for _ in range(5):
            peer.says(Error("I have a question"))
            peer.says(PlayerLogin("", CHESS))
        assert not peer.is_closed()
        peer.says(ServerShutdown())
        assert peer.is_closed()

    def test_only_the_latest_are_remembered(self, house: House) -> None:
        peer = house.player("ann")
        for _ in range(1000):
            peer.says(ServerShutdown())
            house.passes(3)
        assert len(peer.connection.errors) <= 30
        assert not peer.is_closed()


def test_bytes_that_cannot_be_framed_close_the_connection_with_the_reason(house: House) -> None:
    peer = house.connects()
    house.happens(Garbled(peer.conn, "not well-formed at byte 12"))
    assert peer.hears() == [Error("not well-formed at byte 12")]
    assert peer.is_closed()


def test_what_is_around_the_mistake_is_for_the_peer_alone(house: House) -> None:
    _master, ann, ben = house.table("ann", "ben")
    house.happens(Garbled(ann.conn, "not well-formed at byte 12", around=", at '<' behind 'hidden'"))
    assert ann.hears_error() == "not well-formed at byte 12, at '<' behind 'hidden'"
    assert "hidden" not in f"{house.noted('dismissed')} {house.noted('game ended')} {house.results} {ben.hears()}"
    assert house.noted("dismissed")[0]["reason"] == "not well-formed at byte 12"


COMPLAINT = "Unknown message type: serverShutdown"


class TestBareText:
    """Old game masters print where their messages should go; the log shows what, and knows the remedy."""

    def test_the_log_shows_what_a_peer_said_and_the_peer_is_told_only_what_is_wrong(self, house: House) -> None:
        peer = house.connects()
        house.happens(Garbled(peer.conn, "no XML", COMPLAINT))
        assert peer.hears() == [Error("no XML")]
        (line,) = house.noted("dismissed")
        assert (line["said"], line["reason"], "hint" in line) == (COMPLAINT, "no XML", False)

    @pytest.mark.parametrize(
        ("said", "hint"),
        [
            (COMPLAINT, True),
            ("unrecognized: leftGame", True),
            ("do not know what to do", False),
            ("", False),
        ],
    )
    def test_a_master_that_complains_may_need_to_be_quiet(self, house: House, said: str, hint: bool) -> None:
        master = house.master("m")
        house.happens(Garbled(master.conn, "no XML", said))
        (line,) = house.noted("dismissed")
        assert ("said" in line) is bool(said)
        assert ("quiet_master" in str(line.get("hint"))) is hint

    def test_so_does_one_that_has_just_been_sent_what_old_ones_do_not_know(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        house.happens(Garbled(master.conn, "no XML", "ouch"))
        (line,) = house.noted("dismissed")
        assert "quiet_master" in str(line["hint"])

    def test_one_that_is_spared_them_has_another_trouble(self) -> None:
        house = House(quiet_master=True)
        master = house.master("m")
        house.happens(Garbled(master.conn, "no XML", COMPLAINT))
        (line,) = house.noted("dismissed")
        assert "hint" not in line


def test_whatever_comes_from_a_connection_that_is_gone_is_ignored(house: House) -> None:
    peer = house.player("ann")
    peer.says(Logout())
    for event in (
        Received(peer.conn, PlayerLogin("ann", CHESS)),
        Misread(peer.conn, "?"),
        Garbled(peer.conn, "?"),
        Disconnected(peer.conn),
        Disconnected(99),
        TimerFired(Timer(TimerKind.LOGIN, peer.conn)),
        TimerFired(Timer(TimerKind.GAME, "g99")),
    ):
        assert house.happens(event) == []


def test_a_login_timer_that_fires_late_does_no_harm(house: House) -> None:
    ann = house.player("ann")
    assert house.happens(TimerFired(Timer(TimerKind.LOGIN, ann.conn))) == []


def test_a_connection_that_is_lost_before_its_login_leaves_nothing(house: House) -> None:
    house.connects().is_lost()
    assert house.timers == {}
    assert house.noted("disconnected")[0]["reason"] == "connection lost"


class TestReports:
    def test_an_endless_report_of_errors_does_not_fill_the_log(self) -> None:
        house = House(max_errors_per_minute=3)
        ann = house.player("ann")
        for _ in range(10):
            ann.says(Error("oh"))
        assert len(house.noted("peer reports an error")) == 3
        assert not ann.is_closed()

    def test_a_minute_later_a_report_is_news_again(self) -> None:
        house = House(max_errors_per_minute=3)
        ann = house.player("ann")
        for _ in range(10):
            ann.says(Error("oh"))
        house.passes(60)
        ann.says(Error("again"))
        assert house.noted("peer reports an error")[-1]["text"] == "again"


def test_a_phase_that_the_table_does_not_allow_cannot_follow(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.table("ann", "ben")
    server = house.broker.server
    (game,) = server.games.values()
    cells = {Phase.TURN: {Happening.STATE: Cell(lambda *_: Phase.OVER, frozenset({Phase.ANSWER}))}}
    monkeypatch.setattr(server, "rules", Rules(life_of(cells, {}, {}), {}))
    with pytest.raises(LookupError, match="turn, state: over follows, allowed are answer"):
        server.step(game, Happening.STATE)
    assert game.phase is Phase.TURN
