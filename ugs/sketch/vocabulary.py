"""The vocabulary of sketches: which elements there are, where they stand, and what each attribute may hold."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ugs.printable import shown
from ugs.sketch.elements import SketchElement, Unfit
from ugs.value import value

COLOURS: Final = (
    *("red", "blue", "yellow", "green", "violet", "sky", "white", "black"),
    *("field", "ground", "sea", "clay", "ore", "sheep", "wheat", "wood", "sand", "gold"),
    *("fog", "jungle", "marsh", "swamp", "rock", "brown"),
)
"""Colours of cells and pieces, by the names of the paints of pictures."""
SHAPES: Final = ("disc", "ring", "cross", "square", "diamond", "triangle", "star", "bar")
LOOKS: Final = ("fields", "checkered", "crossings", "open")
"""How a grid is drawn: fields with borders, light and dark fields, lines with pieces on their crossings, nothing."""

MAX_SIDE: Final = 50
"""Columns and rows of a grid."""
MAX_EXTENT: Final = 10_000
"""Width and height of a field of free points and of a drawing, in units of its own."""
MAX_LABEL: Final = 120
"""Characters of a label of a move, and of a text of one line."""
MAX_NAME: Final = 64
MAX_LETTERS: Final = 3
"""Characters that stand on a piece."""
MAX_NOTE: Final = 24
"""Characters that stand on a cell."""
MAX_WORDS: Final = 2_000
"""Characters of the text that describes the position to people who cannot see it."""
MAX_COUNT: Final = 999


@value
class ValueKind:
    """What an attribute may hold."""

    read: Callable[[str], Any]
    """Raises ValueError for what it may not hold."""
    expected: str


# Not \d, which also fits the digits of other scripts.
_NUMBER: Final = re.compile(r"[0-9]{1,5}(\.[0-9]{1,3})?")
_WHOLE: Final = re.compile(r"[0-9]{1,5}")


def text(most: int) -> ValueKind:
    """A text of at most ``most`` characters."""

    def read(value: str) -> str:
        if len(value) > most:
            raise ValueError
        return value

    return ValueKind(read, f"at most {most} characters")


def whole(least: int, most: int) -> ValueKind:
    """A whole number from ``least`` to ``most``."""

    def read(value: str) -> int:
        # int() alone takes signs, blanks and underscores as well.
        if _WHOLE.fullmatch(value) is None or not least <= int(value) <= most:
            raise ValueError
        return int(value)

    return ValueKind(read, f"a whole number from {least} to {most}")


def one_of(words: tuple[str, ...]) -> ValueKind:
    """One of these words."""

    def read(value: str) -> str:
        if value not in words:
            raise ValueError
        return value

    return ValueKind(read, f"one of {', '.join(words)}")


def _extent(value: str) -> float:
    if _NUMBER.fullmatch(value) is None or float(value) > MAX_EXTENT:
        raise ValueError
    return float(value)


def _cells(value: str) -> tuple[str, ...]:
    return tuple(value.split())


CELLS: Final = ValueKind(_cells, "cells with blanks between")
EXTENT: Final = ValueKind(_extent, f"a number from 0 to {MAX_EXTENT}, with at most three decimals")
COLOUR: Final = one_of(COLOURS)
NO_COLOUR: Final = "none"
"""In place of the colour of cells: they are left out of the board."""
IN_TURN: Final = "in-turn"
"""How an offer is clicked: each of its cells, in their order."""
NAME: Final = text(MAX_NAME)
LETTER: Final = text(MAX_LETTERS)
NEEDED: Final = object()
"""The default of an attribute that must be there."""


@value
class Word:
    """One element of the vocabulary."""

    attributes: Mapping[str, tuple[ValueKind, object]]
    """Each with what it may hold and its default."""
    most: int = 0
    """Characters of its text; 0: it has none."""
    inside: tuple[str, ...] = ()
    """The elements that may stand in it."""


_NO: Final = (one_of(("yes", "no")), "no")
_SIDE: Final = (whole(1, MAX_SIDE), NEEDED)
_LOOK: Final = {"colour": (COLOUR, NEEDED), "shape": (one_of(SHAPES), "disc"), "letter": (LETTER, "")}
_WHOSE: Final = {"clicks": (one_of((IN_TURN,)), ""), "nick": (NAME, "")}

WORDS: Final[Mapping[str, Word]] = {
    "grid": Word({"columns": _SIDE, "rows": _SIDE, "look": (one_of(LOOKS), "fields"), "numbers": _NO, "turns": _NO}),
    "hexes": Word({"columns": _SIDE, "rows": _SIDE, "turns": _NO}),
    "points": Word(
        {"width": (EXTENT, NEEDED), "height": (EXTENT, NEEDED), "size": (EXTENT, 0.0), "turns": _NO}, 0, ("point",)
    ),
    "point": Word({"id": (NAME, NEEDED), "x": (EXTENT, NEEDED), "y": (EXTENT, NEEDED)}),
    "cells": Word({"at": (CELLS, NEEDED), "colour": (one_of((*COLOURS, NO_COLOUR)), NEEDED)}),
    "pieces": Word({"at": (CELLS, NEEDED), **_LOOK, "name": (NAME, "")}),
    "line": Word({"from": (NAME, NEEDED), "to": (NAME, NEEDED), "colour": (COLOUR, "")}),
    "mark": Word({"at": (CELLS, NEEDED)}),
    "label": Word({"at": (NAME, NEEDED)}, MAX_NOTE),
    "seat": Word({"nick": (NAME, NEEDED), **_LOOK}),
    "counter": Word({"name": (NAME, NEEDED), "value": (text(MAX_NOTE), NEEDED), "nick": (NAME, "")}),
    "hand": Word({"nick": (NAME, ""), "name": (NAME, "")}, 0, ("held",)),
    "held": Word({**_LOOK, "name": (NAME, ""), "count": (whole(1, MAX_COUNT), 1)}),
    "news": Word({}, MAX_LABEL),
    "words": Word({}, MAX_WORDS),
    "offer": Word({"label": (text(MAX_LABEL), NEEDED), "at": (CELLS, ()), **_WHOSE}, 0, ("move",)),
}  # fmt: skip
"""What may stand in a sketch, except for drawings and the moves in offers."""
GROUNDS: Final = ("grid", "hexes", "points", "svg")
"""What a sketch lies on: exactly one of these."""
ON_GROUND: Final = frozenset(WORDS) - {"point", "held", *GROUNDS}
"""What may stand in a sketch beside its ground."""


def values_of(element: SketchElement) -> dict[str, Any]:
    """The attributes of an element as values, with the defaults of those that are missing. Raises Unfit."""
    tag, known = element.tag, WORDS[element.tag]
    for name in element.attributes.keys() - known.attributes.keys():
        raise Unfit(f"{tag} {name}: there is no such attribute; known are {', '.join(known.attributes) or 'none'}")
    found: dict[str, Any] = {}
    for name, (kind, default) in known.attributes.items():
        written = element.attributes.get(name)
        if written is None:
            if default is NEEDED:
                raise Unfit(f"{tag} {name}: missing; expected {kind.expected}")
            found[name] = default
            continue
        try:
            found[name] = kind.read(written)
        except ValueError:
            raise Unfit(f"{tag} {name} {shown(written)}: expected {kind.expected}") from None
    text = element.text
    if len(text) > known.most:
        expected = f"at most {known.most} characters" if known.most else "no text"
        raise Unfit(f"{tag}: text {shown(text)}: expected {expected}")
    for child in element.children:
        if child.tag not in known.inside:
            raise Unfit(f"{tag}: {child.tag} in it; expected {' or '.join(known.inside) or 'no element'}")
    return found
