"""The command ``ugs games``."""

import json
from importlib.metadata import EntryPoint

import pytest
import typer

from game_masters.commands import games
from game_masters.registry import Broken, Registry, find_games
from tests.game_masters.commands.line import ugs
from tests.game_masters.test_registry import GOOD, point


def test_games_are_shown_to_people(app: typer.Typer) -> None:
    exit_code, shown, _ = ugs(app, "games")
    assert exit_code == 0
    for word in ("tic-tac-toe", "5-in-line-tic-tac-toe", "a row win", "ugs games NAME"):
        assert word in shown
    assert "width=20" not in shown
    for arguments in (["tic-tac-toe"], ["--long"]):
        exit_code, shown, _ = ugs(app, "games", *arguments)
        assert exit_code == 0
        for word in ("tic-tac-toe", "5-in-line-tic-tac-toe", "width=20 (3 to 100)", "threats", "random"):
            assert word in shown


def test_games_that_lack_a_library_are_one_line_with_what_installs_them(
    app: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (good,) = find_games([GOOD]).installed
    reasons = {
        "chess": 'pip install "ugs[chess]"',
        "chess-variant": 'pip install "ugs[chess]"',
        "go": 'pip install "ugs[go]"',
    }
    lacking = tuple(
        Broken(name, "ugs", f"its library is not installed: {why}", lacks_library=True) for name, why in reasons.items()
    )
    monkeypatch.setattr(games, "find_games", lambda: Registry((good,), lacking))
    exit_code, _, error = ugs(app, "games")
    assert (exit_code, error) == (0, 'Note: not installed: chess, chess-variant, go: pip install "ugs[chess,go]"\n')
    exit_code, _, error = ugs(app, "games", "--long")
    assert (exit_code, len(error.splitlines())) == (0, 3)


class Lacking:
    """A collection whose library is not installed."""

    def missing(self) -> str:
        """What to install."""
        return 'it needs the package shelf: pip install "ugs[shelf]"'


LACKING = Lacking()


def test_collections_are_named_where_they_make_games_and_noted_where_not(
    app: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (good,) = find_games([GOOD]).installed
    lacking = EntryPoint("shelf", f"{__name__}:LACKING", "ugs.collections")
    broken = EntryPoint("torn", "no_such_package:COLLECTION", "ugs.collections")
    monkeypatch.setattr(games, "find_games", lambda: Registry((good,), ()))
    monkeypatch.setattr(games, "find_collections", lambda: {"shelf": lacking})
    for arguments in ([], ["--all"]):
        exit_code, shown, error = ugs(app, "games", *arguments)
        assert (exit_code, error) == (0, 'Note: not installed: games of shelf: pip install "ugs[shelf]"\n')
        assert "collections" not in shown
    monkeypatch.setattr(games, "find_collections", lambda: {"torn": broken})
    exit_code, _, error = ugs(app, "games")
    assert (exit_code, "Error: games of the collection 'torn' cannot be made" in error) == (1, True)
    assert ugs(app, "games", good.game.name)[0] == 0


def test_games_are_shown_to_programs(app: typer.Typer) -> None:
    exit_code, shown, _ = ugs(app, "games", "--json")
    assert exit_code == 0
    (game,) = [game for game in json.loads(shown)["games"] if game["name"] == "tic-tac-toe"]
    assert game["package"] == "ugs"
    assert (game["players_min"], game["players_max"]) == (2, 2)
    assert game["options"][0] == {
        "name": "width",
        "type": "integer",
        "default": 20,
        "allowed": "3 to 100",
        "explanation": "columns of the board, x from 0",
    }
    assert [bot["name"] for bot in game["bots"]] == ["threats", "random"]


def test_a_broken_package_is_named_and_the_others_are_shown(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    def some_games() -> Registry:
        return find_games([GOOD, point("gone", "no_such_package:GAME")])

    monkeypatch.setattr(games, "find_games", some_games)
    for words in (["games"], ["games", "--json"]):
        exit_code, shown, error = ugs(app, *words)
        assert exit_code == 1
        assert "high-card" in shown
        assert "game 'gone' of the package 'unknown' cannot be used" in error
