"""What a game declares for learners: its moves as one fixed list, and what a seat sees as small numbers.

A game needs none: without it moves and views are numbered by their content, which works for every game and gives a
learner less. With it a move has the same number in every position, and an observation has a shape that means something,
such as planes of a board. This module knows no library of arrays; :mod:`game_masters.env` makes arrays of the bytes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

GROUP: Final = "ugs.encodings"
"""Entry points: the name of a game, and where its encoding lies."""

M = TypeVar("M")
V = TypeVar("V")


class ChosenOptions(Protocol):
    """The options of a game, as :class:`game_masters.kit.rules.Options` has them."""

    def integer(self, name: str, /) -> int:
        """Return the value of an integer option."""
        ...

    def flag(self, name: str, /) -> bool:
        """Return the value of a yes-or-no option."""
        ...

    def word(self, name: str, /) -> str:
        """Return the value of a text option."""
        ...


Reader: TypeAlias = Callable[[V], tuple[bytes, bytes]]
"""Reads the views of one seat in one game, in the order they were shown; the same may come again. Returns the
observation, a byte for each cell of the shape in the order of C, and the mask: a byte for each move of the list, 1
where the seat may make it if it is asked now."""


@dataclass(frozen=True, kw_only=True)
class Encoding(Generic[M, V]):
    """How moves and views of a game become numbers. All functions depend on the options of the game and the number of
    its seats alone."""

    moves: Callable[[ChosenOptions, int], Sequence[M]]
    """Every move that is ever legal, always in the same order: a move's place is its number."""
    shape: Callable[[ChosenOptions, int], tuple[int, ...]]
    """The shape of an observation."""
    highest: int
    """The largest value in an observation, at most 255; the smallest is 0."""
    follow: Callable[[ChosenOptions, int, int], Reader[V]]
    """Returns a reader for one new game: ``follow(options, seats, seat)``."""


AnyEncoding: TypeAlias = Encoding[Any, Any]
"""An encoding whose moves and views are only handed on."""


@cache
def encoding_of(game: str) -> AnyEncoding | None:
    """Return the encoding that is installed for the game of this name; None: moves and views are numbered by their
    content. Raises what a package raises that cannot be loaded."""
    for point in entry_points(group=GROUP, name=game):
        found: AnyEncoding = point.load()
        return found
    return None
