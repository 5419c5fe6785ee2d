"""Escapes text for a document."""

import re
from functools import lru_cache
from typing import Final

from ugs.wire.errors import shown

_NO_CHARACTER: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL_IN_VALUE: Final = re.compile('[\0-\x1f"&<>\ud800-\udfff\ufffe\uffff]')
# A parser would turn an unescaped tab or line break in an attribute into a blank, and a carriage return in text into a
# line feed.
_IN_VALUE: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})


def written_value(text: str) -> bytes:
    """Return ``text`` as it is written between the quotes of an attribute. Raises ValueError for text that XML cannot
    hold."""
    if _SPECIAL_IN_VALUE.search(text) is None:
        return text.encode()
    if _NO_CHARACTER.search(text) is not None:
        raise ValueError(f"{shown(text)} holds a character that XML cannot hold")
    return text.translate(_IN_VALUE).encode()


written_name: Final = lru_cache(maxsize=16_384)(written_value)
"""The same for ids and nicks, with a cache: they are short and are written again and again."""


def written_text(text: str) -> bytes:
    """Return ``text``, meant for people, as it is written between tags. U+FFFD replaces what XML cannot hold."""
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text).translate(_IN_TEXT).encode()
