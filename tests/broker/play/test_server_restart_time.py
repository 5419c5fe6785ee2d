"""After a restart: who does not come back in time, and clocks that do not run before all can play."""

from dataclasses import replace

import pytest

from tests.broker.house import House, over, turn
from tests.broker.house import move as moves
from tests.broker.play.revived import FIRST, MOVERS, RESTORE, SESSION, VIEWS, game
from ugs.broker.effects import RecordBegin, RecordSession
from ugs.broker.events import Started
from ugs.broker.past import Past, PastGame
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.verdict import CAUSES, Cause, Outcome, Verdict
from ugs.wire.extensions import Family, GameVerdict, View, Views
from ugs.wire.messages import Error, PlayerLeftGame

REASON = Family.REASON


@pytest.fixture
def house() -> House:
    """Games wait a minute for a master."""
    return House(master_grace_s=60)


class TestWhoDoesNotComeBack:
    """A player who does not come back has left; if nobody comes back, the game is void."""

    def test_without_a_master_the_game_is_void_and_nobody_has_lost(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        house.settings["session_grace_s"] = 600
        again = house.again()
        back = again.returns(ann.token)
        back.hears()
        again.passes(60)
        assert back.hears() == [Error("game void: the game master is gone")]
        (result,) = again.results
        assert result.verdict == Verdict(Cause.MASTER_LOST, "m")
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        late = again.returns(ben.token)
        assert late.hears() == [Error("game void: the game master is gone (game g1, while you were away)")]
        assert late.state is PeerState.IDLE

    def test_a_player_that_stays_away_has_left(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        back = again.returns(ann.token)
        again.passes(1)
        new = again.leader("new", RESTORE)
        new.says(turn("g1", "ann"))
        again.passes(20)
        back.says(moves("g1"))
        new.says(turn("g1", "ann"))
        again.passes(29)
        back.says(moves("g1"))
        again.passes(10)
        assert PlayerLeftGame("ben", "g1") in new.hears()
        new.says(over("g1", "ann", losers=("ben",)))
        assert again.results[0].verdict == Verdict(Cause.DISCONNECTED, "ben")

    def test_when_all_stay_away_it_is_void(self) -> None:
        house = House(master_grace_s=600)
        game(house, "ann", "ben")
        again = house.again()
        again.passes(60)
        assert again.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert again.broker.server.names.players == {}

    def test_a_game_of_a_player_without_a_session_does_not_go_on(self, house: House) -> None:
        ann, _ben = house.guest("ann", SESSION), house.player("ben")
        house.leader("m", RESTORE).says(turn("g1", "ann", FIRST))
        again = house.again()
        assert again.broker.games == []
        assert again.returns(ann.token).state is PeerState.IDLE

    def test_a_game_whose_master_could_not_be_replaced_does_not_go_on(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben", families=(VIEWS,))
        again = house.again()
        assert again.broker.games == []
        assert again.returns(ann.token).state is PeerState.IDLE

    def test_a_game_that_does_not_go_on_is_told_to_each_player_who_comes_back(self, house: House) -> None:
        """The line stayed silent, and nothing but ``x-why`` knew what had become of the game."""
        _master, ann, ben = game(house, "ann", "ben")
        house.settings["master_grace_s"] = 0
        again = house.again()
        for token in (ann.token, ben.token):
            back = again.returns(token, SESSION, REASON)
            assert back.turn is None
            error, verdict = back.hears()
            assert error == Error(f"game void: {CAUSES[Cause.SERVER_LOST].notice} (game g1, while you were away)")
            assert isinstance(verdict, GameVerdict)
            assert (verdict.game_id, verdict.cause, verdict.void) == ("g1", "server lost", True)
            back.is_lost()
        assert again.returns(ann.token).hears() == []  # told once

    @pytest.mark.parametrize("setting", ["master_grace_s", "session_grace_s"])
    def test_a_server_that_does_not_wait_any_more_ends_it(self, house: House, setting: str) -> None:
        game(house, "ann", "ben")
        house.settings[setting] = 0
        again = house.again()
        (result,) = again.results
        assert result.verdict == Verdict(Cause.SERVER_LOST)
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        assert again.broker.games == []
        assert again.leader("new", RESTORE).hears() == []

    def test_a_server_whose_players_play_something_else_now_ends_it(self, house: House) -> None:
        game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [replace(one, game_type="go") for one in house.records if isinstance(one, RecordSession)]
        past = Past(sessions=sessions, games=[PastGame(begin, 0.0, [(0.0, entry) for entry in house.entries()])])
        again = House(past=past, master_grace_s=60)
        again.happens(Started())
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)

    def test_the_later_of_two_games_of_one_player_goes_on(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession)]
        entries = [(0.0, entry) for entry in house.entries()]
        earlier = PastGame(replace(begin, game_id="g0"), 0.0, entries)
        again = House(past=Past(sessions=sessions, games=[earlier, PastGame(begin, 0.0, entries)]), master_grace_s=60)
        again.happens(Started())
        assert [(result.game_id, result.verdict.cause) for result in again.results] == [("g0", Cause.SERVER_LOST)]
        back = again.returns(ann.token)
        assert back.turn
        assert back.hears() == [turn("g1", "ann", FIRST)]


class TestNoTimeIsLostThroughTheServer:
    """The clock of a player starts when it is back on its line and the new master has named it."""

    @pytest.fixture
    def house(self) -> House:
        return House(master_grace_s=60, move_timeout_s=5, session_grace_s=50)

    def test_a_player_who_is_still_away_has_no_clock(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        again.leader("new", RESTORE).says(turn("g1", "ann", FIRST))
        again.passes(40)
        assert again.game().phase is Phase.TURN
        back = again.returns(ann.token)
        assert again.clock() == 5
        again.passes(4.9)
        assert back.hears() == [turn("g1", "ann", FIRST)]
        again.returns(ben.token)
        again.passes(0.2)
        assert back.hears() == [Error("no move within 5 s: game g1 is lost")]

    def test_it_may_come_back_before_the_master(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        again.returns(ann.token)
        again.passes(30)
        assert again.game().phase is Phase.AWAY
        again.leader("new", RESTORE).says(turn("g1", "ann", FIRST))
        assert again.clock() == 5

    def test_one_who_does_not_come_back_is_lost_with_its_session(self, house: House) -> None:
        _master, _ann, ben = game(house, "ann", "ben")
        again = house.again()
        master = again.leader("new", RESTORE)
        master.says(turn("g1", "ann", FIRST))
        again.returns(ben.token)
        again.passes(50)
        assert again.game().departures == {"ann": Cause.DISCONNECTED}

    def test_another_players_turn_later_waits_for_it_too(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        master = again.leader("new", RESTORE)
        master.says(turn("g1", "ann", FIRST))
        again.returns(ann.token).says(moves("g1"))
        master.says(turn("g1", "ben"))
        again.passes(30)
        assert again.game().phase is Phase.TURN
        again.returns(ben.token)
        assert again.clock() == 5

    def test_of_several_movers_those_who_are_there_have_a_clock(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben", families=(RESTORE, VIEWS, MOVERS))
        again = house.again()
        master = again.leader("new", RESTORE, VIEWS, MOVERS)
        again.returns(ann.token)
        master.says(Views("g1", ("ann", "ben"), (), (View("", FIRST),)))
        assert again.clock() == 5
        again.passes(5.1)
        assert again.game().departures == {"ann": Cause.TIMEOUT}
        again.returns(ben.token)
        assert "ben" in again.game().present
