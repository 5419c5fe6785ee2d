"""Players with a session who are away: how long they are awaited, what happens meanwhile, how many there may be."""

from typing import Any

import pytest

from tests.broker.extensions.in_session import BODY, LOBBY, SESSION, STRANGER, refused, seated
from tests.broker.house import CHESS, House, over, thank, turn
from ugs.broker.effects import RecordSessionOver
from ugs.broker.events import Timer, TimerFired, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.session_tokens import NAME_CHARACTERS
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Advertise, Family, GameVerdict, NewTable
from ugs.wire.extensions import Visibility as Visible
from ugs.wire.messages import (
    BeginGame,
    Error,
    LeaveGame,
    LoginError,
    LoginResponse,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

SLOW = "no move within 30 s: game g1 is lost"


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


class TestMeanwhile:
    """What may happen while a player is away."""

    def test_too_late_to_move_one_is_out_of_the_game_and_waits_for_the_next(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(30)
        again = house.returns(ann.token)
        assert not again.turn
        assert again.hears() == [Error(f"while you were away: {SLOW}")]
        assert again.state is PeerState.IDLE
        assert len(again.standings()) == 1
        master.says(over("g1", "ben"))
        assert again.hears() == []
        again.is_lost()
        assert house.returns(ann.token).hears() == []  # it knows

    def test_who_was_too_slow_is_seated_soon_after_its_return(self, house: House) -> None:
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(30)
        master.says(over("g1", "ben"))
        thank("g1", ben)
        house.passes(5)
        house.returns(ann.token)
        house.passes(0.9)
        assert "g2" not in house.broker.server.games
        house.passes(0.2)
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_who_rests_after_faults_in_a_row_does_not_end_that_by_coming_back(self) -> None:
        house = House(player_strikes=1)
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(30)
        master.says(over("g1", "ben"))
        thank("g1", ben)
        again = house.returns(ann.token)
        assert again.hears() == [Error(f"while you were away: {SLOW}")]  # how long it rests is another matter by now
        house.passes(29)
        assert "g2" not in house.broker.server.games
        house.passes(1)
        assert "g2" in house.broker.server.games

    def test_who_was_removed_meanwhile_reads_of_which_game(self, house: House) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.says(PlayerLeftGame("ann", "g1"))
        assert house.returns(ann.token).hears() == [
            Error("while you were away: removed by the game master: game g1 is lost")
        ]

    @pytest.mark.parametrize("has_ended", [False, True])
    def test_the_verdict_follows_as_soon_as_there_is_one(self, house: House, has_ended: bool) -> None:
        master, ann, _ben = seated(house, "ann", "ben")
        ann.is_lost()
        house.passes(30)
        if has_ended:
            master.says(over("g1", "ben"))
        again = house.returns(ann.token, SESSION, Family.REASON)
        error, *verdicts = again.hears()
        assert error == Error(f"while you were away: {SLOW}")
        if not has_ended:
            assert verdicts == []
            master.says(over("g1", "ben"))
            verdicts = again.hears()
        (verdict,) = verdicts
        assert isinstance(verdict, GameVerdict)
        assert (verdict.game_id, verdict.cause, verdict.culprit) == ("g1", "timeout", "ann")

    def test_quiet_players_read_no_error_of_it(self) -> None:
        """A program of plain v4 may take the place of an absent player."""
        house = House(quiet_players=True, session_takeover="address")
        master, ann, ben = seated(house, "ann", "ben")
        ann.is_lost()
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ben)
        house.passes(10)
        again = house.connects()
        again.says(PlayerLogin("ann", CHESS))
        assert again.hears() == [LoginResponse()]

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
        assert again.hears() == [Error("while you were away: game g1 is won")]
        assert again.standings() == [{"ann": (1, 0), "ben": (0, 1)}]
        assert "g2" not in house.broker.server.games  # it may log out, having read that
        house.passes(1)
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
        assert again.turn is None
        assert again.hears() == [Error("game void: the game master is gone (game g1, while you were away)")]
        house.master("n")
        house.passes(1)
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_who_has_left_a_void_game_is_told_nothing(self, house: House) -> None:
        master, ann, _ben, _cat = seated(house, "ann", "ben", "cat")
        ann.says(LeaveGame("g1"))
        master.hears()
        ann.is_lost()
        master.is_lost()
        assert house.returns(ann.token).hears() == []

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
        assert again.player.table is house.broker.server.tables["g1"]

    def test_a_player_who_comes_back_without_a_lobby_waits_for_open_play(self, house: House) -> None:
        house.master()
        ann = house.guest("ann", SESSION, LOBBY)
        house.player("ben")
        assert house.broker.games == []
        ann.is_lost()
        house.returns(ann.token)
        assert house.game().present.keys() == {"ann", "ben"}


def nicks_kept(house: House) -> list[str]:
    """The nicks of all players, there or absent."""
    return [player.name for player in house.broker.server.names.players.values()]


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

    def test_a_household_with_many_addresses_has_one_limit(self) -> None:
        house = House(max_absent_per_ip=1)
        for nick, address in (("ann", "[2001:db8::1]:1"), ("ben", "[2001:db8::2]:1"), ("cyd", "[2001:db8:0:1::1]:1")):
            house.guest(nick, SESSION, address=address).is_lost()
        assert nicks_kept(house) == ["ben", "cyd"]

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
