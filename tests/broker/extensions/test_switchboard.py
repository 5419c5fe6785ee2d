"""Which peers may send which extension messages, and how the others are answered."""

import pytest

from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.events import Misread
from ugs.broker.extensions.switchboard import MAX_PROGRAM
from ugs.broker.state.connection import PeerState
from ugs.wire.extensions import (
    FAMILIES_OF,
    Advertise,
    Clock,
    EndResult,
    Failed,
    Family,
    GameEnded,
    GameTypes,
    Hello,
    Join,
    ListGames,
    ListPlayers,
    ListTables,
    Moved,
    NewTable,
    Offers,
    Ok,
    Ping,
    Players,
    RefusalReason,
    Resend,
    Resume,
    Say,
    Seats,
    Session,
    Stop,
    Unwatch,
    Views,
    Visibility,
    Watch,
)
from ugs.wire.messages import Error, Extension, GameMasterLogin, LoginResponse, PlayerLogin

NOT_GRANTED = "the extension {} was not granted; ask with x-hello first"


class TestHello:
    """``x-hello`` is the first message of a connection, or is refused."""

    def test_it_is_answered_with_what_may_be_used(self, house: House) -> None:
        peer = house.connects()
        peer.says(Hello(("views", "session", "lobby")))
        assert peer.hears() == [Hello(("session", "lobby", "views"))], "in an order of its own"

    def test_families_that_nobody_knows_are_not_granted(self, house: House) -> None:
        peer = house.connects()
        peer.says(Hello(("teleport", "session", "Session", "")))
        assert peer.hears() == [Hello(("session",))]
        assert peer.connection.families == {Family.SESSION}

    def test_nothing_may_be_asked_for(self, house: House) -> None:
        peer = house.connects()
        peer.says(Hello(()))
        assert peer.hears() == [Hello(())]
        assert peer.connection.greeted

    def test_what_a_peer_calls_itself_is_recorded_with_its_login(self, house: House) -> None:
        peer = house.connects()
        peer.says(Hello((), "bot", "1.2"))
        peer.says(PlayerLogin("ann", CHESS))
        assert peer.connection.program == "bot 1.2"
        long = house.connects()
        long.says(Hello((), "b" * 1000))
        assert long.connection.program == "b" * MAX_PROGRAM

    def test_without_one_no_extension_may_be_used(self, house: House) -> None:
        peer = house.connects()
        peer.says(PlayerLogin("ann", CHESS))
        peer.hears()
        peer.says(Ping())
        assert peer.hears_error() == "x-ping: no extension was granted; ask with x-hello first"

    def test_a_second_one_is_wrong(self, house: House) -> None:
        peer = house.greets(Family.SESSION)
        peer.says(Hello(("lobby",)))
        assert peer.hears_error() == "x-hello: only as the first message of a connection"
        assert peer.connection.families == {Family.SESSION}

    @pytest.mark.parametrize("before", [PlayerLogin("", CHESS), Error("?"), ListPlayers()])
    def test_a_hello_after_any_other_message_is_refused(
        self, house: House, before: PlayerLogin | Error | ListPlayers
    ) -> None:
        peer = house.connects()
        peer.says(before)
        peer.hears()
        peer.says(Hello(("lobby",)))
        assert "only as the first message" in peer.hears_error()
        assert not peer.connection.greeted

    def test_a_hello_after_a_message_that_could_not_be_read_is_refused(self, house: House) -> None:
        peer = house.connects()
        house.happens(Misread(peer.conn, "what?"))
        peer.hears()
        peer.says(Hello(("lobby",)))
        assert "only as the first message" in peer.hears_error()

    def test_one_that_could_not_be_read_grants_nothing(self, house: House) -> None:
        peer = house.connects()
        house.happens(Misread(peer.conn, "x-hello: what?", "x-hello"))
        assert peer.hears() == [Error("x-hello: what?")]
        assert not peer.connection.greeted


REQUESTS: tuple[tuple[Extension, str], ...] = (
    (Resume("t"), "session"),
    (Resend("g1"), "state"),
    (ListPlayers(), "lobby"),
    (Advertise(NewTable("Friday", 2, Visibility.PUBLIC)), "lobby"),
    (Say(("ben",), "", "hello"), "chat"),
    (Watch(game_type=CHESS), "watch"),
    (Views("g1", ("ann",), (), ()), "movers or views"),
    (Offers(()), "table"),
)


class TestPeersOfV4:
    """They hear nothing but v4."""

    @pytest.mark.parametrize(("request_", "family"), REQUESTS, ids=[one.TYPE for one, _ in REQUESTS])
    @pytest.mark.parametrize("state", [PeerState.NEW, PeerState.IDLE, PeerState.MASTER])
    def test_a_request_of_theirs_is_an_error(
        self, house: House, request_: Extension, family: str, state: PeerState
    ) -> None:
        peer = arrived(house, state)
        peer.says(request_)
        assert peer.hears_error() == f"{request_.TYPE}: {NOT_GRANTED.format(family)}"
        assert len(peer.connection.errors) == 1

    def test_so_is_one_that_cannot_be_read(self, house: House) -> None:
        peer = house.player("ann")
        house.happens(Misread(peer.conn, "x-join: no table", "x-join", "7"))
        assert peer.hears_error() == "x-join: no table"

    def test_a_quiet_master_hears_nothing_at_all(self) -> None:
        house = House(quiet_master=True)
        master = house.master()
        master.says(Offers(()))
        assert master.hears() == []


def arrived(house: House, state: PeerState, *families: Family) -> Peer:
    """A peer in this state; without families it speaks v4."""
    peer = house.greets(*families) if families else house.connects()
    if state is PeerState.IDLE:
        peer.says(PlayerLogin("ann", CHESS))
    elif state is PeerState.MASTER:
        peer.says(GameMasterLogin("m", CHESS, "2", "2"))
    peer.hears()
    return peer


class TestGrants:
    """Each request needs a family that was granted."""

    @pytest.mark.parametrize(("request_", "family"), REQUESTS, ids=[one.TYPE for one, _ in REQUESTS])
    def test_without_it_the_request_fails(self, house: House, request_: Extension, family: str) -> None:
        peer = house.greets(Family.CLOCK)
        peer.says(request_)
        text = f"{request_.TYPE}: {NOT_GRANTED.format(family)}"
        assert peer.hears() == [Failed(RefusalReason.INVALID_REQUEST, text)]

    def test_the_answer_repeats_the_reference(self, house: House) -> None:
        peer = house.greets(Family.CLOCK)
        peer.says(Join("g1", "17"))
        (answer,) = peer.hears()
        assert isinstance(answer, Failed)
        assert answer.ref == "17"

    def test_it_counts_as_a_wrong_message(self) -> None:
        house = House(max_errors_per_minute=2)
        peer = house.greets(Family.CLOCK)
        for _ in range(3):
            peer.says(ListTables())
        assert peer.is_closed()
        *_, answer, farewell = peer.hears()
        assert isinstance(answer, Failed)
        assert farewell == Error(f"3 wrong messages: {answer.text} (at most 2 in a minute)")


class TestStates:
    """Each request is for players, for masters, for spectators or for newcomers."""

    @pytest.mark.parametrize(
        ("state", "request_", "family"),
        [
            (PeerState.NEW, ListPlayers("1"), Family.LOBBY),
            (PeerState.NEW, Say(("ben",), "", "hello", "1"), Family.CHAT),
            (PeerState.NEW, Views("g1", ("ann",), (), ()), Family.VIEWS),
            (PeerState.IDLE, Resume("t"), Family.SESSION),
            (PeerState.IDLE, Watch(game_type=CHESS, ref="1"), Family.WATCH),
            (PeerState.IDLE, Offers(()), Family.TABLE),
            (PeerState.MASTER, ListTables("1"), Family.LOBBY),
            (PeerState.MASTER, Resend("g1", "1"), Family.STATE),
            (PeerState.MASTER, ListGames(ref="1"), Family.WATCH),
        ],
    )
    def test_anybody_else_is_told_what_it_is(
        self, house: House, state: PeerState, request_: Extension, family: Family
    ) -> None:
        peer = arrived(house, state, family)
        if family is Family.SESSION:
            peer.hears()
        peer.says(request_)
        text = f"{request_.TYPE}: you are {state}"
        assert peer.hears() == [Failed(RefusalReason.INVALID_PLAYER, text, ref=getattr(request_, "ref", ""))]
        assert peer.state is state

    def test_a_spectator_is_no_player(self, house: House) -> None:
        peer = house.greets(Family.WATCH, Family.LOBBY)
        peer.says(Watch(game_type=CHESS))
        peer.hears()
        peer.says(ListPlayers("1"))
        assert peer.hears() == [Failed(RefusalReason.INVALID_PLAYER, "x-listPlayers: you are a spectator", ref="1")]
        peer.says(Unwatch(ref="2"))
        assert peer.hears() == [Ok("2")]


class TestWhatCannotBeRead:
    """A document that is no valid message, from a peer that may use extensions."""

    def test_an_extension_fails_with_its_reference(self, house: House) -> None:
        peer = house.guest("ann", Family.LOBBY)
        house.happens(Misread(peer.conn, "x-join: <table> is missing", "x-join", "7"))
        assert peer.hears() == [Failed(RefusalReason.INVALID_REQUEST, "x-join: <table> is missing", ref="7")]

    def test_a_message_of_v4_is_an_error_as_ever(self, house: House) -> None:
        peer = house.guest("ann", Family.LOBBY)
        house.happens(Misread(peer.conn, "move: <gameId> is missing", "move"))
        assert peer.hears() == [Error("move: <gameId> is missing")]

    def test_too_many_close_the_connection(self) -> None:
        house = House(max_errors_per_minute=2)
        peer = house.guest("ann", Family.LOBBY)
        for _ in range(3):
            house.happens(Misread(peer.conn, "?", "x-join"))
        assert peer.is_closed()

    def test_from_who_is_gone_nothing_can_be_read(self, house: House) -> None:
        peer = house.guest("ann", Family.LOBBY)
        peer.is_lost()
        assert house.happens(Misread(peer.conn, "?", "x-join")) == []


@pytest.mark.parametrize(
    "message",
    [
        Ok(),
        Session("t", "ann", False, 60.0),
        Players(()),
        GameTypes(()),
        Seats("g1", "", ()),
        Clock("g1", ()),
        Moved("g1", "ann", b"<move/>"),
        Stop("g1", "CANCELLED"),
        GameEnded("g1", EndResult.COMPLETED, "FINISHED"),
    ],
    ids=lambda message: message.TYPE,
)
def test_a_message_that_only_the_server_sends_is_wrong(house: House, message: Extension) -> None:
    peer = house.guest("ann", *(set(Family) - {Family.SESSION}))
    peer.says(message)
    text = f"{message.TYPE}: not a message for the server"
    assert peer.hears() == [Failed(RefusalReason.INVALID_REQUEST, text, ref=getattr(message, "ref", ""))]
    plain = house.player("ben")
    plain.says(message)
    assert plain.hears_error() == text


def test_a_wrong_thing_about_a_game_is_an_error_for_a_master(house: House) -> None:
    house.players("ann", "ben")
    master = house.leader("m", Family.VIEWS)
    master.hears()
    master.says(Views("g9", ("ann",), (), ()))
    assert master.hears_error() == "x-views: gameId id 'g9': you lead no such game"
    master.says(Views("g1", ("eve",), (), ()))
    master.hears()
    assert house.entries()[-1].text == "x-views: nextPlayer nick 'eve': not a player in game g1"


def test_a_request_counts_as_a_sign_of_life(house: House) -> None:
    peer = house.guest("ann", Family.LOBBY)
    house.passes(7)
    peer.says(ListTables())
    assert peer.connection.active_at == house.now


def test_every_message_of_the_server_needs_a_family_or_goes_to_all_who_said_hello() -> None:
    for_all = {message.TYPE for message, families in FAMILIES_OF.items() if families == set(Family)}
    assert for_all == {"x-hello", "x-ok", "x-failed", "x-pong"}


def test_a_greeted_player_that_asked_for_nothing_plays_v4(house: House) -> None:
    ann = house.greets()
    ann.says(PlayerLogin("ann", CHESS))
    house.player("ben")
    master = house.master()
    master.says(turn("g1", "ann"))
    assert ann.hears() == [LoginResponse(), turn("g1", "ann")]
