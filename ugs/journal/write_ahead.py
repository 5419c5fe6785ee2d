"""The write-ahead files: entries of games that can outlive the server, until the database has them.

A transaction takes milliseconds, and a move is passed on without waiting for it. Without these files a server killed in
those milliseconds would remember an older position than its players do. So entries of games that can continue are also
handed to the operating system before anything that follows from them is sent. They survive the end of the process
(though not a power cut), at the cost of one system call per step.

There are two files. While a transaction writes the entries of one, new entries go into the other; after the transaction
the first is emptied. Each record is a line with the game id, the number of the entry in its game and its length,
followed by the entry.
"""

import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

NAMES = ("tail-a", "tail-b")
"""The files in the data directory."""
RECORD = b"%b %d %d\n%b"


class WriteAhead:
    """Writes the write-ahead files of one server. Write errors are ignored: a full disk also makes the journal fail,
    which reports it."""

    def __init__(self, directory: Path) -> None:
        """Empty the files in ``directory``, or create them. Raises OSError."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        self._files = [os.open(directory / name, flags, 0o600) for name in NAMES]
        self._filled = [False, False]
        self._current = 0
        self._unwritten: list[bytes] = []

    def add(self, game_id: str, number: int, framed: bytes) -> None:
        """Add entry ``number`` (from 0) of a game, framed by :func:`ugs.journal.entries.write_entry`."""
        self._unwritten.append(RECORD % (game_id.encode(), number, len(framed), framed))

    def write(self) -> None:
        """Hand what was added to the operating system."""
        if self._unwritten:
            data = b"".join(self._unwritten)
            self._unwritten.clear()
            self._filled[self._current] = True
            with suppress(OSError):
                os.write(self._files[self._current], data)

    def taken(self) -> None:
        """A transaction is going to write everything added so far; what is added now goes into the other file."""
        self._current = 1 - self._current

    def on_disk(self) -> None:
        """That transaction is done, or has been given up: empty its file."""
        self._empty(1 - self._current)

    def close(self) -> None:
        """Close the files. Nothing more may be added."""
        for file in self._files:
            os.close(file)

    def _empty(self, which: int) -> None:
        if self._filled[which]:
            self._filled[which] = False
            with suppress(OSError):
                os.ftruncate(self._files[which], 0)


def read_write_ahead(directory: Path) -> Mapping[str, Mapping[int, bytes]]:
    """Read what an earlier server left: framed entries by game id and number, empty if there is nothing. Raises OSError
    when a file exists but cannot be read."""
    found: dict[str, dict[int, bytes]] = defaultdict(dict)
    for name in NAMES:
        path = directory / name
        if path.exists():
            data, at = path.read_bytes(), 0
            while (record := _record(data, at)) is not None:
                game_id, number, framed, at = record
                found[game_id][number] = framed
    return found


def _record(data: bytes, at: int) -> tuple[str, int, bytes, int] | None:
    """The record that begins at ``at``, and where the next one begins. None when there is no complete record (the
    server was killed while writing it)."""
    line_end = data.find(b"\n", at)
    fields = data[at:line_end].split(b" ") if line_end >= 0 else []
    if len(fields) != 3 or not (fields[1].isdigit() and fields[2].isdigit()):
        return None
    end = line_end + 1 + int(fields[2])
    if end > len(data):
        return None
    return fields[0].decode("ascii", "replace"), int(fields[1]), data[line_end + 1 : end], end
