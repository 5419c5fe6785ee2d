"""How far a document can be read: up to the byte that makes it too long, a NUL, or a ``<`` or ``=`` too many."""

from ugs.wire.lexer import Buffer
from ugs.wire.limits import EQUALS_PER_MARKUP, Limits


class Horizon:
    """Looks for that byte in one document, at each of its bytes once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._most = {b"<": limits.max_markup, b"=": EQUALS_PER_MARKUP * limits.max_markup}
        self._seen = 0
        self._counted = dict.fromkeys(self._most, 0)  # before that

    def of(self, buffer: Buffer) -> tuple[int, str]:
        """Return up to where ``buffer`` may be read, and what is wrong with the byte there; ``""`` where nothing is and
        the buffer ends. What stands before it comes first: the document may end, or go wrong otherwise.

        The buffer begins with the document and only grows between calls. A NUL that is the first byte is no concern.
        """
        limits = self._limits
        stop, wrong = len(buffer), ""
        if stop > limits.max_message_bytes:
            stop = limits.max_message_bytes
            wrong = f"the document is longer than {stop} bytes"
        nul = buffer.find(b"\0", max(self._seen, 1), stop)
        if nul >= 0:
            stop, wrong = nul, "not well-formed XML: a NUL byte"
        for byte, most in self._most.items():
            room = most - self._counted[byte]
            found = buffer.count(byte, self._seen, stop)
            if found > room:
                stop = _place_of(buffer, byte, room + 1, self._seen, stop)
                wrong = f"the document has more than {most} {byte.decode()!r} (max_markup is {limits.max_markup})"
            self._counted[byte] += found
        self._seen = max(stop, self._seen)
        return stop, wrong


def _place_of(buffer: Buffer, byte: bytes, number: int, start: int, stop: int) -> int:
    """Return where this byte stands for the time with this number, counted from 1 at ``start``, before ``stop``."""
    while stop - start > 1:
        middle = (start + stop) // 2
        before = buffer.count(byte, start, middle)
        if before >= number:
            stop = middle
        else:
            number, start = number - before, middle
    return start
