"""The judge of puzzles, with a board of three by three."""

from dataclasses import replace
from pathlib import Path

import pytest

from game_masters.kit.puzzle_book import PuzzleBook
from game_masters.kit.puzzles import Ending, NoSuchPuzzle, Puzzle, as_game, puzzle_of, puzzles_of
from game_masters.kit.rules import BadFixture, RuleBroken, Unreadable
from game_masters.kit.solving import Solving, tried_by
from game_masters.tic_tac_toe import GAME

BOARD = """
players = 2
seed = 1
stones = {stones}
options = {{ width = 3, height = 3, row = 3 }}
"""


def a_puzzle(stones: str, goal: str = "win", moves: int = 1) -> Puzzle:
    cells = '["' + '", "'.join(stones.split()) + '"]'
    return Puzzle(1, "t", "t.", goal, moves, False, "h.", BOARD.format(stones=cells), (), ())


def ending(puzzle: Puzzle, *moves: str) -> Ending | None:
    solving = Solving(GAME, puzzle)
    for move in moves:
        solving.plays(move)
    return solving.ending


TWO_WAYS = "0,0 0,1 1,0 1,1 2,2 1,2"
"""Crosses have 0,0 1,0 2,2 and rings 0,1 1,1 1,2: crosses win on 2,0, in the row at the top."""


def test_any_move_that_reaches_the_goal_counts() -> None:
    for move in ("<move><tic x='2' y='0'/></move>", '<tic x="2" y="0"/>', "X on 2,0"):
        assert ending(a_puzzle(TWO_WAYS), move) is Ending.SOLVED


def test_a_goal_that_is_not_reached_with_the_last_move_is_not_solved() -> None:
    assert ending(a_puzzle(TWO_WAYS), "X on 2,1") is Ending.NO_MOVES_LEFT


def test_what_has_to_hold_is_solved_by_getting_through() -> None:
    puzzle = a_puzzle("0,0 1,1 2,2 0,2", "hold")
    assert ending(puzzle, "X on 2,0") is Ending.SOLVED
    assert ending(puzzle, "X on 2,1") is Ending.LOST_HOLD


def test_a_refused_move_changes_nothing_and_costs_nothing() -> None:
    solving = Solving(GAME, a_puzzle(TWO_WAYS))
    for move, why in (("X on 0,0", Unreadable), ('<tic x="0" y="0"/>', RuleBroken), ("<tic/>", Unreadable)):
        with pytest.raises(why):
            solving.plays(move)
    assert solving.ending is None
    assert solving.attempt.moves_left == 1


def test_nothing_goes_on_after_the_end() -> None:
    solving = Solving(GAME, a_puzzle(TWO_WAYS))
    solving.plays("X on 2,0")
    assert solving.attempt.movers == ()
    assert solving.attempt.legal_moves(0) == ()
    with pytest.raises(RuleBroken):
        solving.plays('<tic x="2" y="1"/>')


def test_a_solver_who_leaves_has_not_solved_it() -> None:
    solving = Solving(GAME, a_puzzle(TWO_WAYS, "hold"))
    solving.attempt.leave(0)
    assert solving.ending is Ending.LOST_HOLD
    assert solving.attempt.outcome is not None
    assert solving.attempt.outcome.winners == {1}


def test_a_bot_tries() -> None:
    tried = tried_by(GAME, a_puzzle(TWO_WAYS), "threats")
    assert tried.solved
    assert len(tried.moves) == 1
    with pytest.raises(KeyError, match="no bot 'deep'"):
        tried_by(GAME, a_puzzle(TWO_WAYS), "deep")


def test_without_a_seed_every_try_would_be_another_one() -> None:
    puzzle = a_puzzle(TWO_WAYS)
    with pytest.raises(BadFixture, match="no seed"):
        Solving(GAME, replace(puzzle, fixture=puzzle.fixture.replace("seed = 1", "")))


def test_the_file_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.toml"
    game = replace(GAME, puzzles=PuzzleBook(file))
    good = 'title="t"\ntask="t"\ngoal="win"\nmoves=1\nhint="h"\nfixture="players = 2"\nsolution=[]\nwrong=[]\n'
    file.write_text("[[puzzle]]\n" + good, encoding="utf-8")
    assert [one.title for one in puzzles_of(game)] == ["t"]
    for text, why in (
        (good.replace('"win"', '"shine"'), "goal: 'shine' is none of win, hold"),
        (good.replace("moves=1", "moves=0"), "moves: 0 is not"),
        (good + "more=1\n", "more"),
        (good.replace('task="t"\n', ""), "task: is missing"),
    ):
        file.write_text("[[puzzle]]\n" + text, encoding="utf-8")
        with pytest.raises(BadFixture, match=why):
            puzzles_of(game)


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(NoSuchPuzzle, match="there are 1 to 12"):
        puzzle_of(GAME, 13)
    with pytest.raises(NoSuchPuzzle, match="the game has none"):
        puzzle_of(replace(GAME, puzzles=None), 1)


def test_a_game_of_a_puzzle_is_a_game_like_others() -> None:
    assert as_game(GAME, a_puzzle(TWO_WAYS)).name == GAME.name
