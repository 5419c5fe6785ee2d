"""What puzzles of Catan ask for, besides to win and not to lose. Players are named by their seats, from 0."""

from pathlib import Path
from typing import Final

from game_masters.catan.rules import Position
from game_masters.kit.puzzle_book import Goal, PuzzleBook


def _points(state: Position, seat: int, words: str) -> bool:
    """``points 7``: the solver has seven, cards included."""
    return state.play.points(seat) >= int(words)


def _cut(state: Position, seat: int, words: str) -> bool:
    """``cut 1``: this other seat does not have the longest route."""
    return state.play.awards.route != int(words)


def _turn(state: Position) -> tuple[int, int]:
    return state.play.current, state.play.rounds.turns


BOOK: Final = PuzzleBook(Path(__file__).parent / "puzzles.toml", {"points": Goal(_points), "cut": Goal(_cut)}, _turn)
