"""Pictures with the marks of remarks on them: cells, arrows and short texts, over the picture of any game.

A mark names a cell as the picture does (:meth:`ugs.pictures.contract.PlacingPicture.place`), or a point of any picture
in hundredths of its width and height: ``25%,50%``. What a picture does not know is left out; the text of the remark
still names it.
"""

import re
from collections.abc import Sequence
from math import hypot
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from ugs.pictures.contract import Line, Offer, Picture, PlacingPicture, knows_parts
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import DrawnParts, looks, number
from ugs.printable import safe
from ugs.wire.extensions import BoardMark, Remark

MAX_DRAWN: Final = 64
"""Marks on one picture, of all who remarked something in this position."""
_POINT: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)%,([0-9]{1,3}(?:\.[0-9]{1,3})?)%")
_BOX: Final = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]{1,12}) ([0-9.]{1,12})"')


class _Spot(NamedTuple):
    x: float
    y: float
    size: float


class RemarkedPicture:
    """A picture with the marks of these remarks on it."""

    def __init__(self, picture: Picture, remarks: Sequence[Remark]) -> None:
        self._picture = picture
        self._marks = [mark for remark in remarks for mark in remark.marks][:MAX_DRAWN]

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the picture, with the marks above everything else."""
        return str(self.drawn(prefix, seat))

    def drawn(self, prefix: str, seat: int | None = None) -> str:
        """Return the same, with the parts that it is put together from if the picture names them."""
        picture = self._picture
        svg = picture.drawn(prefix, seat) if knows_parts(picture) else picture.svg(prefix, seat)
        box = _BOX.match(svg)
        # Pictures of other packages may be written in another way: they stay without marks.
        if box is None or not self._marks or not svg.endswith("</svg>"):
            return svg
        width, height = float(box[1]), float(box[2])
        drawn = "".join([self._drawn(mark, width, height) for mark in self._marks])
        # Without pointer events a click on a mark reaches the offer below it.
        marks = f'<g pointer-events="none">{drawn}</g>'
        if isinstance(svg, DrawnParts):
            return DrawnParts([*svg.parts[:-1], marks, svg.parts[-1]])
        return f"{svg.removesuffix('</svg>')}{marks}</svg>"

    def text(self, width: int) -> Sequence[Line]:
        """Return the picture for a terminal, without marks."""
        return self._picture.text(width)

    def words(self) -> str:
        """Return the position in sentences."""
        return self._picture.words()

    def news(self) -> Sequence[str]:
        """Return what has happened."""
        return self._picture.news()

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the moves of a seat."""
        return self._picture.offers(seat)

    def _drawn(self, mark: BoardMark, width: float, height: float) -> str:
        at, to = self._spot(mark.at, width, height), self._spot(mark.to, width, height)
        if at is None:
            return ""
        thick = max(1.5, at.size * 0.1)
        # An arrow to its own beginning would have no direction.
        if to is not None and (to.x, to.y) != (at.x, at.y):
            shape = _arrow(at, to, thick)
        else:
            ring = looks({"fill": "none", "stroke": "mark", "stroke_width": thick})
            shape = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(at.size * 0.42)}"{ring}/>'
        return shape + (_letters(at, mark.text) if mark.text else "")

    def _spot(self, name: str, width: float, height: float) -> _Spot | None:
        point = _POINT.fullmatch(name)
        if point is not None:
            x, y = float(point[1]) / 100, float(point[2]) / 100
            return _Spot(x * width, y * height, min(width, height) / 12) if max(x, y) <= 1 else None
        if not name or not isinstance(self._picture, PlacingPicture):
            return None
        place = self._picture.place(name)
        return None if place is None else _Spot(*place)


def remark_line(nick: str, remark: Remark) -> str:
    """A remark in one line: ``ann: 0.35 · the left side · expects 9,10 9,11``."""
    parts = [f"{remark.worth:g}"] if remark.worth is not None else []
    parts += [remark.plan] if remark.plan else []
    parts += [f"expects {remark.line}"] if remark.line else []
    if not parts:
        parts = [
            " ".join([f"{mark.at}{f' to {mark.to}' if mark.to else ''} {mark.text}".strip() for mark in remark.marks])
        ]
    return safe(f"{nick}: {' · '.join(parts)}")


def _arrow(at: _Spot, to: _Spot, thick: float) -> str:
    length = hypot(to.x - at.x, to.y - at.y)
    along_x, along_y = (to.x - at.x) / length, (to.y - at.y) / length
    head = min(length, thick * 3.5)
    neck_x, neck_y = to.x - along_x * head, to.y - along_y * head
    corners = [
        (to.x, to.y),
        (neck_x - along_y * head * 0.5, neck_y + along_x * head * 0.5),
        (neck_x + along_y * head * 0.5, neck_y - along_x * head * 0.5),
    ]
    points = "L".join(f"{number(x)} {number(y)}" for x, y in corners)
    shaft = looks({"stroke": "mark", "stroke_width": thick, "opacity": 0.85})
    line = f'<path d="M{number(at.x)} {number(at.y)}L{number(neck_x)} {number(neck_y)}"{shaft}/>'
    return f'{line}<path d="M{points}z"{looks({"fill": "mark"})}/>'


def _letters(at: _Spot, text: str) -> str:
    size = max(8.0, at.size * 0.45)
    look = looks({"fill": "mark", "font_size": size, "font_weight": "bold", "text_anchor": "middle"})
    x, y = number(at.x), number(at.y - at.size * 0.45)
    return f'<text x="{x}" y="{y}"{look}>{escape(clipped(safe(text), 32))}</text>'
