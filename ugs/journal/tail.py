"""The tail of the journal: what has been recorded of games that may outlive the server, and is on its way to the disk.

A transaction takes milliseconds, and nobody waits for it before a move is passed on. A server that is killed in these
milliseconds would remember a game as it was a few moves ago, while its players know better. So entries of games that
may go on are handed to the operating system, too, before anything that follows from them is sent: that survives the
end of the process (though not a power cut), and costs one call for all of a step.

There are two files. While a transaction writes what the one holds, the other takes what comes; after it the first is
emptied. Each record is a line with the id of the game, the number of the entry in it and its length, and the entry.
"""

import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

NAMES = ("tail-a", "tail-b")
"""The files in the data directory."""
RECORD = b"%b %d %d\n%b"


class Tail:
    """Writes the tail of one server. What cannot be written is left out: a disk that is full is the journal's to
    report, and it soon does."""

    def __init__(self, directory: Path) -> None:
        """Empty the files in this directory, or make them. Raises OSError."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        self._files = [os.open(directory / name, flags, 0o600) for name in NAMES]
        self._filled = [False, False]
        self._current = 0
        self._unwritten: list[bytes] = []

    def add(self, game_id: str, number: int, framed: bytes) -> None:
        """An entry, the ``number``-th of its game (from 0), as :func:`ugs.journal.entries.write_entry` frames it."""
        self._unwritten.append(RECORD % (game_id.encode(), number, len(framed), framed))

    def write(self) -> None:
        """Hand over what has been added."""
        if self._unwritten:
            data = b"".join(self._unwritten)
            self._unwritten.clear()
            self._filled[self._current] = True
            with suppress(OSError):
                os.write(self._files[self._current], data)

    def taken(self) -> None:
        """All that has been added is going to be written by one transaction; what comes now goes into the other
        file."""
        self._current = 1 - self._current

    def on_disk(self) -> None:
        """That transaction is done, or has been given up."""
        self._empty(1 - self._current)

    def close(self) -> None:
        """Nothing more will come, and all of it is on disk."""
        for file in self._files:
            os.close(file)

    def _empty(self, which: int) -> None:
        if self._filled[which]:
            self._filled[which] = False
            with suppress(OSError):
                os.ftruncate(self._files[which], 0)


def read_tail(directory: Path) -> Mapping[str, Mapping[int, bytes]]:
    """What an earlier server has left: framed entries by game id and number. Empty where there is nothing. Raises
    OSError when a file is there and cannot be read."""
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
    """The record at this place and where the next one begins; None where there is no whole one (the server was killed
    in the middle of it)."""
    line_end = data.find(b"\n", at)
    fields = data[at:line_end].split(b" ") if line_end >= 0 else []
    if len(fields) != 3 or not (fields[1].isdigit() and fields[2].isdigit()):
        return None
    end = line_end + 1 + int(fields[2])
    if end > len(data):
        return None
    return fields[0].decode("ascii", "replace"), int(fields[1]), data[line_end + 1 : end], end
