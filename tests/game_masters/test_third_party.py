"""A game in its own package, installed in the usual way, is a game like any other."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from game_masters.kit.check import CONTRACT
from tests import third_party


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that contains only the installed package."""
    return third_party.installed(tmp_path_factory.mktemp("package"))


def run(site: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_it_is_listed_beside_the_games_of_this_project(installed: Path) -> None:
    result = run(installed, "-m", "ugs", "games", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    games = {game["name"]: game for game in json.loads(result.stdout)["games"]}
    assert games.keys() >= {"tic-tac-toe", "nim"}
    nim = games["nim"]
    assert (nim["package"], nim["players_min"], nim["players_max"], nim["chance"]) == ("ugs-nim", 2, 3, True)
    assert {option["name"]: option["type"] for option in nim["options"]} == {
        "heaps": "integer",
        "largest": "integer",
        "misere": "flag",
    }


def test_it_keeps_every_promise(installed: Path) -> None:
    result = run(installed, "-m", "game_masters.kit.check", "nim")
    assert result.stdout.splitlines() == [f"nim: {promise.__name__}: kept" for promise in CONTRACT]
    assert (result.returncode, result.stderr) == (0, "")


def test_it_records_golden_games(installed: Path) -> None:
    arguments = ["-m", "game_masters.kit.golden", "nim", "--bots", "sum,random,random", "--option", "heaps=2"]
    result = run(installed, *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert "option heaps 2" in result.stdout
    assert "over: last counter taken; won by " in result.stdout
