"""Text as it is written into a document."""

import re
from functools import lru_cache
from typing import Final

from ugs.wire.errors import shown

_NO_CHARACTER: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL_IN_VALUE: Final = re.compile('[\0-\x1f"&<>\ud800-\udfff\ufffe\uffff]')
# A parser would turn an unescaped tab or line break of an attribute into a blank, and a carriage return of a text
# into a line feed.
_IN_VALUE: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_IN_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})


def written_value(text: str) -> bytes:
    """``text`` as it is written between the quotes of an attribute. Raises ValueError where XML cannot hold it."""
    if _SPECIAL_IN_VALUE.search(text) is None:
        return text.encode()
    if _NO_CHARACTER.search(text) is not None:
        raise ValueError(f"{shown(text)} holds a character that XML cannot hold")
    return text.translate(_IN_VALUE).encode()


written_name: Final = lru_cache(maxsize=16_384)(written_value)
"""The same for ids and nicks, which are short, and of which the same few are written over and over."""


def written_text(text: str) -> bytes:
    """``text`` for people as it is written between tags; what XML cannot hold is replaced by U+FFFD."""
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text).translate(_IN_TEXT).encode()
