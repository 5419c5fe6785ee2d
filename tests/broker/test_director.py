"""Championships that are announced by a plan: when they begin, who is waited for, and what people may order."""

from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.events import JournalLost, Planned, Timer, TimerFired, TimerKind
from ugs.broker.link import LinkState
from ugs.broker.questions import OrderKind
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan
from ugs.wire.messages import BeginGame, Error, LoginError, LoginResponse, Logout, PlayerLogin, ServerShutdown

PAUSE, RESUME, WITHDRAW, REPLAY = OrderKind
EVENING = "2030-05-01T20:00"


def plays(house: House, master: Peer, peers: dict[str, Peer], games: int = 0) -> None:
    """So many games end (none given: all of the championship), the nick that sorts first wins."""
    left = games or 99
    while left and house.broker.games and (games or house.broker.desk.types[CHESS].championship is not None):
        game = house.broker.games[0]
        first, *others = sorted(game.present)
        master.says(over(game.id, first, losers=tuple(others)))
        thank(game.id, *(peers[nick] for nick in (first, *others)))
        left -= 1


def comes(house: House, *nicks: str) -> dict[str, Peer]:
    """These log in."""
    return {nick: house.player(nick) for nick in nicks}


def begun(house: House) -> list[object]:
    """Who has begun which championship, in order."""
    return [(note["championship"], note["players"]) for note in house.noted("championship begun")]


def over_by_name(house: House) -> list[object]:
    """Which championships are over, in order."""
    return [note["championship"] for note in house.noted("championship over")]


def asked(master: Peer) -> list[set[str]]:
    """Who meets whom in the games the master has been asked to begin."""
    return [set(message.players) for message in master.hears() if isinstance(message, BeginGame)]


class TestAnnouncing:
    """One after the other, each under a name of its own."""

    def test_it_is_written_down_with_who_announced_it(self, house: House) -> None:
        assert house.plans(first=2) == {"ok": True}
        (entry,) = house.ledger("cup")
        assert (entry.what, entry.who, entry.data["plan"]["first"]) == (What.PLANNED, "ada", 2)
        assert house.noted("championship announced") == [{"championship": "cup", "game_type": CHESS}]

    def test_a_name_is_given_once(self, house: House) -> None:
        house.plans(first=2)
        assert house.plans(first=3, game_type="go") == {
            "ok": False,
            "error": "name = 'cup': there is a championship of this name; another one needs another name",
        }
        assert len(house.ledger("cup")) == 1

    def test_only_for_game_types_that_are_allowed(self) -> None:
        house = House(allowed_game_types=["go"])
        assert house.plans(first=2)["error"] == "game_type = 'chess': is not allowed here"
        assert house.plans(first=2, game_type="go")["ok"] is True

    def test_what_is_planned_at_the_start_and_cannot_be_is_in_the_log(self, house: House) -> None:
        plan = Plan.model_validate({"name": "cup", "game_type": CHESS, "first": 2})
        house.happens(Planned(plan))
        house.happens(Planned(plan))
        (note,) = house.noted("championship not announced")
        assert "there is a championship of this name" in str(note["reason"])

    def test_no_open_games_begin_before_it_is_over(self, house: House) -> None:
        house.plans(first=3)
        master = house.master()
        comes(house, "a", "b")
        assert asked(master) == []

    def test_it_outlives_those_who_wait_for_it(self, house: House) -> None:
        house.plans(first=2)
        house.player("a").says(Logout())
        comes(house, "b", "c")
        assert begun(house) == [("cup", ["b", "c"])]

    def test_one_of_the_settings_gives_way_to_a_plan_of_the_same_name(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        house.plans(name=CHESS, game_type="go", first=2)
        comes(house, "a", "b")
        assert begun(house) == []
        assert house.broker.desk.championships[CHESS].plan.game_type == "go"

    def test_what_comes_after_one_of_the_settings_outlives_those_who_wait(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        house.player("a")
        house.plans(first=2)
        house.peers[1].says(Logout())
        assert [one.name for one in house.broker.desk.types[CHESS].coming] == ["cup"]


class TestBeginning:
    """With names, with a number, or at an hour."""

    def test_entrants_begin_when_all_are_there_in_the_order_of_the_plan(self, house: House) -> None:
        house.plans(entrants=("c", "a", "b"))
        comes(house, "a", "x", "b")
        assert begun(house) == []
        comes(house, "c")
        assert begun(house) == [("cup", ["c", "a", "b"])]

    def test_whoever_else_is_there_waits_until_it_is_over(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        master = house.master()
        peers = comes(house, "x", "a", "b")
        assert asked(master) == [{"a", "b"}]
        plays(house, master, peers)
        assert peers["x"].tables()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert len(asked(master)) == 1, "an open game"

    def test_the_first_so_many(self, house: House) -> None:
        house.plans(first=2)
        comes(house, "c", "a")
        assert begun(house) == [("cup", ["c", "a"])]
        late = house.connects()
        late.says(PlayerLogin("b", CHESS))
        assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]

    def test_those_who_are_there_already_are_enough(self, house: House) -> None:
        comes(house, "a", "b")
        house.plans(first=2)
        assert begun(house) == [("cup", ["a", "b"])]

    def test_with_an_hour_it_begins_then_with_those_entrants_who_are_there(self, house: House) -> None:
        house.plans(entrants=("a", "b", "c"), begins_at=EVENING, begins_in_s=100)
        comes(house, "c", "x", "b")
        house.passes(99)
        assert begun(house) == []
        house.passes(1)
        assert begun(house) == [("cup", ["b", "c"])]

    def test_nobody_there_at_the_hour_is_the_end_of_it(self, house: House) -> None:
        house.plans(begins_at=EVENING, begins_in_s=100)
        comes(house, "a")
        house.passes(100)
        assert house.noted("championship without players")[0]["championship"] == "cup"
        assert over_by_name(house) == ["cup"]
        assert [entry.what for entry in house.ledger("cup")] == [What.PLANNED, What.OVER]
        assert house.master().hears() == []
        assert house.broker.desk.types[CHESS].championship is None

    @pytest.mark.parametrize("state", ["begun", "over"])
    def test_the_hour_of_one_that_has_begun_is_nothing_new(self, house: House, state: str) -> None:
        house.plans(entrants=("a", "b"), begins_at=EVENING, begins_in_s=100)
        peers = comes(house, "a", "b")
        if state == "over":
            plays(house, house.master(), peers)
        house.passes(100)
        assert len(begun(house)) == 1

    def test_seats_of_the_plan_hold_whatever_the_master_takes(self, house: House) -> None:
        house.plans(first=4, seats=3)
        master = house.master(players=(2, 4))
        comes(house, *"abcd")
        assert [len(game) for game in asked(master)] == [3]

    def test_what_is_too_much_to_be_drawn_up_is_over_and_the_log_says_why(self) -> None:
        house = House(max_logins=100)
        house.plans(first=33, repeats=1000, seats=2)
        comes(house, *(f"n{number}" for number in range(33)))
        (note,) = house.noted("championship over")
        assert str(note["impossible"]).startswith("repeats = 1000: that is 528000 games")
        assert len(house.broker.desk.types[CHESS].players) == 33


class TestQueue:
    """Several championships of a type are played one after the other."""

    def test_the_next_begins_when_the_first_is_over(self, house: House) -> None:
        house.plans(name="one", first=2)
        house.plans(name="two", first=2)
        house.plans(name="three", first=3)
        master = house.master()
        peers = comes(house, "a", "b")
        plays(house, master, peers)
        assert over_by_name(house) == ["one", "two"]
        assert begun(house) == [("one", ["a", "b"]), ("two", ["a", "b"])]
        assert house.broker.desk.types[CHESS].championship is house.broker.desk.championships["three"]

    def test_each_has_a_table_of_its_own(self, house: House) -> None:
        house.plans(name="one", first=2)
        house.plans(name="two", first=2)
        plays(house, house.master(), comes(house, "a", "b"))
        tables = [house.broker.desk.championships[name].table.rows() for name in ("one", "two")]
        assert [[(row.nick, row.won) for row in rows] for rows in tables] == [[("a", 1), ("b", 0)]] * 2
        assert house.rows() == {"a": (0, 0, 0), "b": (0, 0, 0)}

    def test_an_hour_that_comes_too_early_is_remembered(self, house: House) -> None:
        house.plans(name="one", first=2)
        house.plans(name="two", begins_at=EVENING, begins_in_s=100)
        master = house.master()
        peers = comes(house, "a", "b")
        house.passes(9)
        master.says(turn("g1", "a"))
        house.strikes("two")
        assert house.noted("another championship is still played")[0]["championship"] == "two"
        plays(house, master, peers, games=1)
        assert begun(house) == [("one", ["a", "b"]), ("two", ["a", "b"])]

    def test_then_it_waits_for_two(self, house: House) -> None:
        house.plans(name="one", first=2)
        house.plans(name="two", begins_at=EVENING)
        peers = comes(house, "a", "b")
        house.strikes("two")
        peers["a"].says(Logout())
        assert over_by_name(house) == ["one"]
        assert len(begun(house)) == 1
        comes(house, "c")
        assert begun(house)[-1] == ("two", ["b", "c"])


class TestReturning:
    """A lost connection is not always a farewell."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of three in which whoever is lost has a minute to come back; g1 is played."""
        house = House()
        house.plans(first=3, return_s=60, leavers="lose")
        return house

    @pytest.fixture
    def peers(self, house: House) -> dict[str, Peer]:
        """The three, by nick, and under the empty text their master."""
        return {"": house.master(), **comes(house, *"abc")}

    def test_back_in_time_it_plays_on(self, house: House, peers: dict[str, Peer]) -> None:
        idle = next(nick for nick in "abc" if peers[nick].state is LinkState.IDLE)
        peers[idle].is_lost()
        assert house.noted("entrant is away")[0]["seconds"] == 60
        plays(house, peers[""], peers, games=1)
        assert house.broker.games == []
        house.passes(50)
        peers |= comes(house, idle)
        assert Timer(TimerKind.RETURN, "cup") not in house.timers
        plays(house, peers[""], peers)
        assert house.noted("withdrawn") == []
        assert peers["a"].tables()[-1] == {"a": (2, 0), "b": (1, 1), "c": (0, 2)}

    def test_the_game_it_is_lost_in_is_lost_and_the_rest_is_not(self, house: House, peers: dict[str, Peer]) -> None:
        lost, other = house.game("g1").seats
        peers[lost].is_lost()
        peers[""].says(over("g1", other))
        thank("g1", peers[other])
        peers |= comes(house, lost)
        plays(house, peers[""], peers)
        assert len(house.results) == 3
        assert house.noted("withdrawn") == []

    def test_too_late_it_is_withdrawn(self, house: House, peers: dict[str, Peer]) -> None:
        idle = next(nick for nick in "abc" if peers[nick].state is LinkState.IDLE)
        peers[idle].is_lost()
        plays(house, peers[""], peers, games=1)
        house.passes(60)
        (note,) = house.noted("withdrawn")
        assert (note["nick"], note["why"], note["results_struck"]) == (idle, "did not come back", False)
        assert over_by_name(house) == ["cup"]

    def test_logging_out_is_for_good(self, house: House, peers: dict[str, Peer]) -> None:
        peers["a"].says(Logout())
        (note,) = house.noted("withdrawn")
        assert (note["nick"], note["why"]) == ("a", "logout")

    def test_each_has_its_own_time(self, house: House, peers: dict[str, Peer]) -> None:
        peers["a"].is_lost()
        house.passes(40)
        peers["b"].is_lost()
        house.passes(20)
        assert [note["nick"] for note in house.noted("withdrawn")] == ["a"]
        house.passes(40)
        assert [note["nick"] for note in house.noted("withdrawn")] == ["a", "b"]

    def test_whoever_is_only_missed_at_the_prize_giving_is_not_withdrawn(
        self, house: House, peers: dict[str, Peer]
    ) -> None:
        plays(house, peers[""], peers, games=2)
        first, second = house.broker.games[0].seats
        gone = next(nick for nick in "abc" if nick not in (first, second))
        peers[gone].is_lost()
        plays(house, peers[""], peers)
        assert over_by_name(house) == [], "it may still come for the prizes"
        house.passes(60)
        assert house.noted("withdrawn") == []
        assert over_by_name(house) == ["cup"]

    def test_whoever_goes_when_all_is_played_is_neither_waited_for_nor_withdrawn(
        self, house: House, peers: dict[str, Peer]
    ) -> None:
        plays(house, peers[""], peers, games=2)
        game = house.broker.games[0]
        first, second = sorted(game.seats)
        peers[""].says(over(game.id, first, losers=(second,)))
        peers[second].is_lost()
        again = house.player(second)
        thank(game.id, peers[first])
        assert over_by_name(house) == ["cup"]
        assert house.noted("withdrawn") == []
        assert set(again.tables()[-1]) == set("abc")

    def test_the_clock_of_one_that_is_over_does_nothing(self, house: House, peers: dict[str, Peer]) -> None:
        for nick in "abc":
            peers[nick].says(Logout())
        assert over_by_name(house) == ["cup"]
        assert house.happens(TimerFired(Timer(TimerKind.RETURN, "cup"))) == []

    def test_nobody_is_withdrawn_while_the_server_lets_nobody_in(self) -> None:
        house = House(drain_s=600, move_timeout_s=600)
        house.plans(first=3, return_s=60)
        master = house.master()
        peers = comes(house, *"abc")
        master.says(turn("g1", house.game("g1").seats[0]))
        idle = next(nick for nick in "abc" if peers[nick].state is LinkState.IDLE)
        peers[idle].is_lost()
        house.is_asked_to_stop()
        house.passes(100)
        assert house.noted("withdrawn") == []
        again = house.again()
        assert again.broker.desk.championships["cup"].plays(idle)


class TestOrders:
    """Each is written down with who wants it and why."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of three."""
        house = House()
        house.plans(first=3)
        return house

    def entry(self, house: House) -> LedgerEntry:
        """The last that somebody ordered."""
        return next(entry for entry in reversed(house.ledger("cup")) if entry.who)

    def test_paused_no_game_begins_and_those_that_run_end(self, house: House) -> None:
        master = house.master()
        peers = comes(house, *"abc")
        assert house.orders(PAUSE) == ""
        assert self.entry(house) == LedgerEntry(What.PAUSED, {}, "ada", "because")
        asked(master)
        plays(house, master, peers, games=1)
        assert asked(master) == []
        assert house.orders(RESUME) == ""
        assert self.entry(house) == LedgerEntry(What.RESUMED, {}, "ada", "because")
        assert len(asked(master)) == 1
        assert [note["order"] for note in house.noted("ordered")] == ["pause", "resume"]

    def test_paused_before_it_has_begun_it_fixes_its_field_and_waits(self, house: House) -> None:
        house.orders(PAUSE)
        master = house.master()
        comes(house, *"abc")
        assert len(begun(house)) == 1
        assert asked(master) == []

    def test_one_of_the_settings_is_announced_by_the_first_order(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 3}})
        house.player("a")
        assert house.orders(RESUME, championship=CHESS) == "championship chess is not paused"
        assert house.ledger() == []
        house.orders(PAUSE, championship=CHESS)
        assert [entry.what for entry in house.ledger()] == [What.PLANNED, What.PAUSED]

    def test_a_withdrawn_entrant_may_stay_and_plays_open_games_afterwards(self, house: House) -> None:
        master = house.master()
        peers = comes(house, *"abc")
        idle = next(nick for nick in "abc" if peers[nick].state is LinkState.IDLE)
        assert house.orders(WITHDRAW, idle) == ""
        assert self.entry(house).data == {"nick": idle, "struck": True}
        assert idle not in house.rows()
        plays(house, master, peers)
        assert over_by_name(house) == ["cup"]
        assert idle in house.rows(), "in the open table it stands with zeros like anybody else"

    def test_withdrawn_while_it_is_away_it_is_not_waited_for(self) -> None:
        house = House()
        house.plans(first=3, return_s=60)
        comes(house, *"abc")["a"].is_lost()
        assert Timer(TimerKind.RETURN, "cup") in house.timers
        house.orders(WITHDRAW, "a")
        assert Timer(TimerKind.RETURN, "cup") not in house.timers
        late = house.connects()
        late.says(PlayerLogin("a", CHESS))
        assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]

    def test_a_game_that_is_played_again_does_not_count(self, house: House) -> None:
        master = house.master()
        peers = comes(house, *"abc")
        plays(house, master, peers, games=1)
        first = [seat.nick for seat in house.results[0].seats]
        assert house.orders(REPLAY, "g1") == ""
        assert self.entry(house).data == {"game": "g1", "fixture": house.results[0].fixture}
        assert {house.rows()[nick] for nick in first} == {(0, 0, 0)}
        plays(house, master, peers)
        assert peers["a"].tables()[-1] == {"a": (2, 0), "b": (1, 1), "c": (0, 2)}
        assert len(house.results) == 4

    def test_also_the_last_one_as_long_as_thanks_are_owed(self) -> None:
        house = House()
        house.plans(first=2)
        master = house.master()
        a, b = comes(house, "a", "b").values()
        master.says(over("g1", "a", losers=("b",)))
        house.orders(REPLAY, "g1")
        thank("g1", a, b)
        assert over_by_name(house) == []
        assert asked(master) == [{"a", "b"}, {"a", "b"}]


class TestRefusals:
    """What cannot be done says why, and is not written down."""

    def refused(self, house: House, kind: OrderKind, subject: str = "", championship: str = "cup") -> str:
        """The one line that says why."""
        before = len(house.records)
        wrong = house.orders(kind, subject, championship)
        assert wrong
        assert "\n" not in wrong
        assert len(house.records) == before
        assert house.noted("ordered") == []
        return wrong

    def test_an_unknown_championship(self, house: House) -> None:
        assert self.refused(house, PAUSE, championship="cap") == "no championship 'cap'; there are: none"
        house.plans(first=2)
        house.plans(name="other", first=2)
        assert self.refused(house, PAUSE, championship="cap") == "no championship 'cap'; there are: cup, other"

    def test_one_that_is_over(self, house: House) -> None:
        house.plans(first=2)
        plays(house, house.master(), comes(house, "a", "b"))
        for kind in OrderKind:
            assert self.refused(house, kind, "a") == "championship cup is over; its results stand"

    def test_pausing_twice_and_resuming_what_is_not_paused(self, house: House) -> None:
        house.plans(first=2)
        assert self.refused(house, RESUME) == "championship cup is not paused"
        house.orders(PAUSE)
        house.notes.clear()
        assert self.refused(house, PAUSE) == "championship cup is paused already"

    def test_withdrawing_somebody_who_does_not_play(self, house: House) -> None:
        house.plans(first=2)
        house.player("a")
        assert self.refused(house, WITHDRAW, "a") == "championship cup has not begun; nobody can be withdrawn from it"
        house.player("b")
        assert self.refused(house, WITHDRAW, "A") == "'A' is not an entrant of championship cup"

    def test_withdrawing_somebody_twice(self, house: House) -> None:
        house.plans(first=3)
        comes(house, *"abc")
        house.orders(WITHDRAW, "a")
        house.notes.clear()
        assert self.refused(house, WITHDRAW, "a") == "'a' is not an entrant of championship cup"

    @pytest.mark.parametrize("game_id", ["g1", "g2", ""])
    def test_playing_again_what_does_not_count(self, house: House, game_id: str) -> None:
        house.plans(first=2)
        house.master()
        comes(house, "a", "b")
        assert self.refused(house, REPLAY, game_id) == f"game {game_id}: does not count in championship cup"

    def test_playing_again_with_somebody_who_has_left(self, house: House) -> None:
        house.plans(first=3, leavers="lose")
        master = house.master()
        peers = comes(house, *"abc")
        plays(house, master, peers, games=1)
        gone = house.results[0].seats[0].nick
        peers[gone].says(Logout())
        wrong = self.refused(house, REPLAY, "g1")
        assert wrong == f"game g1: {gone} has left the championship; it cannot be played again"

    def test_playing_again_in_a_knock_out(self, house: House) -> None:
        house.plans(first=3, format="knock-out")
        plays(house, house.master(), comes(house, *"abc"), games=1)
        wrong = self.refused(house, REPLAY, "g1")
        assert wrong == "game g1: a knock-out has gone on from its result; it cannot be played again"

    def test_playing_again_when_too_few_are_left_for_any_game_master(self) -> None:
        house = House(masters_per_game=2)
        house.plans(first=4, seats=2)
        small = house.master("small")
        peers = comes(house, *"abcd")
        plays(house, small, peers, games=1)
        small.is_lost()
        large = house.master("large", (5, 5))
        assert asked(large) == []
        assert over_by_name(house) == ["cup"]
        house = House()
        house.plans(first=2)
        small = house.master("small")
        peers = comes(house, "a", "b")
        small.says(over("g1", "a", losers=("b",)))
        small.is_lost()
        house.master("large", (5, 5))
        wrong = self.refused(house, REPLAY, "g1")
        assert wrong == "game g1: too few are left for any game master; it cannot be played again"
        thank("g1", *peers.values())
        assert over_by_name(house) == ["cup"]


class TestLeavers:
    """What becomes of the results of whoever withdraws is in the plan."""

    @pytest.mark.parametrize(
        ("leavers", "games", "struck"),
        [
            *[("lose", 0, False), ("lose", 2, False)],
            *[("half", 0, True), ("half", 1, True), ("half", 2, False)],
            *[("strike", 0, True), ("strike", 3, True), ("strike", 4, False)],
        ],
    )
    def test_half_lose_or_strike(self, leavers: str, games: int, struck: bool) -> None:
        """Of a cup of five, ``a`` has played so many of its four games."""
        house = House()
        house.plans(first=5, leavers=leavers)
        master = house.master()
        peers = comes(house, *"abcde")
        while len([one for one in house.results if "a" in {seat.nick for seat in one.seats}]) < games:
            game = next((one for one in house.broker.games if "a" in one.present), house.broker.games[0])
            first, second = sorted(game.present)
            master.says(over(game.id, first, losers=(second,)))
            thank(game.id, peers[first], peers[second])
        house.orders(WITHDRAW, "a")
        assert house.noted("withdrawn")[0]["results_struck"] is struck
        assert ("a" in house.rows()) is not struck
        if not struck:
            won, lost, _ = house.rows()["a"]
            running = sum("a" in game.present for game in house.broker.games)
            assert (won, lost + running) == (games, 4 - games)

    @pytest.mark.parametrize("leavers", ["half", "strike"])
    @pytest.mark.parametrize("plan", [{"format": "swiss"}, {"format": "knock-out"}, {"format": "ladder"}], ids=str)
    def test_where_pairings_are_built_on_results_nobody_is_struck(self, leavers: str, plan: dict[str, Any]) -> None:
        house = House()
        house.plans(first=4, leavers=leavers, **plan)
        comes(house, *"abcd")
        house.orders(WITHDRAW, "a")
        assert house.noted("withdrawn")[0]["results_struck"] is False


class TestPrizeGiving:
    """All participants get the final table, also when the server is stopping."""

    @pytest.fixture
    def house(self) -> House:
        """It drains for a minute; a cup of a and b."""
        house = House(drain_s=60)
        house.plans(first=2)
        return house

    def test_the_last_game_of_a_server_that_drains_is_thanked_for_and_the_table_told(self, house: House) -> None:
        master = house.master()
        a, b = comes(house, "a", "b").values()
        house.is_asked_to_stop()
        master.says(over("g1", "a", losers=("b",)))
        thank("g1", a)
        assert not a.is_closed()
        thank("g1", b)
        assert a.tables()[-1] == b.tables()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert house.stopped
        assert a.hears()[-1] == ServerShutdown()
        assert house.ledger("cup")[-1].what is What.OVER

    def test_whoever_does_not_thank_does_not_hold_it_up(self, house: House) -> None:
        master = house.master()
        a, b = comes(house, "a", "b").values()
        house.is_asked_to_stop()
        master.says(over("g1", "a", losers=("b",)))
        thank("g1", a)
        house.passes(10)
        assert b.is_closed()
        assert a.tables()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert house.stopped

    def test_it_is_not_waited_for_longer_than_for_games(self) -> None:
        house = House(drain_s=5)
        house.plans(first=2)
        master = house.master()
        comes(house, "a", "b")
        house.is_asked_to_stop()
        master.says(over("g1", "a", losers=("b",)))
        house.passes(5)
        assert house.stopped
        assert house.again().rows() == {"a": (1, 0, 0), "b": (0, 1, 0)}

    def test_whoever_is_away_is_not_waited_for_when_nobody_can_come_back(self) -> None:
        house = House()
        house.plans(first=2, return_s=60)
        master = house.master()
        a, b = comes(house, "a", "b").values()
        b.is_lost()
        master.says(over("g1", "a", losers=("b",)))
        thank("g1", a)
        assert over_by_name(house) == []
        house.is_asked_to_stop()
        assert over_by_name(house) == ["cup"]
        assert a.tables()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert house.stopped

    def test_with_the_journal_lost_nothing_is_over(self, house: House) -> None:
        house.master()
        a, _b = comes(house, "a", "b").values()
        house.happens(JournalLost("disk full"))
        assert a.hears() == [Error("game void: the server cannot write down what happens")]
        assert over_by_name(house) == []


class TestGivingUp:
    """When too few are left for the games of any master."""

    def test_a_game_that_is_void_then_is_not_played_again(self) -> None:
        house = House(masters_per_game=2, master_grace_s=60)
        house.plans(first=3)
        small = house.master("small")
        comes(house, *"abc")
        small.is_lost()
        house.master("large", (5, 5))
        assert over_by_name(house) == [], "a game still waits for its master"
        house.passes(60)
        (note,) = house.noted("championship over")
        unplayed = note["unplayed"]
        assert isinstance(unplayed, list)
        assert sorted(map(sorted, unplayed)) == [["a", "b"], ["a", "c"], ["b", "c"]]
