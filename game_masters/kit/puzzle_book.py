"""What a game declares of its puzzles: where they are, what their goals mean, when a turn is over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Met: TypeAlias = Callable[[Any, int, str], bool]
"""Takes a state, the seat that solves, and the text after the goal's name; returns whether the goal is met."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a puzzle asks for."""

    met: Met
    keeps: bool = False
    """Whether it has to hold all the time, to the last move of the puzzle; else it has to be reached once."""


def _always_the_same(state: Any) -> tuple[int, int]:
    return 0, 0


@dataclass(frozen=True, slots=True)
class PuzzleBook:
    """The puzzles of a game."""

    file: Path
    """TOML: a list ``puzzle``, see :mod:`game_masters.kit.puzzles`."""
    goals: Mapping[str, Goal] = field(default_factory=dict)
    """Goals of this game by their first word, besides ``win`` and ``hold``."""
    turn: Callable[[Any], tuple[int, int]] = _always_the_same
    """Returns of a state the seat whose turn it is and which turn, for puzzles to be solved within one."""

    def shown(self, game: Any) -> Sequence[Any]:
        """Return the puzzles of the game that has this book, for people: :class:`ugs.pictures.contract.PuzzleShown`."""
        # By its name: rules know this module, and drawing a position takes more than rules may know.
        found: Sequence[Any] = import_module("game_masters.kit.shown_puzzles").shown_puzzles(game)
        return found
