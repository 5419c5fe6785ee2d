"""The text of a sketch as elements.

What comes here is well-formed: the wire has parsed it. So one pattern defines a tag, and all else that XML knows
(comments, sections, instructions, prefixes) is refused. Offers are kept as they are written: most repeat those of the
sketch before, and moves are sent as they stand.
"""

import re
from collections.abc import Mapping
from typing import Final

from ugs.printable import shown

MAX_BYTES: Final = 64 * 1024
"""Bytes of a sketch."""
MAX_TAGS: Final = 2_500
"""Tags of a sketch: each ``<`` counts."""
MAX_ELEMENTS: Final = 600
"""Elements of a sketch beside its offers."""
MAX_REFERENCES: Final = 4_000
"""Characters that are written as a reference, such as ``&amp;``."""
MAX_DEPTH: Final = 16
"""Elements within each other."""

# The alternatives exclude each other, so a hostile tag cannot make it try combinations.
_TAG: Final = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9_-]{0,63})(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
# Names and blanks are bounded: findall begins at each character, which would take the square.
_ATTRIBUTE: Final = re.compile(r"""([^\s=<>"']{1,64})\s{0,8}=\s{0,8}(?:"([^"<]*)"|'([^'<]*)')""")
_REFERENCE: Final = re.compile(r"&(#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6}|[a-z]{2,4});")
_NAMED: Final[Mapping[str, str]] = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
OFFER: Final = "offer"
"""The element that holds a move."""
_OFFER_BEGINS: Final = f"<{OFFER}"
_OFFER_ENDS: Final = f"</{OFFER}>"
_BLANKS: Final = " \t\r\n"


class Unfit(Exception):
    """A sketch that cannot be taken. The text names element, attribute and value."""


class SketchElement:
    """One element of a sketch."""

    __slots__ = ("attributes", "children", "tag", "texts", "written")

    def __init__(self, tag: str, attributes: Mapping[str, str], written: str = "") -> None:
        self.tag = tag
        self.attributes = attributes
        self.texts: list[str] = []
        """What stands directly in it, piece by piece."""
        self.children: list[SketchElement] = []
        self.written = written
        """Of an offer, all of it as it is written."""

    @property
    def text(self) -> str:
        """What stands directly in it, without white space around."""
        return unescaped("".join(self.texts)).strip(_BLANKS) if self.texts else ""


def text_of(payload: bytes) -> str:
    """A sketch as text. Raises Unfit if it is too large."""
    if len(payload) > MAX_BYTES:
        raise Unfit(f"{len(payload)} bytes; allowed: at most {MAX_BYTES}")
    tags = payload.count(b"<")
    if tags > MAX_TAGS:
        raise Unfit(f"{tags} tags; allowed: at most {MAX_TAGS}")
    # Counted before any is read: 16 000 of them took 5 ms of the loop.
    references = payload.count(b"&")
    if references > MAX_REFERENCES:
        raise Unfit(f"{references} references to characters; allowed: at most {MAX_REFERENCES}")
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise Unfit("the text is not UTF-8") from None


def parse(text: str, *, offers: bool = True) -> SketchElement:
    """The root element of a text of :func:`text_of`, with its offers or without. Raises Unfit."""
    root = SketchElement("", {})
    open_elements = [root]
    at = elements = 0
    while (begin := text.find("<", at)) >= 0:
        inner = open_elements[-1]
        if begin > at:
            inner.texts.append(text[at:begin])
        if text.startswith(_OFFER_BEGINS, begin):
            at = _end_of_offer(text, begin)
            if offers:
                inner.children.append(SketchElement(OFFER, {}, text[begin:at]))
            continue
        element, closing, at = tag_at(text, begin)
        if closing:
            if inner.tag != element.tag:
                raise Unfit(f"{element.tag}: its end tag has no beginning")
            open_elements.pop()
            continue
        elements += 1
        inner.children.append(element)
        if text[at - 2] != "/":
            open_elements.append(element)
        if len(open_elements) > MAX_DEPTH:
            raise Unfit(f"{element.tag}: more than {MAX_DEPTH} elements within each other")
        if elements > MAX_ELEMENTS:
            raise Unfit(f"more than {MAX_ELEMENTS} elements beside the offers")
    if len(root.children) != 1 or len(open_elements) != 1:
        raise Unfit("expected one element")
    return root.children[0]


def tag_at(text: str, begin: int) -> tuple[SketchElement, str, int]:
    """The element that a tag begins, or names at its end: then a slash comes with it. Last comes where the tag ends.
    Raises Unfit."""
    found = _TAG.match(text, begin)
    if found is None:
        raise Unfit(f"{shown(text[begin : begin + 24])}: allowed are plain elements, attributes and text")
    closing, tag, rest = found.groups()
    return SketchElement(tag, _attributes(tag, rest) if "=" in rest else {}), closing, found.end()


def _end_of_offer(text: str, begin: int) -> int:
    end = text.find(_OFFER_ENDS, begin)
    if end < 0:
        raise Unfit(f"{OFFER}: expected a move in it, and {_OFFER_ENDS} behind that")
    return end + len(_OFFER_ENDS)


def unescaped(text: str) -> str:
    """A text of a document as it is meant."""
    return _REFERENCE.sub(_meant, text) if "&" in text else text


def _meant(found: re.Match[str]) -> str:
    name = found[1]
    if name[0] != "#":
        return _NAMED.get(name, found[0])
    number = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(number) if number <= 0x10FFFF else found[0]


def _attributes(tag: str, text: str) -> dict[str, str]:
    found = {name: unescaped(double or single) for name, double, single in _ATTRIBUTE.findall(text)}
    if len(found) > MAX_DEPTH:
        raise Unfit(f"{tag}: {len(found)} attributes; allowed: at most {MAX_DEPTH}")
    return found
