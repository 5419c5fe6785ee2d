"""How far a document can be read: up to a NUL or the byte that exceeds a limit (size, ``<``, ``=``)."""

from ugs.wire.document_limits import EQUALS_PER_MARKUP, Limits
from ugs.wire.lexer import Buffer


class Horizon:
    """Looks for that byte in one document, and looks at each byte once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._most = {b"<": limits.max_markup, b"=": EQUALS_PER_MARKUP * limits.max_markup}
        self._seen = 0
        self._counted = dict.fromkeys(self._most, 0)  # before that

    def of(self, buffer: Buffer) -> tuple[int, str]:
        """Return how far ``buffer`` may be read, and the mistake of the byte there, ``""`` if the buffer
        just ends. The caller reads what comes before first: the document may end there, or have another mistake.

        The buffer begins with the document and only grows between calls. A NUL as the first byte is not reported.
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
    """Return the offset of occurrence ``number`` (from 1) of ``byte`` between ``start`` and ``stop``."""
    while stop - start > 1:
        # By halves, each counted in C: found without looking at single bytes.
        middle = (start + stop) // 2
        before = buffer.count(byte, start, middle)
        if before >= number:
            stop = middle
        else:
            number, start = number - before, middle
    return start
