"""Orders for a championship: which are carried out, which are refused, and what becomes of withdrawn entrants."""

from typing import Any

import pytest

from tests.broker.cup import IS_OVER, asked, begun, comes, over_by_name, plays
from tests.broker.house import CHESS, House, over, thank
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.values.questions import OrderKind
from ugs.championship.ledger import LedgerEntry, What
from ugs.wire.messages import LoginError, LoginResponse, Logout, PlayerLogin

PAUSE, RESUME, WITHDRAW, REPLAY, *_ = OrderKind


class TestOrders:
    """Each order is in the ledger with who gave it and why."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of three."""
        house = House()
        house.plans(first=3)
        return house

    def entry(self, house: House) -> LedgerEntry:
        """The entry of the last order in the ledger of the cup."""
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
        idle = next(nick for nick in "abc" if peers[nick].state is PeerState.IDLE)
        assert house.orders(WITHDRAW, idle) == ""
        assert self.entry(house).data == {"nick": idle, "struck": True}
        assert idle not in house.rows()
        plays(house, master, peers)
        assert over_by_name(house) == ["cup"]
        assert idle in house.rows(), "in the standings of open play it has a row of zeros like the others"

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
        assert peers["a"].standings()[-1] == {"a": (2, 0), "b": (1, 1), "c": (0, 2)}
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
    """An order that cannot be carried out is answered with the reason, and is not in the ledger."""

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
        assert self.refused(house, PAUSE, championship="cap") == "championship 'cap': unknown; there are: none"
        house.plans(first=2)
        house.plans(name="other", first=2)
        wrong = "championship 'cap': unknown (did you mean 'cup'?); there are: cup, other"
        assert self.refused(house, PAUSE, championship="cap") == wrong

    def test_one_that_is_over(self, house: House) -> None:
        house.plans(first=2)
        plays(house, house.master(), comes(house, "a", "b"))
        for kind in {*OrderKind} - {OrderKind.CORRECT, OrderKind.DISQUALIFY}:
            assert self.refused(house, kind, "a") == IS_OVER

    def test_pausing_twice_and_resuming_what_is_not_paused(self, house: House) -> None:
        house.plans(first=2)
        assert self.refused(house, RESUME) == "championship cup is not paused"
        house.orders(PAUSE)
        house.notes.clear()
        assert self.refused(house, PAUSE) == "championship cup is paused already"

    def test_withdrawing_a_player_who_is_not_an_entrant(self, house: House) -> None:
        house.plans(first=2)
        house.player("a")
        assert (
            self.refused(house, WITHDRAW, "a")
            == "championship cup has not begun; no player can be withdrawn. To begin without one, edit its plan"
        )
        house.player("b")
        assert self.refused(house, WITHDRAW, "A") == "'A' is not an entrant of championship cup (did you mean 'a'?)"

    def test_withdrawing_an_entrant_twice(self, house: House) -> None:
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
        no_such_game = f"game {game_id!r}: there is no such game in championship cup"
        does_not_count = "game g1: does not count in championship cup"
        assert self.refused(house, REPLAY, game_id) == (does_not_count if game_id == "g1" else no_such_game)

    @pytest.mark.parametrize("kind", [REPLAY, OrderKind.CORRECT, OrderKind.ADJUDICATE])
    def test_a_running_game_that_is_not_of_this_championship(self, house: House, kind: OrderKind) -> None:
        house.plans(first=2)
        house.master()
        comes(house, "a", "b")
        house.master("n", game_type="go")
        house.players("c", "d", game_type="go")
        no_such_game = "game 'g2': there is no such game in championship cup"
        command = "; a running game outside championships is for `ugs admin void` or `ugs admin adjudicate`"
        assert self.refused(house, kind, "g2") == no_such_game + command
        house.plans(name="bowl", game_type="shogi", first=2)
        house.master("o", game_type="shogi")
        house.players("e", "f", game_type="shogi")
        played = "game 'g3': there is no such game in championship cup; it is played in championship bowl"
        assert self.refused(house, kind, "g3") == played
        assert "admin" not in self.refused(house, kind, "g9")

    def test_playing_again_with_an_entrant_who_has_left(self, house: House) -> None:
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

    def test_playing_again_where_places_decide_who_goes_on(self, house: House) -> None:
        """The next stage began without the second result, which then changed points, but not who had come through."""
        house.plans(first=3, format="stages", seats=2, stages=({"go_on": 2}, {"format": "knock-out"}))
        plays(house, house.master(), comes(house, *"abc"), games=1)
        wrong = self.refused(house, REPLAY, "g1")
        assert wrong.startswith("game g1: who goes on is decided by its first result, so it cannot be played again")
        loser = max(seat.nick for seat in house.results[0].seats)
        assert house.orders(OrderKind.CORRECT, "g1", results={loser: "won"}) == ""

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
    """The plan says what becomes of the results of a leaver."""

    @pytest.mark.parametrize(
        ("leavers", "games", "struck"),
        [
            *[("lose", 0, False), ("lose", 2, False)],
            *[("half", 0, True), ("half", 1, True), ("half", 2, False)],
            *[("strike", 0, True), ("strike", 3, True), ("strike", 4, False)],
        ],
    )
    def test_half_lose_or_strike(self, leavers: str, games: int, struck: bool) -> None:
        """In a cup of five, ``a`` leaves after ``games`` of its four games."""
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

    @pytest.mark.parametrize("leavers", ["half", "lose"])
    @pytest.mark.parametrize("plan", [{"format": "swiss"}, {"format": "knock-out"}, {"format": "ladder"}], ids=str)
    def test_where_pairings_are_built_on_results_nobody_is_struck(self, leavers: str, plan: dict[str, Any]) -> None:
        house = House()
        house.plans(first=4, leavers=leavers, **plan)
        comes(house, *"abcd")
        house.orders(WITHDRAW, "a")
        assert house.noted("withdrawn")[0]["results_struck"] is False
