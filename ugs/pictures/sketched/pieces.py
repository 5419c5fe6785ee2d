"""Pieces: pieces that look the same are one path, so that a full board stays small."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from ugs.pictures.paint import PAINTS
from ugs.pictures.svg import Svg
from ugs.sketch.model import Look

Place = tuple[float, float]

ON_DARK: Final = frozenset({"blue", "green", "violet", "black"})
"""Colours with white letters on them."""
ON_LIGHT: Final = frozenset({"red", "yellow", "sky", "white"})
"""Colours with black letters on them."""


EDGE: Final = 0.75
"""How wide the edges are of a line whose colour, such as white, may be that of what lies below."""

_TIPS: Final = tuple(tip * 4 * pi / 5 for tip in range(5))


def put(drawn: Svg, look: Look, places: Iterable[Place], radius: float, moves: str | None = None) -> None:
    """Draw pieces of one look, with their letters. With ``moves``, the value of their mark, they are some that may be
    moved from position to position; see :func:`ugs.pictures.svg.looks`."""
    places = list(places)
    outline = _OUTLINES[look.shape]
    path = "".join([outline(x, y, radius) for x, y in places])
    if look.shape in _STROKED:
        paint, width = f"{look.colour}-line", radius * 0.36
        strokes = [(paint, width)] if paint in PAINTS else [("faint", width + 2 * EDGE), (look.colour, width)]
        for stroke, wide in strokes:
            drawn.path(path, data_pieces=moves, fill="none", stroke=stroke, stroke_width=wide, stroke_linecap="round")
    else:
        rim = "line" if look.colour in ON_LIGHT else "rim"
        drawn.path(path, data_pieces=moves, fill=look.colour, stroke=rim, stroke_width=max(0.5, radius * 0.08))
    if look.letter.strip():
        _write(drawn, look, places, radius, moves)


def _write(drawn: Svg, look: Look, places: Iterable[Place], radius: float, moves: str | None) -> None:
    on_piece = look.shape not in _STROKED
    fill = (
        "white" if on_piece and look.colour in ON_DARK else "black" if on_piece and look.colour in ON_LIGHT else "ink"
    )
    size = radius * (1.25, 1.25, 1.0, 0.75)[len(look.letter)]
    drawn.open(data_pieces=moves, fill=fill, font_size=size, font_weight="600", text_anchor="middle")
    for x, y in places:
        drawn.letter(x, y + size * 0.36, look.letter)
    drawn.close()


def _points(x: float, y: float, points: Sequence[Place]) -> str:
    """A way round these points, which are seen from the middle of the piece."""
    steps = [_step(to[0] - at[0], to[1] - at[1]) for at, to in pairwise(points)]
    return f"M{short(x + points[0][0])} {short(y + points[0][1])}{''.join(steps)}z"


def _step(right: float, down: float) -> str:
    return f"l{short(right)} {short(down)}"


def short(value: float) -> str:
    """A number with one decimal: pieces, and cells to be clicked, are many."""
    return f"{value:.1f}".removesuffix(".0")


def disc(x: float, y: float, r: float) -> str:
    """The path around a disc."""
    r = round(r, 1)  # an arc that is wider than twice its written radius would not be round
    arc = f"a{short(r)} {short(r)} 0 1 0 "
    return f"M{short(x - r)} {short(y)}{arc}{short(2 * r)} 0{arc}{short(-2 * r)} 0z"


def _cross(x: float, y: float, r: float) -> str:
    left, right, top, step = short(x - 0.8 * r), short(x + 0.8 * r), short(y - 0.8 * r), short(1.6 * r)
    return f"M{left} {top}l{step} {step}M{right} {top}l-{step} {step}"


def _square(x: float, y: float, r: float) -> str:
    a = 0.86 * r
    return f"M{short(x - a)} {short(y - a)}h{short(2 * a)}v{short(2 * a)}h{short(-2 * a)}z"


def _bar(x: float, y: float, r: float) -> str:
    return f"M{short(x - 0.34 * r)} {short(y - r)}h{short(0.68 * r)}v{short(2 * r)}h{short(-0.68 * r)}z"


def _diamond(x: float, y: float, r: float) -> str:
    return _points(x, y, ((0, -1.1 * r), (r, 0), (0, 1.1 * r), (-r, 0)))


def _triangle(x: float, y: float, r: float) -> str:
    return _points(x, y, ((0, -1.05 * r), (r, 0.8 * r), (-r, 0.8 * r)))


def _star(x: float, y: float, r: float) -> str:
    """Five tips, each joined with the one after the next."""
    return _points(x, y, [(1.1 * r * sin(turn), -1.1 * r * cos(turn)) for turn in _TIPS])


_OUTLINES: Final[Mapping[str, Callable[[float, float, float], str]]] = {
    "disc": disc,
    "ring": disc,
    "cross": _cross,
    "square": _square,
    "diamond": _diamond,
    "triangle": _triangle,
    "star": _star,
    "bar": _bar,
}
_STROKED: Final = frozenset({"ring", "cross"})
"""Shapes that are lines, in the colour of the piece."""
