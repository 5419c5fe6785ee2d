"""Names for the completion of a shell."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.main import get_command

from ugs.commands.app import application
from ugs.commands.game_names import bot_words, bots, championship_names, games
from ugs.journal.reader import Reader


def test_games_are_those_that_are_installed() -> None:
    assert "tic-tac-toe" in games()
    assert games("tic") == ["tic-tac-toe"]
    assert games("zz") == []


def test_bots_are_those_of_the_game() -> None:
    assert bots("tic-tac-toe", "thr") == ["threats"]
    assert bots("no-such-game") == []


def context(**params: object) -> typer.Context:
    """A line on which these options stand already."""
    found = typer.Context(get_command(application()))
    found.params.update(params)
    return found


def test_a_bot_of_a_match_is_completed_for_the_game_on_the_line() -> None:
    assert bot_words(context(game="tic-tac-toe"), "new=built") == [
        f"new=builtin:{name}" for name in bots("tic-tac-toe")
    ]
    assert bot_words(context(game="tic-tac-toe"), "new=builtin:thr") == ["new=builtin:threats"]
    assert bot_words(context(), "new=") == ["new=builtin:", "new=python:", "new=connect"]
    behind_an_open_option = context(game=None)
    behind_an_open_option.args = ["tic-tac-toe"]
    assert bot_words(behind_an_open_option, "new=builtin:thr") == ["new=builtin:threats"]


def test_championships_are_those_of_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UGS_DATA_DIR", raising=False)
    assert championship_names(context()) == []
    assert championship_names(context(data_dir=tmp_path)) == []
    monkeypatch.setattr(
        Reader, "championships", lambda reader: [SimpleNamespace(name="spring"), SimpleNamespace(name="cup")]
    )
    monkeypatch.setattr(Reader, "__init__", lambda reader, path: None)
    monkeypatch.setattr(Reader, "__enter__", lambda reader: reader)
    monkeypatch.setattr(Reader, "__exit__", lambda reader, *error: None)
    assert championship_names(context(data_dir=tmp_path), "s") == ["spring"]
    monkeypatch.setenv("UGS_DATA_DIR", str(tmp_path))
    assert championship_names(context()) == ["cup", "spring"]
