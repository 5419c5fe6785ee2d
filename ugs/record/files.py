"""Files of game records in either format, told apart by what is in them."""

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
    """What stands between two records."""


FORMATS: Final = MappingProxyType(
    {"ugsg": Format(ugsg.write, ugsg.read, b"\n"), "jsonl": Format(jsonl.write, jsonl.read, b"")}
)


def read_file(path: Path) -> Iterator[GameRecord]:
    """The records of a file, one after the other. Raises RecordError, which names the file."""
    try:
        with path.open("rb") as file:
            yield from read_lines(file)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def read_lines(lines: Iterable[bytes]) -> Iterator[GameRecord]:
    """The records of a text in either format: JSON if its first line that is not empty begins with a brace."""
    lines = iter(lines)
    first: list[bytes] = []
    for line in lines:
        first.append(line)
        if line.strip():
            break
    found = "jsonl" if first and first[-1].lstrip().startswith(b"{") else "ugsg"
    return FORMATS[found].read(chain(first, lines))


def write_all(records: Iterable[GameRecord], name: str) -> Iterator[bytes]:
    """The text of several records in the format of that name, piece by piece. Raises RecordError, KeyError."""
    chosen = FORMATS[name]
    for number, record in enumerate(records):
        yield (chosen.between if number else b"") + chosen.write(record)
