"""A player whose connection is lost: what is kept for it, what is not, and how it comes back."""

from dataclasses import replace
from typing import Any

import pytest

from tests.broker.extensions.in_session import BODY, LOBBY, SESSION, STRANGER, refused, seated
from tests.broker.house import CHESS, House, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.effects import Effect, RecordEntry, RecordSession, RecordSessionOver, Send
from ugs.broker.events import Garbled, Started, Timer, TimerKind
from ugs.broker.past import Past
from ugs.broker.state.connection import PeerState
from ugs.broker.state.session_tokens import NAME_CHARACTERS, digest_of
from ugs.broker.values.questions import OwnerAsked, PublicWhyAsked
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Failed, Family, Hello, Ok, RefusalReason, Resend, Resume, Session, View, Views, Wait
from ugs.wire.messages import Error, LoginResponse, Logout, PlayerLeftGame, PlayerLogin


class TestTokens:
    """Which players get one."""

    def test_it_comes_after_the_answer_to_the_login(self, house: House) -> None:
        peer = house.greets(SESSION)
        peer.says(PlayerLogin("ann", CHESS))
        answer, session = peer.hears()
        assert answer == LoginResponse()
        assert isinstance(session, Session)
        assert session == Session(session.token, "ann", False, 60.0)
        assert len(session.token) >= 32

    def test_a_player_who_did_not_ask_gets_none(self, house: House) -> None:
        peer = house.greets(*(set(Family) - {SESSION}))
        peer.says(PlayerLogin("ann", CHESS))
        assert peer.hears() == [LoginResponse()]

    def test_no_player_gets_one_where_session_grace_s_is_0(self) -> None:
        house = House(session_grace_s=0)
        peer = house.greets(SESSION)
        peer.says(PlayerLogin("ann", CHESS))
        assert peer.hears() == [LoginResponse()]
        peer.is_lost()
        assert "ann" not in house.broker.server.names.players

    def test_masters_get_none(self, house: House) -> None:
        master = house.leader("m", SESSION)
        assert master.hears() == []

    def test_everybody_has_another_one(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        assert ann.token[:NAME_CHARACTERS] != ben.token[:NAME_CHARACTERS]

    def test_only_its_hash_is_written_down(self, house: House) -> None:
        ann = house.guest("ann", SESSION, LOBBY)
        (session,) = [one for one in house.records if isinstance(one, RecordSession)]
        assert session == RecordSession(
            ann.token[:NAME_CHARACTERS], digest_of(ann.token), "ann", CHESS, ("lobby", "session"), pooled=False
        )


class TestWhoseTokenItIs:
    def test_the_one_who_has_it_and_its_game(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        house.passes(5)
        answer = {"ok": True, "nick": "ann", "since_ago_s": 5.0, "until_ago_s": None, "game": ""}
        assert house.is_asked(OwnerAsked(ann.token)) == answer
        house.leader("m")
        house.player("ben")
        assert house.is_asked(OwnerAsked(ann.token)) == answer | {"game": "g1"}

    def test_the_one_who_had_it(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        house.passes(5)
        ann.says(Logout())
        house.passes(2)
        answer = {"ok": True, "nick": "ann", "since_ago_s": 7.0, "until_ago_s": 2.0, "game": ""}
        assert house.is_asked(OwnerAsked(ann.token)) == answer

    def test_nobody(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        for token in ("", "nothing", ann.token[:-1], ann.token + "x"):
            assert house.is_asked(OwnerAsked(token))["ok"] is False

    def test_it_is_the_same_games_after_a_restart(self) -> None:
        token = "t" * NAME_CHARACTERS + "-secret"
        session = RecordSession("t" * NAME_CHARACTERS, digest_of(token), "ann", CHESS, ("session",), True, held_s=90.0)
        house = House(past=Past(sessions=(session,)))
        # A start takes a moment: without it the first game after the login was not the player's own any more.
        house.happens(Started(past_age_s=0.5))
        house.passes(3)
        assert house.is_asked(OwnerAsked(token))["since_ago_s"] == 93.5
        found: Any = house.is_asked(PublicWhyAsked("ann"))["found"]
        assert found[0]["waiting_s"] == 3, "since the restart"
        house.returns(token, SESSION)
        (again,) = [one for one in house.records if isinstance(one, RecordSession)]
        assert again == replace(session, held_s=93.5)


class Listening(House):
    """A house in which all effects are kept."""

    def __init__(self, **settings: Any) -> None:
        self.effects: list[Effect] = []
        super().__init__(**settings)

    def _carry_out(self, effect: Effect) -> None:
        self.effects.append(effect)
        super()._carry_out(effect)


def test_a_token_is_told_to_nobody_but_its_owner() -> None:
    house = Listening()
    master, ann, ben = seated(house, "ann", "ben")
    ann.is_lost()
    again = house.returns(ann.token)
    third = house.returns(ann.token)
    refused(house, ann.token[:-1] + "x")
    third.says(moves("g1"))
    third.says(Resend("g1"))
    master.says(over("g1", "ann", losers=("ben",)))
    thank("g1", third, ben)
    third.says(Logout())
    secret = ann.token[NAME_CHARACTERS:]
    told = [effect for effect in house.effects if secret in repr(effect)]
    assert [effect.to for effect in told if isinstance(effect, Send)] == [(ann.conn,), (again.conn,), (third.conn,)]
    assert all(isinstance(effect, Send) and isinstance(effect.message, Session) for effect in told)


class TestACutLine:
    """The seat is kept for the player."""

    def test_the_others_hear_nothing_of_it(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        assert master.hears() == ben.hears() == []
        assert house.game().present.keys() == {"ann", "ben"}

    def test_the_clock_of_her_turn_runs_on(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        house.passes(10)
        ann.is_lost()
        house.passes(19.9)
        assert master.hears() == []
        house.passes(0.1)
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        assert house.game().departures == {"ann": Cause.TIMEOUT}

    def test_a_player_who_comes_back_in_time_gets_the_last_state_again_byte_for_byte(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(29)
        again = house.returns(ann.token)
        assert again.turn
        assert again.hears() == [turn("g1", "ann", BODY)]
        again.says(moves("g1"))
        assert master.hears() == [moves("g1")]

    def test_coming_back_gives_no_more_time(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(29)
        house.returns(ann.token)
        house.passes(1)
        assert master.hears() == [PlayerLeftGame("ann", "g1")]

    def test_it_gets_the_state_that_was_told_meanwhile(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.says(moves("g1"))
        ann.is_lost()
        master.says(turn("g1", "ben"))
        ben.says(moves("g1"))
        master.says(turn("g1", "ben", BODY))
        again = house.returns(ann.token)
        assert not again.turn
        assert again.hears() == [turn("g1", "ben", BODY)]

    def test_a_state_may_be_told_while_nobody_is_there(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        master = house.master()
        ann.is_lost()
        ben.is_lost()
        master.says(turn("g1", "ben", BODY))
        assert house.returns(ben.token).hears() == [turn("g1", "ben", BODY)]

    def test_whether_the_last_move_has_arrived_is_told(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.says(moves("g1"))
        ann.is_lost()
        assert not house.returns(ann.token).turn

    def test_before_the_first_state_there_is_nothing_to_tell(self, house: House) -> None:
        house.master()
        ann = house.guest("ann", SESSION)
        house.player("ben")
        ann.is_lost()
        assert house.returns(ann.token).hears() == []

    def test_a_view_of_ones_own_comes_again_as_well(self, house: House) -> None:
        ann, _ben = house.guest("ann", SESSION), house.player("ben")
        master = house.leader("m", Family.VIEWS)
        master.says(Views("g1", ("ben",), (), (View("ann", BODY), View("", b"<gameState/>"))))
        ann.is_lost()
        assert house.returns(ann.token).hears() == [turn("g1", "ben", BODY)]

    def test_it_may_happen_again_and_again(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        peer = ann
        for _ in range(3):
            peer.is_lost()
            house.passes(3)
            peer = house.returns(ann.token)
            assert peer.hears() == [turn("g1", "ann", BODY)]
        peer.says(moves("g1"))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", peer, ben)
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_it_stands_in_the_record_of_the_game(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.returns(ann.token)
        assert house.entries()[-2:] == [RecordEntry("g1", EntryKind.CUT, 0), RecordEntry("g1", EntryKind.BACK, 0)]

    def test_but_not_after_the_end_of_the_game(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.is_lost()
        house.returns(ann.token)
        assert house.entries()[-1].kind is EntryKind.VERDICT

    def test_the_round_trips_of_who_is_away_are_nobodys(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        ben.says(Logout())
        master.says(over("g1", "ann"))
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}


class TestTheEndOfASession:
    """What ends a session besides the grace."""

    def test_logout(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.says(Logout())
        assert refused(house, ann.token) == STRANGER

    def test_bytes_that_cannot_be_framed(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        house.happens(Garbled(ann.conn, "not well-formed"))
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        assert refused(house, ann.token) == STRANGER

    def test_no_thank_you_of_who_is_there(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        house.passes(10)
        assert ann.is_closed()
        assert refused(house, ann.token) == STRANGER


class TestOnALiveSession:
    """A player comes back while the server still takes its old connection for open."""

    def test_the_older_connection_is_closed(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        again = house.returns(ann.token)
        assert ann.hears() == [Error("this session continues on another connection")]
        assert ann.is_closed()
        assert again.hears() == [turn("g1", "ann", BODY)]
        ann.is_lost()
        again.says(moves("g1"))
        assert master.hears() == [moves("g1")]

    def test_a_thank_you_may_come_on_the_new_one(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.returns(ann.token)
        thank("g1", again)
        assert again.state is PeerState.IDLE

    def test_a_player_who_waits_goes_on_waiting(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        house.returns(ann.token)
        house.player("ben")
        house.master()
        assert house.game().present.keys() == {"ann", "ben"}


class TestStrangers:
    """An invalid token is refused."""

    @pytest.mark.parametrize("other", ["", "nonsense", "é" * 40, "\ud800"])
    def test_it_is_refused(self, house: House, other: str) -> None:
        house.guest("ann", SESSION)
        assert refused(house, other) == STRANGER

    def test_a_token_that_only_begins_like_another_is_refused(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        assert refused(house, ann.token[:NAME_CHARACTERS] + "guessed") == STRANGER
        assert refused(house, ann.token + "s") == STRANGER
        assert not ann.is_closed()

    def test_the_third_refusal_closes_the_connection(self, house: House) -> None:
        peer = house.greets(SESSION)
        peer.says(Resume("a"))
        peer.says(PlayerLogin("", CHESS))
        assert not peer.is_closed()
        peer.says(Resume("b"))
        assert peer.is_closed()
        assert Timer(TimerKind.LOGIN, peer.conn) not in house.timers

    def test_a_peer_whose_token_was_refused_may_still_log_in(self, house: House) -> None:
        peer = house.greets(SESSION)
        peer.says(Resume("a"))
        peer.hears()
        peer.says(PlayerLogin("ann", CHESS))
        assert peer.hears()[0] == LoginResponse()

    def test_a_peer_that_is_logged_in_cannot_take_up_a_session(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        ann.is_lost()
        ben.says(Resume(ann.token))
        assert ben.hears() == [Failed(RefusalReason.INVALID_PLAYER, "x-resume: you are waiting for a game")]


class TestDraining:
    """A server that stops waits for nobody."""

    def test_a_cut_line_is_a_departure(self) -> None:
        house = House(drain_s=60)
        master, ann, _ben = seated(house, "ann", "ben")
        house.is_asked_to_stop()
        ann.is_lost()
        assert master.hears() == [PlayerLeftGame("ann", "g1")]

    def test_nobody_comes_back(self) -> None:
        house = House(drain_s=60, move_timeout_s=100)
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.is_asked_to_stop()
        assert refused(house, ann.token) == Failed(
            RefusalReason.INVALID_PLAYER, "x-resume: the server is shutting down"
        )

    def test_all_sessions_end_with_it(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        ann.is_lost()
        house.is_asked_to_stop()
        assert house.stopped
        over_now = [one.session for one in house.records if isinstance(one, RecordSessionOver)]
        assert over_now == [peer.token[:NAME_CHARACTERS] for peer in (ann, ben)]
        assert refused(house.again(), ann.token) == STRANGER


def test_nothing_is_recorded_when_a_player_without_a_session_waits(house: House) -> None:
    ann = house.guest("ann", Family.LOBBY)
    ann.says(Wait())
    assert not [one for one in house.records if isinstance(one, RecordSession)]
    assert ann.hears() == [Ok()]


def test_the_reference_of_a_request_is_repeated_before_the_login_too(house: House) -> None:
    ann = house.guest("ann", Family.SESSION)
    again = house.connects()
    again.says(Hello((Family.SESSION.value,), ref="1"))
    assert again.hears() == [Hello((Family.SESSION.value,), ref="1")]
    again.says(Resume("nonsense", ref="2"))
    (refused,) = again.hears()
    assert isinstance(refused, Failed)
    assert refused.ref == "2"
    again.says(Resume(ann.token, ref="3"))
    assert [message.ref for message in again.hears() if isinstance(message, Session)] == ["3"]
