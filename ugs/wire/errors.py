"""The two errors for a peer's bytes. The text of either may be sent back to that peer."""

import sys
from collections.abc import Mapping
from typing import Final

from ugs.wire.text_limits import MAX_REF

EXCERPT_CHARACTERS: Final = 80
AROUND: Final = 40
"""Characters before a mistake, and from it on, for its sender."""


class WireError(Exception):
    """Bytes that cannot be cut into documents. Nothing after them on that connection can be trusted.

    ``reason`` is what is wrong, in English. ``offset`` is where, in bytes from the beginning of the document. Both
    depend on the bytes alone. ``excerpt`` is the beginning of bytes that are no XML at all, as far as they had arrived:
    one printable line of at most EXCERPT_CHARACTERS, for a log. ``around`` is what stands around the mistake, as far as
    it had arrived: its sender alone may read it. Neither is in the text of the error.
    """

    def __init__(self, reason: str, offset: int, excerpt: str = "", around: str = "") -> None:
        super().__init__(f"{reason} (at byte {offset} of the document)")
        self.reason = reason
        self.offset = offset
        self.excerpt = excerpt
        self.around = around

    def of(self, kind: str) -> "WireError":
        """Return the same error with the type of its message in the text; ``""`` if the type is unknown."""
        about = f'message type="{kind}": ' if kind else ""
        return WireError(about + self.reason, self.offset, self.excerpt)


class WrongMessage(Exception):
    """A well-formed document that is no message of UGS. The text names message type, field and value.

    ``kind`` is the type of the message and ``ref`` its reference, both ``""`` where they could not be read. A reference
    that is too long to be repeated is treated as missing.
    """

    def __init__(self, reason: str, kind: str = "", ref: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.ref = ref

    def of(self, attributes: Mapping[str, str]) -> "WrongMessage":
        """Return the same error with type and reference from ``attributes`` of a ``message`` element."""
        ref = attributes.get("ref", "")
        return WrongMessage(str(self), attributes.get("type", ""), ref if len(ref) <= MAX_REF else "")


def shown(text: str, longest: int = 60) -> str:
    """Return ``text`` in quotes for an error message: one printable line with at most ``longest`` characters of the
    text."""
    return repr(text) if len(text) <= longest else f"{text[:longest]!r}..."


def around(raw: bytes | bytearray, offset: int) -> str:
    """Return what stands at ``offset`` and before it, as the end of a sentence in one printable line; empty at the
    beginning. It may hold a token or a hidden move, so it is for the sender alone."""
    before = excerpt(raw[max(0, offset - AROUND) : offset], sys.maxsize)[-AROUND:]
    here = excerpt(raw[offset : offset + AROUND], AROUND)
    at = f" at '{here}'" if here else ""
    return f",{at} behind '{before}'" if before else ""


def excerpt(raw: bytes | bytearray, longest: int = 60) -> str:
    """Return the beginning of bytes as one printable line of at most ``longest`` characters. Bytes that are no UTF-8
    and characters that a terminal would obey (control characters of both ranges, and direction marks) are escaped."""
    # A character of UTF-8 has up to four bytes.
    line = repr(bytes(raw[: longest * 4]).decode(errors="backslashreplace"))[1:-1]
    return line if len(line) <= longest else f"{line[: longest - 3]}..."
