"""Clocks: how long players have, what the network is credited, and who is told and warned when."""

from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.effects import RecordBegin, RecordEntry, Send, StartTimer
from ugs.broker.events import Timer, TimerBegun, TimerFired, TimerKind
from ugs.broker.extensions.clocks import PINGS, asking
from ugs.broker.facts import Asking
from ugs.broker.past import PastGame
from ugs.broker.play.budgets import ROUND_TRIP, begin, left_s, measured, pause, used_until_now
from ugs.broker.play.server_restart import made_again
from ugs.broker.state.phases import Phase
from ugs.broker.values.record import EntryKind
from ugs.wire.extensions import (
    Clock,
    ClockInfo,
    Failed,
    Family,
    Ping,
    Pong,
    RefusalReason,
    ShowClock,
    View,
    Views,
    Warn,
    WarningScope,
    WarningState,
)
from ugs.wire.messages import Error, GameState, LeaveGame, Message, PlayerLeftGame

LOW = Timer(TimerKind.LOW_TIME, "g1")
CLOCK = Timer(TimerKind.GAME, "g1")


def timed(**settings: Any) -> House:
    """A house in which players have 60 seconds for a game, if nothing else is said."""
    return House(**({"time_s": 60.0, "move_timeout_s": 1000.0, "clock_warning_s": 5.0} | settings))


def table(house: House, *families: Family) -> tuple[Peer, Peer, Peer]:
    """A master, ann and ben in g1, ann to move; all with these families have read what came, and answered no ping."""
    master = house.master()
    ann, ben = (house.guest(nick, *families) if families else house.player(nick) for nick in ("ann", "ben"))
    master.hears()
    master.says(turn("g1", "ann"))
    for peer in (ann, ben):
        peer.hears()
        peer.standings()
    return master, ann, ben


def pings(peer: Peer, seconds: float, house: House) -> None:
    """Answer every ping that has come, after ``seconds``."""
    refs = [one.ref for one in peer.hears() if isinstance(one, Ping)]
    house.passes(seconds)
    for ref in refs:
        peer.says(Pong(ref))


def budgets(house: House) -> dict[str, float]:
    """What everybody has left."""
    game = house.game()
    left, server = game.turn.budgets, house.broker.server
    assert left is not None
    server.now = house.now
    return {nick: left_s(server, game, left, player) for nick, player in game.present.items()}


def clocks(peer: Peer) -> list[Clock]:
    """All x-clock that have come."""
    return [one for one in peer.hears() if isinstance(one, Clock)]


def show(peer: Peer) -> dict[str, ClockInfo]:
    """What x-showClock says."""
    peer.hears()
    peer.says(ShowClock("7"))
    (heard,) = peer.hears()
    assert isinstance(heard, Clock)
    assert (heard.game_id, heard.ref) == ("g1", "7")
    return {one.nick: one for one in heard.clocks}


class TestBudgets:
    def test_only_who_has_to_move_uses_time(self) -> None:
        house = timed()
        master, ann, ben = table(house)
        house.passes(10)
        ann.says(move("g1"))
        house.passes(7)
        master.says(turn("g1", "ben"))
        house.passes(20)
        assert budgets(house) == pytest.approx({"ann": 50, "ben": 40})
        ben.says(move("g1"))
        house.passes(5)
        assert budgets(house) == pytest.approx({"ann": 50, "ben": 40})

    def test_every_move_brings_the_increment(self) -> None:
        house = timed(increment_s=3.0)
        master, ann, _ = table(house)
        house.passes(10)
        ann.says(move("g1"))
        assert budgets(house) == pytest.approx({"ann": 53, "ben": 60})
        master.says(turn("g1", "ann"))
        house.passes(1)
        ann.says(move("g1"))
        assert budgets(house) == pytest.approx({"ann": 55, "ben": 60})

    def test_a_player_who_has_used_its_time_is_out(self) -> None:
        house = timed()
        master, ann, ben = table(house)
        house.passes(40)
        ann.says(move("g1"))
        master.says(turn("g1", "ann"))
        assert house.clock() == pytest.approx(20)
        ann.hears()
        master.hears()
        house.passes(20)
        assert ann.hears() == [Error("no time left: game g1 is lost")]
        assert master.hears() == [PlayerLeftGame("ann", "g1")]
        assert ben.player.game is not None

    def test_the_limit_of_a_move_holds_besides(self) -> None:
        house = timed(move_timeout_s=30.0)
        _, ann, _ = table(house)
        assert house.clock() == pytest.approx(30)
        house.passes(30)
        assert ann.hears() == [Error("no move within 30 s: game g1 is lost")]

    def test_a_move_at_the_last_moment_leaves_nothing_and_not_less(self) -> None:
        house = timed(increment_s=2.0)
        _, ann, _ = table(house)
        house.timers.pop(CLOCK)  # the move lies in the socket already
        house.passes(61)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(2)

    def test_time_in_the_outbox_is_not_the_players(self) -> None:
        house = timed()
        _, ann, _ = table(house)
        house.passes(8)
        house.happens(TimerBegun(CLOCK))
        house.passes(2)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(58)

    def test_the_moment_of_handing_over_is_asked_for(self) -> None:
        house = timed()
        master, ann, _ = table(house)
        ann.says(move("g1"))
        effects = master.says(turn("g1", "ann"))
        (started,) = [effect for effect in effects if isinstance(effect, StartTimer) and effect.timer == CLOCK]
        assert (started.after, started.report) == (ann.conn, True)

    def test_a_report_about_a_clock_of_no_game_is_ignored(self, house: House) -> None:
        house.table("ann", "ben")
        house.happens(TimerBegun(CLOCK))
        house.happens(TimerBegun(Timer(TimerKind.GAME, "g7")))
        house.happens(TimerFired(Timer(TimerKind.LOW_TIME, "g7")))

    def test_game_types_without_budgets_have_none(self) -> None:
        house = House(game_types={"go": {"time_s": 60.0}})
        house.table("ann", "ben")
        assert house.game().turn.budgets is None

    def test_several_movers_have_each_its_own(self) -> None:
        house = timed()
        master = house.leader("m", Family.MOVERS)
        ann, ben = house.players("ann", "ben")
        master.says(Views("g1", ("ann", "ben"), (), (View("", b"<gameState/>"),)))
        house.passes(10)
        ann.says(move("g1"))
        house.passes(10)
        assert budgets(house) == pytest.approx({"ann": 50, "ben": 40})
        master.says(Views("g1", ("ben",), (), (View("", b"<gameState/>"),)))
        assert house.clock() == pytest.approx(40), "who was asked before is not asked again"
        house.passes(40)
        assert "no time left: game g1 is lost" in [one.text for one in ben.hears() if isinstance(one, Error)]

    def test_a_state_that_asks_the_same_player_again_gives_no_time_back(self) -> None:
        house = timed()
        master, _, _ = table(house)
        house.passes(10)
        master.says(turn("g1", "ann"))
        assert house.clock() == pytest.approx(50)
        house.passes(10)
        assert budgets(house)["ann"] == pytest.approx(40)

    def test_after_a_departure_the_clocks_of_the_others_go_on(self) -> None:
        house = timed(time_s=60.0)
        master = house.master(players=(3, 3))
        ann, ben, _ = house.players("ann", "ben", "cat")
        master.says(turn("g1", "ann"))
        house.passes(5)
        ann.says(LeaveGame("g1"))
        master.says(turn("g1", "ben"))
        house.passes(10)
        ben.says(move("g1"))
        assert budgets(house) == pytest.approx({"ben": 50, "cat": 60})

    def test_a_player_who_is_cut_off_keeps_its_clock_running(self) -> None:
        house = timed()
        _, ann, _ = table(house, Family.SESSION)
        house.passes(5)
        ann.is_lost()
        house.passes(10)
        again = house.returns(ann.token)
        house.passes(5)
        again.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(40)


class TestWithoutMaster:
    def orphaned(self, house: House) -> tuple[Peer, Peer]:
        """ann has thought for 10 seconds when the master is lost; the game waits."""
        master = house.leader("m", Family.RESTORE)
        ann, ben = house.guest("ann", Family.CLOCK), house.guest("ben", Family.CLOCK)
        master.says(turn("g1", "ann"))
        house.passes(10)
        master.is_lost()
        assert house.game().phase is Phase.AWAY
        return ann, ben

    def test_nothing_is_counted_until_a_master_has_taken_over(self) -> None:
        house = timed(master_grace_s=100.0)
        ann, _ = self.orphaned(house)
        house.passes(20)
        other = house.leader("n", Family.RESTORE)
        house.passes(5)
        other.says(turn("g1", "ann"))
        before = budgets(house)["ann"]
        assert before >= 50
        house.passes(4)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(before - 4)

    def test_a_move_that_comes_meanwhile_costs_nothing_of_that_time(self) -> None:
        house = timed(master_grace_s=100.0)
        ann, _ = self.orphaned(house)
        house.passes(20)
        ann.says(move("g1"))
        assert budgets(house)["ann"] >= 50

    def test_time_used_before_counts_when_the_clocks_are_stopped(self) -> None:
        house = timed()
        master, ann, _ = table(house)
        house.passes(10)
        house.broker.server.now = house.now
        pause(house.broker.server, house.game())
        house.passes(10)
        assert budgets(house)["ann"] == pytest.approx(50)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(50)
        master.says(turn("g1", "ann"))
        house.passes(1)
        assert budgets(house)["ann"] == pytest.approx(49)

    def test_nobody_is_warned_and_no_move_has_an_end(self) -> None:
        house = timed(master_grace_s=100.0)
        ann, _ = self.orphaned(house)
        assert show(ann)["ann"].move_left_s is None
        house.passes(60)
        assert not [one for one in ann.hears() if isinstance(one, Warn)]


class TestTheNetwork:
    def test_it_is_measured_before_the_state_and_credited(self) -> None:
        house = timed(lag_credit_ms=100.0)
        master, ann, ben = house.master(), house.guest("ann", Family.CLOCK), house.player("ben")
        effects = master.says(turn("g1", "ann"))
        sent = [type(effect.message) for effect in effects if isinstance(effect, Send) and ann.conn in effect.to]
        assert sent == [Ping, Clock, GameState]
        pings(ann, 0.05, house)
        house.passes(2)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(60 - 2.05 + 0.05)
        master.says(turn("g1", "ben"))
        assert not [one for one in ben.hears() if isinstance(one, Ping | Clock)]

    def test_not_more_is_credited_than_allowed_nor_than_was_used(self) -> None:
        house = timed(lag_credit_ms=100.0)
        master, ann, _ = table(house, Family.CLOCK)
        measured(ann.player, 3)
        house.passes(2)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(58.1)
        master.says(turn("g1", "ann"))
        house.passes(0.01)
        ann.says(move("g1"))
        assert budgets(house)["ann"] == pytest.approx(58.1)

    def test_the_credit_is_added_to_the_time_for_a_move(self) -> None:
        house = timed(lag_credit_ms=100.0)
        master, ann, _ = table(house, Family.CLOCK)
        measured(ann.player, 0.04)
        ann.says(move("g1"))
        master.says(turn("g1", "ann"))
        assert house.clock() == pytest.approx(60.04)
        house.passes(60.04)
        assert "no time left: game g1 is lost" in [one.text for one in ann.hears() if isinstance(one, Error)]

    def test_the_least_of_the_last_eight_counts(self) -> None:
        house = timed()
        _, ann, _ = table(house, Family.CLOCK)
        for seconds in [0.001, *[0.01 * number for number in range(5, 13)]]:
            measured(ann.player, seconds)
        assert show(ann)["ann"].round_trip_ms == pytest.approx(50)

    def test_it_is_measured_at_most_once_in_five_seconds(self) -> None:
        house = timed()
        master, ann, _ = table(house, Family.CLOCK)
        asked = []
        for _ in range(12):
            house.passes(1)
            ann.says(move("g1"))
            master.says(turn("g1", "ann"))
            asked.append(any(isinstance(one, Ping) for one in ann.hears()))
        assert [second for second, pinged in enumerate(asked, 1) if pinged] == [5, 10]

    def test_an_answer_to_no_ping_is_ignored_and_unanswered_pings_do_not_pile_up(self) -> None:
        house = timed(time_s=1000.0)
        master, ann, _ = table(house, Family.CLOCK)
        ann.says(Pong("nonsense"))
        for _ in range(30):
            house.passes(5)
            ann.says(move("g1"))
            master.says(turn("g1", "ann"))
        assert len(PINGS.of(ann.player)) == 8
        assert not ROUND_TRIP.of(ann.player)


class TestWhoIsTold:
    def test_everybody_with_clock_is_told_all_budgets_before_every_state(self) -> None:
        house = timed(lag_credit_ms=100.0)
        master, ann, ben = house.master(), house.guest("ann", Family.CLOCK), house.guest("ben", Family.CLOCK)
        master.says(turn("g1", "ann"))
        pings(ann, 0.02, house)
        ben.hears()
        house.passes(10)
        ann.says(move("g1"))
        master.says(turn("g1", "ben"))
        heard = [one for one in ann.hears() if isinstance(one, Clock | GameState)]
        assert [type(one) for one in heard] == [Clock, GameState]
        assert isinstance(heard[0], Clock)
        ann_clock, ben_clock = heard[0].clocks
        assert ann_clock.left_s == pytest.approx(50)
        assert ann_clock.round_trip_ms == pytest.approx(20)
        assert (ben_clock.nick, ben_clock.left_s, ben_clock.round_trip_ms) == ("ben", 60, None)
        (to_ben,) = clocks(ben)
        assert [one.round_trip_ms for one in to_ben.clocks] == [None, None], "that of others is not told"

    def test_a_player_who_has_not_asked_for_it_is_told_nothing(self) -> None:
        house = timed()
        master, ann, ben = table(house)
        ann.says(move("g1"))
        master.says(turn("g1", "ben"))
        assert [type(one) for one in ben.hears()] == [GameState]

    def test_the_time_for_the_move_is_told_of_a_player_about_to_be_asked(self) -> None:
        house = timed(move_timeout_s=30.0)
        _, ann, ben = table(house, Family.CLOCK)
        ann.hears()
        asking(house.broker.server, Asking(house.game(), [ben.player]))
        house.passes(0)
        effects = house.broker.server.taken()
        told = [one.message for one in effects if isinstance(one, Send) and isinstance(one.message, Clock)]
        assert [one.move_left_s for one in told[0].clocks] == [None, 30]

    def test_the_time_can_be_asked_for(self) -> None:
        house = timed(move_timeout_s=30.0)
        _, ann, ben = table(house, Family.CLOCK)
        house.passes(12)
        assert show(ben) == {
            "ann": ClockInfo("ann", 48, 18),
            "ben": ClockInfo("ben", 60),
        }
        ann.says(LeaveGame("g1"))
        assert show(ben)["ann"].move_left_s is None

    def test_without_budgets_only_the_time_for_the_move_is_told(self) -> None:
        house = House(move_timeout_s=30.0)
        master, ann, ben = table(house, Family.CLOCK)
        house.passes(12)
        assert show(ann) == {"ann": ClockInfo("ann", None, 18), "ben": ClockInfo("ben")}
        ann.says(move("g1"))
        assert show(ann) == {"ann": ClockInfo("ann"), "ben": ClockInfo("ben")}
        house.passes(1)
        master.says(turn("g1", "ben"))
        assert not clocks(ben)
        house.passes(1)
        assert show(ben)["ben"].move_left_s == pytest.approx(29)

    def test_each_of_several_movers_without_budgets_has_its_own_time(self) -> None:
        house = House(move_timeout_s=30.0)
        master = house.leader("m", Family.MOVERS)
        ann, _ = house.guest("ann", Family.CLOCK), house.guest("ben", Family.CLOCK)
        master.says(Views("g1", ("ann",), (), (View("", b"<gameState/>"),)))
        house.passes(10)
        master.says(Views("g1", ("ann", "ben"), (), (View("", b"<gameState/>"),)))
        house.passes(5)
        shown = show(ann)
        assert (shown["ann"].move_left_s, shown["ben"].move_left_s) == (15, 25)

    def test_a_player_who_is_in_no_game_has_no_clock(self) -> None:
        house = timed()
        ann = house.guest("ann", Family.CLOCK)
        ann.says(ShowClock("3"))
        assert ann.hears() == [Failed(RefusalReason.NOT_PLAYING, "x-showClock: you are in no game", ref="3")]
        ben = house.guest("ben", Family.CLOCK)
        master = house.master()
        master.says(over("g1", "ann", losers=("ben",)))
        ben.hears()
        ben.says(ShowClock())
        assert [one.code for one in ben.hears() if isinstance(one, Failed)] == [RefusalReason.NOT_PLAYING]


class TestWarnings:
    def warnings(self, peer: Peer) -> list[Warn]:
        return [one for one in peer.hears() if isinstance(one, Warn)]

    def test_a_player_who_has_to_move_is_warned_before_its_time_is_over(self) -> None:
        house = timed(clock_warning_s=5.0)
        _, ann, ben = table(house, Family.CLOCK)
        house.passes(54.9)
        assert self.warnings(ann) == []
        house.passes(0.1)
        (warning,) = self.warnings(ann)
        assert (warning.scope, warning.state, warning.game_id) == (WarningScope.CLOCK, WarningState.LOW, "g1")
        assert warning.left_s == pytest.approx(5)
        house.passes(4.9)
        assert self.warnings(ann) == self.warnings(ben) == []

    def test_the_end_of_a_move_counts_when_it_is_nearer(self) -> None:
        house = timed(clock_warning_s=5.0, move_timeout_s=20.0)
        _, ann, _ = table(house, Family.CLOCK)
        house.passes(15)
        assert len(self.warnings(ann)) == 1

    def test_a_player_who_moves_in_time_is_not_warned(self) -> None:
        house = timed()
        _, ann, _ = table(house, Family.CLOCK)
        assert LOW in house.timers
        ann.says(move("g1"))
        assert LOW not in house.timers

    def test_the_warning_waits_for_what_lay_in_the_outbox(self) -> None:
        house = timed(clock_warning_s=5.0)
        _, ann, _ = table(house, Family.CLOCK)
        house.passes(3)
        house.happens(TimerBegun(CLOCK))
        house.passes(52.5)
        assert self.warnings(ann) == []
        house.passes(2.5)
        assert len(self.warnings(ann)) == 1

    @pytest.mark.parametrize(
        "settings", [{"clock_warning_s": 0.0}, {"time_s": 4.0}, {"time_s": 0.0, "move_timeout_s": 4.0}]
    )
    def test_a_player_who_begins_with_less_time_is_not_warned(self, settings: dict[str, float]) -> None:
        house = timed(**settings)
        _, ann, _ = table(house, Family.CLOCK)
        assert LOW not in house.timers
        house.passes(3.9)
        assert self.warnings(ann) == []

    def test_players_without_clock_are_not_warned(self) -> None:
        house = timed()
        table(house, Family.SESSION)
        assert LOW not in house.timers

    def test_several_movers_are_warned_each_in_its_time(self) -> None:
        house = timed(clock_warning_s=5.0)
        master = house.leader("m", Family.MOVERS)
        ann, ben = house.guest("ann", Family.CLOCK), house.guest("ben", Family.CLOCK)
        master.says(Views("g1", ("ann",), (), (View("", b"<gameState/>"),)))
        house.passes(10)
        master.says(Views("g1", ("ann", "ben"), (), (View("", b"<gameState/>"),)))
        house.passes(45)
        assert (len(self.warnings(ann)), len(self.warnings(ben))) == (1, 0)
        ann.says(move("g1"))
        house.passes(10)
        assert (len(self.warnings(ann)), len(self.warnings(ben))) == (0, 1)

    def test_nothing_runs_any_more_when_the_game_is_over(self) -> None:
        house = timed()
        master, ann, ben = table(house, Family.CLOCK)
        master.says(over("g1", "ann", losers=("ben",)))
        assert LOW not in house.timers
        thank("g1", ann, ben)


class TestAfterARestart:
    def revived(self, house: House, entries: list[tuple[float, RecordEntry]]) -> Any:
        """A game of an earlier life, with this history."""
        begin = RecordBegin("g1", CHESS, "m", ("ann", "ben"), seed="42")
        (game,) = made_again(house.broker.server, [PastGame(begin, 100.0, entries)])
        return game

    def entries(self) -> list[tuple[float, RecordEntry]]:
        """ann has thought for 9 and 4 seconds, ben for 20; ann has to move."""
        states = [(1.0, 0), (11.0, 1), (32.0, 0), (37.0, 0)]
        moves = [(10.0, 0), (31.0, 1), (36.0, 0)]
        both = [(at, RecordEntry("g1", EntryKind.STATE, seat, 3, "", b"<gameState/>")) for at, seat in states]
        both += [(at, RecordEntry("g1", EntryKind.MOVE, seat, 0, "", b"<move/>")) for at, seat in moves]
        return sorted(both, key=lambda entry: entry[0])

    def test_the_history_tells_what_was_used(self) -> None:
        house = timed(increment_s=2.0)
        game = self.revived(house, self.entries())
        assert used_until_now(game) == pytest.approx({"ann": 9 + 4 - 4, "ben": 20 - 2})

    def test_the_game_goes_on_with_what_is_left(self) -> None:
        house = timed()
        game = self.revived(house, self.entries())
        begin(game, used_until_now(game))
        assert game.turn.budgets is not None
        assert game.turn.budgets.left == {"ann": 47, "ben": 40}

    def test_without_budgets_there_is_nothing_to_go_on_with(self, house: House) -> None:
        game = self.revived(house, self.entries())
        begin(game, used_until_now(game))
        assert game.turn.budgets is None


def test_v4_players_of_a_game_with_budgets_notice_nothing() -> None:
    house = timed()
    master, ann, ben = table(house)
    heard: list[Message] = []
    for number in range(6):
        house.passes(5)
        (ann, ben)[number % 2].says(move("g1"))
        master.says(turn("g1", ("ben", "ann")[number % 2]))
        heard += [*ann.hears(), *ben.hears()]
    assert {type(one) for one in heard} == {GameState}


def test_a_report_about_a_clock_that_has_stopped_is_ignored() -> None:
    house = timed(master_grace_s=20)
    master = house.leader("m", Family.RESTORE)
    for nick in ("ann", "ben"):
        house.guest(nick, Family.SESSION)
    master.hears()
    master.says(turn("g1", "ann"))
    house = house.again()
    assert house.happens(TimerBegun(CLOCK)) == []
    assert house.game().phase is Phase.AWAY


def test_time_used_before_the_master_was_lost_stays_used() -> None:
    house = timed(master_grace_s=20)
    master = house.leader("m", Family.RESTORE)
    ann = house.guest("ann", Family.CLOCK)
    house.player("ben")
    master.hears()
    master.says(turn("g1", "ann"))
    house.passes(10)
    master.is_lost()
    house.passes(5)
    ann.hears()
    ann.says(ShowClock())
    (clock,) = [one for one in ann.hears() if isinstance(one, Clock)]
    assert clock.clocks[0].left_s == pytest.approx(50)


class TestWithoutBudgets:
    """The default: each move has its time-out, and players with the family hear of it."""

    def test_a_player_is_warned_before_its_time_for_the_move_is_over(self) -> None:
        house = House(move_timeout_s=30.0, clock_warning_s=5.0)
        _master, ann, ben = table(house, Family.CLOCK)
        house.passes(24.9)
        assert not [one for one in ann.hears() if isinstance(one, Warn)]
        house.passes(0.2)
        (warning,) = [one for one in ann.hears() if isinstance(one, Warn)]
        assert (warning.scope, warning.state, warning.left_s) == (WarningScope.CLOCK, WarningState.LOW, 5)
        assert not [one for one in ben.hears() if isinstance(one, Warn)]

    def test_the_network_is_measured(self) -> None:
        house = House(move_timeout_s=30.0)
        master, ann, _ben = table(house, Family.CLOCK)
        house.passes(6)
        ann.says(move("g1"))
        master.says(turn("g1", "ann"))
        pings(ann, 0.25, house)
        assert show(ann)["ann"].round_trip_ms == pytest.approx(250)

    def test_players_of_v4_have_no_clocks_to_look_after(self) -> None:
        house = House(move_timeout_s=30.0)
        house.table("ann", "ben")
        assert house.game().turn.budgets is None
        assert house.game().turn.plain

    def test_a_player_that_comes_back_with_the_family_may_ask_for_the_time(self) -> None:
        house = House(move_timeout_s=30.0)
        _master, ann, _ben = table(house, Family.SESSION)
        house.passes(12)
        ann.is_lost()
        assert show(house.returns(ann.token, Family.SESSION, Family.CLOCK))["ann"].move_left_s == pytest.approx(18)


def test_a_clock_stops_when_its_player_need_not_move_any_more() -> None:
    house = timed()
    master, ann, ben = table(house)
    house.passes(5)
    master.says(turn("g1", "ben"))
    house.passes(50)
    assert budgets(house)["ann"] == pytest.approx(55)
    ben.says(move("g1"))
    master.says(turn("g1", "ann"))
    house.passes(10)
    ann.says(move("g1"))
    assert budgets(house)["ann"] == pytest.approx(45)
