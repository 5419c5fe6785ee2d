"""Programs that try puzzles, in a process of their own."""

import sys
from pathlib import Path

import pytest
import typer

from game_masters.commands.puzzle_program import NoTry, tried_by_program
from game_masters.kit.puzzles import Ending, puzzle_of
from game_masters.tic_tac_toe import GAME
from tests.game_masters.commands.line import ugs

pytestmark = pytest.mark.usefixtures("logging_afresh")

SAYS = """
import os, socket
line = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
line.sendall(b'<message type="playerLogin"><playerLogin gameType="5-in-line-tic-tac-toe" nick="ann"/></message>')
heard = b""
while b"nextPlayer" not in heard:
    heard += line.recv(65536)
line.sendall({move!r}.encode())
while line.recv(65536):
    pass
"""
TIMEOUT_S = 60.0


def program(move: str) -> list[str]:
    """One that makes this move, whatever is asked, and thanks for nothing."""
    return [sys.executable, "-c", SAYS.format(move=f'<message type="move"><gameId id="puzzle"/>{move}</message>')]


def test_a_program_that_finds_it_has_solved_it() -> None:
    puzzle = puzzle_of(GAME, 1)
    tried = tried_by_program(GAME, puzzle, program(f"<move>{puzzle.solution[0]}</move>"), TIMEOUT_S)
    assert tried.solved
    assert tried.moves == ("X on 6,3",)
    assert tried.account == ""


def test_another_move_does_not_solve_it_and_an_illegal_one_says_why() -> None:
    puzzle = puzzle_of(GAME, 1)
    other = tried_by_program(GAME, puzzle, program('<move><tic x="0" y="0"/></move>'), TIMEOUT_S)
    assert (other.ending, other.moves) == (Ending.NO_MOVES_LEFT, ("X on 0,0",))
    illegal = tried_by_program(GAME, puzzle, program('<move><tic x="99" y="0"/></move>'), TIMEOUT_S)
    assert not illegal.solved
    assert illegal.account.startswith("its move was not legal: 99,0 is outside the board")


def test_one_that_ends_before_it_is_asked_has_its_last_words_shown() -> None:
    command = [sys.executable, "-c", SAYS.partition("line.sendall({")[0] + "raise SystemExit('no idea')"]
    tried = tried_by_program(GAME, puzzle_of(GAME, 1), command, TIMEOUT_S)
    assert not tried.solved
    assert tried.account.startswith("it closed the connection, and was asked for a move\n")
    assert "no idea" in tried.account


def test_one_that_does_not_connect_is_no_try() -> None:
    with pytest.raises(NoTry, match="no program connected"):
        tried_by_program(GAME, puzzle_of(GAME, 1), [sys.executable, "-c", ""], TIMEOUT_S)


def test_the_command_says_what_was_expected_and_exits_with_1(app: typer.Typer, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(program('<move><tic x="0" y="0"/></move>')[2], encoding="utf-8")
    exit_code, shown, _ = ugs(app, "puzzle", "tic-tac-toe", "1", "--bot", "--", sys.executable, str(script), "{port}")
    assert exit_code == 1
    assert "played:   X on 0,0" in shown
    assert "expected: X on 6,3 (or another solution)" in shown
    assert shown.endswith("it solves 0 of 1\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("three",), "'three': a number from 1 on, or -- and a command line"),
        (("1", "--", "./bot"), "'./bot': a number from 1 on"),
        (("--bot", "--"), "a name, or -- and the command line"),
    ],
)
def test_wrong_usage(app: typer.Typer, words: tuple[str, ...], why: str) -> None:
    exit_code, _, complaint = ugs(app, "puzzle", "tic-tac-toe", *words)
    assert exit_code == 2
    assert why in " ".join(complaint.replace("│", " ").split())
