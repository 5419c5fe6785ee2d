"""Payloads of an exact size that look like a game's XML: many small elements, some with text, no long runs.

One long text would make every parser look fast, since it costs a parser almost nothing per byte.
"""

from functools import lru_cache
from itertools import count
from random import Random
from typing import Final

MOVE = b"move"
STATE = b"gameState"

_PLAIN_TEXT = 40
"""Remainders up to this many bytes become text: they are too short for an element of another kind."""
CHANGES: Final = 61
"""One cell in this many, at least one, is another after a turn."""


def element(name: bytes, size: int) -> bytes:
    """Return the element ``name`` with ``size`` bytes of filler inside; the empty-element tag for size 0.

    Raises ValueError for a negative size.
    """
    return _element(name, _pieces(size))


class PayloadBoard:
    """The payloads of one game: all of one size, and from one to the next a few cells change, as after a move. Games
    begin alike and drift apart."""

    __slots__ = ("_cells", "_chance", "_name", "_pieces")

    def __init__(self, name: bytes, size: int, seed: int) -> None:
        """``size`` bytes inside the element ``name``; the same ``seed`` gives the same payloads. Raises ValueError for
        a negative size."""
        self._name = name
        self._pieces = _pieces(size)
        # The last piece may be filler, which never changes.
        self._cells = [number for number in range(len(self._pieces) - 1) if _is_cell(number)]
        self._chance = Random(seed)

    def turn(self) -> bytes:
        """Return the next payload."""
        if self._cells:
            for number in self._chance.choices(self._cells, k=1 + len(self._cells) // CHANGES):
                self._pieces[number] = _piece(number, self._chance.randrange(2))
        return _element(self._name, self._pieces)


def _element(name: bytes, pieces: list[bytes]) -> bytes:
    return b"<%b>%b</%b>" % (name, b"".join(pieces), name) if pieces else b"<%b/>" % name


def _pieces(size: int) -> list[bytes]:
    """Return exactly ``size`` bytes of well-formed XML content, always the same for the same size."""
    if size < 0:
        raise ValueError(f"a payload cannot have {size} bytes")
    pieces: list[bytes] = []
    left = size
    for number in count():
        piece = _piece(number)
        if left < len(piece) + _PLAIN_TEXT:
            break
        pieces.append(piece)
        left -= len(piece)
    if left:
        # 11 is the length of that text.
        pieces.append((b"so it goes " * (left // 11 + 1))[:left])
    return pieces


def _is_cell(number: int) -> bool:
    return number % 4 != 3


@lru_cache(maxsize=8192)
def _piece(number: int, variant: int = 0) -> bytes:
    """Return the ``number``-th element: three cells of a board, then a line of text, and so on."""
    if not _is_cell(number):
        return b"<p>move %d by seat %d</p>" % (number, number % 5)
    content = ((b"ab", b"cd", b"-"), (b"ef", b"gh", b"+"))[variant][number % 3]
    return b'<c x="%d" y="%d" v="%b"/>' % (number % 20, number // 20 % 20, content)
