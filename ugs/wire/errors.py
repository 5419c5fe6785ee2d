"""The two ways in which a peer's bytes can be wrong. Both texts may be sent back to that peer."""

from collections.abc import Mapping
from typing import Final

LONGEST_REF: Final = 128
"""Characters of a reference, which is kept and repeated. Programs count their requests or number them at random, in
36 characters at most."""


class WireError(Exception):
    """Bytes that cannot be cut into documents. Nothing after them on that connection can be trusted.

    ``reason`` says in English what is wrong. ``offset`` says where, in bytes from the beginning of the document.
    """

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(f"{reason} (at byte {offset} of the document)")
        self.reason = reason
        self.offset = offset


class WrongMessage(Exception):
    """A well-formed document that is no message of UGS. The text names message type, field and value.

    ``kind`` is the type of the message and ``ref`` its reference, both ``""`` where they could not be read. A reference
    that is too long to be repeated counts as none.
    """

    def __init__(self, reason: str, kind: str = "", ref: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.ref = ref

    def of(self, attributes: Mapping[str, str]) -> "WrongMessage":
        """Return the same error with the type and the reference in ``attributes``, those of a ``message`` element."""
        ref = attributes.get("ref", "")
        return WrongMessage(str(self), attributes.get("type", ""), ref if len(ref) <= LONGEST_REF else "")


def shown(text: str, longest: int = 60) -> str:
    """Return ``text`` in quotes for an error message: one printable line with at most ``longest`` characters of the
    text."""
    return repr(text) if len(text) <= longest else f"{text[:longest]!r}..."
