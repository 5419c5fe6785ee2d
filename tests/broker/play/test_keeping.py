"""A result is announced when it is on disk, not before; and what happens when the journal cannot be written."""

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.events import JournalBack, JournalLost, ResultKept
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.values.questions import OrderKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.championship.ledger import What
from ugs.wire.messages import (
    BeginGame,
    Error,
    LeaveGame,
    LoginResponse,
    Logout,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)

THE_END = over("g1", "ann", losers=("ben",))
VOID = Error("game void: the server cannot write down what happens")
LOST = JournalLost("disk full")


@pytest.fixture
def house() -> House:
    """Its disk is slow."""
    house = House()
    house.disk_is_slow = True
    return house


@pytest.fixture
def closing(house: House) -> tuple[Peer, Peer, Peer]:
    """A master, ann and ben, whose game g1 has ended; nobody but the server knows."""
    master, ann, ben = house.table("ann", "ben")
    master.says(THE_END)
    return master, ann, ben


class TestClosing:
    """Between the end of a game and the moment at which it is on file."""

    def test_nobody_hears_of_the_end_before_it_is_on_file(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        _master, ann, ben = closing
        assert ann.hears() == ben.hears() == []
        assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}
        assert house.game().phase is Phase.CLOSING
        assert [game.game_id for game in house.results] == ["g1"]
        house.disk_catches_up()
        assert ann.hears() == ben.hears() == [THE_END]
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        assert ann.state is ben.state is PeerState.OWING

    def test_no_clock_runs_and_no_time_is_too_long(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        _master, ann, _ben = closing
        house.passes(1000)
        house.disk_catches_up()
        assert ann.hears() == [THE_END]
        assert house.clock() == 10, "for the thank you"

    def test_results_are_announced_one_by_one(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        cat, dan = house.players("cat", "dan")
        closing[0].says(over("g2", "cat", losers=("dan",)))
        house.disk_catches_up(1)
        assert len(closing[1].hears()) == 1
        assert cat.hears() == dan.hears() == []
        house.disk_catches_up(1)
        assert cat.hears() == dan.hears() == [over("g2", "cat", losers=("dan",))]

    def test_a_void_game_is_announced_at_once(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        master.is_lost()
        assert ann.hears() == [Error("game void: the game master is gone")]

    def test_moving_and_thanking_are_too_late_and_too_early(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        _master, _ann, ben = closing
        ben.says(move("g1"))
        assert ben.hears_error() == "move: gameId id 'g1': this game has ended"
        ben.says(ThankYou("g1"))
        assert ben.hears_error() == "thank you: gameId id 'g1': this game is not over"

    def test_late_messages_of_the_master_are_ignored(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        master = closing[0]
        for late in (turn("g1", "ann"), THE_END, PlayerLeftGame("ann", "g1")):
            master.says(late)
        assert master.hears() == []
        assert len(house.noted("ignored: game has ended already")) == 3

    def test_the_master_may_go(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        master, ann, _ben = closing
        master.is_lost()
        house.disk_catches_up()
        assert ann.hears() == [THE_END]
        assert house.results[0].verdict == Verdict(Cause.FINISHED)

    def test_the_master_may_lead_another_game(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        house.players("cat", "dan")
        assert closing[0].hears() == [BeginGame("g2", ("cat", "dan"))]

    def test_a_player_that_leaves_does_not_hear_the_end_and_has_won_all_the_same(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        master, ann, ben = closing
        ann.says(LeaveGame("g1"))
        assert ann.state is PeerState.IDLE
        assert master.hears() == [], "it has done with the game"
        house.disk_catches_up()
        assert ann.hears() == []
        assert ben.hears() == [THE_END]
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        assert house.results[0].seats[0].departure is None
        ann.says(ThankYou("g1"))
        assert ann.hears_error() == "thank you: gameId id 'g1': this game is over"

    @pytest.mark.parametrize("all_of_them", [False, True])
    def test_a_player_that_is_gone_has_won_all_the_same(
        self, house: House, closing: tuple[Peer, Peer, Peer], all_of_them: bool
    ) -> None:
        _master, ann, ben = closing
        ann.is_lost()
        if all_of_them:
            ben.says(Logout())
        house.disk_catches_up()
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        assert all_of_them or ben.hears() == [THE_END]
        thank("g1", *([] if all_of_them else [ben]))
        assert house.broker.games == []

    def test_a_game_that_all_have_left_is_counted_when_it_is_on_file(self, house: House) -> None:
        _master, ann, ben = house.table("ann", "ben")
        ann.is_lost()
        ben.is_lost()
        assert house.rows() == {}
        house.disk_catches_up()
        assert house.rows() == {"ann": (0, 1, 0), "ben": (0, 1, 0)}

    @pytest.mark.parametrize("game_id", ["g1", "g2", "g9"])
    def test_news_of_games_that_do_not_wait_for_it_are_nothing(self, house: House, game_id: str) -> None:
        house.table("ann", "ben")
        house.players("cat", "dan")
        house.passes(10)
        assert house.results[0].game_id == "g2", "void, the master did not begin it"
        assert house.happens(ResultKept(game_id)) == []

    def test_it_counts_although_everybody_has_gone(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(THE_END)
        for peer in (ann, ben, master):
            peer.is_lost()
        house.disk_catches_up()
        assert house.player("cat").standings() == [{"ann": (1, 0), "cat": (0, 0), "ben": (0, 1)}]


class TestShutdown:
    """The server does not stop before its results are announced, unless it is asked twice."""

    @pytest.mark.parametrize("drain_s", [0, 60])
    def test_it_waits_for_the_disk(self, drain_s: int) -> None:
        house = House(drain_s=drain_s)
        house.disk_is_slow = True
        master, ann, _ben = house.table("ann", "ben")
        master.says(THE_END)
        house.is_asked_to_stop()
        house.passes(100)
        assert ann.hears() == [], "also when the time for draining is over"
        house.disk_catches_up()
        assert house.stopped
        assert ann.hears() == [THE_END, ServerShutdown()]
        assert house.results[0].verdict == Verdict(Cause.FINISHED)

    @pytest.mark.parametrize("drain_s", [0, 60])
    def test_asked_twice_it_goes_without_announcing(self, drain_s: int) -> None:
        house = House(drain_s=drain_s)
        house.disk_is_slow = True
        master, ann, _ben = house.table("ann", "ben")
        master.says(THE_END)
        house.is_asked_to_stop()
        house.is_asked_to_stop()
        assert house.stopped
        assert ann.hears() == [ServerShutdown()]
        assert [result.verdict for result in house.results] == [Verdict(Cause.FINISHED)], "it was recorded"

    def test_games_without_a_result_are_void_and_those_with_one_are_not(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        cat, dan = house.players("cat", "dan")
        master.says(turn("g2", "cat"))
        master.says(THE_END)
        cat.hears()
        house.is_asked_to_stop()
        assert cat.hears() == [Error("game void: the server is shutting down")]
        assert cat.state is dan.state is PeerState.IDLE
        house.disk_catches_up()
        assert ann.hears() == [THE_END, ServerShutdown()]
        assert cat.hears() == [ServerShutdown()]

    def test_a_draining_server_that_loses_the_journal_stops(self) -> None:
        house = House(drain_s=60)
        house.disk_is_slow = True
        master, ann, _ben = house.table("ann", "ben")
        master.says(THE_END)
        house.is_asked_to_stop()
        house.happens(LOST)
        assert house.stopped
        assert ann.hears() == [VOID, ServerShutdown()]


class TestJournalLost:
    """It is the server's fault: running games are void, and no game begins before the journal is back."""

    def test_running_games_are_void_and_their_players_free(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        house.happens(LOST)
        assert ann.hears() == ben.hears() == [VOID]
        assert ann.state is ben.state is PeerState.IDLE
        assert master.hears() == []
        (result,) = house.results
        assert result.verdict == Verdict(Cause.JOURNAL_LOST)
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID, Outcome.VOID]
        (note,) = house.noted("journal lost")
        assert (note["reason"], note["games"]) == ("disk full", 1)

    def test_games_whose_result_is_not_on_file_are_void_too(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        _master, ann, ben = closing
        house.happens(LOST)
        assert ann.hears() == ben.hears() == [VOID]
        assert [result.verdict.cause for result in house.results] == [Cause.FINISHED, Cause.JOURNAL_LOST]
        assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}
        assert house.broker.games == []
        assert house.happens(ResultKept("g1")) == [], "it is void, whatever comes"

    def test_a_player_who_left_while_it_was_closing_is_told_nothing(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        _master, ann, ben = closing
        ann.says(LeaveGame("g1"))
        ben.is_lost()
        house.happens(LOST)
        assert ann.hears() == []
        assert house.broker.games == []

    def test_what_is_announced_stands(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        _master, ann, ben = closing
        house.disk_catches_up()
        house.happens(LOST)
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        thank("g1", ann, ben)
        assert ann.state is PeerState.IDLE

    def test_no_game_begins(self, house: House) -> None:
        master = house.master()
        house.happens(LOST)
        house.players("ann", "ben")
        assert master.hears() == []

    def test_a_game_that_gathers_does_not_begin_either(self) -> None:
        house = House(gather_s=5)
        master = house.master(players=(2, 3))
        house.players("ann", "ben")
        house.happens(LOST)
        house.passes(10)
        assert master.hears() == []
        house.happens(JournalBack())
        assert len(master.hears()) == 1

    def test_logins_and_departures_go_on(self, house: House) -> None:
        house.happens(LOST)
        (ann,) = house.players("ann")
        assert ann.standings()[-1] == {"ann": (0, 0)}
        ann.says(Logout())
        again = house.connects()
        again.says(PlayerLogin("ann", CHESS))
        assert again.hears() == [LoginResponse()]

    def test_lost_a_second_time_is_nothing_new(self, house: House) -> None:
        house.table("ann", "ben")
        house.happens(LOST)
        house.happens(JournalLost("still full"))
        assert len(house.results) == 1

    def test_games_begin_again_when_it_is_back(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        go = house.master("go", game_type="go")
        house.players("eve", "fay", game_type="go")
        house.happens(LOST)
        house.happens(JournalBack())
        house.passes(1)
        assert [type(message) for message in master.hears()] == [BeginGame]
        assert [type(message) for message in go.hears()] == [BeginGame, BeginGame]
        assert {*house.game("g3").present} | {*house.game("g4").present} == {"ann", "ben", "eve", "fay"}
        assert ann.state is ben.state is PeerState.PLAYING


class TestChampionships:
    """Their games wait for the disk like any other."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of the first two who come."""
        house = House()
        house.disk_is_slow = True
        house.plans(first=2)
        return house

    @pytest.fixture
    def closing(self, house: House) -> tuple[Peer, Peer, Peer]:
        """Its game has ended, and only the server knows."""
        master = house.master()
        ann, ben = house.players("ann", "ben")
        master.says(THE_END)
        ann.standings()
        return master, ann, ben

    def whats(self, house: House) -> list[What]:
        """The ledger in words, from the first game."""
        return [entry.what for entry in house.ledger("cup")][3:]

    def test_a_result_is_in_the_ledger_with_its_record_and_counts_when_it_is_on_file(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        _master, ann, ben = closing
        assert self.whats(house) == [What.FIXTURE, What.RESULT]
        assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}
        house.disk_catches_up()
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        thank("g1", ann, ben)
        assert ann.standings()[-1] == {"ann": (1, 0), "ben": (0, 1)}
        assert self.whats(house) == [What.FIXTURE, What.RESULT, What.OVER]

    def test_an_entrant_who_goes_then_has_played_and_is_not_struck(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        _master, ann, ben = closing
        ann.says(Logout())
        (note,) = house.noted("withdrawn")
        assert note["results_struck"] is False
        house.disk_catches_up()
        thank("g1", ben)
        assert ben.standings()[-1] == {"ann": (1, 0), "ben": (0, 1)}
        assert house.again().broker.server.championships["cup"].standings.champions_list().rows[0].won == 1

    def test_if_all_go_then_it_is_over_when_the_result_is_on_file(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        for peer in closing:
            peer.is_lost()
        assert What.OVER not in self.whats(house)
        house.disk_catches_up()
        assert self.whats(house)[-1] is What.OVER

    @pytest.mark.parametrize("closing_first", [False, True])
    def test_with_the_journal_lost_a_game_is_played_again_without_counting_as_a_replay(
        self, house: House, closing_first: bool
    ) -> None:
        house.plans(name="second", first=2, void_replays=0, game_type="go")
        master = house.master(game_type="go")
        ann, ben = house.players("ann", "ben", game_type="go")
        for number in (1, 2, 3):
            if closing_first:
                master.says(over(f"g{number}", "ann", losers=("ben",)))
            house.happens(LOST)
            assert house.rows("go") == {"ann": (0, 0, 0), "ben": (0, 0, 0)}
            house.happens(JournalBack())
        master.says(over("g4", "ben", losers=("ann",)))
        house.disk_catches_up()
        thank("g4", ann, ben)
        assert ann.standings()[-1] == {"ben": (1, 0), "ann": (0, 1)}
        assert [one.data["again"] for one in house.ledger("second") if one.what is What.VOID] == [True] * 3

    def test_none_begins_while_the_journal_is_lost(self, house: House) -> None:
        master = house.master()
        house.happens(LOST)
        ann, _ben = house.players("ann", "ben")
        assert house.noted("championship begun") == []
        assert ann.state is PeerState.IDLE
        house.happens(JournalBack())
        assert len(house.noted("championship begun")) == 1
        assert [type(message) for message in master.hears()] == [BeginGame]

    def test_nor_at_its_hour_which_is_remembered(self, house: House) -> None:
        house.plans(name="evening", begins_at="2030-05-01T20:00", game_type="go")
        ann, _ben = house.players("ann", "ben", game_type="go")
        house.happens(LOST)
        house.strikes("evening")
        assert house.noted("championship begun") == []
        house.happens(JournalBack())
        assert house.noted("championship begun")[0]["players"] == ["ann", "ben"]
        assert ann.state is PeerState.IDLE

    def test_a_game_that_is_closing_cannot_be_ordered_again(
        self, house: House, closing: tuple[Peer, Peer, Peer]
    ) -> None:
        assert house.orders(OrderKind.REPLAY, "g1") == "game g1: does not count in championship cup"
        house.disk_catches_up()
        assert house.orders(OrderKind.REPLAY, "g1") == ""

    def test_stopped_then_it_goes_on_after_the_restart(self, house: House, closing: tuple[Peer, Peer, Peer]) -> None:
        house.is_asked_to_stop()
        house.is_asked_to_stop()
        again = house.again()
        assert again.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        ann, _ben = again.players("ann", "ben")
        assert ann.standings()[-1] == {"ann": (1, 0), "ben": (0, 1)}
        assert again.ledger("cup")[-1].what is What.OVER
