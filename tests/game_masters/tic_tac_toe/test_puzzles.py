"""What the texts of puzzles say of the board."""

import pytest

from game_masters.kit.puzzles import puzzle_of
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import DIRECTIONS, Cell


@pytest.mark.parametrize(("number", "word", "row"), [(4, "four", 4), (5, "four", 4), (6, "Three rings", 3)])
def test_rings_have_the_row_that_the_task_speaks_of(number: int, word: str, row: int) -> None:
    """A task spoke of four rings where six stood without a line."""
    puzzle = puzzle_of(GAME, number)
    assert word in puzzle.task
    fixture = puzzle.start(GAME)
    rings = set(fixture.start(GAME, GAME.choose_options(fixture.options))[1::2])
    rows = [
        [Cell(ring.x + step * dx, ring.y + step * dy) for step in range(row)] for ring in rings for dx, dy in DIRECTIONS
    ]
    assert any(rings.issuperset(one) for one in rows)
