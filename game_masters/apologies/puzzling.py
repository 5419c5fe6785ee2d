"""What puzzles of Apologies ask for, besides to win."""

from pathlib import Path
from typing import Final

from game_masters.apologies.board import COLOURS, HOME, PLACE_NAMES, START, pawns_of
from game_masters.apologies.rules import Position
from game_masters.kit.puzzle_book import Goal, PuzzleBook


def _places(state: Position, seat: int) -> list[int]:
    return [state.pawns[pawn] for pawn in pawns_of(seat)]


def _home(state: Position, seat: int, words: str) -> bool:
    """``home 3``: three of the solver's pawns are home."""
    return _places(state, seat).count(HOME) >= int(words)


def _at(state: Position, seat: int, words: str) -> bool:
    """``at 12``: a pawn of the solver stands there."""
    return PLACE_NAMES.index(words) in _places(state, seat)


def _sent(state: Position, seat: int, words: str) -> bool:
    """``sent YELLOW 4``: four yellow pawns are in their start."""
    colour, number = words.split()
    return _places(state, [*map(str, COLOURS)].index(colour)).count(START) >= int(number)


BOOK: Final = PuzzleBook(
    Path(__file__).parent / "puzzles.toml", {"home": Goal(_home), "at": Goal(_at), "sent": Goal(_sent)}
)
