"""What stands on a terminal, letter by letter: signs with their marks, and ways."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import floor
from typing import Final

from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import columns
from ugs.pictures.sketched.fitting import Spot

_STEEP: Final = 2
"""Rows that a way goes down at least, to have a letter in each row."""
_FLAT: Final = 4
"""Columns for each row; a way that takes more has a letter in each column."""
_CROSSED: Final = {
    **{frozenset(("┼", sign)): "┼" for sign in "─│"},
    **{frozenset(("╳", sign)): "╳" for sign in "╲╱"},
    frozenset("─│"): "┼",
    frozenset("╲╱"): "╳",
}
"""What two ways are where they cross."""


def stand(drawn: dict[Spot, Span], standing: Mapping[str, tuple[Spot, Span]], marks: Sequence[str]) -> Sequence[str]:
    """Add the sign of each cell, on ways, and brackets around marked ones: styles are not seen everywhere. Returns the
    marked cells that have no room for brackets."""
    signs: dict[Spot, Span] = {}
    for spot, sign in standing.values():
        signs |= letters(spot, sign)
    brackets: dict[Spot, Span] = {}
    crowded = []
    for name in dict.fromkeys(marks):
        if name not in standing:
            continue
        (column, row), sign = standing[name]
        before, behind = (column - 1, row), (column + columns(sign.text), row)
        if before in signs or behind in signs:
            crowded.append(name)
            continue
        for spot, bracket in ((before, "["), (behind, "]")):
            # Between neighbours one sign is both.
            brackets[spot] = Span("|" if spot in brackets else bracket, "bold")
    drawn |= signs | brackets
    return crowded


def letters(spot: Spot, sign: Span) -> dict[Spot, Span]:
    """A sign, letter by letter; behind one of two columns stands an empty one."""
    column, row = spot
    found: dict[Spot, Span] = {}
    for letter in sign.text:
        found[column, row] = Span(letter, sign.style)
        found |= {(column + place, row): Span("") for place in range(1, columns(letter))}
        column += columns(letter)
    return found


def rows(drawn: Mapping[Spot, Span], count: int, begin: int = 0) -> Iterator[Line]:
    """The first ``count`` rows from the column ``begin``, each to its last letter."""
    ends = [begin] * count
    for column, row in drawn:
        ends[row] = max(ends[row], column + 1)
    blank = Span(" ")
    for row, end in enumerate(ends):
        letters = [drawn.get((column, row), blank) for column in range(begin, end)]
        groups = groupby(letters, lambda one: one.style)
        yield tuple([Span("".join([one.text for one in group]), style) for style, group in groups])


def add_way(drawn: dict[Spot, Span], one: Spot, other: Spot, style: str) -> None:
    """Draw between two signs: a flat way has a letter in each column, any other one in each row."""
    begin, end = sorted((one, other))
    right, down = end[0] - begin[0], abs(end[1] - begin[1])
    slope = "╲" if end[1] > begin[1] else "╱"
    is_flat = down < _STEEP or right > _FLAT * down
    steps, straight = (right, "─") if is_flat else (down, "│")
    last = begin
    for step in range(1, steps):
        spot = _between(begin[0], end[0], step / steps), _between(begin[1], end[1], step / steps)
        sign = straight if spot[is_flat] == last[is_flat] else slope
        if spot in drawn:
            sign = _CROSSED.get(frozenset((sign, drawn[spot].text)), sign)
        drawn[spot] = Span(sign, style)
        last = spot


def _between(begin: int, end: int, part: float) -> int:
    return floor(begin + (end - begin) * part + 0.5)
