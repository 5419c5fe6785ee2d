"""Payloads of an exact size that look like a game's XML: many small elements, some with text, no long runs.

One long text would make every parser look fast, since it costs a parser almost nothing per byte.
"""

from itertools import count

MOVE = b"move"
STATE = b"gameState"

_PLAIN_TEXT = 40
"""Remainders up to this many bytes become text: they are too short for an element of another kind."""


def element(name: bytes, size: int) -> bytes:
    """Return the element ``name`` with ``size`` bytes of filler inside; the empty-element tag for size 0.

    Raises ValueError for a negative size.
    """
    return b"<%b/>" % name if size == 0 else b"<%b>%b</%b>" % (name, filler(size), name)


def filler(size: int) -> bytes:
    """Return exactly ``size`` bytes of well-formed XML content, always the same for the same size.

    Raises ValueError for a negative size.
    """
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
    pieces.append((b"so it goes " * (left // 11 + 1))[:left])
    return b"".join(pieces)


def _piece(number: int) -> bytes:
    """Return the ``number``-th element: three cells of a board, then a line of text, and so on."""
    if number % 4 == 3:
        return b"<p>move %d by seat %d</p>" % (number, number % 5)
    return b'<c x="%d" y="%d" v="%b"/>' % (number % 20, number // 20 % 20, (b"ab", b"cd", b"-")[number % 3])
