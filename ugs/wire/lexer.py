"""The tokens that the scanner reads from the root on, and a cheap way to skip those that need no closer look."""

import re
from typing import Final, TypeAlias

from ugs.wire.document_limits import LONG_NAMESPACE, Limits, surely_short_spaces

Buffer: TypeAlias = bytes | bytearray

SLASH: Final = ord("/")

# Every "<" in content begins one of these tokens, or the bytes are ill-formed. QUOTED is the value of an attribute.
QUOTED: Final = re.compile(rb""""[^"<]*"|'[^'<]*'""")
TOKEN: Final = re.compile(
    rb"""<(?:
    (?![!?/]|message[ \t\r\n/>])([^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>)
    |(?!/message[ \t\r\n>])(/[^<>]*>)
    |((?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?)>)
    |(/[^<>]*>)
    |(message[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>)
    |())""",
    re.VERBOSE | re.DOTALL,
)
START, END, NO_TAG, MESSAGE_END, MESSAGE_START, UNFINISHED = 1, 2, 3, 4, 5, 6
"""The groups of TOKEN. START may also be a whole element. UNFINISHED is a token that has not ended, or never will."""
STARTS: Final = (START, MESSAGE_START)
ENDS: Final = (END, MESSAGE_END)

MIN_BLOCK: Final = 512
"""Below this many bytes, :func:`plain_block` is not worth its cost."""
MAX_BLOCK: Final = 8 * 1024
"""Bytes that it looks at together: if they are not plain, they are all read token by token."""
_MAX_ROUNDS: Final = 9

_END, _EMPTY_END = b"\1", b"\2"  # stand for "</" and "/>"; they are no characters of XML
_EXCLAMATION, _QUESTION, _COLON, _APOSTROPHE = b"!?:'"
_NOT_TAGS: Final = bytes(set(range(256)) - set(b"<\1>/\"'"))


def plain_block(buffer: Buffer, start: int, stop: int, depth: int, limits: Limits) -> tuple[int, int]:
    """Skip the tokens from ``start`` on as long as they are plain tags in plain text. ``depth`` elements are open at
    ``start``.

    Return where the next token begins, and how many elements are open there. Reading the tokens one by one would give
    the same and find nothing beyond the limits. Skips nothing where that is not certain at once: for comments and the
    like, tags of nested messages, quotes or ``>`` in text, deep nesting, long names of namespaces, wide elements, much
    white space in a row.
    """
    nowhere = start, depth
    stop = min(stop, start + MAX_BLOCK)
    for name in (b"<message", b"</message"):
        found = buffer.find(name, start, stop)
        stop = stop if found < 0 else found + 1
    end = buffer.rfind(b"<", start, stop)  # all tags before the last "<" have ended
    if end - start < MIN_BLOCK:
        return nowhere
    block = bytes(buffer[start:end])
    # Searching for a single byte takes a tenth of the time.
    if (_EXCLAMATION in block and b"<!" in block) or (_QUESTION in block and b"<?" in block) or _END[0] in block:
        return nowhere
    if not surely_short_spaces(block) or (_COLON in block and LONG_NAMESPACE.search(block) is not None):
        return nowhere
    marked = block.replace(b"</", _END)
    tags = marked.translate(None, _NOT_TAGS)
    quotes = tags.replace(b"'", b'"') if _APOSTROPHE in tags else tags
    if b'"' * (2 * limits.max_attributes + 1) in quotes or b'/"' in quotes or tags.count(b"/>") != marked.count(b"/>"):
        return nowhere
    # A "/" stands in text or right before ">". Without values and text, only two bytes of each tag may be left: then
    # quotes come in pairs and in tags, and every "<" begins a tag that ends at the next ">".
    tags = tags.replace(b'""', b"").replace(b"''", b"").replace(b"/>", _EMPTY_END)
    if SLASH in tags:
        tags = tags.translate(None, b"/")
    if 2 * (tags.count(b"<>") + tags.count(b"<" + _EMPTY_END) + tags.count(_END + b">")) != len(tags):
        return nowhere
    tags = tags.replace(b"<" + _EMPTY_END, b"")
    # Each round removes the innermost elements. What is left closes elements from before and opens others.
    for height in range(1, _MAX_ROUNDS):
        closed, opened = tags.count(_END), tags.count(b"<")
        if tags.endswith(b"<>" * opened):
            after = depth - closed + opened
            flat = closed < depth and max(depth, after) + height <= limits.max_depth
            return (end, after) if flat else nowhere
        tags = tags.replace(b"<>" + _END + b">", b"")
    return nowhere
