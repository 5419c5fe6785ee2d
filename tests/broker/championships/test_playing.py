"""Championships that are announced by a plan: when they begin, which entrants they wait for, and how they end."""

from unittest import mock

import pytest

from tests.broker.cup import asked, begun, comes, over_by_name, plays
from tests.broker.entrance.tokens import checks_in, has_token
from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.championships import fixtures, playing
from ugs.broker.events import IdentitiesRead, JournalLost, Started, Timer, TimerFired, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import Game
from ugs.broker.values.identity import Identity, Role
from ugs.broker.values.questions import Act, ActKind
from ugs.championship.ledger import What
from ugs.championship.plan import Plan
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, LoginError, LoginResponse, Logout, PlayerLogin, ServerShutdown

EVENING = "2030-05-01T20:00"


class TestAnnouncing:
    """One after the other, each under a name of its own."""

    def test_it_is_written_down_with_who_announced_it(self, house: House) -> None:
        house.master()
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

    def test_an_impossible_plan_at_the_start_is_in_the_log(self) -> None:
        house = House(allowed_game_types=["go"])
        house.happens(Started((Plan.read({"name": "cup", "game_type": CHESS, "first": 2}),)))
        (note,) = house.noted("championship not announced")
        assert "is not allowed here" in str(note["reason"])

    def test_a_plan_at_the_start_that_is_known_already_is_in_the_log(self, house: House) -> None:
        plan = Plan.read({"name": "cup", "game_type": CHESS, "first": 2})
        house.happens(Started((plan,)))
        house.happens(Started((plan,)))
        assert [note["state"] for note in house.noted("championship is known already")] == ["announced"]
        assert len(house.ledger("cup")) == 1

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

    def test_the_champion_of_a_gauntlet_meets_everybody(self, house: House) -> None:
        house.plans(format="gauntlet", champion="b", entrants=("a", "b", "c"))
        plays(house, house.master(), comes(house, *"abc"))
        rows = house.broker.server.championships["cup"].standings.rows()
        assert {row.nick: row.won + row.lost for row in rows} == {"a": 1, "b": 2, "c": 1}

    def test_one_of_the_settings_gives_way_to_a_plan_of_the_same_name(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        house.plans(name=CHESS, game_type="go", first=2)
        comes(house, "a", "b")
        assert begun(house) == []
        assert house.broker.server.championships[CHESS].plan.game_type == "go"

    def test_a_championship_after_one_of_the_settings_outlives_the_players_who_wait(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        house.player("a")
        house.plans(first=2)
        house.peers[1].says(Logout())
        assert [one.name for one in house.broker.server.types[CHESS].coming] == ["cup"]


class TestBeginning:
    """A plan names its entrants, their number, or an hour."""

    def test_entrants_begin_when_all_are_there_in_the_order_of_the_plan(self, house: House) -> None:
        house.plans(entrants=("c", "a", "b"))
        comes(house, "a", "x", "b")
        assert begun(house) == []
        comes(house, "c")
        assert begun(house) == [("cup", ["c", "a", "b"])]

    def test_other_players_wait_until_it_is_over(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        master = house.master()
        peers = comes(house, "x", "a", "b")
        assert asked(master) == [{"a", "b"}]
        plays(house, master, peers)
        assert peers["x"].standings()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert len(asked(master)) == 1, "an open game"

    def test_the_first_n_players(self, house: House) -> None:
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

    def test_without_players_at_the_hour_it_is_over(self, house: House) -> None:
        house.plans(begins_at=EVENING, begins_in_s=100)
        comes(house, "a")
        house.passes(100)
        assert house.noted("championship without players")[0]["championship"] == "cup"
        assert over_by_name(house) == ["cup"]
        assert [entry.what for entry in house.ledger("cup")] == [What.PLANNED, What.OVER]
        assert house.master().hears() == []
        assert house.broker.server.types[CHESS].championship is None

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

    def test_a_championship_with_too_many_games_is_over_and_the_log_says_why(self) -> None:
        house = House(max_logins=100)
        house.plans(first=33, repeats=1000, seats=2)
        comes(house, *(f"n{number}" for number in range(33)))
        (note,) = house.noted("championship over")
        assert str(note["impossible"]).startswith("repeats = 1000: that is 528000 games")
        assert len(house.broker.server.types[CHESS].players) == 33


class TestRepeats:
    """Every pairing three times: none is more than a game ahead of the others of its players with those who are
    there."""

    @pytest.fixture
    def house(self) -> House:
        """All against all; a lost entrant has a minute to come back."""
        house = House()
        house.plans(entrants=tuple("abcd"), repeats=3, return_s=60)
        return house

    def test_two_who_come_free_together_wait_for_others_before_they_are_far_ahead(self, house: House) -> None:
        master, peers = house.master(), comes(house, *"abcd")
        first, second = asked(master)
        again = first_of(house, second)
        ends(house, master, peers, again)
        assert asked(master) == [first], "one game ahead"
        ends(house, master, peers, first_of(house, second))
        assert asked(master) == [], "the two of the game that goes on are waited for"
        ends(house, master, peers, house.broker.games[0])
        assert all(pair not in (first, second) for pair in asked(master))
        plays(house, master, peers)
        assert over_by_name(house) == ["cup"]

    def test_who_is_not_there_is_not_waited_for(self, house: House) -> None:
        master, peers = house.master(), comes(house, *"abcd")
        first, second = asked(master)
        for nick in second:
            peers[nick].is_lost()
        for _ in range(2):
            ends(house, master, peers, first_of(house, second))
            assert asked(master) == [first]

    def test_for_masters_who_take_the_same_players_is_looked_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        watched = mock.Mock(wraps=fixtures)
        monkeypatch.setattr(playing, "fixtures", watched)
        house = House(masters_per_game=3)
        house.plans(entrants=tuple("abc"), repeats=3)
        for number in range(3):
            house.master(f"m{number}")
        comes(house, *"abc")
        assert watched.next_fixture.call_count == 2, "one begins, and one player is left"


def first_of(house: House, besides: set[str]) -> Game:
    """The running game of others than these."""
    return next(game for game in house.broker.games if set(game.present) != besides)


def ends(house: House, master: Peer, peers: dict[str, Peer], game: Game) -> None:
    """This game is over."""
    first, *others = sorted(game.present)
    master.says(over(game.id, first, losers=tuple(others)))
    thank(game.id, *(peers[nick] for nick in (first, *others)))


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
        assert house.broker.server.types[CHESS].championship is house.broker.server.championships["three"]

    def test_each_has_a_table_of_its_own(self, house: House) -> None:
        house.plans(name="one", first=2)
        house.plans(name="two", first=2)
        plays(house, house.master(), comes(house, "a", "b"))
        standings = [house.broker.server.championships[name].standings.rows() for name in ("one", "two")]
        assert [[(row.nick, row.won) for row in rows] for rows in standings] == [[("a", 1), ("b", 0)]] * 2
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
    """An entrant whose connection is lost may come back."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of three in which a lost entrant has a minute to come back; g1 is played."""
        house = House()
        house.plans(first=3, return_s=60, leavers="lose")
        return house

    @pytest.fixture
    def peers(self, house: House) -> dict[str, Peer]:
        """The three, by nick, and under the empty text their master."""
        return {"": house.master(), **comes(house, *"abc")}

    def test_back_in_time_it_plays_on(self, house: House, peers: dict[str, Peer]) -> None:
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        peers[idle].is_lost()
        assert house.noted("entrant is away")[0]["seconds"] == 60
        plays(house, peers[""], peers, games=1)
        assert house.broker.games == []
        house.passes(50)
        peers |= comes(house, idle)
        assert Timer(TimerKind.RETURN, "cup") not in house.timers
        plays(house, peers[""], peers)
        assert house.noted("withdrawn") == []
        assert peers["a"].standings()[-1] == {"a": (2, 0), "b": (1, 1), "c": (0, 2)}

    @pytest.mark.parametrize("digest", ["a new one", ""], ids=["replaced", "revoked"])
    def test_whose_token_is_replaced_or_revoked_comes_with_the_next_one(self, digest: str) -> None:
        """It was out for good, and nothing gave its place back."""
        house = House(auth="tokens", auth_masters="none")
        house.plans(first=3, return_s=60)
        for nick in "abc":
            has_token(house, nick)
        master, peers = house.master(), {nick: checks_in(house, nick) for nick in "abc"}
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        house.happens(IdentitiesRead((Identity(9, Role.PLAYER, idle, digest),)))
        assert peers[idle].is_closed()
        plays(house, master, peers, games=1)
        house.passes(59)
        house.happens(IdentitiesRead((Identity(10, Role.PLAYER, idle, "the last one"),)))
        peers[idle] = checks_in(house, idle)
        plays(house, master, peers)
        assert house.noted("withdrawn") == []
        assert over_by_name(house) == ["cup"]

    def test_whom_the_organiser_removes_is_out_at_once(self, house: House, peers: dict[str, Peer]) -> None:
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        house.is_asked(Act(ActKind.REMOVE, idle, "ada", "floods"))
        assert [one["nick"] for one in house.noted("withdrawn")] == [idle]

    def test_who_does_not_come_back_with_a_new_token_is_out(self) -> None:
        house = House(auth="tokens", auth_masters="none")
        house.plans(first=2, return_s=60)
        for nick in "ab":
            has_token(house, nick)
        house.master()
        checks_in(house, "a")
        checks_in(house, "b")
        house.happens(IdentitiesRead((Identity(9, Role.PLAYER, "a"),)))
        house.passes(60)
        assert [one["nick"] for one in house.noted("withdrawn")] == ["a"]

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
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        peers[idle].is_lost()
        plays(house, peers[""], peers, games=1)
        house.passes(60)
        (note,) = house.noted("withdrawn")
        assert (note["nick"], note["why"], note["results_struck"]) == (idle, "did not come back", False)
        assert over_by_name(house) == ["cup"]

    def test_who_logs_out_may_come_back_too(self, house: House, peers: dict[str, Peer]) -> None:
        """A bot that was stopped and started again was out for good; one that was killed was not."""
        peers["a"].says(Logout())
        assert house.noted("withdrawn") == []
        house.passes(59)
        peers |= comes(house, "a")
        assert [note["nick"] for note in house.noted("entrant is back")] == ["a"]
        peers["b"].says(Logout())
        house.passes(60)
        (note,) = house.noted("withdrawn")
        assert (note["nick"], note["why"]) == ("b", "did not come back")
        house.connects().says(PlayerLogin("b", CHESS))
        refused = house.noted("login refused")[-1]["why"]
        assert refused == "'b' is out of championship cup for good (has left: did not come back)"
        house.connects().says(PlayerLogin("zoe", CHESS))
        assert house.noted("login refused")[-1]["why"] == "a championship of this game type has begun"

    def test_each_has_its_own_time(self, house: House, peers: dict[str, Peer]) -> None:
        peers["a"].is_lost()
        house.passes(40)
        peers["b"].is_lost()
        house.passes(20)
        assert [note["nick"] for note in house.noted("withdrawn")] == ["a"]
        house.passes(40)
        assert [note["nick"] for note in house.noted("withdrawn")] == ["a", "b"]

    def test_an_entrant_who_is_away_only_at_the_prize_giving_is_not_withdrawn(
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

    def test_an_entrant_who_goes_when_all_is_played_is_neither_waited_for_nor_withdrawn(
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
        assert set(again.standings()[-1]) == set("abc")

    def test_the_clock_of_one_that_is_over_does_nothing(self, house: House, peers: dict[str, Peer]) -> None:
        for nick in "abc":
            peers[nick].says(Logout())
        house.passes(60)
        assert over_by_name(house) == ["cup"]
        assert house.happens(TimerFired(Timer(TimerKind.RETURN, "cup"))) == []

    def test_no_entrant_is_withdrawn_while_the_server_stops(self) -> None:
        house = House(drain_s=600, move_timeout_s=600)
        house.plans(first=3, return_s=60)
        master = house.master()
        peers = comes(house, *"abc")
        master.says(turn("g1", house.game("g1").seats[0]))
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        peers[idle].is_lost()
        house.is_asked_to_stop()
        house.passes(100)
        assert house.noted("withdrawn") == []
        again = house.again()
        assert again.broker.server.championships["cup"].plays(idle)


class TestPrizeGiving:
    """All entrants get the final standings, also when the server is stopping."""

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
        assert a.standings()[-1] == b.standings()[-1] == {"a": (1, 0), "b": (0, 1)}
        assert house.stopped
        assert a.hears()[-1] == ServerShutdown()
        assert house.ledger("cup")[-1].what is What.OVER

    def test_a_player_who_does_not_thank_does_not_hold_it_up(self, house: House) -> None:
        master = house.master()
        a, b = comes(house, "a", "b").values()
        house.is_asked_to_stop()
        master.says(over("g1", "a", losers=("b",)))
        thank("g1", a)
        house.passes(10)
        assert b.is_closed()
        assert a.standings()[-1] == {"a": (1, 0), "b": (0, 1)}
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

    def test_an_entrant_who_is_away_is_not_waited_for_when_nobody_can_come_back(self) -> None:
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
        assert a.standings()[-1] == {"a": (1, 0), "b": (0, 1)}
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
        small = house.leader("small", Family.RESTORE)
        comes(house, *"abc")
        small.is_lost()
        house.master("large", (5, 5))
        assert over_by_name(house) == [], "a game still waits for its master"
        house.passes(60)
        (note,) = house.noted("championship over")
        unplayed = note["unplayed"]
        assert isinstance(unplayed, list)
        assert sorted(map(sorted, unplayed)) == [["a", "b"], ["a", "c"], ["b", "c"]]
