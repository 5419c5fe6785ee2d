"""How the server stops: no new logins or games, time for running games, a message to all peers, the end."""

import pytest

from tests.broker.house import CHESS, House, move, over, thank
from ugs.broker.effects import Close, RecordResult, Send, Stopped
from ugs.broker.events import Received, Timer, TimerFired, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, GameMasterLogin, LeaveGame, PlayerLogin, ServerShutdown


class TestAtOnce:
    """Without ``drain_s`` running games are void."""

    def test_everybody_logged_in_is_told_and_everybody_is_closed(self, house: House) -> None:
        ann, master, new = house.player("ann"), house.master("m"), house.connects()
        effects = house.is_asked_to_stop()
        assert Send((ann.conn, master.conn), ServerShutdown()) in effects
        assert effects[-4:] == [Close(ann.conn), Close(master.conn), Close(new.conn), Stopped()]
        assert new.hears() == []

    def test_with_nobody_there_it_just_stops(self, house: House) -> None:
        assert house.is_asked_to_stop()[-1] == Stopped()
        assert house.stopped

    def test_running_games_are_void_through_the_servers_fault(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        house.is_asked_to_stop()
        assert ann.hears() == ben.hears() == [Error("game void: the server is shutting down"), ServerShutdown()]
        assert master.hears() == [ServerShutdown()]
        (result,) = house.results
        assert result.verdict == Verdict(Cause.SHUTDOWN)
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID, Outcome.VOID]

    def test_games_that_wait_for_their_master_are_void_too(self) -> None:
        house = House(master_grace_s=60)
        master, _ann, _ben = house.table("ann", "ben", families=[Family.RESTORE])
        master.is_lost()
        house.is_asked_to_stop()
        assert house.results[0].verdict == Verdict(Cause.SHUTDOWN)
        assert house.stopped

    def test_thanks_that_are_owed_are_not_waited_for(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        house.is_asked_to_stop()
        assert ann.hears()[-1] == ServerShutdown()
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}


class TestDraining:
    """With ``drain_s`` running games have this many seconds to end."""

    @pytest.fixture
    def house(self) -> House:
        """A minute."""
        return House(drain_s=60)

    def test_it_stops_when_the_last_game_has_its_verdict(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        house.is_asked_to_stop()
        assert ann.hears() == master.hears() == []
        assert house.noted("draining")[0] == {"games": 1, "seconds": 60}
        ann.says(move("g1"))
        effects = master.says(over("g1", "ann", losers=("ben",)))
        kinds = [type(effect) for effect in effects]
        assert kinds.index(RecordResult) < kinds.index(Stopped)
        assert ben.hears() == [over("g1", "ann", losers=("ben",)), ServerShutdown()]
        assert ben.is_closed()
        assert house.stopped

    def test_without_games_it_stops_at_once(self, house: House) -> None:
        house.players("ann")
        house.is_asked_to_stop()
        assert house.stopped

    def test_when_the_time_is_over_games_are_void(self) -> None:
        house = House(drain_s=60, move_timeout_s=600)
        _master, ann, _ben = house.table("ann", "ben")
        house.is_asked_to_stop()
        house.passes(59.9)
        assert ann.hears() == []
        house.passes(0.1)
        assert ann.hears() == [Error("game void: the server is shutting down"), ServerShutdown()]
        assert house.results[0].verdict == Verdict(Cause.SHUTDOWN)
        assert house.stopped

    def test_a_second_wish_is_granted_at_once(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        house.is_asked_to_stop()
        house.is_asked_to_stop()
        assert ann.hears()[-1] == ServerShutdown()
        assert house.stopped

    def test_nobody_new_comes_in(self, house: House) -> None:
        house.table("ann", "ben")
        house.is_asked_to_stop()
        new = house.connects()
        for login in (PlayerLogin("cat", CHESS), GameMasterLogin("n", "go", "2", "2")):
            new.says(login)
            assert new.hears_error() == f"{login.TYPE}: the server is shutting down"
        assert new.state is PeerState.NEW
        house.passes(10)
        assert new.is_closed()

    def test_no_new_game_begins(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        house.players("cat")
        house.is_asked_to_stop()
        ann.says(LeaveGame("g1"))
        assert len(master.hears()) == 1
        assert ann.state is PeerState.IDLE
        assert [game.id for game in house.broker.games] == ["g1"]

    def test_a_game_that_gathers_does_not_begin_either(self) -> None:
        house = House(drain_s=60, gather_s=5, masters_per_game=2)
        house.table("ann", "ben")
        house.master("n", players=(2, 3))
        house.players("cat")
        house.player("dan", "go")
        house.player("eve", "go")
        go = house.master("o", players=(2, 3), game_type="go")
        house.is_asked_to_stop()
        house.passes(10)
        assert go.hears() == []
        assert not house.stopped

    def test_games_may_still_end_in_every_other_way(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        house.is_asked_to_stop()
        ann.is_lost()
        ben.is_lost()
        assert house.stopped
        assert house.results[0].verdict == Verdict(Cause.DISCONNECTED, "ben", by_server=True)
        assert master.hears()[-1] == ServerShutdown()


class TestAfterwards:
    """Nothing more happens."""

    @pytest.mark.parametrize("kind", TimerKind)
    def test_timers_that_fire_late_do_nothing(self, kind: TimerKind) -> None:
        house = House(drain_s=60)
        master, ann, _ben = house.table("ann", "ben")
        cat = house.player("cat")
        house.is_asked_to_stop()
        master.says(over("g1", "ann", losers=("ben",)))
        assert house.stopped
        subjects: dict[TimerKind, int | str] = {TimerKind.LOGIN: cat.conn, TimerKind.GAME: "g1", TimerKind.DRAIN: ""}
        assert house.happens(TimerFired(Timer(kind, subjects.get(kind, CHESS)))) == []
        thank("g1", ann)
        assert [type(message) for message in ann.mail].count(ServerShutdown) == 1

    def test_a_new_connection_is_closed(self, house: House) -> None:
        house.is_asked_to_stop()
        late = house.connects()
        assert late.is_closed()
        assert house.happens(Received(late.conn, PlayerLogin("ann", CHESS))) == []

    def test_another_wish_to_stop_changes_nothing(self, house: House) -> None:
        house.is_asked_to_stop()
        assert house.is_asked_to_stop() == []
