"""What ``ugs standings`` writes."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import Result

from tests.commands.line import ugs
from tests.standings.journals import Kept
from tests.standings.results import won
from tests.standings.test_source import GO, OPEN, a_cup, server
from ugs.standings.compute import standings_of
from ugs.standings.render import as_json_text
from ugs.standings.standings import read_json


def run(*arguments: str) -> Result:
    return ugs("standings", *arguments)


@pytest.fixture
def chess(tmp_path: Path) -> str:
    """A data directory with games of one type."""
    kept = Kept(tmp_path)
    kept.results(OPEN)
    kept.close()
    return str(tmp_path)


@pytest.fixture
def much(tmp_path: Path) -> str:
    """A data directory with two game types and a championship."""
    kept = Kept(tmp_path)
    kept.results([*OPEN, *GO])
    a_cup(kept)
    kept.close()
    return str(tmp_path)


def test_the_table_is_what_is_shown_unless_asked_otherwise(chess: str) -> None:
    done = run("--data-dir", chess)
    assert done.exit_code == 0
    assert done.stderr == ""
    assert "chess: 3 games, 1 void" in done.stdout
    assert "cannot be distinguished yet" in done.stdout
    rows = [line.split()[:4] for line in done.stdout.splitlines()]
    assert all(row in rows for row in (["1", "ann", "2", "0"], ["2", "ben", "0", "1"], ["3", "cat", "0", "1"]))


def test_the_game_type_may_stand_without_its_option(much: str) -> None:
    assert run("go", "--data-dir", much).stdout == run("--data-dir", much, "--game-type", "go").stdout != ""
    assert run("go", "--data-dir", much).stdout != run("--data-dir", much).stdout


def test_json_of_the_only_type_is_one_object(chess: str) -> None:
    found = json.loads(run("--data-dir", chess, "--format", "json").stdout)
    assert [(line["nick"], line["won"], line["lost"], line["drawn"]) for line in found["players"]] == [
        ("ann", 2, 0, 0),
        ("ben", 0, 1, 1),
        ("cat", 0, 1, 1),
    ]


def test_json_of_several_types_is_a_list_and_of_a_chosen_one_an_object(much: str) -> None:
    found = json.loads(run("--data-dir", much, "--format", "json").stdout)
    assert [each["game_type"] for each in found["standings"]] == ["chess", "go"]
    chosen = json.loads(run("--data-dir", much, "--format", "json", "--game-type", "go").stdout)
    assert chosen["game_type"] == "go"
    cup = json.loads(run("--data-dir", much, "--format", "json", "--championship", "cup").stdout)
    assert (cup["championship"], cup["players"][0]["nick"]) == ("cup", "ben")


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("csv", "game_type,"), ("markdown", "## cup"), ("html", "<!doctype html>"), ("table", "cup")],
)
def test_every_format_shows_a_championship(much: str, form: str, beginning: str) -> None:
    done = run("--data-dir", much, "--championship", "cup", "--format", form)
    assert done.exit_code == 0
    assert done.stdout.startswith(beginning)
    assert all(nick in done.stdout for nick in ("ann", "ben", "cat"))


def test_csv_has_a_line_per_player_of_every_type(much: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("--data-dir", much, "--format", "csv").stdout)))
    assert [(row["game_type"], row["place"]) for row in rows] == [
        *(("chess", str(place)) for place in (1, 2, 3)),
        ("go", "1"),
        ("go", "2"),
    ]


def test_ratings_can_be_left_out(chess: str) -> None:
    for line in json.loads(run("--data-dir", chess, "--format", "json", "--no-ratings").stdout)["players"]:
        assert (line["rating"], line["elo"]) == (None, None)


def test_a_running_broker_is_asked_and_shown_in_any_format() -> None:
    told = [standings_of([won("ann", "ben")], "chess")]
    with server(200, as_json_text(told).encode()) as (url, _):
        assert read_json(run("--connect", url, "--format", "json").stdout) == told
        assert "| 1 | ann |" in run("--connect", url, "--format", "markdown").stdout
        (bare,) = read_json(run("--connect", url, "--format", "json", "--no-ratings").stdout)
    assert bare == standings_of([won("ann", "ben")], "chess", ratings=False)


@pytest.mark.parametrize(("option", "kind"), [("--game-type", "game type"), ("--championship", "championship")])
def test_an_unknown_name_is_answered_with_those_there_are(chess: str, option: str, kind: str) -> None:
    done = run("--data-dir", chess, option, "x")
    there = "chess" if option == "--game-type" else "none"
    assert (done.exit_code, done.stderr) == (2, f"ugs standings: {kind} 'x': unknown; there are: {there}\n")


def test_a_broker_that_does_not_answer_is_a_failure() -> None:
    with server(200, b"") as (url, _):
        pass
    done = run("--connect", url)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"ugs standings: {url}/standings.json: no answer: ")
    assert done.stderr.count("\n") == 1
