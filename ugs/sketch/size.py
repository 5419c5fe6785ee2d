"""How large the picture of a sketch gets at most: what is too large is refused before the game goes on.

Nothing is drawn for that: each kind of thing on a board has a number of bytes that no drawing of it exceeds, and texts
have their own length. The tests of :mod:`ugs.pictures.sketched` hold both against each other.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any, Final

from ugs.printable import safe
from ugs.sketch.model import Drawing, Grid, Ground, Hexes, Look, Points, Sketch

MAX_PICTURE_BYTES: Final = 80 * 1024
"""Bytes of a picture, its offers aside."""
FRAME_BYTES: Final = 8_500
"""The rows of the seats, with the names of players, and who is to move or has won."""
MAX_WORDS_BYTES: Final = 6_000
"""Of the position in words: more of it is not in the picture, and stands beside it."""

MAX_SEATS: Final = 8
"""Seats that have a row of their own; a table of the page shows all of them."""
_STANDING: Final = 1_500
"""Who is to move or has won, in words."""

_PATH: Final = 170
"""A path, with its colours, except for what it goes along."""
_TEXT: Final = 130
"""A text without its characters."""
_LETTER: Final = 36
_SQUARE: Final = 40
_SHAPES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("disc", "ring", "star"), 62),
    **dict.fromkeys(("cross", "diamond"), 50),
    **dict.fromkeys(("square", "bar", "triangle"), 40),
}
_STROKED: Final = frozenset({"ring", "cross"})
_LINED: Final = frozenset({"red", "blue", "yellow", "green", "violet", "black"})
"""Colours whose lines stand out by themselves; strokes of others are drawn twice, with an edge."""
_WIDE: Final = 12
"""What a shape takes more where points may be as wide as the picture."""
_HEX: Final = 72
_HOLE: Final[Mapping[str, int]] = {"open": 0, "checkered": 6}
"""Lines of a grid that one cell that is left out adds, by the look of the grid; by any other look it is two."""
_LINE: Final = 34
_GRID_LINE: Final = 26
_CIRCLE: Final = 74
_OFFER_CELL: Final = 115
_OFFER_NUMBER: Final = 4
_STEPS: Final = 14
_STEP: Final = 4
"""What the order of clicks adds to a cell, and to each offer there."""
_OFFER_FREE: Final = 128
"""What each offer may add to a picture."""
_PAINT: Final = 56
"""A colour of a part of a drawing, once as a class."""


def check(sketch: Sketch) -> str:
    """What is wrong with the size of a sketch, naming the element that takes most; empty if it can be drawn."""
    sizes = sizes_of(sketch)
    total = sum(sizes.values())
    if total <= MAX_PICTURE_BYTES:
        return ""
    tag = max(sizes.keys() - {"frame"}, key=lambda one: sizes[one])
    return (
        f"{tag}: too much to draw: {sizes[tag]} bytes of a picture of {total}; allowed: at most "
        f"{MAX_PICTURE_BYTES} in all"
    )


def sizes_of(sketch: Sketch) -> dict[str, int]:
    """Bytes that each kind of element may take in the picture, by its tag."""
    ground = sketch.ground
    wide = _WIDE if isinstance(ground, Points) else 0
    held = [look for hand in sketch.hands for look, _ in hand.held]
    return {
        # MAX_SEATS rows are drawn, at worst those with the largest looks.
        "frame": FRAME_BYTES + sum(sorted([_look(look, 1) for _, look in sketch.seats])[-MAX_SEATS:]),
        "words": _words(sketch),
        _TAGS[type(ground)]: _GROUNDS[type(ground)](ground, sketch),
        "cells": sum([_PATH + len(at) * _cell(ground) for _, at in sketch.cells]),
        "line": _PATH * _runs([one.colour for one in sketch.lines]) + _LINE * len(sketch.lines),
        "pieces": sum([_look(one.look, len(one.at)) + wide * len(one.at) for one in sketch.pieces]),
        "label": _PATH * bool(sketch.labels) + sum([_TEXT + written(text) for _, text in sketch.labels]),
        "mark": (_PATH + (_HEX if isinstance(ground, Hexes) else _SQUARE) * len(sketch.marks)) if sketch.marks else 0,
        "hand": sum([_TEXT + 20 + written(one.nick) + written(one.name) for one in sketch.hands]),
        "held": sum([_look(look, 1) + _TEXT for look in held]),
        "offer": _offers(sketch),
    }


def written(text: str) -> int:
    """Bytes of a text in a picture."""
    # Letters and digits take a byte each, and no escapes.
    return len(text) if text.isalnum() and text.isascii() else len(escape(safe(text)).encode())


def _look(look: Look, count: int) -> int:
    letters = _PATH + count * (_LETTER + written(look.letter)) if look.letter.strip() else 0
    drawn = 2 if look.shape in _STROKED and look.colour not in _LINED else 1
    return drawn * (_PATH + count * _SHAPES[look.shape]) + letters


def _runs(colours: Iterable[str]) -> int:
    """How often a colour is another one than that before."""
    # ugs/pictures/sketched/picture.py draws one path for each run of a colour.
    last, runs = "", 0
    for colour in colours:
        runs += colour != last
        last = colour
    return runs


def _words(sketch: Sketch) -> int:
    if sketch.words:
        return min(MAX_WORDS_BYTES, _STANDING + written(sketch.words))
    size = _STANDING + sum([sum(map(len, one.at)) + len(one.at) + written(one.look.name) + 40 for one in sketch.pieces])
    size += sum([len(one) + 1 for one in sketch.marks])
    size += sum([len(one.begin) + len(one.end) + len(one.colour) + 20 for one in sketch.lines])
    size += sum([len(cell) + written(text) + 24 for cell, text in sketch.labels])
    size += sum([written(one.nick) + written(one.name) + written(one.value) + 8 for one in sketch.counters])
    for hand in sketch.hands:
        size += written(hand.nick) + written(hand.name) + 24
        size += sum([written(look.name) + 40 for look, _ in hand.held])
    return min(MAX_WORDS_BYTES, size)


# Grounds.


def _grid(ground: Grid, sketch: Sketch) -> int:
    numbers = 2 * _PATH + 2 * 16 * (_LETTER + 2) if ground.numbers else 0
    lines, fields = ground.columns + ground.rows + 2, 0
    if sketch.holes:
        # Runs of fields and pieces of lines: each hole parts a few, and at the edge it takes some away.
        lines = 3 * lines + _HOLE.get(ground.look, 2) * len(sketch.holes)
        fields = _SQUARE * (ground.rows + len(sketch.holes))
    return 3 * _PATH + _GRID_LINE * lines + fields + numbers


def _hexes(ground: Hexes, sketch: Sketch) -> int:
    apart = {cell for _, at in sketch.cells for cell in at}.union(sketch.holes)
    return _PATH + _HEX * (ground.columns * ground.rows - len(apart))


def _points(ground: Points, sketch: Sketch) -> int:
    coloured = {cell for _, at in sketch.cells for cell in at}
    return _PATH + _CIRCLE * (len(ground.places) - len(coloured))


def _drawing(ground: Drawing, _sketch: Sketch) -> int:
    parts = [len(one.head) + len(one.tail.encode()) + _PAINT * len(one.paints) for one in ground.parts]
    return 300 + sum(parts)


_GROUNDS: Final[Mapping[type, Callable[[Any, Sketch], int]]] = {
    Grid: _grid,
    Hexes: _hexes,
    Points: _points,
    Drawing: _drawing,
}
_TAGS: Final[Mapping[type, str]] = {Grid: "grid", Hexes: "hexes", Points: "points", Drawing: "svg"}


def _cell(ground: Ground) -> int:
    return _HEX if isinstance(ground, Hexes) else _CIRCLE if isinstance(ground, Points) else _SQUARE


def _offers(sketch: Sketch) -> int:
    """What the cells of offers take that is more than offers may take."""
    named = [len(one.at) for one in sketch.offers if one.at]
    if not named:
        return 0
    in_turn = any(one.in_turn for one in sketch.offers)
    each_cell, each_number = _OFFER_CELL + _STEPS * in_turn, _OFFER_NUMBER + _STEP * in_turn
    cells = Counter([cell for one in sketch.offers for cell in one.at])
    if isinstance(sketch.ground, Drawing):
        parts = Counter([one.cell for one in sketch.ground.parts if one.cell in cells])
        return sum([count * (16 + _STEPS * in_turn + each_number * cells[cell]) for cell, count in parts.items()])
    each = sum([max(0, (each_cell + each_number) * count - _OFFER_FREE) for count in named])
    return min(each, each_cell * len(cells) + each_number * sum(named))
