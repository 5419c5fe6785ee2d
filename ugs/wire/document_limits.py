"""How large a peer's document may be, and cheap proofs that it keeps the limits.

A parser that calls Python for every element could count levels and attributes, but costs four times as much as one
without handlers, and it cannot be stopped at a limit. So the bytes are counted before they are parsed, at the speed of
``bytes.count`` and ``bytes.replace``. If these counts do not clear a document, :class:`ugs.wire.scanner.Scanner` reads
it token by token.
"""

import re
from typing import Final

from ugs.value import value


@value
class Limits:
    """The largest document that is accepted."""

    max_message_bytes: int = 1024 * 1024
    """From the first ``<`` to the last byte of the root element."""
    max_depth: int = 64
    """Levels of nested elements, including ``message``."""
    max_attributes: int = 64
    """Attributes of one element. Namespace declarations count, since they are written the same way."""
    max_markup: int = 16_000
    """``<`` in the document: tags, comments, processing instructions and the like. There may be EQUALS_PER_MARKUP times
    as many ``=``, for attributes. Both count everywhere, also in text. Each costs time, however short it is."""


MAX_NAMESPACE_BYTES: Final = 128
"""The longest name of a namespace with a prefix. A parser writes it out for each attribute with this prefix: with a
name as long as half a document, the other half would cost minutes. Names in use have up to 70 bytes. Counted as
written."""
MAX_SPACES_IN_TAG: Final = 1024
"""Bytes of white space at one place between the parts of a tag. Attributes that are indented below each other use up to
the longest line: 64 levels of eight blanks make 512. A reader that looks for the next attribute behind each blank takes
the square of this."""
EQUALS_PER_MARKUP: Final = 2
"""As many ``=`` for each ``<`` of :attr:`Limits.max_markup`."""

# The minimum bytes of a level (<a></a>) and an attribute ( a=""); the last level may take slightly less.
_MIN_LEVEL = 6
_MIN_ATTRIBUTE = 5

# MAX_SPACES_IN_TAG + 1 bytes of white space in a row cover at least two successive places at distance _FAR, and 32 at
# distance _NEAR. In a document with many blanks, two far places are often blank by chance; 32 near ones are not.
_FAR, _NEAR = (MAX_SPACES_IN_TAG + 1) // 2, (MAX_SPACES_IN_TAG + 1) // 32
_BLANK_FAR, _BLANK_NEAR = b" " * 2, b" " * 32
_TO_BLANKS: Final = bytes.maketrans(b"\t\r\n", b"   ")

# Up to this size end tags are counted before anything else; few larger documents have few enough of them. The count
# does not bound the levels of an ill-formed document, but in 16 KiB they cost the parser little.
_SMALL_BYTES = 16 * 1024
_NO_TAGS = bytes(set(range(256)) - set(b"<="))

# In a well-formed document these tokens cannot be mistaken for anything else when they are read from left to right. A
# token without an end reaches to the end of the bytes, so its end is searched for only once.
_NO_ELEMENT = rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
_NO_ELEMENTS = re.compile(_NO_ELEMENT, re.DOTALL)

# "</" and "/>" both end an element. Both are replaced by this byte, which is no character of XML.
_CLOSED = b"\1"
_NO_STRUCTURE = bytes(set(range(256)) - set(b"<\1/>=!?"))
_NO_PLAIN_STRUCTURE = bytes(set(range(256)) - set(b"<\1/="))
_SLASH_CLOSES = bytes.maketrans(b"/", _CLOSED)
_EXCLAMATION, _QUESTION = b"!?"  # as numbers: searching takes a sixth of the time

# Possible declarations of a prefix with a name that is too long.
LONG_NAMESPACE = re.compile(
    rb"""xmlns:[^\s<>="':]*\s*=\s*(?:"[^"<]{LONG}|'[^'<]{LONG})""".replace(b"LONG", b"%d" % (MAX_NAMESPACE_BYTES + 1))
)


def surely_within(raw: bytes, limits: Limits) -> bool:
    """Return True if ``raw``, when it is well-formed, surely keeps ``max_depth``, ``max_attributes`` and
    ``max_markup``, and MAX_SPACES_IN_TAG.

    False proves nothing: the document has to be read. The size is not checked. Always takes linear time.
    """
    size = len(raw)
    if size > limits.max_markup and (
        raw.count(b"<") > limits.max_markup or raw.count(b"=") > EQUALS_PER_MARKUP * limits.max_markup
    ):
        return False
    if not surely_short_spaces(raw):
        return False
    if size < _MIN_LEVEL * limits.max_depth and size < _MIN_ATTRIBUTE * limits.max_attributes:
        return True
    too_wide = b"=" * (limits.max_attributes + 1)
    # The innermost element may be written <x/>; every element around it has an end tag.
    if size <= _SMALL_BYTES and raw.count(b"</") < limits.max_depth:
        # The attributes of an element stand between its "<" and the next one.
        return raw.count(b"=") <= limits.max_attributes or too_wide not in raw.translate(None, _NO_TAGS)
    structure = _structure(raw)
    return too_wide not in structure and _surely_flat(structure.translate(None, b"="), limits.max_depth)


def surely_short_spaces(raw: bytes) -> bool:
    """Return True if at most MAX_SPACES_IN_TAG bytes of white space stand in a row in ``raw``, in tags and elsewhere.
    False proves nothing. Looks at every 512th byte, and at every 32nd if these are not enough."""
    return (
        len(raw) <= MAX_SPACES_IN_TAG
        or _BLANK_FAR not in raw[::_FAR].translate(_TO_BLANKS)
        or _BLANK_NEAR not in raw[::_NEAR].translate(_TO_BLANKS)
    )


def surely_short_names(raw: bytes) -> bool:
    """Return True if, in a well-formed ``raw``, no namespace with a prefix has a name beyond MAX_NAMESPACE_BYTES. False
    proves nothing."""
    return LONG_NAMESPACE.search(raw) is None


def _structure(raw: bytes) -> bytes:
    """Return a ``<`` for every element that opens in the well-formed document ``raw``, a mark for every element that
    closes, and ``=`` for attributes. A ``/`` in text or in an attribute may leave a mark that means nothing, and there
    may be more ``=``."""
    if raw.startswith(b"<?"):
        raw = raw[raw.find(b"?>") :]
    # The searches cost as much as this reduction to a fourth or less, so the reduction comes first.
    closed = raw.replace(b"</", _CLOSED)
    if _EXCLAMATION not in raw and _QUESTION not in raw:
        structure = closed.translate(_SLASH_CLOSES, _NO_PLAIN_STRUCTURE)
        # Every "/" has become a mark. If there are too many marks, only "/" before a ">" count.
        if structure.count(_CLOSED) == structure.count(b"<"):
            return structure
    structure = closed.translate(None, _NO_STRUCTURE)
    if b"<!" in structure or b"<?" in structure:
        structure = _NO_ELEMENTS.sub(b" ", raw).replace(b"</", _CLOSED).translate(None, _NO_STRUCTURE)
    return structure.replace(b"/>", _CLOSED).translate(None, b"/>!?")


def _surely_flat(structure: bytes, max_depth: int) -> bool:
    """Return True if what opens and closes in ``structure`` is surely at most ``max_depth`` levels high.

    Removing the innermost elements makes the tree one level lower, so the number of rounds is its height. With a
    meaningless mark, something is left over, and nothing is proved.
    """
    too_deep = b"<" * (max_depth + 1)
    for _ in range(max_depth):
        if too_deep in structure:
            return False
        structure = structure.replace(b"<" + _CLOSED, b"")
        if not structure:
            return True
    return False
