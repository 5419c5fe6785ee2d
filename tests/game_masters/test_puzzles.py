"""Puzzles of all installed games: each can be begun, its solution solves it, and the wrong line does not."""

import pytest

from game_masters.kit.puzzles import Ending, Puzzle, puzzles_of
from game_masters.kit.rules import AnyGame
from game_masters.kit.solving import Solving
from game_masters.registry import find_games

GAMES = [entry.game for entry in find_games().installed if entry.game.puzzles is not None]
EACH = [(game, puzzle) for game in GAMES for puzzle in puzzles_of(game)]
each = pytest.mark.parametrize(
    ("game", "puzzle"), EACH, ids=lambda one: str(one.number) if isinstance(one, Puzzle) else one.name
)


def test_each_bundled_game_has_a_dozen() -> None:
    bundled = {entry.game.name for entry in find_games().installed if entry.package == "ugs"}
    same_rules = {"apologies-adult", "catan-six"}
    known_elsewhere = {"chess", "chess-variant", "go"}  # the world is full of puzzles of these
    assert {game.name for game in GAMES} == bundled - same_rules - known_elsewhere
    assert all(len(puzzles_of(game)) >= 12 for game in GAMES)


def played_through(game: AnyGame, puzzle: Puzzle, moves: tuple[str, ...]) -> Ending | None:
    """How that ends; None if the judge is still waiting."""
    solving = Solving(game, puzzle)
    for move in moves:
        assert solving.ending is None, f"a move after the end: {move}"
        solving.plays(move)
    return solving.ending


@each
def test_the_solution_solves_it(game: AnyGame, puzzle: Puzzle) -> None:
    assert played_through(game, puzzle, puzzle.solution) is Ending.SOLVED


@each
def test_the_wrong_line_does_not(game: AnyGame, puzzle: Puzzle) -> None:
    assert played_through(game, puzzle, puzzle.wrong) not in (None, Ending.SOLVED)


@each
def test_it_begins_with_a_question_to_the_solver_and_a_picture(game: AnyGame, puzzle: Puzzle) -> None:
    solving = Solving(game, puzzle)
    assert solving.ending is None
    assert solving.attempt.movers == (0,)
    assert solving.picture is not None
    assert solving.picture.offers(0)
    assert puzzle.title
    assert puzzle.task.endswith(".")
    assert puzzle.hint.endswith((".", "?"))


@each
def test_its_moves_are_written_in_xml(game: AnyGame, puzzle: Puzzle) -> None:
    """The names of moves are words for people and change with the pictures."""
    assert puzzle.solution
    assert puzzle.wrong
    assert all(move.startswith("<") for move in (*puzzle.solution, *puzzle.wrong))


@each
def test_all_see_what_happens_as_the_rules_have_it(game: AnyGame, puzzle: Puzzle) -> None:
    """Whoever tries again sees the same answers to the same moves."""
    first, second = Solving(game, puzzle), Solving(game, puzzle)
    for move in puzzle.solution:
        first.plays(move)
        second.plays(move)
        assert first.shown == second.shown
