"""What `ugs new` writes: whole or not at all, and a game under a name of its own."""

import importlib
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from game_masters.kit.rules import Game, Table
from tests.commands.line import ugs
from tests.commands.test_new import files_in


def test_what_cannot_be_written_whole_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        (tmp_path / "mine" / "bot.py").touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copytree", full)
    done = ugs("new", "bot", tmp_path / "mine")
    assert (done.exit_code, "No space left on device" in done.stderr) == (1, True)
    assert not (tmp_path / "mine").exists()


def test_folders_above_are_made_too(tmp_path: Path) -> None:
    assert ugs("new", "bot", tmp_path / "bots" / "mine").exit_code == 0
    assert (tmp_path / "bots" / "mine" / "bot.py").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Chess", "no name of a game"),
        ("my game", "no name of a game"),
        ("my_game", "no name of a game"),
        ("4-in-a-row", "no name of a game"),
        ("-x", "no name of a game"),
        ("x\n", "no name of a game"),
        ('x"; import os', "no name of a game"),
        ("ñandu", "no name of a game"),
        ("a" * 41, "at most 40"),
        ("tic-tac-toe", "there is a game"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(name: str, why: str, tmp_path: Path) -> None:
    done = ugs("new", "game", f"--name={name}", tmp_path / "mine")
    assert (done.exit_code, why in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "mine").exists()


def load(package: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A package in this folder, which is forgotten after the test."""
    monkeypatch.syspath_prepend(package)
    module = importlib.import_module(name)
    for known in [known for known in sys.modules if known.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, known)
    return module


def test_a_new_game_is_one_that_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = ugs("new", "game", tmp_path / "my-game")
    assert (done.exit_code, "ugs master my-game" in done.stdout) == (0, True)
    names = files_in(tmp_path / "my-game")
    assert {"README.md", "pyproject.toml", "ugs_my_game/rules.py", "ugs_my_game/my-game.xsd"} <= names.keys()
    assert not [name for name, content in names.items() if b"ugs_nim" in content or b"ugs-nim" in content]
    assert b'\nmy-game = "ugs_my_game:GAME"\n' in names["pyproject.toml"]
    game: Game[Any, Any] = load(tmp_path / "my-game", "ugs_my_game", monkeypatch).GAME
    assert (game.name, game.game_type, game.schema.is_file()) == ("my-game", "my-game", True)
    rng = random.Random(1)
    state = game.start(Table("g", ("ann", "bob"), game.choose_options({})), rng)
    while state.outcome is None:
        (seat,) = state.movers
        state.apply(seat, game.bots[0].choose(state.view(seat), rng))
