"""Options that ``ugs master`` and ``ugs bot`` have in common, as a shell completes them."""

import typer
from typer.core import TyperCommand

from game_masters.commands.options import bot_names, game_names


def test_a_shell_completes_games_and_their_bots() -> None:
    assert "tic-tac-toe" in game_names("tic")
    assert game_names("nothing like it") == []
    line = typer.Context(TyperCommand("bot"))
    assert "threats" in bot_names(line, "th")
    line.params["game"] = "tic-tac-toe"
    assert bot_names(line, "") == ["random", "threats"]
