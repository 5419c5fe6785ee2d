"""Idle time-outs: which players and tables are warned, and which are given up."""

from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, turn
from ugs.broker.effects import RecordLogout
from ugs.broker.events import Misread, Timer, TimerFired, TimerKind
from ugs.broker.extensions import idle_timeouts
from ugs.broker.state.session_tokens import SESSIONS
from ugs.broker.verdict import Cause
from ugs.broker.views.why import explain
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    EndResult,
    Failed,
    Family,
    GameEnded,
    Join,
    ListPlayers,
    NewTable,
    Ping,
    Pong,
    Quit,
    Seats,
    Start,
    Visibility,
    Warn,
    WarningScope,
    WarningState,
)
from ugs.wire.messages import Error, Logout, Message

LOBBY = (Family.SESSION, Family.LOBBY)
LOOK = Timer(TimerKind.SILENCE, "")
PLAYER, GAME = WarningScope.PLAYER, WarningScope.GAME
IDLE, INACTIVE = WarningState.IDLE, WarningState.INACTIVE
QUICK: dict[str, Any] = {"first_idle_check_s": 5, "idle_check_s": 5}
PLAYERS: dict[str, Any] = {**QUICK, "player_idle_s": 10, "player_inactive_s": 20}
TABLES: dict[str, Any] = {
    **QUICK,
    "game_idle_s": 10,
    "game_inactive_s": 20,
    "move_timeout_s": 1000,
    "begin_timeout_s": 1000,
}


def warnings(heard: list[Message]) -> list[Warn]:
    """The warnings among what has come."""
    return [message for message in heard if isinstance(message, Warn)]


def seated(house: House, *peers: Peer, seats: int) -> None:
    """The first sets g1 up, the others sit down; all have read what came."""
    first, *others = peers
    first.says(Advertise(NewTable("Friday", seats, Visibility.PUBLIC)))
    for peer in others:
        peer.says(Join("g1"))
    for peer in peers:
        peer.hears()


class TestLooks:
    def test_no_timer_runs_without_players_or_tables_to_judge(self, house: House) -> None:
        house.table("ann", "ben")
        house.guest("ada", Family.LOBBY, Family.CHAT)
        house.passes(10_000)
        assert LOOK not in house.timers

    def test_the_first_look_comes_later_than_the_next_ones(self, house: House) -> None:
        house.guest("ada", *LOBBY)
        assert house.timers[LOOK] == house.now + house.config.first_idle_check_s
        house.passes(house.config.first_idle_check_s)
        assert house.timers[LOOK] == house.now + house.config.idle_check_s

    def test_a_second_player_does_not_put_it_off(self, house: House) -> None:
        house.guest("ada", *LOBBY)
        due = house.timers[LOOK]
        house.passes(10)
        house.guest("ben", *LOBBY)
        assert house.timers[LOOK] == due

    def test_looking_ends_with_the_last_player_and_begins_again_with_the_next(self, house: House) -> None:
        house.guest("ada", *LOBBY).says(Logout())
        house.passes(house.config.first_idle_check_s)
        assert LOOK not in house.timers
        house.guest("ben", *LOBBY)
        assert LOOK in house.timers

    def test_a_table_is_checked_with_any_kind_of_players(self, house: House) -> None:
        ada = house.guest("ada", Family.LOBBY)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        house.passes(house.config.first_idle_check_s)
        assert LOOK in house.timers
        ada.says(Cancel())
        house.passes(house.config.idle_check_s)
        assert LOOK not in house.timers

    def test_a_newcomer_has_time_to_log_in(self) -> None:
        house = House(first_idle_check_s=1, idle_check_s=1)
        peer = house.greets(Family.SESSION)
        house.passes(1)
        assert LOOK in house.timers
        peer.is_lost()
        house.passes(1)
        assert LOOK not in house.timers

    def test_games_that_outlived_the_server_are_looked_at_again(self) -> None:
        house = House(master_grace_s=1000, session_grace_s=1000)
        master = house.leader("m", Family.TABLE, Family.RESTORE)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ada"))
        assert LOOK in house.again().timers


class TestPlayers:
    def test_a_player_who_is_silent_is_warned_once_and_then_logged_out(self) -> None:
        house = House(**PLAYERS)
        ada = house.guest("ada", *LOBBY)
        house.passes(19)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 10)]
        house.passes(1)
        assert warnings(ada.hears()) == [Warn(PLAYER, INACTIVE, 0)]
        assert ada.is_closed()
        assert not house.broker.server.names.players
        (gone,) = (one for one in house.records if isinstance(one, RecordLogout))
        assert gone.reason == "closed by the server: was silent for 20 s (player_inactive_s)"
        assert "silent: was silent for 20 s" in str(explain(house.broker.server, "ada"))

    def test_one_that_is_silent_in_a_game_has_lost_it_for_that(self) -> None:
        house = House(**PLAYERS, move_timeout_s=1000)
        ada, _ben = house.guest("ada", Family.SESSION), house.player("ben")
        master = house.master()
        master.says(turn("g1", "ada"))
        house.passes(20)
        assert ada.is_closed()
        master.says(over("g1", "ben", losers=("ada",)))
        assert (house.results[0].verdict.cause, house.results[0].verdict.culprit) == (Cause.SILENT, "ada")

    def test_a_token_is_worth_nothing_any_more_then(self) -> None:
        house = House(**PLAYERS)
        ada = house.guest("ada", *LOBBY)
        house.passes(20)
        assert not SESSIONS.of(house.broker.server)
        assert ada.is_closed()

    @pytest.mark.parametrize("message", [Ping(), ListPlayers(), Quit(), Error("hm"), move("g9")])
    def test_whatever_one_says_counts_also_what_is_refused(self, message: Message) -> None:
        house = House(**PLAYERS)
        ada = house.guest("ada", *LOBBY)
        house.passes(10)
        ada.says(message)
        house.passes(9)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 10)]
        house.passes(1)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 10)]

    def test_a_message_that_cannot_be_read_counts_too(self) -> None:
        house = House(**PLAYERS)
        ada = house.guest("ada", *LOBBY)
        house.passes(10)
        house.happens(Misread(ada.conn, "x-join: no table", "x-join"))
        house.passes(10)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 10), Warn(PLAYER, IDLE, 10)]

    def test_no_player_is_logged_out_without_a_warning(self) -> None:
        house = House(player_idle_s=10, player_inactive_s=20, first_idle_check_s=1000, idle_check_s=100)
        ada = house.guest("ada", *LOBBY)
        house.passes(1000)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 0)]
        house.passes(99)
        assert not ada.is_closed()
        house.passes(1)
        assert ada.is_closed()

    def test_a_player_who_spoke_between_two_far_looks_is_warned_again_first(self) -> None:
        house = House(player_idle_s=10, player_inactive_s=20, first_idle_check_s=50, idle_check_s=50)
        ada = house.guest("ada", *LOBBY)
        house.passes(51)
        ada.says(Ping())
        house.passes(49)
        assert warnings(ada.hears()) == [Warn(PLAYER, IDLE, 0), Warn(PLAYER, IDLE, 0)]

    def test_without_a_session_one_may_be_silent_for_ever(self) -> None:
        house = House(**PLAYERS)
        house.guest("ada", *LOBBY)
        vic, dan = house.player("vic"), house.guest("dan", Family.LOBBY)
        house.passes(10_000)
        assert not vic.is_closed()
        assert not dan.is_closed()

    def test_a_player_who_is_away_is_left_to_its_grace(self) -> None:
        house = House(**PLAYERS, session_grace_s=100)
        ada, _ = house.guest("ada", *LOBBY), house.guest("ben", *LOBBY)
        ada.is_lost()
        house.passes(99)
        assert "ada" in house.broker.server.names.players
        house.passes(1)
        assert "ada" not in house.broker.server.names.players

    def test_a_player_who_is_back_begins_anew(self) -> None:
        house = House(**PLAYERS)
        ada = house.guest("ada", *LOBBY)
        house.passes(15)
        ada.is_lost()
        back = house.returns(ada.token, *LOBBY)
        house.passes(9)
        assert back.hears() == []
        house.passes(1)
        assert warnings(back.hears()) == [Warn(PLAYER, IDLE, 10)]

    def test_players_without_tokens_are_judged_too(self) -> None:
        house = House(**PLAYERS, session_grace_s=0)
        ada = house.greets(*LOBBY)
        ada.says(Ping())
        house.passes(5)
        assert LOOK in house.timers


class TestTables:
    def test_a_table_at_which_nothing_happens_is_put_away_after_a_warning(self) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        dan = house.guest("dan", Family.LOBBY)
        seated(house, ada, ben, dan, seats=4)
        house.passes(19)
        assert ada.hears() == ben.hears() == [Warn(GAME, IDLE, 10, "g1")]
        assert dan.hears() == []
        house.passes(1)
        ended = GameEnded("g1", EndResult.CANCELLED, "INACTIVE", "nothing has happened for long")
        assert ada.hears() == ben.hears() == [Warn(GAME, INACTIVE, 0, "g1"), ended]
        assert dan.hears() == [ended]
        assert not house.broker.server.tables
        ben.says(Quit())
        assert [type(message) for message in ben.hears()] == [Failed]

    def test_a_player_who_sits_down_or_gets_up_makes_it_active_again_and_a_ping_does_not(self) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        seated(house, ada, seats=3)
        house.passes(11)
        ben.says(Join("g1"))
        house.passes(10)
        ben.says(Quit())
        ada.says(Ping())
        assert [type(message) for message in ada.hears()] == [Warn, Seats, Seats, Pong]
        house.passes(14)
        assert warnings(ada.hears()) == [Warn(GAME, IDLE, 6, "g1")]
        house.passes(10)
        assert isinstance(ada.hears()[-1], GameEnded)

    def test_what_happens_between_two_far_looks_is_not_overlooked(self) -> None:
        house = House(**{**TABLES, "first_idle_check_s": 50, "idle_check_s": 50})
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        seated(house, ada, seats=3)
        house.passes(51)
        ben.says(Join("g1"))
        house.passes(49)
        assert "g1" in house.broker.server.tables
        house.passes(50)
        assert "g1" not in house.broker.server.tables


class TestGames:
    def play(self, house: House, *peers: Peer) -> Peer:
        """A game of these at table g1; the last of them is to move."""
        master = house.leader("m", Family.TABLE, players=(2, 4))
        seated(house, *peers, seats=len(peers))
        master.says(turn("g1", peers[-1].name))
        master.hears()
        for peer in peers:
            peer.hears()
        return master

    def test_a_game_in_which_nothing_happens_is_cancelled_after_a_warning(self) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        master = self.play(house, ada, ben)
        house.passes(19)
        assert ada.hears() == ben.hears() == [Warn(GAME, IDLE, 10, "g1")]
        house.passes(1)
        assert [message.TYPE for message in ben.hears()] == ["x-warning", "x-gameEnded", "gameState"]
        assert [message.TYPE for message in master.hears()] == ["x-stop"]
        (result,) = house.results
        assert result.verdict.cause is Cause.INACTIVE

    def test_moves_and_states_make_it_active_again(self) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        master = self.play(house, ada, ben)
        house.passes(12)
        ben.says(move("g1"))
        house.passes(9)
        master.says(turn("g1", "ada"))
        house.passes(9)
        assert warnings(ada.hears()) == [Warn(GAME, IDLE, 10, "g1")]
        assert house.game().history.moves == 1

    @pytest.mark.parametrize("present", [True, False], ids=["whole", "with one who has left"])
    def test_a_mover_who_is_not_judged_as_a_player_is_out_of_it_where_it_can_go_on(self, present: bool) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        dan = house.guest("dan", Family.LOBBY)
        self.play(house, ada, ben, dan)
        if not present:
            ben.says(Quit())
        house.passes(20)
        if present:
            assert dan.hears() == [Error("nothing has happened for 20 s: game g1 is lost")]
            assert house.game().departures == {"dan": Cause.TIMEOUT}
            house.passes(9)
            assert "g1" in house.broker.server.tables
        else:
            assert house.results[0].verdict.cause is Cause.INACTIVE

    def test_with_a_mover_who_has_set_up_the_table_it_cannot_go_on(self) -> None:
        house = House(**TABLES)
        dan = house.guest("dan", Family.LOBBY)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        master = self.play(house, dan, ada, ben)
        master.says(turn("g1", "dan"))
        house.passes(20)
        assert house.results[0].verdict.cause is Cause.INACTIVE

    def test_seats_that_the_master_plays_count(self) -> None:
        house = House(**TABLES)
        master = house.leader("m", Family.TABLE, players=(2, 4))
        ada, dan = house.guest("ada", *LOBBY), house.guest("dan", Family.LOBBY)
        seated(house, ada, dan, seats=3)
        ada.says(Start())
        master.says(turn("g1", "dan"))
        house.passes(20)
        assert house.game().departures == {"dan": Cause.TIMEOUT}

    def test_a_game_of_the_pool_is_left_to_the_clocks_of_its_turns(self) -> None:
        house = House(**TABLES)
        house.guest("ada", *LOBBY)
        house.table("ann", "ben")
        house.passes(999)
        assert house.game().type.name == CHESS

    def test_while_the_master_must_answer_its_clock_judges(self) -> None:
        house = House(**TABLES, master_timeout_s=100)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        self.play(house, ada, ben)
        ben.says(move("g1"))
        house.passes(99)
        assert warnings(ada.hears()) == []
        house.passes(1)
        assert house.results[0].verdict.cause is Cause.MASTER_SILENT

    def test_a_result_that_is_not_on_file_yet_is_waited_for(self) -> None:
        house = House(**TABLES)
        ada, ben = [house.guest(nick, *LOBBY) for nick in ("ada", "ben")]
        master = self.play(house, ada, ben)
        house.disk_is_slow = True
        master.says(over("g1", "ada", losers=("ben",)))
        house.passes(100)
        assert ada.hears() == []
        house.disk_catches_up()
        assert [message.TYPE for message in ada.hears()] == ["x-gameEnded", "gameState"]


def test_many_are_looked_at_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_timeouts, "MAX_AT_ONCE", 2)
    house = House(**PLAYERS)
    ann, ben, cleo, dan, eve = [house.guest(nick, *LOBBY) for nick in ("ann", "ben", "cleo", "dan", "eve")]
    eve.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
    house.passes(5)
    for peer in (ann, ben, cleo, dan, eve):
        peer.hears()
    house.now += 6
    del house.timers[LOOK]
    house.happens(TimerFired(LOOK))
    assert [len(warnings(peer.hears())) for peer in (ann, ben, cleo, dan)] == [1, 1, 0, 0]
    assert house.timers[LOOK] == house.now, "the others are looked at as soon as there is time"
    cleo.says(Logout())
    eve.says(Cancel())
    house.passes(0)
    assert [len(warnings(peer.hears())) for peer in (ann, ben, dan)] == [0, 0, 1]
    assert house.timers[LOOK] == house.now + 5, "the next look comes at its time"
