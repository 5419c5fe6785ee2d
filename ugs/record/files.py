"""Files of game records in either format; the format is recognised by the contents."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from ugs.record import jsonl, ugsg
from ugs.record.game import GameRecord
from ugs.record.validation import RecordError

__all__ = ["FORMATS", "Format", "RecordError", "read_file", "read_lines", "write_all"]


class Format(NamedTuple):
    """How records are written as text and read back."""

    write: Callable[[GameRecord], bytes]
    read: Callable[[Iterable[bytes]], Iterator[GameRecord]]
    between: bytes
    """The bytes between two records."""


FORMATS: Final = MappingProxyType(
    {"ugsg": Format(ugsg.write, ugsg.read, b"\n"), "jsonl": Format(jsonl.write, jsonl.read, b"")}
)


def read_file(path: Path, on_line: Callable[[int], object] | None = None) -> Iterator[GameRecord]:
    """Yield the records of a file. ``on_line`` is told the bytes of each line. Raises RecordError, which names the
    file."""
    try:
        with path.open("rb") as file:
            yield from read_lines(file if on_line is None else _told(file, on_line))
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _told(lines: Iterable[bytes], on_line: Callable[[int], object]) -> Iterator[bytes]:
    for line in lines:
        on_line(len(line))
        yield line


def read_lines(lines: Iterable[bytes]) -> Iterator[GameRecord]:
    """Yield the records of a text in either format: JSON lines if the first non-empty line begins with a brace. Raises
    RecordError."""
    lines = iter(lines)
    first: list[bytes] = []
    for line in lines:
        first.append(line)
        if line.strip():
            break
    found = "jsonl" if first and first[-1].lstrip().startswith(b"{") else "ugsg"
    return FORMATS[found].read(chain(first, lines))


def write_all(records: Iterable[GameRecord], name: str) -> Iterator[bytes]:
    """Yield the text of ``records`` piece by piece, in the format ``name``. Raises RecordError, and KeyError for an
    unknown format."""
    chosen = FORMATS[name]
    for number, record in enumerate(records):
        yield (chosen.between if number else b"") + chosen.write(record)
