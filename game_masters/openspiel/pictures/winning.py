"""What has won on a board: pieces in a row, or a chain from edge to edge."""

from collections import deque
from collections.abc import Collection, Iterator

from game_masters.openspiel.pictures.layouts import FieldAt

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
_BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
"""The six fields around one where each row lies half a field to the right of the one above it."""


def in_rows(own: Collection[FieldAt], length: int) -> frozenset[FieldAt]:
    """Of the fields of a seat those that lie in rows of at least this length, in any direction."""
    found: set[FieldAt] = set()
    for down, right in _DIRECTIONS:
        for field in own:
            if FieldAt(field.row - down, field.column - right) not in own:
                line = list(_line(own, field, down, right))
                found.update(line if len(line) >= length else ())
    return frozenset(found)


def _line(own: Collection[FieldAt], field: FieldAt, down: int, right: int) -> Iterator[FieldAt]:
    while field in own:
        yield field
        field = FieldAt(field.row + down, field.column + right)


def chain(own: Collection[FieldAt], last: int, *, across: bool) -> frozenset[FieldAt]:
    """The shortest chain of fields of a seat that joins two opposite edges of a board of hexagons: the upper and the
    lower one or, ``across``, the left and the right one. ``last`` is the number of the last row or column; empty if
    there is no chain."""
    place = 1 if across else 0
    before: dict[FieldAt, FieldAt | None] = {field: None for field in sorted(own) if field[place] == 0}
    waiting = deque(before)
    while waiting:
        field = waiting.popleft()
        if field[place] == last:
            return frozenset(_back(before, field))
        for down, right in _BESIDE:
            beside = FieldAt(field.row + down, field.column + right)
            if beside in own and beside not in before:
                before[beside] = field
                waiting.append(beside)
    return frozenset()


def _back(before: dict[FieldAt, FieldAt | None], field: FieldAt | None) -> Iterator[FieldAt]:
    while field is not None:
        yield field
        field = before[field]
