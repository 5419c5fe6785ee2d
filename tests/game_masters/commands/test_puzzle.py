"""The command ``ugs puzzle``."""

import pytest
import typer
from typer.testing import CliRunner

from game_masters.kit.puzzles import puzzle_of
from game_masters.tic_tac_toe import GAME
from tests.game_masters.commands.line import ugs

pytestmark = pytest.mark.usefixtures("logging_afresh")


def said(app: typer.Typer, lines: str, *words: str) -> tuple[int, str]:
    runner = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"})
    result = runner.invoke(app, ("puzzle", *words), input=lines)
    return result.exit_code, result.stdout


def test_all_are_listed(app: typer.Typer) -> None:
    exit_code, shown, _ = ugs(app, "puzzle", "tic-tac-toe")
    assert exit_code == 0
    assert "One is missing" in shown
    assert "ugs puzzle tic-tac-toe NUMBER" in shown


def test_it_is_solved_by_number_by_words_and_in_xml(app: typer.Typer) -> None:
    (solution,) = puzzle_of(GAME, 1).solution
    for move in (solution, "X on 6,3"):
        exit_code, shown = said(app, f"{move}\n", "tic-tac-toe", "1")
        assert exit_code == 0
        assert "Puzzle solved." in shown


def test_hints_mistakes_and_second_thoughts(app: typer.Typer) -> None:
    lines = "hint\nX\n999\n<tic/>\n1\nall\nback\nX on 6,3\n"
    exit_code, shown = said(app, lines, "tic-tac-toe", "1")
    assert exit_code == 0
    for text in (
        "one end is free",
        "No: 55 moves have 'X' in its name",
        "No: there are moves 1 to 55",
        "No: element tic",
        "Puzzle not solved: no moves left.",
        "It is over: `back` takes your last move back",
        "Puzzle solved.",
    ):
        assert text in shown


def test_who_has_enough_has_not_solved_it(app: typer.Typer) -> None:
    assert said(app, "quit\n", "tic-tac-toe", "1")[0] == 1
    assert said(app, "", "tic-tac-toe", "1")[0] == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("tic-tac-toe", "99"), "no puzzle 99"),
        (("catan-six",), "has no puzzles"),
        (("tic-tac-toe", "--bot", "deep"), "no bot 'deep'"),
    ],
)
def test_what_is_not_there_is_said(app: typer.Typer, words: tuple[str, ...], why: str) -> None:
    exit_code, _, error = ugs(app, "puzzle", *words)
    assert exit_code == 2
    assert why in error


@pytest.mark.parametrize(
    ("words", "why"),
    [(("--solve",), "needs the number of a puzzle"), (("1", "--solve", "--bot", "threats"), "does not go with --bot")],
)
def test_a_solution_is_of_one_puzzle_and_not_tried(words: tuple[str, ...], why: str, app: typer.Typer) -> None:
    exit_code, _, error = ugs(app, "puzzle", "tic-tac-toe", *words)
    assert (exit_code, why in error) == (2, True)
