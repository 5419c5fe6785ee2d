"""Writes SVG that may stand on any page, several of them beside each other.

It holds no script, no style, no link and no foreign element, even with hostile texts in it. Numbers are written with at
most two decimals, so that the same picture has the same bytes everywhere.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Self, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from ugs.pictures.lettering import clipped
from ugs.pictures.paint import PAINTS

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,39}")
_MAX_WORDS: Final = 4000
_HEAD: Final = 5
"""Parts of a picture before anything is drawn."""
BEGINS: Final = ' data-begins=""'
MAX_REMEMBERED: Final = 100
"""Characters of a text that is remembered as it is written."""

Look: TypeAlias = float | str | None
"""The value of an attribute; see :func:`looks`."""


class DrawnParts(str):
    """A picture as text which knows the parts that it was put together from. Those of a board are the same objects in
    every position, so who compares positions need not look into them."""

    __slots__ = ("parts",)
    parts: Sequence[str]

    def __new__(cls, parts: Sequence[str]) -> Self:
        """Put a picture together."""
        whole = super().__new__(cls, "".join(parts))
        whole.parts = parts
        return whole

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """What travels is plain text."""
        return str, (str(self),)


class Svg:
    """A picture in the making."""

    def __init__(self, prefix: str, width: float, height: float, title: str, words: str) -> None:
        """Begin a picture in units of its own; it takes the width that the page gives it.

        ``title`` names it in a few words, ``words`` describe all that can be seen. Raises ValueError if ``prefix`` is
        not 1 to 40 letters, digits and hyphens, with a letter first.
        """
        # It becomes a part of ids and of attributes, and is not escaped there.
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"prefix {prefix!r}: expected 1 to 40 letters, digits and hyphens, a letter first")
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" role="img" '
            f'aria-labelledby="{prefix}-title {prefix}-words" '
            "font-family=\"system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif\">",
            f'<title id="{prefix}-title">{escape(clipped(title, 200))}</title>',
            f'<desc id="{prefix}-words">',
            escape(clipped(words, _MAX_WORDS)),
            "</desc>",
        ]

    def __str__(self) -> str:
        """The whole element."""
        return "".join([*self._parts, "</svg>"])

    def is_clicked_in_turn(self) -> None:
        """Whose offers have several parts each are made by clicking these one after another, such as a piece and where
        it goes. Without it each part of an offer stands for all of it."""
        self._parts[0] = self._parts[0].replace("<svg ", '<svg data-clicks="in-turn" ', 1)

    def drawn(self) -> DrawnParts:
        """The whole element, with its parts; the last one is the end."""
        return DrawnParts([*self._parts, "</svg>"])

    def rect(self, x: float, y: float, width: float, height: float, *, round: float = 0, **look: Look) -> None:
        """Add a rectangle. For ``look`` see :func:`looks`."""
        corner = f' rx="{number(round)}"' if round else ""
        where = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self._parts.append(f"<rect {where}{corner}{looks(look)}/>")

    def circle(self, x: float, y: float, radius: float, **look: Look) -> None:
        """Add a circle."""
        self._parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{looks(look)}/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, **look: Look) -> None:
        """Add a line with round ends."""
        ends = f'x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}"'
        self._parts.append(f'<line {ends} stroke-linecap="round"{looks(look)}/>')

    def path(self, data: str, **look: Look) -> None:
        """Add a path. ``data`` are commands and numbers."""
        self._parts.append(f'<path d="{data}"{looks(look)}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: str = "",
        most: int = 60,
        **look: Look,
    ) -> None:
        """Add one line of text of others or ours, cut to ``most`` columns. ``anchor`` is ``middle`` or ``end``."""
        where = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        at = f' text-anchor="{anchor}"' if anchor else ""
        self._parts.append(f"<text {where}{at}{looks({'fill': 'ink', **look})}>{_lettered(text, most)}</text>")

    def open(
        self,
        *,
        transform: str = "",
        offers: Iterable[int] = (),
        begins: bool = False,
        title: str = "",
        **look: Look,
    ) -> None:
        """Begin a group, which :meth:`close` ends. A group with ``offers`` stands for them; where a move is clicked in
        turn, it ``begins`` with some groups, such as pieces."""
        moved = f' transform="{transform}"' if transform else ""
        offer = _stands_for(offers, begins=begins)
        title_tag = f"<title>{escape(clipped(title, 200))}</title>" if title else ""
        self._parts.append(f"<g{moved}{offer}{looks(look)}>{title_tag}")

    def close(self) -> None:
        """End the group that began last."""
        self._parts.append("</g>")

    def letter(self, x: float, y: float, text: str) -> None:
        """Add a few letters in the style of the group around them."""
        self._parts.append(f'<text x="{number(x)}" y="{number(y)}">{escape(clipped(text, 6))}</text>')

    def offer_rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *offers: int,
        begins: bool = False,
        steps: Sequence[int] = (),
    ) -> None:
        """Add an invisible rectangle that stands for offers; for ``begins`` see :meth:`open`. ``steps`` are
        the clicks of the offers that are made here, from 1; 0: any."""
        self._parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'fill-opacity="0"{_stands_for(offers, begins=begins, steps=steps)}/>'
        )

    def offer_path(self, path: str, *offers: int, begins: bool = False, steps: Sequence[int] = ()) -> None:
        """The same for what is inside a path."""
        self._parts.append(f'<path d="{path}" fill-opacity="0"{_stands_for(offers, begins=begins, steps=steps)}/>')

    def inner(self, x: float, y: float, width: float, height: float, view_box: str) -> None:
        """Begin a picture in the picture, with units of its own, which :meth:`end_inner` ends. Nothing of it is seen
        outside. ``view_box`` are four numbers."""
        where = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self._parts.append(f'<svg {where} viewBox="{view_box}" overflow="hidden">')

    def end_inner(self) -> None:
        """End the picture in the picture."""
        self._parts.append("</svg>")

    def always(self, draw: Callable[..., None], *of: Hashable) -> None:
        """Add what ``draw`` adds to a picture, which depends on nothing but ``of``: it is called once for each. Most of
        a board is the same in every position."""
        self._parts.append(_drawn(draw, of))

    def pieces(self, draw: Callable[..., None], *of: Hashable) -> None:
        """The same for what ``draw`` puts together from pieces, most of which stay when something else changes."""
        self._parts += _drawn_in_parts(draw, of)

    def piece(self, draw: Callable[..., None], *of: Hashable, offers: Sequence[int] = ()) -> None:
        """The same for a small part that a board has dozens of: a land, a card, a man. With ``offers``, which ``draw``
        takes last, it is not kept: they are others in each position."""
        if offers:
            draw(self, *of, offers)
        else:
            self._parts.append(_small_drawn(draw, of))

    def part(
        self,
        head: str,
        tail: str,
        offers: Iterable[int] = (),
        place: str = "",
        *,
        begins: bool = False,
        steps: Sequence[int] = (),
        **look: Look,
    ) -> None:
        """Add what has been written already, and is known to be harmless: the beginning of an element and its end. Of
        parts at the same ``place`` one is enough to be clicked; for ``begins`` and ``steps`` see
        :meth:`offer_rect`."""
        offer = _stands_for(offers, place, begins=begins, steps=steps)
        self._parts.append(f"{head}{offer}{looks(look)}{tail}")


def _stands_for(offers: Iterable[int], place: str = "", *, begins: bool, steps: Sequence[int] = ()) -> str:
    """The attributes of a part that stands for offers, with a blank before each; empty where there are none."""
    numbers = " ".join(map(str, offers))
    if not numbers:
        return ""
    at = f" data-place={quoteattr(place)}" if place else ""
    order = f' data-steps="{" ".join(map(str, steps))}"' if any(steps) else ""
    return f' data-offer="{numbers}"{order}{at}{BEGINS * begins}'


def looks(look: Mapping[str, Look]) -> str:
    """Return attributes, with a blank before each: ``fill`` and ``stroke`` name a paint or ``none``, the others are
    those of SVG, with ``_`` for ``-``. Nothing of them may come from others.

    Pages let pieces glide to where they have been moved, and need to know them: ``data_piece`` is the name of the piece
    that an element is, and pieces of one name look alike. ``data_pieces`` stands on a group, or on a path in which each
    ``M`` begins a piece, that holds nothing but pieces: it is empty, or ``placed`` where a game never moves them."""
    return _looks(tuple(look.items()))


def _lettered(text: str, most: int) -> str:
    """A text of at most ``most`` columns, as it is written. Most texts of a board are short and stand in every
    position; long ones, which may be anyone's, are not remembered."""
    return _escaped(text, most) if len(text) <= MAX_REMEMBERED else escape(clipped(text, most))


@lru_cache(maxsize=4096)
def _escaped(text: str, most: int) -> str:
    return escape(clipped(text, most))


@lru_cache(maxsize=4096)
def _looks(look: tuple[tuple[str, Look], ...]) -> str:
    """A picture has hundreds of elements that look like one of a dozen."""
    text, classes = "", []
    for name, value in look:
        if value is None:
            continue
        written = value if isinstance(value, str) else number(value)
        # The class is for pages with our style sheet, in the dark as well; the attribute for viewers without one.
        if name in ("fill", "stroke") and written != "none":
            classes.append(f"{name[0]}-{written}")
            written = PAINTS[written].light
        text += f" {name.replace('_', '-')}={quoteattr(written)}"
    return f' class="{" ".join(classes)}"{text}' if classes else text


@lru_cache(maxsize=256)
def _drawn(draw: Callable[..., None], of: tuple[Hashable, ...]) -> str:
    return "".join(_alone(draw, of))


@lru_cache(maxsize=256)
def _drawn_in_parts(draw: Callable[..., None], of: tuple[Hashable, ...]) -> Sequence[str]:
    return _alone(draw, of)


@lru_cache(maxsize=4096)
def _small_drawn(draw: Callable[..., None], of: tuple[Hashable, ...]) -> str:
    return "".join(_alone(draw, of))


def _alone(draw: Callable[..., None], of: tuple[Hashable, ...]) -> Sequence[str]:
    part = Svg("part", 0, 0, "", "")
    draw(part, *of)
    return part._parts[_HEAD:]


@lru_cache(maxsize=16_384)
def number(value: float) -> str:
    """Return a number as short as it can be, with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    # What is rounded up to 0 keeps its minus sign.
    return "0" if text in ("-0", "") else text
