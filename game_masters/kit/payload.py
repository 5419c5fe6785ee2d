"""Reads payloads: XML from strangers into elements. Every failure is an :class:`Unreadable`.

Writing needs no help: a notation writes its few elements as text, with :func:`xml.sax.saxutils.quoteattr` for anything
that is not a number.
"""

import re
from functools import partial
from xml.etree.ElementTree import Element, ParseError, fromstring

from defusedxml import DefusedXmlException
from defusedxml import ElementTree as careful

from game_masters.kit.rules import Unreadable

MAX_SHOWN = 60
"""Characters of a text of others that an error shows."""
MAX_DIGITS = 9
_INTEGER = re.compile(r"[ \t\r\n]*([+-]?[0-9]{1,9})[ \t\r\n]*")

_PLAIN = re.compile(rb"<[A-Za-z]")
"""Begin of a payload that is read as UTF-8: it has no byte order mark, no declaration and no zero bytes there."""
_defused = partial(careful.fromstring, forbid_dtd=True)


def parse(payload: bytes, root: str) -> Element:
    """Return the root element of a payload, which must be called ``root``. Document types, and so entities, are
    refused. The parser that looks out for them takes nearly three times as long: it is for payloads that might have
    some."""
    try:
        read = fromstring if _PLAIN.match(payload) and b"<!" not in payload else _defused
        element: Element = read(payload)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        # The last two: an encoding that the parser cannot read or does not know.
        raise Unreadable(f"the payload is not well-formed XML: {error}") from error
    if element.tag != root:
        raise Unreadable(f"expected a {root} element, not {_short(element.tag)}")
    return element


def check_shape(element: Element, attributes: frozenset[str] = frozenset()) -> None:
    """Raise :class:`Unreadable` unless the element has exactly these attributes and no text but white space."""
    if set(element.attrib) != attributes:
        found = ", ".join(sorted(element.attrib)) or "none"
        wanted = ", ".join(sorted(attributes)) or "none"
        raise Unreadable(f"element {_short(element.tag)}: attributes {_short(found)}; expected {wanted}")
    texts = [element.text, *(child.tail for child in element)]
    if any(text and text.strip(" \t\r\n") for text in texts):
        raise Unreadable(f"element {element.tag}: unexpected text")


def only_child(element: Element, tag: str) -> Element:
    """Return the only child, which must be called ``tag``; the element itself has no attributes and no text."""
    check_shape(element)
    if [child.tag for child in element] != [tag]:
        raise Unreadable(f"element {element.tag}: expected exactly one {tag} element and nothing else")
    return element[0]


def children(element: Element, tag: str) -> list[Element]:
    """Return all children, which must be called ``tag``; the element itself has no attributes and no text."""
    check_shape(element)
    if any(child.tag != tag for child in element):
        raise Unreadable(f"element {element.tag}: expected {tag} elements and nothing else")
    return list(element)


def integer(element: Element, attribute: str) -> int:
    """Return an attribute as an integer of at most nine digits."""
    text = element.get(attribute)
    if text is not None and len(text) <= MAX_DIGITS and text.isdigit() and text.isascii():
        return int(text)  # as nearly all are; the others may have a sign and white space
    match = _INTEGER.fullmatch(text) if text is not None else None
    if match is None:
        shown = repr(_short(text)) if text is not None else text
        raise Unreadable(f"element {element.tag}, attribute {attribute}: {shown} is not an integer")
    return int(match[1])


def _short(text: str) -> str:
    """Return what an error shows of a text of others, as long as a message maybe. Errors travel, and are kept."""
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
