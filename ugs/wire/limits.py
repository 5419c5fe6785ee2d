"""How large a peer's document may be, and a cheap proof that it is not too deep or too wide.

A parser that calls Python for every element could count levels and attributes as it goes, but costs four times as much
as one that calls nothing. So a well-formed document is first checked against bounds that follow from its bytes, at the
speed of ``bytes.count`` and ``bytes.replace``. Only a document that does not pass is walked through.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest document that is accepted."""

    max_message_bytes: int = 1024 * 1024
    """From the first ``<`` to the last byte of the root element."""
    max_depth: int = 64
    """Levels of nested elements, including ``message``."""
    max_attributes: int = 64
    """Attributes of one element. Namespace declarations count, since they are written the same way."""


# The least bytes that a level (<a></a>) and an attribute ( a="") take; the last level may take slightly less.
_LEAST_LEVEL = 6
_LEAST_ATTRIBUTE = 5

# Up to this size counting is cheaper than the reduction below; larger documents rarely pass by counting alone.
_SMALL_BYTES = 1024

# In a well-formed document these tokens cannot be mistaken for anything else when they are read from left to right.
_NO_ELEMENT = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)

# "</" and "/>" both end an element. Both are replaced by this byte, which is no character of XML.
_CLOSED = b"\1"
_NO_STRUCTURE = bytes(set(range(256)) - set(b"<\1/>=!?"))


def surely_within(raw: bytes, limits: Limits) -> bool:
    """Return True if the well-formed document ``raw`` surely keeps ``max_depth`` and ``max_attributes``.

    False proves nothing: the document has to be walked through. The size is not checked. Takes linear time.
    """
    size = len(raw)
    if size < _LEAST_LEVEL * limits.max_depth and size < _LEAST_ATTRIBUTE * limits.max_attributes:
        return True
    if (
        size <= _SMALL_BYTES
        # The innermost element may be written <x/>; every element around it has an end tag.
        and raw.count(b"</") < limits.max_depth
        and raw.count(b"=") <= limits.max_attributes
    ):
        return True
    if raw.startswith(b"<?"):
        raw = raw[raw.find(b"?>") :]
    # The searches below cost as much as this reduction to a fourth or less, so the reduction comes first.
    structure = raw.replace(b"</", _CLOSED).translate(None, _NO_STRUCTURE)
    if b"<!" in structure or b"<?" in structure:
        structure = _NO_ELEMENT.sub(b" ", raw).replace(b"</", _CLOSED).translate(None, _NO_STRUCTURE)
    structure = structure.replace(b"/>", _CLOSED).translate(None, b"/>!?")
    if b"=" * (limits.max_attributes + 1) in structure:
        return False
    structure = structure.translate(None, b"=")
    # What is left is one "<" for every element that opens and one mark for every element that closes. Removing the
    # innermost elements makes the tree one level lower, so the number of rounds is its height. A "/" in text or in an
    # attribute can leave a mark without a "<", when only dropped bytes separate it from a ">"; then nothing is proved.
    for _ in range(limits.max_depth):
        structure = structure.replace(b"<" + _CLOSED, b"")
        if not structure:
            return True
    return False
