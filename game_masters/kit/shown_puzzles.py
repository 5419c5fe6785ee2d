"""The puzzles of a game as people see them before they try one: task and position."""

from collections.abc import Sequence
from functools import partial

from game_masters.kit.puzzles import Puzzle, puzzles_of
from game_masters.kit.rules import AnyGame
from game_masters.kit.solving import Solving
from ugs.pictures.contract import Picture, PuzzleShown


def shown_puzzles(game: AnyGame) -> Sequence[PuzzleShown]:
    """Return the puzzles of a game, from number 1 on. Raises BadFixture for a file that is wrong, OSError where it
    cannot be read."""
    return [_shown(game, one) for one in puzzles_of(game)]


def _shown(game: AnyGame, puzzle: Puzzle) -> PuzzleShown:
    seats = puzzle.start(game).players
    return PuzzleShown(puzzle.number, puzzle.title, puzzle.task, seats, partial(_position, game, puzzle))


def _position(game: AnyGame, puzzle: Puzzle) -> Picture | None:
    return Solving(game, puzzle).picture
