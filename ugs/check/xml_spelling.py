"""XML written in many ways that mean the same. No I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias
from xml.etree import ElementTree
from xml.sax.saxutils import escape

DECLARATION: Final = b'<?xml version="1.0" encoding="UTF-8"?>'

Content: TypeAlias = "SpelledElement | str | bytes"
"""A child: an element, text, or bytes that stand there as they are."""


@dataclass(frozen=True, slots=True)
class SpelledElement:
    """An element to be written."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Content, ...] = ()


def element(name: str, /, *children: Content, **attributes: str) -> SpelledElement:
    """An element in a line."""
    return SpelledElement(name, tuple(attributes.items()), children)


@dataclass(frozen=True, slots=True)
class Style:
    """A way to write elements."""

    quote: str = '"'
    gap: str = " "
    """In front of each attribute."""
    equals: str = "="
    before_close: str = ""
    """In front of the ``>`` of a tag."""
    long_empty: bool = False
    """``<x></x>`` in place of ``<x/>``."""
    between: str = ""
    """In front of each child that is an element, and behind the last one, where only elements may stand."""
    in_front: str = ""
    """In front of the root element."""
    reverse: bool = False
    """Children and attributes in the opposite order."""
    references: bool = False
    """Each letter of an attribute's value as a reference."""
    declaration: bytes | None = None
    """In place of the usual one; also where there would be none."""


PLAIN: Final = Style()
STYLES: Final[Mapping[str, Style]] = {
    "single-quotes": Style(quote="'"),
    "wide-tags": Style(gap="  ", equals=" = ", before_close=" "),
    "lines-in-tags": Style(gap="\n\t", before_close="\n"),
    "empty-as-pair": Style(long_empty=True),
    "indented": Style(between="\n  "),
    # These two hold what a search for tags takes for one.
    "comments": Style(between="<!-- </message> -->"),
    "instructions": Style(between="<?note a > b?>"),
    "other-order": Style(reverse=True),
    "references": Style(references=True),
    "comment-in-front": Style(in_front="<!-- hello -->"),
    "declaration-in-single-quotes": Style(declaration=b"<?xml version='1.0' encoding='utf-8'?>"),
    "standalone-declaration": Style(declaration=b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'),
}
"""All others, by name."""


def write(root: SpelledElement, style: Style = PLAIN, *, declared: bool = False) -> bytes:
    """A document."""
    head = style.declaration if style.declaration is not None else DECLARATION if declared else b""
    return head + style.in_front.encode() + _element(root, style)


def _element(one: SpelledElement, style: Style) -> bytes:
    attributes, children = one.attributes, one.children
    if style.reverse:
        attributes, children = attributes[::-1], children[::-1]
    tag = one.name + "".join(f"{style.gap}{name}{style.equals}{_value(text, style)}" for name, text in attributes)
    if not children and not style.long_empty:
        return f"<{tag}{style.before_close}/>".encode()
    # White space beside text would change the text.
    mixed = any(isinstance(child, str) for child in children)
    between = b"" if mixed or not children else style.between.encode()
    inside = b"".join(between + _child(child, style) for child in children) + between
    return f"<{tag}{style.before_close}>".encode() + inside + f"</{one.name}{style.before_close}>".encode()


def _child(child: Content, style: Style) -> bytes:
    if isinstance(child, bytes):
        return child
    return _element(child, style) if isinstance(child, SpelledElement) else escape(child).encode()


def _value(text: str, style: Style) -> str:
    if style.references:
        written = "".join(f"&#x{ord(character):x};" for character in text)
    else:
        written = escape(text, {style.quote: {'"': "&quot;", "'": "&apos;"}[style.quote]})
    return f"{style.quote}{written}{style.quote}"


def respelled(payload: bytes, style: Style) -> bytes:
    """A payload without namespaces, written in another way. Raises ValueError for one that has some, or mixed text."""
    # A move of our own bots: no program on trial can put entities into it.
    root = ElementTree.fromstring(payload)
    return _element(_of_tree(root), replace(style, declaration=None, in_front=""))


def _of_tree(node: ElementTree.Element) -> SpelledElement:
    if "}" in node.tag or any("}" in name for name in node.attrib):
        raise ValueError("it has namespaces")
    text = (node.text or "").strip()
    if (text and len(node)) or any((child.tail or "").strip() for child in node):
        raise ValueError("it has text between elements")
    children: tuple[Content, ...] = (node.text or "",) if text else tuple(map(_of_tree, node))
    return SpelledElement(node.tag, tuple(node.attrib.items()), children)


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to send bytes in several pieces."""

    behind: tuple[bytes, ...] = ()
    """Behind the first place of each of these."""
    before_end: int = 0
    """A piece ends this many bytes before the end, too."""
    every: int = 0
    """The size of each piece in bytes."""
    places: tuple[int, ...] = field(default=())

    def pieces(self, data: bytes) -> list[bytes]:
        """The pieces, none of them empty."""
        found = {data.find(mark) + len(mark) for mark in self.behind if mark in data} | set(self.places)
        if self.before_end:
            found.add(len(data) - self.before_end)
        if self.every:
            found |= set(range(self.every, len(data), self.every))
        ends = sorted(place for place in found if 0 < place < len(data))
        return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


WHOLE: Final = Cut()
CUTS: Final[Mapping[str, Cut]] = {
    "behind-the-first-byte": Cut(places=(1,)),
    "in-the-name-of-the-root": Cut(behind=(b"<mess",)),
    "in-the-type": Cut(behind=(b'type="',)),
    "behind-the-start-tag": Cut(behind=(b'">',)),
    "in-the-end-tag": Cut(behind=(b"</mes",)),
    "before-the-last-byte": Cut(before_end=1),
    "in-the-middle-of-a-letter": Cut(behind=("ü".encode()[:1],)),
    "in-seven-bytes": Cut(every=7),
    "byte-by-byte": Cut(every=1),
}
"""Where a document is cut, by name."""


def in_words(name: str) -> str:
    """The name of a style or a cut, in a sentence."""
    return name.replace("-", " ")
