"""Files of text that arguments name: bounded, since a device never ends."""

import sys
from pathlib import Path
from typing import Final

from ugs.path_faults import reason_of

MAX_BYTES: Final = 16_777_216
"""Bytes of a file."""
MAX_RECORDED: Final = 268_435_456
"""Bytes of a file in which a program has recorded what was sent."""


class TextFileError(Exception):
    """A file that cannot be read as text; the text names it and the reason."""


def read_text(path: Path, most: int | None = None) -> str:
    """Return the text in a file. Raises TextFileError as :func:`read_bytes` does, and when it is not UTF-8."""
    try:
        return read_bytes(path, most).decode()
    except UnicodeDecodeError as error:
        raise TextFileError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error


def read_stdin() -> bytes:
    """Return what comes on standard input. Raises TextFileError when it is longer than MAX_BYTES."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TextFileError(f"standard input: longer than {MAX_BYTES} bytes")
    return data


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Return what is in a file. Raises TextFileError when it cannot be read, or has more than ``most`` bytes (None:
    MAX_BYTES)."""
    most = MAX_BYTES if most is None else most
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise TextFileError(f"{path}: cannot be read: {reason_of(error)}") from error
    if len(data) > most:
        raise TextFileError(f"{path}: longer than {most} bytes")
    return data
