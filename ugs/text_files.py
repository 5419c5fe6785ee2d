"""Files of text that arguments name: bounded, since a device never ends."""

from pathlib import Path
from typing import Final

from ugs.path_faults import reason_of

MAX_BYTES: Final = 16_777_216
"""Bytes of a file."""


class TextFileError(Exception):
    """A file that cannot be read as text; the text names it and the reason."""


def read_text(path: Path) -> str:
    """Return the text in a file. Raises TextFileError when it cannot be read, is too long, or is not UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TextFileError(f"{path}: cannot be read: {reason_of(error)}") from error
    if len(data) > MAX_BYTES:
        raise TextFileError(f"{path}: longer than {MAX_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise TextFileError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
