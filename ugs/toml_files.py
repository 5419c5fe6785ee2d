"""Untrusted TOML: bounded before it is parsed, checked before its numbers are used.

The parser of the standard library calls itself for every level, takes the square of a key's parts, and makes several
tables for each of them. What a text holds is therefore counted first, in one pass that knows strings and comments.
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ugs.path_faults import reason_of
from ugs.printable import shown, shown_key

MAX_BYTES: Final = 16_777_216
"""Bytes of a file."""
MAX_MARKS: Final = 300_000
"""Values, keys, tables and lists of a file, counted by the signs that stand between them."""
MAX_LEVELS: Final = 16
"""Levels of lists and tables in each other, and parts of a key; plans and settings have three."""
MAX_WHOLE: Final = 2**63 - 1
"""The largest whole number, and the least one without its sign: what files, databases and other programs can hold."""

# *+ never gives back what it took, so the pass stays linear.
_TOKEN: Final = re.compile(
    r""""{3}(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}|'{3}(?:[^']|'{1,2}(?!'))*+'{3,5}"""
    r"""|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|\#[^\n]*+|[][{}.,=\n]""",
    re.DOTALL,
)
"""Strings and comments as a whole, so that what stands in them counts for nothing; and the signs that count."""
_SIGNS: Final = frozenset("[]{}.,=")
_LEVELS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def read_toml(path: Path, failure: type[Exception]) -> dict[str, Any]:
    """Return the table in a TOML file. Raises ``failure``, whose text names the file, when it cannot be read, is no
    TOML, or is beyond the bounds of :func:`parse_toml`."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise failure(f"{path}: longer than {MAX_BYTES} bytes")
        # Some editors begin files with a byte order mark.
        return parse_toml(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except OSError as error:
        raise failure(f"{path}: cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise failure(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
    except ValueError as error:
        raise failure(f"{path}: {error}") from error


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table in a text. Raises ValueError, whose text names what is wrong and where, when it is no TOML, is
    larger or nested deeper than any file of ours, or holds a NUL, or a number that is not finite or needs more than 64
    bits."""
    import tomllib  # most servers and commands read no file

    _count(text)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML: {error}") from error
    except ValueError as error:
        # Python reads no whole number of more than 4300 digits.
        raise ValueError("a number has thousands of digits") from error
    for name, value in _values(values):
        key = shown_key(name)
        if isinstance(value, str):
            if "\0" in value:
                raise ValueError(f"{key} = {shown(value)}: holds a NUL, which no name and no file can")
        elif isinstance(value, int):
            if abs(value) > MAX_WHOLE:
                raise ValueError(f"{key} = {shown(value)}: does not fit into 64 bits")
        elif not math.isfinite(value):
            raise ValueError(f"{key} = {value}: not a finite number")
    return values


def _count(text: str) -> None:
    """Raise ValueError for a text that would cost too much to parse."""
    line, level, parts, marks = 1, 0, 0, 0
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign not in _SIGNS:
            line += sign.count("\n")
            parts = parts if sign != "\n" else 0
            continue
        marks += 1
        level += _LEVELS.get(sign, 0)
        parts = parts + 1 if sign == "." else 0
        if level > MAX_LEVELS or parts > MAX_LEVELS:
            raise ValueError(f"line {line}: more than {MAX_LEVELS} levels")
        if marks > MAX_MARKS:
            raise ValueError(f"line {line}: more than {MAX_MARKS} keys, values and tables")


def _values(values: dict[str, Any]) -> Iterator[tuple[str, int | float | str]]:
    """All numbers and texts in a table, each with its key."""
    todo: list[tuple[str, Any]] = list(values.items())
    while todo:
        key, value = todo.pop()
        if isinstance(value, dict):
            todo += [(f"{key}.{name}", each) for name, each in value.items()]
        elif isinstance(value, list):
            todo += [(f"{key}[{place}]", each) for place, each in enumerate(value)]
        elif isinstance(value, int | float | str) and not isinstance(value, bool):
            yield key, value
