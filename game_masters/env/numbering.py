"""Moves as numbers from 0 to ``size`` - 1, in three ways:

* ``fixed``: the place in the game's own list of all moves (:class:`game_masters.kit.encoding.Encoding`). A number means
  the same move in every position.
* ``hashed``, for games without such a list: the content of a move decides its number, so that the same move has the
  same number on all turns; where two legal moves meet in one, the later one takes the next free number.
* ``listed``: the place among the legal moves of this turn. A number means another move on each turn; for learners that
  look at the moves themselves (``env.moves``).

Where a turn has more legal moves than numbers, those at the end of the list cannot be made; the environment counts them
as ``unlisted``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from game_masters.env.leaves import number_of

Numbers: TypeAlias = Mapping[int, Any]
"""The legal moves of one turn by their numbers."""
Numbering: TypeAlias = Callable[[Sequence[Any], int], Numbers]
"""``numbering(moves, size)`` numbers the legal moves of one turn."""


def listed(moves: Sequence[Any], size: int) -> Numbers:
    """Return each move by its place in the list."""
    return dict(enumerate(moves[:size]))


def hashed(moves: Sequence[Any], size: int) -> Numbers:
    """Return each move by a number that its content decides."""
    numbers: dict[int, Any] = {}
    for move in moves[:size]:
        number = number_of(move) % size
        while number in numbers:
            number = (number + 1) % size
        numbers[number] = move
    return numbers


NUMBERINGS: Final[Mapping[str, Numbering]] = {"hashed": hashed, "listed": listed}
FIXED: Final = "fixed"
