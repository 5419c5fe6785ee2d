"""The framing of Java's ``DataOutputStream.writeUTF``: two bytes of length, then the text in Java's form of UTF-8, in
which NUL is two bytes and a character beyond U+FFFF two surrogates of three bytes each."""

from collections.abc import Iterator
from typing import Final

MAX_LINE: Final = 0xFFFF
"""Bytes of the longest text that fits the length."""


class BadFrame(ValueError):
    """Bytes that are no text, or a text that is too long. Nothing after it can be trusted."""


def framed(text: str) -> bytes:
    """Return a text with its length. Raises BadFrame for one that is too long."""
    data = _in_surrogates(text).encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")
    if len(data) > MAX_LINE:
        raise BadFrame(f"a line of {len(data)} bytes; at most {MAX_LINE} can be written")
    return len(data).to_bytes(2, "big") + data


class Frames:
    """Cuts bytes into texts of at most ``most`` bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = bytearray()

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the texts that are complete. Raises BadFrame."""
        self._left += data
        while len(self._left) >= 2:
            length = int.from_bytes(self._left[:2], "big")
            if length > self._most:
                raise BadFrame(f"a line of {length} bytes; at most {self._most} are read")
            if len(self._left) < 2 + length:
                return
            text = bytes(self._left[2 : 2 + length])
            del self._left[: 2 + length]
            yield _text_of(text)


def _text_of(data: bytes) -> str:
    try:
        text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        # Two surrogates of Java become the one character that they stand for.
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeError as why:
        raise BadFrame("a line that is no text in Java's form of UTF-8") from why


def _in_surrogates(text: str) -> str:
    """Write each character beyond U+FFFF as the two that stand for it in UTF-16."""
    if text.isascii():
        return text
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))
