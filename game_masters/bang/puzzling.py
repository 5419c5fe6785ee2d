"""What puzzles of Bang! ask for, besides to win and not to lose. Players are named by their ids, from 1."""

from pathlib import Path
from typing import Final

from game_masters.bang.rules import Position
from game_masters.bang.table.circle import Player
from game_masters.kit.puzzle_book import Goal, PuzzleBook


def _player(state: Position, id: str) -> Player:
    return state.course.players[int(id)]


def _dead(state: Position, seat: int, words: str) -> bool:
    """``dead 3``: this player has been eliminated."""
    return not _player(state, words).alive


def _alive(state: Position, seat: int, words: str) -> bool:
    """``alive 3``: this player lives."""
    return _player(state, words).alive


def _turn(state: Position) -> tuple[int, int]:
    turn = state.course.turn
    return turn.player - 1, turn.number


BOOK: Final = PuzzleBook(
    Path(__file__).parent / "puzzles.toml", {"dead": Goal(_dead), "alive": Goal(_alive, keeps=True)}, _turn
)
