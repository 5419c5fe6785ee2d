"""Payloads of an exact size that look like a game's XML: many small elements, some with text, no long runs.

One long text would make every parser look fast, since it costs a parser almost nothing per byte.
"""

from itertools import count
from typing import Final

MOVE = b"move"
STATE = b"gameState"

_PLAIN_TEXT = 40
"""Remainders up to this many bytes become text: they are too short for an element of another kind."""


TURNS: Final = 61
"""After so many turns a payload is as it was. A prime, so that the cells of a turn lie in different columns."""


def element(name: bytes, size: int, turn: int = 0) -> bytes:
    """Return the element ``name`` with ``size`` bytes of filler inside; the empty-element tag for size 0.

    Raises ValueError for a negative size.
    """
    return b"<%b/>" % name if size == 0 else b"<%b>%b</%b>" % (name, filler(size, turn), name)


def filler(size: int, turn: int = 0) -> bytes:
    """Return exactly ``size`` bytes of well-formed XML content, always the same for the same size and turn. From one
    turn to the next a few cells change, as after a move.

    Raises ValueError for a negative size.
    """
    if size < 0:
        raise ValueError(f"a payload cannot have {size} bytes")
    pieces: list[bytes] = []
    left = size
    for number in count():
        piece = _piece(number, turn)
        if left < len(piece) + _PLAIN_TEXT:
            break
        pieces.append(piece)
        left -= len(piece)
    pieces.append((b"so it goes " * (left // 11 + 1))[:left])
    return b"".join(pieces)


def _piece(number: int, turn: int) -> bytes:
    """Return the ``number``-th element: three cells of a board, then a line of text, and so on."""
    if number % 4 == 3:
        return b"<p>move %d by seat %d</p>" % (number, number % 5)
    content = (b"ab", b"cd", b"-")[number % 3] if (number - turn) % TURNS else (b"ef", b"gh", b"+")[number % 3]
    return b'<c x="%d" y="%d" v="%b"/>' % (number % 20, number // 20 % 20, content)
