"""What ``ugs puzzle`` shows."""

import pytest

from game_masters.commands import puzzling
from game_masters.kit.puzzles import puzzle_of
from game_masters.tic_tac_toe import GAME

pytestmark = pytest.mark.usefixtures("logging_afresh")


def test_a_solution_is_shown_move_by_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert puzzling.show_solution(GAME, puzzle_of(GAME, 12)) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("12. Block and fork\n")
    assert shown.count("\n> X on ") == 2
    assert shown.endswith("Puzzle solved.\n")


def test_a_bot_tries_and_what_it_solves_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = puzzle_of(GAME, 1), puzzle_of(GAME, 2)
    assert puzzling.try_all(GAME, [one, two], "threats") == 0
    assert "threats solves 2 of 2" in capsys.readouterr().out
    assert puzzling.try_all(GAME, [one, two], "random") == 1
    assert "random solves " in capsys.readouterr().out
