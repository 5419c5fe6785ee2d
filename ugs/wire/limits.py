"""How large a document of a peer may be, and the cheap proof that it is not too deep or too wide.

A parser that calls Python for every element could count levels and attributes as it goes, at four times the cost of
a parser that calls nobody. So a well-formed document is first held against bounds that the bytes themselves prove,
at the speed of ``bytes.count`` and ``bytes.replace``; only a document that these cannot clear is walked through.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest document that is accepted."""

    max_message_bytes: int = 1024 * 1024
    """From the first ``<`` to the last byte of the root element."""
    max_depth: int = 64
    """Elements inside each other; ``message`` is the first."""
    max_attributes: int = 64
    """Attributes of one element; namespace declarations count, as they are written the same way."""


# What a level (<a></a>) and an attribute ( a="") take at least, the last level perhaps a little less.
_LEAST_LEVEL = 6
_LEAST_ATTRIBUTE = 5

# Where counting is cheaper than the reduction below; above it a document rarely passes by counting alone.
_SMALL_BYTES = 1024

# In a well-formed document these tokens cannot be mistaken for anything else when they are read from left to right.
_NO_ELEMENT = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)

# Every element is closed by "</" or by "/>", both written as this, which is no character of XML.
_CLOSED = b"\1"
_NO_STRUCTURE = bytes(set(range(256)) - set(b"<\1/>=!?"))


def surely_within(raw: bytes, limits: Limits) -> bool:
    """Return True when the well-formed document ``raw`` is proved to keep ``max_depth`` and ``max_attributes``.

    False proves nothing: the document has to be walked through. The size is not looked at. Takes linear time.
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
    # Each search for two bytes costs as much as this whole reduction to a fourth or less, so there is one before it.
    structure = raw.replace(b"</", _CLOSED).translate(None, _NO_STRUCTURE)
    if b"<!" in structure or b"<?" in structure:
        structure = _NO_ELEMENT.sub(b" ", raw).replace(b"</", _CLOSED).translate(None, _NO_STRUCTURE)
    structure = structure.replace(b"/>", _CLOSED).translate(None, b"/>!?")
    if b"=" * (limits.max_attributes + 1) in structure:
        return False
    structure = structure.translate(None, b"=")
    # What is left is one "<" for every element that opens and one mark for every element that closes. Taking the
    # innermost elements away makes the tree lower by one level, so the number of rounds is its height. A "/" in text
    # or in an attribute, when only what was dropped parts it from a ">", leaves a mark over for which there is no "<":
    # then nothing is proved.
    for _ in range(limits.max_depth):
        structure = structure.replace(b"<" + _CLOSED, b"")
        if not structure:
            return True
    return False
