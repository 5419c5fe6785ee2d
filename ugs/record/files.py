"""Files of game records in either format; the format is recognised by the contents."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from ugs.path_faults import reason_of
from ugs.record import jsonl, ugsg
from ugs.record.game import GameRecord
from ugs.record.size_limits import ANY_GAME, Bounds
from ugs.record.validation import RecordError

__all__ = ["FORMATS", "Format", "RecordError", "read_file", "read_lines", "write_all"]


class Format(NamedTuple):
    """How records are written as text and read back."""

    write: Callable[[GameRecord], bytes]
    read: Callable[[Iterable[bytes], Bounds], Iterator[GameRecord]]
    between: bytes
    """The bytes between two records."""


FORMATS: Final = MappingProxyType(
    {"ugsg": Format(ugsg.write, ugsg.read, b"\n"), "jsonl": Format(jsonl.write, jsonl.read, b"")}
)


def read_file(
    path: Path, on_line: Callable[[int], object] | None = None, bounds: Bounds = ANY_GAME
) -> Iterator[GameRecord]:
    """Yield the records of a file, one after the other, each within the ``bounds``. ``on_line`` gets the number of
    bytes of each line. Raises RecordError, which names the file."""
    try:
        with path.open("rb") as file:
            lines = bounds.lines(file)
            yield from read_lines(lines if on_line is None else _counted_lines(lines, on_line), bounds)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {reason_of(error)}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _counted_lines(lines: Iterable[bytes], on_line: Callable[[int], object]) -> Iterator[bytes]:
    for line in lines:
        on_line(len(line))
        yield line


def read_lines(lines: Iterable[bytes], bounds: Bounds = ANY_GAME) -> Iterator[GameRecord]:
    """Yield the records of a text in either format: JSON lines if the first non-empty line begins with a brace. Raises
    RecordError."""
    lines = iter(lines)
    empty, first = 0, b""
    for first in lines:
        if first.strip():
            break
        empty += 1
    found = "jsonl" if first.lstrip().startswith(b"{") else "ugsg"
    # Empty lines are given back, so that errors name the right line.
    return FORMATS[found].read(chain(repeat(b"\n", empty), [first] if first.strip() else (), lines), bounds)


def write_all(records: Iterable[GameRecord], name: str) -> Iterator[bytes]:
    """Yield the text of ``records`` piece by piece, in the format ``name``. Raises RecordError, and KeyError for an
    unknown format."""
    chosen = FORMATS[name]
    for number, record in enumerate(records):
        yield (chosen.between if number else b"") + chosen.write(record)
