"""A match as people and as programs see it."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from ugs.broker.verdict import Cause, Outcome
from ugs.match.cost import MatchCost
from ugs.match.match_settings import parse_wanted
from ugs.match.output import WRITERS
from ugs.match.planner import PlannedGame
from ugs.match.runner import Match
from ugs.match.score import ScoredGame
from ugs.match.terminal import cost_line, crowded, findings, line, live, number, rounded_up, table

WON, LOST = Outcome.WON, Outcome.LOST


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Eight of ten games of two bots are over; one was lost on time."""
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "games": 10, "sprt": {}}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at in range(1, 9):
        bots = ("a", "b") if at % 2 else ("b", "a")
        first = LOST if at in (1, 4) else WON
        outcomes = {"a": first, "b": WON if first is LOST else LOST}
        late = {"cause": Cause.TIMEOUT, "culprit": "a", "faults": {"a": "time-outs"}} if at == 1 else {}
        one.score.take(ScoredGame(PlannedGame(at, bots, (at + 1) // 2), f"g{at}", outcomes, **late))  # type: ignore[arg-type]
    one.progress.played = 8
    return one


def test_the_table_has_the_best_first_and_findings_say_what_it_is_worth(match: Match) -> None:
    console = Console(width=100, record=True)
    console.print(live(match))
    console.print(table(match.score))
    text = console.export_text()
    assert text.index(" a ") < text.index(" b ")
    assert "75.0" in text
    said = list(findings(match.score))
    assert said[0].startswith("a against b: Elo +190.8 (+3.5 to +919.4), normalised ")
    assert said[1] == "fewer than 30 pairs: intervals are rough"
    assert said[2] == "likelihood that a is better: 97.7 %; pairs with 0, ½, 1, 1½, 2 points of it: [0, 0, 2, 0, 2]"
    assert said[3].startswith("SPRT (normalised Elo 0 against 10): LLR 0.")
    assert said[3].endswith(" (-2.94 to 2.94), goes on")
    assert line(match).startswith("8 of 10 games, 0 running, ")
    assert " left" in line(match)


@pytest.mark.parametrize(("games", "rough"), [(29, True), (30, False)])
def test_from_thirty_observations_on_intervals_are_not_called_rough(tmp_path: Path, games: int, rough: bool) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "seats": "fixed"}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at in range(1, games + 1):
        first, second = (WON, LOST) if at % 3 else (LOST, WON)
        one.score.take(ScoredGame(PlannedGame(at, ("a", "b"), at), f"g{at}", {"a": first, "b": second}))
    assert ("fewer than 30 games: intervals are rough" in findings(one.score)) is rough


def test_where_all_pairs_ended_alike_no_interval_is_shown(tmp_path: Path) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "games": 4}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at in range(1, 5):
        bots = ("a", "b") if at % 2 else ("b", "a")
        one.score.take(ScoredGame(PlannedGame(at, bots, (at + 1) // 2), f"g{at}", {"a": WON, "b": LOST}))
    assert list(findings(one.score)) == [
        "a against b: all pairs ended alike, so Elo has no interval",
        "likelihood that a is better: 87.5 %; pairs with 0, ½, 1, 1½, 2 points of it: [0, 0, 0, 0, 2]",
        "a and b cannot be distinguished yet: about 6 more games would do, if all end like these",
    ]


def test_pairs_that_ended_as_differently_as_can_be_did_not_end_alike(tmp_path: Path) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "games": 4}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at, winner in enumerate("aabb", 1):
        bots = ("a", "b") if at % 2 else ("b", "a")
        outcomes = {bot: WON if bot == winner else LOST for bot in "ab"}
        one.score.take(ScoredGame(PlannedGame(at, bots, (at + 1) // 2), f"g{at}", outcomes))
    assert next(iter(findings(one.score))).startswith("a against b: Elo +0.0 (-∞ to ∞)")


@pytest.mark.parametrize(
    ("bots", "games", "says"),
    [
        (4, 8, "24 games: 8 rounded up to all orders of 4 seats"),
        (4, 24, ""),
        (2, 7, "8 games: 7 rounded up to all orders of 2 seats"),
    ],
)
def test_games_that_are_more_than_were_wanted_are_explained(tmp_path: Path, bots: int, games: int, says: str) -> None:
    wanted = parse_wanted(
        {"game": "apologies", "bots": dict.fromkeys("abcd"[:bots], "builtin:random"), "games": games, "players": bots},
        "test",
    )
    one = Match(wanted, tmp_path)
    one.kept.close()
    assert rounded_up(one) == says


def test_numbers_have_their_sign() -> None:
    assert [number(value) for value in (1.25, -3, float("inf"), -float("inf"))] == ["+1.2", "-3.0", "∞", "-∞"]


def test_the_cost_names_what_bots_and_master_alone_could_play() -> None:
    cost = MatchCost(bots_s=3, master_s=1, broker_s=0.75, runner_s=0.25, games=100, seconds=4, at_once=2)
    assert (cost.share, cost.alone_per_second) == (0.8, 50)
    text = cost_line(cost)
    assert text.startswith("25.0 games a second. A game took 50.0 ms of processor time: bots 30.0, master 10.0")
    assert text.endswith("took 80 % of it; alone they could play 50.0 a second, and 50 % of that was reached")


def test_one_thread_that_all_games_need_allows_no_more_than_it_can() -> None:
    cost = MatchCost(3, 1, 0.75, 0.25, games=100, seconds=4, at_once=2, busiest_s=2.5)
    assert (cost.share, cost.alone_per_second, cost.reached) == (0.8, 40, 0.625)
    assert cost_line(cost).endswith(
        "40.0 a second, which is what the busiest of them can, and 62 % of that was reached"
    )
    assert not MatchCost(3, 1, 0.75, 0.25, games=100, seconds=4, at_once=2, busiest_s=1.9).limited_by_busiest


def test_more_than_two_bots_are_ranked_by_ratings(tmp_path: Path) -> None:
    wanted = {"game": "tic-tac-toe", "bots": dict.fromkeys("abc", "builtin:random"), "until": "best"}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at, bots in enumerate([("b", "c"), ("a", "b"), ("c", "a")] * 2, 1):
        one.score.take(ScoredGame(PlannedGame(at, bots, at), f"g{at}", {max(bots): LOST, min(bots): WON}))
    said = list(findings(one.score))
    assert said[0].startswith("1. a: Elo ")
    pairs = [text.split(": ")[0] for text in said[-2:]]
    assert pairs == ["a and b cannot be distinguished yet", "b and c cannot be distinguished yet"]


def test_programs_read_json(match: Match) -> None:
    found = json.loads(WRITERS["json"](match))
    assert found["bots"][0] | {"games": 8} == found["bots"][0]
    assert found["counts"] == [0, 0, 2, 0, 2]
    assert found["elo"]["value"] == pytest.approx(190.85, abs=0.01)
    assert found["games"][0]["cause"] == "timeout"
    assert set(found["sprt"]) == {"llr", "low", "high"}


def test_what_is_infinite_is_null_in_json(tmp_path: Path) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "seats": "fixed"}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    one.score.take(ScoredGame(PlannedGame(1, ("a", "b"), 1), "g1", {"a": WON, "b": LOST}))
    assert json.loads(WRITERS["json"](one))["elo"] == {"value": None, "low": None, "high": None}


def test_programs_read_csv(match: Match) -> None:
    rows = list(csv.DictReader(WRITERS["csv"](match).splitlines()))
    assert [(row["bot"], row["won"], row["time-outs"]) for row in rows] == [("a", "6", "1"), ("b", "2", "0")]


def test_a_build_reads_tap_and_junit(match: Match) -> None:
    lines = WRITERS["tap"](match).splitlines()
    assert lines[0] == "1..9"
    assert lines[1] == "not ok 1 - SPRT elo0=0 elo1=10 # not decided"
    assert "not ok 4 - a: no time-outs # 1 in 8 games" in lines
    assert sum(one.startswith("ok") for one in lines) == 7
    suite = ElementTree.fromstring(WRITERS["junit"](match))
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("9", "2", 9)
    assert [case.get("name") for case in suite if len(case)] == ["SPRT elo0=0 elo1=10", "a: no time-outs"]


@pytest.mark.parametrize(
    ("given", "warned"),
    [
        ({}, False),
        ({"time": "10000+100"}, True),
        ({"move_timeout_s": 2}, True),
        ({"hard_ms": 100}, True),
        ({"hard_ms": 100, "clock": "cpu"}, False),
    ],
)
def test_more_programs_than_processors_are_warned_of_where_a_clock_matters(
    tmp_path: Path, given: dict[str, object], warned: bool
) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "./a {address} {nick}", "b": "./b {address} {nick}"}, **given}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    assert ("2 programs at once on 1 processor:" in crowded(one, 1), crowded(one, 2)) == (warned, "")
    late = {"cause": Cause.TIMEOUT, "culprit": "a", "faults": {"a": "time-outs"}}
    one.score.take(ScoredGame(PlannedGame(1, ("a", "b"), 1), "g1", {"a": LOST, "b": WON}, **late))  # type: ignore[arg-type]
    assert crowded(one, 1)


def test_a_match_that_ended_early_says_by_what(tmp_path: Path) -> None:
    wanted = {"game": "tic-tac-toe", "bots": {"a": "builtin:threats", "b": "builtin:random"}, "until": "best"}
    one = Match(parse_wanted(wanted, "test"), tmp_path)
    one.kept.close()
    for at in range(1, 61):
        one.score.take(ScoredGame(PlannedGame(at, ("a", "b"), (at + 1) // 2), f"g{at}", {"a": WON, "b": LOST}))
    ended = f"ended after {len(one.score.counted)} games, by --until best: a is better than b"
    assert ended in list(findings(one.score))
    assert len(one.score.counted) < 60
