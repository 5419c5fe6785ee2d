"""Whether the code on disk is still the one that the server runs.

A worker starts from what is on disk at that moment. Where the server was upgraded in place, that may be another version
than the one that asks it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import ugs

PACKAGE: Final = Path(ugs.__file__).parent
REPLACED: Final = (
    "the code of this server was replaced while it runs; the page works again when the server is restarted"
)


class CodeBelow:
    """Remembers what lies in a directory of code when it is made."""

    def __init__(self, directory: Path = PACKAGE) -> None:
        self._directory = directory
        self._then = self._now()

    def is_replaced(self) -> bool:
        """Whether a file was changed, added or removed since then. It looks at each: some milliseconds."""
        return self._now() != self._then

    def _now(self) -> int:
        return hash(frozenset(_stamps(str(self._directory))))


def _stamps(directory: str) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of each file; compiled code aside, which is made when it is needed."""
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_dir() and entry.name != "__pycache__":
                    yield from _stamps(entry.path)
                elif entry.is_file():
                    found = entry.stat()
                    yield entry.path, found.st_size, found.st_mtime_ns
    except OSError:
        return  # it goes just now: then it is replaced
