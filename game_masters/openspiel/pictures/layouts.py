"""Where the fields of a board lie, and how moves name them."""

import re
from collections.abc import Callable, Mapping
from string import ascii_lowercase
from typing import Final, NamedTuple, TypeAlias


class FieldAt(NamedTuple):
    """One field: its row from the top, and its column from the left, both from 0."""

    row: int
    column: int


Naming: TypeAlias = Callable[[str, int], FieldAt | None]
"""From the name of a field in a move, and the number of rows, to the field."""

_LETTERED = re.compile(r"([a-z])(\d+)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<!\d)(\d{1,6})\D+(\d+)")
GO: Final = ascii_lowercase.replace("i", "")


def _lettered(name: str, rows: int, letters: str, upwards: bool) -> FieldAt | None:
    match = _LETTERED.fullmatch(name)
    if match is None or match[1].lower() not in letters:
        return None
    number = int(match[2])
    return FieldAt(rows - number if upwards else number - 1, letters.index(match[1].lower()))


def _numbered(name: str, rows: int) -> FieldAt | None:
    match = _NUMBERED.search(name)
    return FieldAt(int(match[1]), int(match[2])) if match is not None else None


def _from_one(name: str, rows: int) -> FieldAt | None:
    found = _numbered(name, rows)
    return None if found is None else FieldAt(found.row - 1, found.column - 1)


def _column(name: str, rows: int) -> FieldAt | None:
    return FieldAt(-1, int(name)) if name.isdigit() else None


def _shogi(name: str, rows: int) -> FieldAt | None:
    digit, letter = name[:1], name[1:]
    return FieldAt(ascii_lowercase.index(letter), rows - int(digit)) if digit.isdigit() and letter else None


NAMINGS: Final[Mapping[str, Naming]] = {
    "letter up": lambda name, rows: _lettered(name, rows, ascii_lowercase, True),
    "letter down": lambda name, rows: _lettered(name, rows, ascii_lowercase, False),
    "go": lambda name, rows: _lettered(name, rows, GO, True),
    "row, column": _numbered,
    "row, column from 1": _from_one,
    "column": _column,
    "shogi": _shogi,
}
"""How moves name fields: a letter for the column and a number for the row, counted from below or from above; the same
without the letter i; two numbers, from 0 or from 1; only a column; a number from the right and a letter from above."""

SLANTS: Final[Mapping[str, float]] = {"square": 0.0, "hexagon right": 0.5, "hexagon left": -0.5}
"""By how much of a field each row lies to the right of the one above it."""
