"""Corrected and adjudicated results, cancelled championships, and plans that change."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.broker.championships.next_life import assert_the_same_in_the_next_life
from tests.broker.cup import IS_OVER, asked, begun, comes, over_by_name, plays
from tests.broker.house import CHESS, House, over, thank
from ugs.broker.values.questions import EditAsked, OrderKind, PlanAsked
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, Stage

CORRECT, ADJUDICATE, CANCEL = OrderKind.CORRECT, OrderKind.ADJUDICATE, OrderKind.CANCEL
WITHDRAW, REPLAY = OrderKind.WITHDRAW, OrderKind.REPLAY


@pytest.fixture
def house() -> Iterator[House]:
    """A house whose championships are the same in the next life of the server."""
    house = House()
    yield house
    assert_the_same_in_the_next_life(house)


def rows(house: House) -> dict[str, tuple[int, int, int]]:
    """Won, lost and drawn in the cup."""
    standings = house.broker.server.championships["cup"].standings
    return {row.nick: (row.won, row.lost, row.drawn) for row in standings.rows()}


def latest(house: House, what: What) -> LedgerEntry:
    """The latest entry of this kind."""
    return [entry for entry in house.ledger("cup") if entry.what is what][-1]


def edits(house: House, begins_in_s: float | None = None, **plan: object) -> str:
    """The organiser changes the plan; returns what is wrong."""
    values = {"name": "cup", "game_type": CHESS, "open_play": False} | plan
    return str(house.is_asked(EditAsked(Plan.read(values), "ada", "because", begins_in_s)).get("error", ""))


class TestCorrect:
    def test_the_result_counts_as_corrected_and_the_old_one_is_kept(self, house: House) -> None:
        house.plans(first=3)
        master = house.master()
        peers = comes(house, *"abc")
        game = house.broker.games[0]
        first, second = sorted(game.present)
        plays(house, master, peers, games=1)
        assert rows(house)[second][:2] == (0, 1)
        assert house.orders(CORRECT, game.id, results={second: "won"}) == ""
        assert (rows(house)[first][:2], rows(house)[second][:2]) == ((0, 1), (1, 0))
        entry = latest(house, What.CORRECTED)
        assert (entry.who, entry.why) == ("ada", "because")
        assert entry.data == {
            "game": game.id,
            "fixture": 1,
            "outcomes": dict.fromkeys(game.seats, "lost") | {second: "won"},
            "before": dict.fromkeys(game.seats, "lost") | {first: "won"},
        }
        assert house.orders(CORRECT, "#1", results={"": "drawn"}) == ""
        assert rows(house)[first] == (0, 0, 1)

    def test_also_one_that_was_decided_without_being_played(self, house: House) -> None:
        house.plans(entrants=("a", "b", "c"), leavers="lose")
        house.master()
        comes(house, *"abc")
        (idle,) = {"a", "b", "c"} - set(house.broker.games[0].seats)
        house.orders(WITHDRAW, idle)
        forfeit = latest(house, What.FORFEIT)
        other = next(nick for nick in forfeit.data["nicks"] if nick != idle)
        assert house.orders(CORRECT, f"#{forfeit.data['fixture']}", results={"": "drawn"}) == ""
        assert latest(house, What.CORRECTED).data["outcomes"] == dict.fromkeys(forfeit.data["nicks"], "drawn")
        assert (rows(house)[idle][2], rows(house)[other][2]) == (1, 1)

    def test_not_one_of_a_knock_out_whose_match_was_decided_by_it(self, house: House) -> None:
        house.plans(entrants=("a", "b"), format="knock-out", best_of=3)
        master = house.master()
        plays(house, master, comes(house, *"ab"), games=1)
        house.orders(OrderKind.PAUSE)
        for game in list(house.broker.games):
            master.says(over(game.id, "b", losers=("a",)))
        house.orders(WITHDRAW, "b")
        forfeit = latest(house, What.FORFEIT).data["fixture"]
        wrong = f"#{forfeit}: its match was decided without it, since a player has left"
        assert house.orders(CORRECT, f"#{forfeit}", results={"b": "won"}) == wrong

    def test_also_when_it_is_over(self, house: House) -> None:
        house.plans(entrants=("a", "b"), format="knock-out")
        master = house.master()
        plays(house, master, comes(house, *"ab"))
        assert latest(house, What.OVER).data["placing"] == ["a", "b"]
        assert house.orders(CORRECT, "g1", results={"b": "won"}) == ""
        assert latest(house, What.OVER).data["placing"] == ["b", "a"]
        assert rows(house)["b"] == (1, 0, 0)

    def test_where_points_decide_the_places_its_end_is_not_written_again(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        master = house.master()
        plays(house, master, comes(house, *"ab"))
        assert house.orders(CORRECT, "g1", results={"b": "won"}) == ""
        assert [entry.what for entry in house.ledger("cup")].count(What.OVER) == 1
        assert rows(house)["b"] == (1, 0, 0)

    def test_a_match_of_a_knock_out_is_decided_anew_until_the_next_one_has_begun(self, house: House) -> None:
        house.plans(entrants=("a", "b", "c", "d"), format="knock-out")
        master = house.master()
        peers = comes(house, *"abcd")
        plays(house, master, peers, games=1)  # a beats d
        assert house.orders(CORRECT, "g1", results={"d": "won"}) == ""
        plays(house, master, peers, games=1)  # b beats c
        assert house.broker.games[0].seats in (("d", "b"), ("b", "d"))
        wrong = house.orders(CORRECT, "g1", results={"a": "won"})
        assert wrong == "g1: the final has begun, whose players come from its result"

    def test_the_next_round_of_a_swiss_is_drawn_from_it(self, house: House) -> None:
        house.draws_slowly = True
        house.plans(entrants=tuple(f"p{number:02}" for number in range(50)), format="swiss", rounds=2, seats=2)
        master = house.master()
        peers = comes(house, *[f"p{number:02}" for number in range(50)])
        house.draws()
        house.passes(1)
        plays(house, master, peers, games=25)
        wanted = house.drawing[0].request
        game = house.entries("g1")[0].game_id
        counted = house.broker.server.championships["cup"].ledger.counted[1]
        loser = next(nick for nick, word in counted.outcomes.items() if word == "lost")
        assert house.orders(CORRECT, game, results={loser: "won"}) == ""
        now = house.broker.server.championships["cup"].wanted
        assert now is not None
        assert now is not wanted
        assert now.points[loser] == 1  # type: ignore[union-attr]
        assert loser in now.unbeaten  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        ("subject", "results", "words"),
        [
            ("g9", {"a": "won"}, "game 'g9': there is no such game in championship cup"),
            ("#9", {"a": "won"}, "#9: has no result that counts"),
            ("#x", {"a": "won"}, "#x: has no result that counts"),
            ("g1", {"z": "won"}, "g1: result: 'z' does not play in it"),
            ("g1", {"a": "great"}, "g1: result: 'great': allowed: won, lost, drawn"),
            ("g1", {"a": "lost"}, "g1: result: 'b' is missing"),
            ("g1", {"a": "won", "b": "won"}, "no game ends like this"),
            ("g1", {"a": "won", "b": "drawn"}, "no game ends like this"),
            ("g1", {"a": "won"}, "g1: that is its result already"),
        ],
    )
    def test_what_cannot_be(self, house: House, subject: str, results: Mapping[str, str], words: str) -> None:
        house.plans(entrants=("a", "b"), repeats=2)
        master = house.master()
        plays(house, master, comes(house, *"ab"), games=1)
        assert words in house.orders(CORRECT, subject, results=results)

    def test_a_struck_result_stays_struck(self, house: House) -> None:
        house.plans(first=4)
        master = house.master()
        peers = comes(house, *"abcd")
        game = house.broker.games[0]
        plays(house, master, peers, games=1)
        gone = game.seats[0]
        house.orders(WITHDRAW, gone)
        assert f"the results of {gone} are struck" in house.orders(CORRECT, game.id, results={"": "drawn"})

    def test_before_it_has_begun_there_is_nothing_to_correct(self, house: House) -> None:
        house.plans(first=2)
        refused = house.orders(CORRECT, "#1", results={"": "drawn"})
        assert "#1: has no result that counts" in refused
        assert "`ugs championship adjudicate` decides" in refused


class TestAdjudicate:
    def test_a_game_that_runs_counts_as_decided_and_not_as_it_ends(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        master = house.master()
        peers = comes(house, *"ab")
        assert house.orders(ADJUDICATE, "g1", results={"b": "won"}) == ""
        master.says(over("g1", "a", losers=("b",)))
        thank("g1", peers["a"], peers["b"])
        assert rows(house) == {"b": (1, 0, 0), "a": (0, 1, 0)}
        assert over_by_name(house) == ["cup"]

    def test_a_game_that_does_not_exist_is_named(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        house.master()
        comes(house, *"ab")
        assert "g7" in house.orders(ADJUDICATE, "g7", results={"b": "won"})

    def test_one_that_has_not_begun(self, house: House) -> None:
        house.plans(entrants=("a", "b"), repeats=2)
        master = house.master()
        peers = comes(house, *"ab")
        assert house.orders(ADJUDICATE, "#2", results={"": "drawn"}) == ""
        assert "#2: is no game without a result" in house.orders(ADJUDICATE, "#2", results={"": "drawn"})
        plays(house, master, peers)
        assert over_by_name(house) == ["cup"]
        assert rows(house)["a"] == (1, 0, 1)

    def test_one_that_was_given_up_and_one_to_be_played_again(self, house: House) -> None:
        house.plans(entrants=("a", "b", "c"), void_replays=0)
        house.master()
        comes(house, *"abc")
        first = house.broker.games[0]
        house.passes(10)  # the master does not begin it
        assert house.broker.server.championships["cup"].unplayed
        assert house.orders(ADJUDICATE, first.id, results={first.seats[0]: "won"}) == ""
        assert house.broker.server.championships["cup"].unplayed == []
        assert rows(house)[first.seats[0]] == (1, 0, 0)

    def test_a_void_one_that_would_be_played_again(self, house: House) -> None:
        house.plans(entrants=("a", "b"))
        house.master()
        comes(house, *"ab")
        house.orders(OrderKind.PAUSE)
        house.passes(10)
        assert house.orders(ADJUDICATE, "g1", results={"a": "won"}) == ""
        assert rows(house)["a"] == (1, 0, 0)
        assert over_by_name(house) == ["cup"]

    def test_what_cannot_be(self, house: House) -> None:
        house.disk_is_slow = True
        house.plans(entrants=("a", "b"), repeats=2)
        master = house.master()
        comes(house, *"ab")
        assert "'b' is missing" in house.orders(ADJUDICATE, "g1", results={"a": "lost"})
        assert "#77: is no game without a result" in house.orders(ADJUDICATE, "#77", results={"a": "won"})
        master.says(over("g1", "a", losers=("b",)))
        assert "on the way to the disk" in house.orders(ADJUDICATE, "g1", results={"b": "won"})
        house.disk_catches_up()


class TestCancel:
    def test_a_result_on_the_way_to_the_disk_counts_also_for_a_server_that_is_killed_then(self, house: House) -> None:
        house.disk_is_slow = True
        house.plans(entrants=("a", "b"), repeats=2)
        master = house.master()
        comes(house, *"ab")
        master.says(over("g1", "a", losers=("b",)))
        assert house.orders(CANCEL) == ""
        again = house.again()
        assert rows(again)["a"] == (1, 0, 0)
        house.disk_catches_up()
        assert rows(house)["a"] == (1, 0, 0)
        assert_the_same_in_the_next_life(house)

    def test_open_play_goes_on_and_games_that_run_count_for_nobody(self, house: House) -> None:
        house.plans(first=3)
        master = house.master()
        peers = comes(house, *"abc")
        plays(house, master, peers, games=1)
        before = rows(house)
        running = house.broker.games[0]
        assert house.orders(CANCEL) == ""
        assert latest(house, What.CANCELLED).who == "ada"
        first, second = sorted(running.present)
        master.says(over(running.id, first, losers=(second,)))
        thank(running.id, peers[first], peers[second])
        assert rows(house) == before
        assert house.broker.server.championships["cup"].ledger.state == "cancelled"
        assert house.broker.games[0].setting.championship is None, "an open game"
        assert house.orders(CANCEL) == IS_OVER
        assert house.orders(CORRECT, "g1", results={"": "drawn"}) == ""
        assert house.ledger("cup")[-1].what is What.CORRECTED

    def test_before_it_has_begun(self, house: House) -> None:
        house.plans(begins_at="2030-05-01T20:00", begins_in_s=10)
        house.plans(name="second", first=2)
        house.plans(name="third", first=3)
        assert house.orders(CANCEL, championship="third") == ""
        assert house.orders(CANCEL) == ""
        comes(house, "a", "b")
        assert begun(house) == [("second", ["a", "b"])]
        house.passes(20)


class TestEdit:
    def test_before_it_begins_everything(self, house: House) -> None:
        house.plans(first=3)
        comes(house, "a", "b")
        assert edits(house, first=2) == ""
        assert begun(house) == [("cup", ["a", "b"])]
        entry = latest(house, What.EDITED)
        assert (entry.who, entry.why, entry.data["plan"]["first"]) == ("ada", "because", 2)

    def test_a_value_of_an_older_plan_that_its_format_does_not_use_may_go(self, house: House) -> None:
        values = {"name": "cup", "game_type": CHESS, "open_play": False, "entrants": ("a", "b")}
        house.is_asked(PlanAsked(Plan.unchecked(**values, rounds=5, leavers="strike"), "ada"))
        house.master()
        comes(house, *"ab")
        assert edits(house, entrants=("a", "b"), void_replays=1) == ""
        assert latest(house, What.EDITED).data["plan"]["rounds"] == 0

    @pytest.mark.parametrize(
        ("older", "now"),
        [
            (
                {
                    "first": 4,
                    "format": "stages",
                    "stages": (Stage.unchecked(groups=2), Stage.unchecked(format="knock-out", go_on=2)),
                },
                {"first": 4, "format": "stages", "stages": [{"groups": 2}, {"format": "knock-out"}]},
            ),
            (
                {
                    "first": 4,
                    "format": "stages",
                    "stages": (Stage.unchecked(groups=2, best_of=3), Stage.unchecked(format="knock-out")),
                },
                {"first": 4, "format": "stages", "stages": [{"groups": 2}, {"format": "knock-out"}]},
            ),
            ({"first": 2, "reserved": True}, {"first": 2}),
        ],
    )
    def test_also_one_of_a_stage_and_one_without_entrants(
        self, house: House, older: dict[str, Any], now: dict[str, Any]
    ) -> None:
        values = {"name": "cup", "game_type": CHESS, "open_play": False, "seats": 2}
        house.is_asked(PlanAsked(Plan.unchecked(**values, **older), "ada"))
        house.master()
        comes(house, *"abcd"[: now["first"]])
        assert edits(house, seats=2, void_replays=1, **now) == ""
        assert latest(house, What.EDITED).data["plan"]["void_replays"] == 1

    def test_also_the_hour_and_the_game_type(self, house: House) -> None:
        house.plans(begins_at="2030-05-01T20:00", begins_in_s=100)
        house.plans(name="next", first=9)
        assert edits(house, 50, begins_at="2030-05-01T19:10") == ""
        assert edits(house, 20, begins_at="2030-05-01T19:00", game_type="go") == ""
        house.players("x", "y", game_type="go")
        house.passes(20)
        assert begun(house) == [("cup", ["x", "y"])]
        kept = house.broker.server.types[CHESS].championship
        assert kept is not None
        assert kept.name == "next"

    def test_of_one_that_waits_behind_another(self, house: House) -> None:
        house.plans(name="first", first=9)
        house.plans(first=9)
        assert edits(house, first=8, game_type="go") == ""
        assert house.broker.server.types[CHESS].coming == []

    def test_later_only_what_nothing_depends_on(self, house: House) -> None:
        house.plans(entrants=("a", "b"), repeats=2)
        master = house.master()
        peers = comes(house, *"ab")
        assert edits(house, entrants=("a", "b"), repeats=3).startswith("repeats: cannot be changed since it has begun")
        assert edits(house, entrants=("a", "b"), repeats=2, void_replays=9, tie_breaks=("wins",)) == ""
        assert house.broker.server.championships["cup"].plan.tie_breaks == ("wins",)
        plays(house, master, peers)
        assert edits(house, entrants=("a", "b")) == "championship cup is over; its results stand"

    def test_one_that_does_not_exist_or_is_not_allowed(self) -> None:
        house = House(allowed_game_types=[CHESS])
        assert edits(house, first=2) == "championship 'cup': unknown; there are: none"
        house.plans(first=3)
        assert edits(house, first=2, game_type="go") == "game_type = 'go': is not allowed here"


def test_the_next_games_are_known_once_it_is_known_how_many_play_one(house: House) -> None:
    house.plans(entrants=("a", "b"), repeats=3)
    cup = house.broker.server.championships["cup"]
    comes(house, *"ab")
    assert cup.open_fixtures(5) == []
    house.master()
    assert [one.number for one in cup.open_fixtures(1)] == [2]


class TestWarnings:
    def test_without_a_game_master_the_organiser_is_warned_at_planning_and_at_the_begin(self, house: House) -> None:
        assert house.plans(first=2)["warning"] == "game_type = 'chess': there is no game master for chess"
        comes(house, "a", "b")
        assert house.noted("no game master for this championship")
        house.master()
        assert "warning" not in house.plans(name="other", first=2)
        assert asked(house.master(name="m2", game_type="go")) == []
