"""A player whose connection is lost: what is kept for it, what is not, and how it comes back."""

from dataclasses import replace
from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.effects import Effect, RecordEntry, RecordSession, RecordSessionOver, Send
from ugs.broker.events import Garbled, Started, Timer, TimerFired, TimerKind
from ugs.broker.past import Past
from ugs.broker.questions import OwnerAsked
from ugs.broker.record import EntryKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.tokens import NAME_CHARACTERS, digest_of
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Family,
    Hello,
    Join,
    NewTable,
    Ok,
    Reason,
    Resend,
    Resume,
    Seats,
    Session,
    View,
    Views,
    Wait,
)
from ugs.wire.extensions import Visibility as Visible
from ugs.wire.messages import (
    BeginGame,
    Error,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

SESSION, STATE, LOBBY = Family.SESSION, Family.STATE, Family.LOBBY
BODY = b"<gameState><!-- \xc3\xa9 --><a x='1'/></gameState>"
STRANGER = Failed(Reason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")


def seated(house: House, *nicks: str, body: bytes = BODY) -> tuple[Peer, ...]:
    """A master of v4 and a game g1 of these: the first has a session and is to move, the others speak v4."""
    first = house.guest(nicks[0], SESSION, STATE)
    others = house.players(*nicks[1:])
    master = house.master("m", (len(nicks), len(nicks)))
    master.says(turn("g1", nicks[0], body))
    for peer in (master, first, *others):
        peer.hears()
        peer.standings()
    return master, first, *others


def refused(house: House, token: str) -> Failed:
    """The answer to a peer that comes with an invalid token."""
    peer = house.greets(SESSION)
    peer.says(Resume(token))
    (answer,) = peer.hears()
    assert isinstance(answer, Failed)
    return answer


class TestTokens:
    """Which players get one."""

    def test_it_comes_after_the_answer_to_the_login(self, house: House) -> None:
        peer = house.greets(SESSION)
        peer.says(PlayerLogin("ann", CHESS))
        answer, session = peer.hears()
        assert answer == LoginResponse()
        assert isinstance(session, Session)
        assert session == Session(session.token, "ann", False, 60.0, False)
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
        assert "ann" not in house.broker.desk.names.players

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
        house.happens(Started())
        house.passes(3)
        assert house.is_asked(OwnerAsked(token))["since_ago_s"] == 93
        house.returns(token, SESSION)
        (again,) = [one for one in house.records if isinstance(one, RecordSession)]
        assert again == replace(session, held_s=93.0)


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


class TestTheGrace:
    """After ``session_grace_s`` the player has left."""

    def test_a_player_who_does_not_come_back_has_left(self) -> None:
        house = House(move_timeout_s=100)
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(59.9)
        assert master.hears() == []
        house.passes(0.1)
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        master.says(over("g1", "ben"))
        (result,) = house.results
        assert result.verdict == Verdict(Cause.DISCONNECTED, "ann")
        assert [seat.outcome for seat in result.seats] == [Outcome.LOST, Outcome.WON]

    def test_then_the_token_is_worth_nothing_and_the_nick_is_free(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.passes(60)
        assert refused(house, ann.token) == STRANGER
        assert any(isinstance(one, RecordSessionOver) for one in house.records)
        house.player("ann")

    def test_until_then_no_other_player_can_take_the_nick(self, house: House) -> None:
        house.guest("ann", SESSION).is_lost()
        peer = house.connects()
        peer.says(PlayerLogin("Ann", CHESS))
        assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]

    def test_a_player_who_comes_back_is_not_given_up_later(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.passes(59)
        again = house.returns(ann.token)
        house.passes(200)
        assert not again.is_closed()
        assert house.happens(TimerFired(Timer(TimerKind.GRACE, ann.token[:NAME_CHARACTERS]))) == []

    def test_a_timer_of_a_session_that_is_over_does_no_harm(self, house: House) -> None:
        assert house.happens(TimerFired(Timer(TimerKind.GRACE, "000000000000"))) == []


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


class TestMeanwhile:
    """What may happen while a player is away."""

    def test_too_late_to_move_one_is_out_of_the_game_and_waits_for_the_next(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(30)
        again = house.returns(ann.token)
        assert not again.turn
        assert again.hears() == []
        assert again.state is PeerState.IDLE
        assert len(again.standings()) == 1
        master.says(over("g1", "ben"))
        assert again.hears() == []

    def test_the_end_of_the_game_is_told_to_who_comes_back(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.says(over("g1", "ann", losers=("ben",)))
        ben.hears()
        again = house.returns(ann.token)
        assert again.hears() == [over("g1", "ann", losers=("ben",))]
        assert again.state is PeerState.OWING
        thank("g1", again, ben)
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_a_thank_you_that_is_owed_is_forgiven(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ben)
        house.passes(10)
        again = house.returns(ann.token)
        assert again.hears() == []
        assert again.standings() == [{"ann": (1, 0), "ben": (0, 1)}]
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_a_player_who_does_not_come_back_at_all_owes_nothing(self) -> None:
        house = House(thank_you_timeout_s=100)
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ben)
        house.passes(60)
        assert Timer(TimerKind.GAME, "g1") not in house.timers
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_a_result_on_its_way_to_the_disk_is_told_when_it_is_there(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        house.disk_is_slow = True
        master.says(over("g1", "ann", losers=("ben",)))
        ann.is_lost()
        again = house.returns(ann.token)
        assert again.hears() == [turn("g1", "ann", BODY)]
        house.disk_catches_up()
        assert again.hears() == [over("g1", "ann", losers=("ben",))]

    def test_a_void_game_sets_who_is_away_free(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.is_lost()
        assert ben.hears() == [Error("game void: the game master is gone")]
        again = house.returns(ann.token)
        assert again.hears() == []
        house.master("n")
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_a_player_who_is_away_is_not_seated(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.player("ben")
        master = house.master()
        assert master.hears() == []
        house.returns(ann.token)
        assert [type(one) for one in master.hears()] == [BeginGame]

    def test_a_player_who_is_away_is_not_told_the_standings(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.player("ben")
        house.passes(10)
        assert [set(one) for one in house.returns(ann.token).standings()] == [{"ann", "ben"}]

    def test_a_place_in_a_championship_is_kept(self, house: House) -> None:
        house.plans(first=2, repeats=2)
        ann, ben = house.guest("ann", SESSION), house.player("ben")
        ann.is_lost()
        master = house.master()
        assert master.hears() == []
        again = house.returns(ann.token)
        assert house.game().setting.championship is not None
        master.says(over("g1", "ann", losers=("ben",)))
        again.is_lost()
        thank("g1", ben)
        last = house.returns(ann.token)
        thank("g1", last)
        master.says(over("g2", "ann", losers=("ben",)))
        thank("g2", last, ben)
        assert house.noted("withdrawn") == []
        assert house.noted("championship over")[0]["standings"] == [("ann", 2, 0, 0), ("ben", 0, 2, 0)]

    def test_a_player_who_is_away_does_not_begin_a_championship(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.plans(first=2)
        house.player("ben")
        assert house.noted("championship begun") == []
        house.returns(ann.token)
        assert house.noted("championship begun")[0]["players"] == ["ben", "ann"]

    def test_a_seat_at_a_table_is_kept(self, house: House) -> None:
        ann = house.guest("ann", SESSION, LOBBY)
        ann.says(Advertise(NewTable("Friday", 2, Visible.PUBLIC)))
        ann.is_lost()
        again = house.returns(ann.token, SESSION, LOBBY)
        assert again.player.table is house.broker.desk.tables["g1"]

    def test_a_player_who_comes_back_without_a_lobby_waits_for_open_play(self, house: House) -> None:
        house.master()
        ann = house.guest("ann", SESSION, LOBBY)
        house.player("ben")
        assert house.broker.games == []
        ann.is_lost()
        house.returns(ann.token)
        assert house.game().present.keys() == {"ann", "ben"}


class TestOnALiveSession:
    """A player comes back while the server still takes its old connection for open."""

    def test_the_older_connection_is_closed(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        again = house.returns(ann.token)
        assert ann.hears() == [Error("this session goes on on another connection")]
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
        assert ben.hears() == [Failed(Reason.INVALID_PLAYER, "x-resume: you are waiting for a game")]


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
        assert refused(house, ann.token) == Failed(Reason.INVALID_PLAYER, "x-resume: the server is shutting down")

    def test_all_sessions_end_with_it(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        ann.is_lost()
        house.is_asked_to_stop()
        assert house.stopped
        over_now = [one.session for one in house.records if isinstance(one, RecordSessionOver)]
        assert over_now == [peer.token[:NAME_CHARACTERS] for peer in (ann, ben)]
        assert refused(house.again(), ann.token) == STRANGER


class TestResend:
    """``x-resend``: the last state once more, on the same connection."""

    def test_it_comes_byte_for_byte(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.says(Resend("g1", "7"))
        assert ann.hears() == [turn("g1", "ann", BODY)]

    def test_also_the_end_as_long_as_thanks_are_owed(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        ann.says(Resend("g1"))
        assert ann.hears() == [over("g1", "ann", losers=("ben",))]

    def test_a_player_in_no_game_has_no_state_to_ask_for(self, house: House) -> None:
        ann = house.guest("ann", STATE)
        ann.says(Resend("g1", "7"))
        assert ann.hears() == [Failed(Reason.NOT_PLAYING, "x-resend: you are in no game", ref="7")]

    def test_one_is_told_ones_own_game_only(self, house: House) -> None:
        _master, ann, _ben = seated(house, "ann", "ben")
        ann.says(Resend("g2", "7"))
        text = "x-resend: gameId id 'g2': you are not in this game"
        assert ann.hears() == [Failed(Reason.INVALID_GAME, text, ref="7")]

    def test_before_the_first_state_there_is_none(self, house: House) -> None:
        house.master()
        ann, _ben = house.guest("ann", STATE), house.player("ben")
        ann.says(Resend("g1"))
        assert ann.hears() == [Failed(Reason.INVALID_GAME, "x-resend: gameId id 'g1': there is no state yet")]


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


def nicks_kept(house: House) -> list[str]:
    """The nicks of all players, there or absent."""
    return [player.name for player in house.broker.desk.names.players.values()]


class TestHowManyAreAwaited:
    """Absent players are no connections; there may be so many of them, and those in a running game always."""

    def test_they_do_not_fill_the_server(self) -> None:
        house = House(max_logins=2)
        for nick in ("ann", "ben", "cyd"):
            house.guest(nick, SESSION).is_lost()
        dan = house.guest("dan", SESSION)
        house.player("eve")
        late = house.connects()
        late.says(PlayerLogin("fay", CHESS))
        assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]
        dan.is_lost()
        late.says(PlayerLogin("fay", CHESS))
        assert late.hears() == [LoginResponse()]

    @pytest.mark.parametrize("limit", ["max_absent", "max_absent_per_ip"])
    def test_above_the_limit_the_longest_absent_goes(self, limit: str) -> None:
        settings: dict[str, Any] = {limit: 2}
        house = House(**settings)
        peers = [house.guest(nick, SESSION) for nick in ("ann", "ben", "cyd")]
        for peer in reversed(peers):
            peer.is_lost()
        assert nicks_kept(house) == ["ann", "ben"]
        assert house.noted("absent player given up")[0]["nick"] == "cyd"
        assert refused(house, peers[2].token) == STRANGER
        house.returns(peers[1].token)

    def test_each_address_has_a_limit_of_its_own(self) -> None:
        house = House(max_absent_per_ip=1)
        for nick, address in (("ann", "10.0.0.1:1"), ("ben", "10.0.0.1:2"), ("cyd", "[::1]:3"), ("dan", "")):
            house.guest(nick, SESSION, address=address).is_lost()
        house.guest("eve", SESSION, address="").is_lost()
        assert nicks_kept(house) == ["ben", "cyd", "dan", "eve"]

    def test_nobody_in_a_running_game_goes(self) -> None:
        house = House(max_absent=1, move_timeout_s=10, thank_you_timeout_s=5)
        master, ann, ben = house.master(), house.guest("ann", SESSION), house.guest("ben", SESSION)
        master.says(turn("g1", "ann"))
        cyd = house.guest("cyd", SESSION)
        ann.is_lost()
        cyd.is_lost()
        ben.is_lost()
        assert nicks_kept(house) == ["ann", "ben"]
        master.says(over("g1", "ann", losers=("ben",)))
        house.returns(ann.token).says(ThankYou("g1"))
        assert nicks_kept(house) == ["ann", "ben"]

    def test_who_is_free_of_its_game_counts(self) -> None:
        house = House(max_absent=1)
        master, ann, ben = house.master(), house.guest("ann", SESSION), house.guest("ben", SESSION)
        master.says(turn("g1", "ann"))
        ann.is_lost()
        ben.is_lost()
        assert nicks_kept(house) == ["ann", "ben"]
        master.is_lost()
        assert nicks_kept(house) == ["ben"]

    def test_with_0_nobody_is_awaited_but_players_of_games(self) -> None:
        house = House(max_absent=0)
        house.guest("ann", SESSION).is_lost()
        assert nicks_kept(house) == []


KEPT = "nick 'ann' is kept for its absent player for another 41 s; resume with its token or wait"


class TestTakeover:
    """A program that has lost its token comes back by its address, where the organiser allows it."""

    def crashed(self, **settings: Any) -> tuple[House, Peer, Peer]:
        """A house in which ann, who is to move in g1, is absent; the house, ann, and the master."""
        house = House(**{"session_takeover": "address", **settings})
        ann = house.guest("ann", SESSION, address="10.0.0.7:1", program="rook")
        house.player("ben")
        master = house.master()
        master.says(turn("g1", "ann", BODY))
        master.hears()
        ann.is_lost()
        house.passes(19.5)
        return house, ann, master

    def test_it_gets_game_and_state_and_a_new_token(self) -> None:
        house, ann, master = self.crashed()
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        answer, session, state = again.hears()
        assert (answer, state) == (LoginResponse(), turn("g1", "ann", BODY))
        assert isinstance(session, Session)
        assert session == Session(session.token, "ann", True, 60.0, True)
        assert session.token != ann.token
        assert refused(house, ann.token) == STRANGER
        again.says(moves("g1"))
        assert master.hears() == [moves("g1")]
        again.is_lost()
        house.returns(session.token)

    def test_the_journal_knows_the_new_token_only(self) -> None:
        house, ann, _master = self.crashed()
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        token = next(one.token for one in again.hears() if isinstance(one, Session))
        past = house.again().past
        assert [one.session for one in past.sessions] == [token[:NAME_CHARACTERS]]
        assert ann.token[:NAME_CHARACTERS] != token[:NAME_CHARACTERS]

    def test_without_the_family_it_plays_on_and_has_no_session_any_more(self) -> None:
        house, _ann, master = self.crashed()
        again = house.greets(address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        assert again.hears() == [LoginResponse(), turn("g1", "ann", BODY)]
        again.is_lost()
        assert master.hears() == [PlayerLeftGame("ann", "g1")]

    def test_a_thank_you_that_is_owed_stays_owed(self) -> None:
        house, _ann, master = self.crashed()
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        assert again.state is PeerState.OWING
        assert again.hears()[-1] == over("g1", "ann", losers=("ben",))
        thank("g1", again)
        assert again.player.game is None

    def test_a_table_is_kept_as_well(self) -> None:
        house = House(session_takeover="address")
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        ben.hears()
        house.guest("ann", SESSION, LOBBY).says(Cancel("1"))
        assert [letter.TYPE for letter in ben.hears()] == ["x-seats", "x-gameEnded"]

    @pytest.mark.parametrize(
        ("settings", "address", "program", "nick", "game_type"),
        [
            ({"session_takeover": "never"}, "10.0.0.7:2", "rook", "ann", CHESS),
            ({}, "10.0.0.8:2", "rook", "ann", CHESS),
            ({}, "10.0.0.7:2", "queen", "ann", CHESS),
            ({}, "10.0.0.7:2", "", "ann", CHESS),
            ({}, "10.0.0.7:2", "rook", "Ann", CHESS),
            ({}, "10.0.0.7:2", "rook", "ann", "go"),
        ],
    )
    def test_nobody_else_does(
        self, settings: dict[str, Any], address: str, program: str, nick: str, game_type: str
    ) -> None:
        """Its refusal says how long the nick is kept, to peers that can read it."""
        house, ann, _master = self.crashed(**settings)
        other = house.greets(SESSION, address=address, program=program)
        other.says(PlayerLogin(nick, game_type))
        why = Failed(Reason.DUPLICATE_USER, f"playerLogin: {KEPT}", wait_s=41)
        assert other.hears() == [why, LoginResponse(LoginError.WRONG_NICK)]
        assert house.noted("login refused")[-1]["why"] == KEPT
        house.returns(ann.token)

    def test_an_address_that_is_not_known_is_that_of_nobody(self) -> None:
        house = House(session_takeover="address")
        house.guest("ann", SESSION, address="").is_lost()
        other = house.greets(SESSION, address="")
        other.says(PlayerLogin("ann", CHESS))
        assert other.hears()[-1] == LoginResponse(LoginError.WRONG_NICK)

    def test_who_is_there_is_not_replaced(self) -> None:
        house = House(session_takeover="address")
        ann = house.guest("ann", SESSION)
        other = house.greets(SESSION)
        other.says(PlayerLogin("ann", CHESS))
        assert other.hears() == [LoginResponse(LoginError.WRONG_NICK)]
        assert not ann.is_closed()

    def test_peers_of_v4_and_gateways_hear_the_number_only(self) -> None:
        house = House()
        house.guest("ann", SESSION).is_lost()
        for other in (house.connects(), house.greets(SESSION, by_gateway=True)):
            other.says(PlayerLogin("ann", CHESS))
            assert other.hears() == [LoginResponse(LoginError.WRONG_NICK)]

    def test_it_counts_as_a_refused_login(self) -> None:
        house = House(login_attempts=1)
        house.guest("ann", SESSION).is_lost()
        other = house.connects()
        other.says(PlayerLogin("ann", CHESS))
        assert other.is_closed()


class TestATableWithoutALobby:
    """A session that goes on without a lobby leaves its table with ``leaveGame``."""

    def test_a_guest_gets_up(self, house: House) -> None:
        ann, ben = house.guest("ann", LOBBY), house.guest("ben", SESSION, LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ben.is_lost()
        again = house.returns(ben.token, SESSION)
        again.says(LeaveGame("g2"))
        assert again.hears_error() == "leaveGame: gameId id 'g2': you are in no such game"
        ann.hears()
        again.says(LeaveGame("g1"))
        (seats,) = ann.hears()
        assert isinstance(seats, Seats)
        assert seats.comment == "ben has left"
        assert again.player.table is None
        assert again.conn in house.broker.desk.types[CHESS].waiting

    def test_the_table_goes_with_its_owner(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        house.returns(ann.token, SESSION).says(LeaveGame("g1"))
        assert house.broker.desk.tables == {}
        assert ben.player.table is None

    def test_an_owner_leaves_the_game_at_its_table_too(self, house: House) -> None:
        house.master()
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 2, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        house.returns(ann.token, SESSION).says(LeaveGame("g1"))
        assert house.results[-1].verdict.cause is Cause.CANCELLED

    def test_with_a_lobby_there_are_other_words_for_it(self, house: House) -> None:
        ann = house.guest("ann", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ann.hears()
        ann.says(LeaveGame("g1"))
        assert ann.hears_error() == "leaveGame: gameId id 'g1': you are in no such game"
