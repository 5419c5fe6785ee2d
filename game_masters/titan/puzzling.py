"""What puzzles of Titan ask for, besides to win and not to lose. Players are named by their seats, from 0."""

from pathlib import Path
from typing import Final

from game_masters.kit.puzzle_book import Goal, PuzzleBook
from game_masters.titan.rules import Slugathon


def _has(state: Slugathon, seat: int, words: str) -> bool:
    """``has Troll``, ``has Troll Rd02``: the creature is in a legion of the solver, or in this one."""
    creature, _, marker = words.partition(" ")
    legions = state.position.legions_of(seat)
    return any(creature in legion.creatures for legion in legions if marker in ("", legion.marker))


def _gone(state: Slugathon, seat: int, words: str) -> bool:
    """``gone Bu02``: there is no such legion any more."""
    return words not in state.position.legions


def _stays(state: Slugathon, seat: int, words: str) -> bool:
    """``stays Rd02``: this legion is there."""
    return words in state.position.legions


def _score(state: Slugathon, seat: int, words: str) -> bool:
    """``score 100``: the solver has 100 points."""
    return state.position.score_of(seat) >= int(words)


def _denies(state: Slugathon, seat: int, words: str) -> bool:
    """``denies 1 40``: this other player does not have more points."""
    other, most = words.split()
    return state.position.score_of(int(other)) <= int(most)


def _turn(state: Slugathon) -> tuple[int, int]:
    position = state.position
    return position.active, position.turn


BOOK: Final = PuzzleBook(
    Path(__file__).parent / "puzzles.toml",
    {
        "has": Goal(_has),
        "gone": Goal(_gone),
        "score": Goal(_score),
        "stays": Goal(_stays, keeps=True),
        "denies": Goal(_denies, keeps=True),
    },
    _turn,
)
