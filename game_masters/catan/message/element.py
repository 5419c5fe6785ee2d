"""What messages need of XML, without a parser: elements as they are read, and values of attributes as they are written.

The rules speak in messages, so messages must not bring a parser with them. ``xml.etree`` makes such elements.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final, Protocol


class Element(Protocol):
    """An element as ``xml.etree.ElementTree`` has it."""

    @property
    def tag(self) -> str: ...

    @property
    def attrib(self) -> Mapping[str, str]: ...

    @property
    def text(self) -> str | None: ...

    def findall(self, path: str, /) -> "Sequence[Element]": ...

    def iterfind(self, path: str, /) -> "Iterable[Element]": ...

    def findtext(self, path: str, /) -> str | None: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> "Iterator[Element]": ...


_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML can hold."""


def quoted(text: str) -> str:
    """Return a text as the value of an attribute, with its quotes."""
    return f'"{escape(text)}"' if text.isprintable() else f'"{_with_references(escape(text))}"'


def _with_references(text: str) -> str:
    text = text.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")
    return _NO_XML.sub("\ufffd", text)
