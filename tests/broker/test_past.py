"""After a restart the server goes on where the last life was cut off, from what is on file."""

from collections import Counter
from typing import Any

import pytest

from tests.broker.cup import IS_OVER, comes, plays
from tests.broker.house import CHESS, House, over, thank, turn
from ugs.broker.effects import RecordBegin, RecordResult
from ugs.broker.events import Started, Timer, TimerKind
from ugs.broker.past import Past, PastChampionship
from ugs.broker.state.connection import PeerState
from ugs.broker.values.questions import OrderKind
from ugs.broker.values.standings import Row
from ugs.championship.ledger import Leaver, LedgerEntry, What
from ugs.wire.messages import BeginGame, LeaveGame, LoginError, LoginResponse, Logout, PlayerLogin

REFUSED = LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)


def knocks(house: House, nick: str) -> LoginResponse:
    """A player tries to log in. Returns the answer."""
    peer = house.connects()
    peer.says(PlayerLogin(nick, CHESS))
    (answer,) = peer.hears()
    assert isinstance(answer, LoginResponse)
    return answer


def whats(house: House, name: str = "cup") -> list[What]:
    """What has been written into a ledger in this life."""
    return [entry.what for entry in house.ledger(name)]


class TestOpenPlay:
    """The standings and the seats are kept."""

    def test_the_standings_are_the_same(self) -> None:
        house = House()
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", "ben"))
        thank("g1", ann, ben)
        master.says(over("g2", "ben", losers=("ann",)))
        again = house.again()
        assert again.rows() == house.rows() == {"ben": (1, 0, 1), "ann": (0, 1, 1)}
        assert again.player("cat").standings() == [{"ben": (1, 0), "cat": (0, 0), "ann": (0, 1)}]

    def test_games_that_were_not_on_file_are_forgotten(self) -> None:
        house = House()
        house.disk_is_slow = True
        master, _ann, _ben = house.table("ann", "ben")
        effects = master.says(over("g1", "ann", losers=("ben",)))
        assert any(isinstance(effect, RecordResult) for effect in effects)
        assert house.again(steps=len(house.diary) - 1).broker.server.types == {}
        assert house.again().rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_void_games_and_half_ones_leave_nothing_in_the_standings(self) -> None:
        house = House()
        master, _ann, _ben = house.table("ann", "ben")
        master.is_lost()
        house.master("n").says(turn("g2", "ann"))
        assert house.again().broker.server.types == {}

    def test_seats_go_on_being_dealt_fairly(self) -> None:
        house = House()
        firsts: Counter[str] = Counter()
        for _ in range(3):
            master = house.master()
            peers = comes(house, "ann", "ben")
            plays(house, master, peers, games=2)
            firsts.update(one.seats[0] for one in house.records if isinstance(one, RecordBegin))
            house = house.again()
        assert firsts.total() == 9, "with those that were cut off"
        assert max(firsts.values()) - min(firsts.values()) <= 1

    def test_no_seats_are_kept_of_players_who_never_ended_a_game(self) -> None:
        rows = [Row("ann", won=1), Row("ben", lost=1)]
        past = Past({CHESS: rows}, {CHESS: {"ann": {0: 1}, "cat": {0: 7, 1: 7}}, "go": {"dan": {0: 1}}})
        house = House(past=past)
        seating = house.broker.server.types[CHESS].seating
        assert [seating.had(nick) for nick in ("ann", "ben", "cat")] == [(1,), (), ()]
        assert "go" not in house.broker.server.types

    def test_what_was_handed_over_is_not_changed(self) -> None:
        rows = [Row("ann", won=1), Row("ben", lost=1)]
        house = House(past=Past({CHESS: rows}))
        master, _ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        assert house.rows() == {"ann": (2, 0, 0), "ben": (0, 2, 0)}
        assert rows == [Row("ann", won=1), Row("ben", lost=1)]

    def test_a_server_without_a_past_knows_nothing(self) -> None:
        assert House().again().broker.server.types == {}


class TestChampionship:
    """An interrupted championship goes on with its entrants."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of four, of which half is played when the server is killed: two games are over, two run."""
        house = House(masters_per_game=2)
        house.plans(first=4, void_replays=0)
        master = house.master()
        plays(house, master, comes(house, *"abcd"), games=2)
        for game in house.broker.games:
            master.says(turn(game.id, game.seats[0]))
        assert len(house.broker.games) == 2
        return house

    def test_the_standings_are_the_same_and_the_entrants_may_come_back(self, house: House) -> None:
        again = house.again()
        assert again.rows() == house.rows()
        assert knocks(again, "eve") == REFUSED
        (ann,) = comes(again, "a").values()
        assert set(ann.standings()[-1]) == set("abcd")
        assert again.noted("entrant is back")[0]["nick"] == "a"

    def test_half_games_are_played_again_which_does_not_count_as_a_replay(self, house: House) -> None:
        halves = [set(game.seats) for game in house.broker.games]
        again = house.again()
        master = again.master()
        peers = comes(again, *"abcd")
        assert [set(begin.players) for begin in master.hears() if isinstance(begin, BeginGame)] == halves
        plays(again, master, peers)
        assert peers["d"].standings()[-1] == {"a": (3, 0), "b": (2, 1), "c": (1, 2), "d": (0, 3)}
        assert again.noted("championship over")[0]["unplayed"] == []

    def test_it_survives_any_number_of_restarts(self, house: House) -> None:
        for life in range(6):
            house = house.again()
            master = house.master()
            peers = comes(house, *"abcd")
            assert len(house.broker.games) == 2
            if life >= 4:
                plays(house, master, peers, games=1)
        plays(house, master, peers)
        assert house.broker.server.types[CHESS].final_standings is not None
        assert peers["d"].standings()[-1] == {"a": (3, 0), "b": (2, 1), "c": (1, 2), "d": (0, 3)}

    def test_games_that_nobody_has_closed_are_void_through_the_server(self, house: House) -> None:
        past = Past(championships=[PastChampionship("cup", CHESS, house.ledger("cup"))])
        again = House(past=past, first_game=100)
        again.happens(Started())
        voids = [entry.data for entry in again.ledger("cup") if entry.what is What.VOID]
        assert [(void["again"], void["server"]) for void in voids] == [(True, True)] * 2

    def test_a_player_who_does_not_come_back_in_time_is_withdrawn(self, house: House) -> None:
        again = house.again()
        peers = comes(again, *"abc")
        again.passes(599)
        assert again.noted("withdrawn") == []
        again.passes(1)
        (note,) = again.noted("withdrawn")
        assert (note["nick"], note["why"]) == ("d", "did not come back")
        plays(again, again.master(), peers)
        assert len(again.noted("championship over")) == 1

    def test_without_time_to_come_back_an_entrant_who_is_away_is_withdrawn_at_once(self) -> None:
        house = House()
        house.plans(first=2, restart_return_s=0)
        comes(house, "a", "b")
        again = house.again()
        again.passes(0)
        assert [note["nick"] for note in again.noted("withdrawn")] == ["a"], "the other has nobody left to play with"
        assert whats(again)[-1] is What.OVER

    def test_if_nobody_comes_back_it_is_over(self, house: House) -> None:
        again = house.again()
        again.passes(600)
        assert len(again.noted("withdrawn")) == 3, "the last has nobody left to play with"
        assert len(again.noted("championship over")) == 1
        assert knocks(again, "eve") == LoginResponse()

    def test_an_entrant_who_had_left_does_not_come_back_and_loses_its_half_game(self) -> None:
        house = House()
        house.plans(first=2, leavers="lose")
        house.master()
        comes(house, "a", "b")["a"].says(Logout())
        again = house.again()
        assert knocks(again, "a") == REFUSED
        assert whats(again) == [What.FORFEIT]
        assert again.rows() == {"b": (1, 0, 0), "a": (0, 1, 0)}
        b = again.player("b")
        assert b.standings()[-1] == {"b": (1, 0), "a": (0, 1)}
        assert len(again.noted("championship over")) == 1
        assert again.again().broker.server.championships["cup"].ledger.over

    def test_the_half_game_of_a_struck_one_is_forgotten(self) -> None:
        house = House()
        house.plans(first=3)
        house.master()
        peers = comes(house, *"abc")
        gone, stays = house.game("g1").seats
        peers[gone].says(Logout())
        again = house.again()
        assert whats(again) == []
        third = next(nick for nick in "abc" if nick not in (gone, stays))
        plays(again, again.master(), comes(again, stays, third))
        assert again.noted("championship over")[0]["unplayed"] == []
        assert len(again.results) == 1

    def test_an_order_to_pause_holds(self, house: House) -> None:
        house.orders(OrderKind.PAUSE)
        again = house.again()
        master = again.master()
        comes(again, *"abcd")
        assert master.hears() == []
        again.orders(OrderKind.RESUME)
        assert len(master.hears()) == 2


class TestItsEnd:
    """A championship that is over stays over; one that was played to its end is closed."""

    def finished(self) -> House:
        """All of a cup of a and b has been played, but nobody has said thank you."""
        house = House()
        house.plans(first=2)
        master = house.master()
        comes(house, "a", "b")
        master.says(over("g1", "a", losers=("b",)))
        assert What.OVER not in whats(house)
        return house

    def test_a_finished_one_is_over_when_all_are_back_and_they_get_the_final_standings(self) -> None:
        again = self.finished().again()
        a = again.player("a")
        assert again.noted("championship over") == []
        b = again.player("b")
        assert len(again.noted("championship over")) == 1
        assert a.standings()[-1] == b.standings()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert again.master().hears() != [], "open play"

    def test_or_when_the_time_for_that_is_over(self) -> None:
        again = self.finished().again()
        a = again.player("a")
        again.passes(600)
        assert again.noted("withdrawn") == [], "it has played all there was"
        assert a.standings()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert whats(again) == [What.OVER]
        assert Timer(TimerKind.RETURN, "cup") not in again.timers

    def test_one_whose_players_had_all_left_is_over_at_once(self) -> None:
        house = House()
        house.disk_is_slow = True
        house.plans(first=2)
        house.master()
        for peer in comes(house, "a", "b").values():
            peer.says(Logout())
        assert What.OVER not in whats(house), "its last game is on the way to the disk"
        again = house.again()
        assert whats(again) == [What.OVER]
        assert knocks(again, "a") == LoginResponse()

    def test_what_is_over_is_remembered(self) -> None:
        house = House()
        house.plans(first=2)
        master = house.master()
        peers = comes(house, "a", "b")
        plays(house, master, peers, games=1)
        again = house.again()
        game_type = again.broker.server.types[CHESS]
        assert game_type.championship is None
        assert game_type.final_standings is not None
        assert [(row.nick, row.won) for row in game_type.final_standings.rows()] == [("a", 1), ("b", 0)]
        assert "there is a championship of this name" in str(again.plans(first=2)["error"])
        assert again.orders(OrderKind.PAUSE) == IS_OVER

    def test_a_championship_of_the_settings_is_not_played_a_second_time(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        master = house.master()
        plays(house, master, comes(house, "a", "b"), games=1)
        again = house.again()
        comes(again, "a", "b")
        assert again.noted("championship begun") == []
        assert len(again.master().hears()) == 1

    def test_one_of_the_settings_goes_on(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 3}})
        plays(house, house.master(), comes(house, *"abc"), games=1)
        again = house.again()
        peers = comes(again, *"abc")
        plays(again, again.master(), peers)
        assert {"a": (2, 0), "b": (1, 1), "c": (0, 2)} in peers["c"].standings()
        assert [entry.what for entry in again.ledger()].count(What.OVER) == 1


class TestNotBegun:
    """A championship that has not begun is still announced."""

    def test_it_begins_when_its_field_is_there(self) -> None:
        house = House()
        house.plans(entrants=("b", "a"))
        comes(house, "a")
        again = house.again()
        comes(again, "a")
        assert again.noted("championship begun") == []
        comes(again, "b")
        assert again.noted("championship begun")[0]["players"] == ["b", "a"]

    def test_at_its_hour_too(self) -> None:
        house = House()
        house.plans(begins_at="2030-05-01T20:00")
        again = house.again()
        comes(again, "a", "b")
        again.strikes("cup")
        assert len(again.noted("championship begun")) == 1

    def test_those_that_come_afterwards_still_do_in_their_order(self) -> None:
        house = House()
        for name in ("cup", "second", "third"):
            house.plans(name=name, first=2)
        comes(house, "a", "b")
        again = house.again()
        game_type = again.broker.server.types[CHESS]
        assert game_type.championship is again.broker.server.championships["cup"]
        assert [one.name for one in game_type.coming] == ["second", "third"]

    def test_one_that_had_begun_comes_before_one_that_was_announced_earlier(self) -> None:
        """That of the settings is announced when it begins."""
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        a = house.player("a")
        house.plans(first=2)
        house.player("b")
        assert [entry.what for entry in house.ledger()] == [What.PLANNED, What.BEGUN]
        again = house.again()
        game_type = again.broker.server.types[CHESS]
        assert game_type.championship is again.broker.server.championships[CHESS]
        assert [one.name for one in game_type.coming] == ["cup"]
        assert knocks(again, "eve") == REFUSED
        assert a.state is PeerState.IDLE


def test_a_ledger_keeps_the_plan_to_the_letter() -> None:
    house = House()
    plan: dict[str, Any] = {
        "entrants": ("a", "b"),
        "format": "swiss",
        "rounds": 3,
        "tie_breaks": ("wins",),
        "return_s": 2.5,
    }
    house.plans(**plan)
    now, then = (one.broker.server.championships["cup"].plan for one in (house, house.again()))
    assert now == then
    assert then.tie_breaks == ("wins",)


def test_leaving_a_game_then_the_server_being_killed_is_no_loss() -> None:
    house = House()
    house.plans(first=2)
    house.master()
    comes(house, "a", "b")["a"].says(LeaveGame("g1"))
    again = house.again()
    assert again.rows() == {"a": (0, 0, 0), "b": (0, 0, 0)}
    peers = comes(again, "a", "b")
    plays(again, again.master(), peers, games=1)
    assert peers["a"].standings()[-1] == {"a": (1, 0), "b": (0, 1)}


def test_orders_are_read_again_with_who_gave_them_and_why() -> None:
    house = House()
    house.plans(first=3)
    comes(house, *"abc")
    house.orders(OrderKind.WITHDRAW, "c")
    assert house.ledger("cup")[-1] == LedgerEntry(What.WITHDRAWN, {"nick": "c", "struck": True}, "ada", "because")
    again = house.again()
    assert again.broker.server.championships["cup"].ledger.gone == {"c": Leaver("ada", "because")}
