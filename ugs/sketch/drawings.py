"""Drawings in sketches: SVG that is taken apart and put together again from elements and attributes that do no harm.

What is not in the tables is refused: scripts and handlers, styles, links and references, fonts, images, animation,
filters, foreign content. A drawing is clipped to its ``viewBox``. An element with the attribute ``cell`` may be
clicked where an offer names that cell.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from ugs.printable import safe, shown
from ugs.sketch.elements import SketchElement, Unfit
from ugs.sketch.model import Drawing, DrawingPart
from ugs.sketch.vocabulary import COLOURS, MAX_EXTENT

MAX_SVG_BYTES: Final = 48 * 1024
"""Bytes of a drawing as it is written out."""
MAX_PATH: Final = 4_000
"""Characters of a path, or of a list of points."""
MAX_TRANSFORM: Final = 200
MAX_SVG_TEXT: Final = 80
_PAINTED_BYTES: Final = 40
"""What a colour takes, written out, at most."""

_NUMBER: Final = r"-?[0-9]{1,5}(?:\.[0-9]{1,6})?"
_NUMBERS: Final = re.compile(_NUMBER)
# Each browser draws something else where a size is negative.
_SIZES: Final = re.compile(r"(?=[0-9.]*[1-9])[0-9]{1,5}(?:\.[0-9]{1,6})?")
"""A number above 0."""
_WIDTHS: Final = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,6})?")
_HUGE: Final = re.compile(r"(?<![0-9.])[0-9]{6}")
"""A number of 100 000 or more in a list of numbers: no drawing needs it, and pictures overflow with larger ones."""
_SHARE: Final = re.compile(r"0|1|0?\.[0-9]{1,4}")
_PAINT: Final = re.compile("#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}")
_PATH: Final = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9., +-]*")
_POINTS: Final = re.compile(r"[0-9., +-]*")
_TRANSFORM: Final = re.compile(r"(?:(?:translate|scale|rotate|skewX|skewY|matrix)\([0-9., +-]{1,80}\) ?){1,6}")
_CELL: Final = re.compile(r"[^\s]{1,64}")
_ANCHOR: Final = re.compile("start|middle|end")
_WEIGHT: Final = re.compile("normal|bold|[1-9]00")
_CAP: Final = re.compile("butt|round|square")
_JOIN: Final = re.compile("miter|round|bevel")
_VIEW_BOX: Final = re.compile(rf"{_NUMBER}(?: {_NUMBER}){{3}}")
_PLACES: Final = ("x", "y", "cx", "cy", "x1", "y1", "x2", "y2")

# Nothing that is written out can hold a quote, a colon or url(): it loads, links and runs nothing.
ATTRIBUTES: Final[Mapping[str, tuple[re.Pattern[str], int, str]]] = {
    **dict.fromkeys(_PLACES, (_NUMBERS, 16, "a number")),
    **dict.fromkeys(("width", "height", "r", "font-size"), (_SIZES, 16, "a number above 0")),
    **dict.fromkeys(("rx", "ry", "stroke-width"), (_WIDTHS, 16, "a number, 0 or above")),
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity"), (_SHARE, 6, "a number from 0 to 1")),
    "d": (_PATH, MAX_PATH, f"at most {MAX_PATH} characters of path commands and numbers below 100000"),
    "points": (_POINTS, MAX_PATH, f"at most {MAX_PATH} characters of numbers below 100000"),
    "transform": (_TRANSFORM, MAX_TRANSFORM, "at most six transformations with numbers below 100000"),
    "text-anchor": (_ANCHOR, 6, "start, middle or end"),
    "font-weight": (_WEIGHT, 6, "normal, bold or a number"),
    "stroke-linecap": (_CAP, 6, "butt, round or square"),
    "stroke-linejoin": (_JOIN, 6, "miter, round or bevel"),
    "cell": (_CELL, 64, "a name of at most 64 characters without blanks"),
}
"""Each with what it may hold, and how many characters."""
LISTS: Final = frozenset({"d", "points", "transform"})
"""Attributes that hold several numbers."""
PAINTED: Final = ("fill", "stroke")
"""Attributes that hold ``none``, a colour of the vocabulary, or ``#rgb``."""
INSIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "svg": ("g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "title", "desc"),
    "g": ("g", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "title"),
    "text": ("title",),
    **dict.fromkeys(("rect", "circle", "ellipse", "line", "polyline", "polygon", "path"), ("title",)),
    **dict.fromkeys(("title", "desc"), ()),
}
"""The elements that there are, and what may stand in each."""
_WITH_TEXT: Final = frozenset({"text", "title", "desc"})


def drawing(svg: SketchElement) -> Drawing:
    """A drawing that does no harm. Raises Unfit."""
    box = svg.attributes.get("viewBox", "")
    # Programs write the namespace by themselves; it is dropped.
    for name in svg.attributes.keys() - {"viewBox", "xmlns"}:
        raise Unfit(f"svg {name}: expected viewBox and nothing else")
    if len(box) > 80 or _VIEW_BOX.fullmatch(box) is None:
        raise Unfit(f"svg viewBox {shown(box)}: expected four numbers with blanks between")
    _, _, width, height = map(float, box.split(" "))
    if not (1 <= width <= MAX_EXTENT and 1 <= height <= MAX_EXTENT):
        raise Unfit(f"svg viewBox {shown(box)}: expected a width and a height from 1 to {MAX_EXTENT}")
    parts, size = [], 0
    for part in _inside(svg):
        parts.append(part)
        size += len(part.head) + len(part.tail) + _PAINTED_BYTES * len(part.paints)
        # While it is read, so that one that is too large costs no more than its bound.
        if size > MAX_SVG_BYTES:
            raise Unfit(f"svg: written out it has more than {MAX_SVG_BYTES} bytes, which are allowed")
    return Drawing(box, width, height, tuple(parts), frozenset([part.cell for part in parts if part.cell]))


def _inside(element: SketchElement) -> Iterator[DrawingPart]:
    """What stands in an element."""
    for child in element.children:
        if child.tag not in INSIDE[element.tag]:
            known = ", ".join(INSIDE[element.tag]) or "no element"
            raise Unfit(f"{element.tag}: {child.tag} in it; expected {known}")
        attributes, text = child.attributes, _text(child)
        paints = tuple([one for name in PAINTED if (one := _paint(child.tag, name, attributes.get(name, "")))])
        written = [_attribute(child.tag, *one) for one in attributes.items() if one[0] not in PAINTED]
        cell = attributes.get("cell", "")
        is_empty = not text and not child.children
        yield DrawingPart(f"<{child.tag}{''.join(written)}", "/>" if is_empty else f">{text}", cell, paints)
        if not is_empty:
            yield from _inside(child)
            yield DrawingPart(f"</{child.tag}", ">")


def _attribute(tag: str, name: str, value: str) -> str:
    """One attribute, written again; nothing for the name of a cell."""
    known = ATTRIBUTES.get(name)
    if known is None:
        raise Unfit(f"{tag} {name}: there is no such attribute in a drawing")
    pattern, most, expected = known
    # The length comes first, so that patterns see short texts only.
    if len(value) > most or pattern.fullmatch(value) is None or (name in LISTS and _HUGE.search(value)):
        raise Unfit(f"{tag} {name} {shown(value)}: expected {expected}")
    # No pattern lets a quote or < through, so the value needs no escapes.
    return "" if name == "cell" else f' {name}="{value}"'


def _paint(tag: str, name: str, value: str) -> tuple[str, str] | None:
    if value and value != "none" and value not in COLOURS and _PAINT.fullmatch(value) is None:
        raise Unfit(f"{tag} {name} {shown(value)}: expected none, #rgb, #rrggbb or one of {', '.join(COLOURS)}")
    return (name, value) if value else None


def _text(element: SketchElement) -> str:
    text = element.text
    if element.tag in _WITH_TEXT:
        if len(text) > MAX_SVG_TEXT:
            raise Unfit(f"{element.tag}: text {shown(text)}: expected at most {MAX_SVG_TEXT} characters")
        return escape(safe(text), quote=False)
    if text:
        raise Unfit(f"{element.tag}: text {shown(text)}: expected no text")
    return ""
