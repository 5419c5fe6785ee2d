"""The write-ahead files: entries of games that can outlive the server, until the database has them.

A transaction takes milliseconds, and a move is passed on without waiting for it. Without these files, a server killed
in that time would remember an older position than its players. So entries of games that can continue are also handed to
the operating system before anything that depends on them is sent. They survive the end of the process (though not a
power cut), at the cost of one system call per step.

If a record cannot be written, players know more than is on disk. If the journal is lost, all running games are void,
and only the players know. In both cases the files are removed, which works on a full disk: without them the next server
continues no game.

There are two files. While a transaction writes the entries of one, new entries go into the other; after the transaction
the first is emptied. Each record is a line with a plus, the game id, the number of the entry in its game, its length,
its checksum and that of the line so far, followed by the entry as the database gets it. A payload that it repeats
(:mod:`ugs.journal.entries`) is in the same file, since files change when parts begin. A record that is cut off, or
never reached the disk, is the end of a file after a power cut; any other mismatch is damage.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from ugs.journal.entries import whole_entries
from ugs.journal.journal_error import damaged

NAMES = ("tail-a", "tail-b")
"""The files in the data directory."""
SECTOR = 512
"""A power cut leaves at least this many zeros in place of lost bytes, or zeros up to the end of the file."""


class WriteAhead:
    """Writes the write-ahead files of one server. If that fails, the files are removed until a transaction has written
    everything: on a full disk, the journal may still have space of its own."""

    def __init__(self, directory: Path) -> None:
        """Empty the files in ``directory``, or create them. Raises OSError."""
        self._paths = [directory / name for name in NAMES]
        self._files = self._opened()
        """Empty while they are given up."""
        self._sizes = [0, 0]
        self._current = 0
        self._unwritten: list[bytes] = []
        self._has_missed = False
        """Whether an entry added since the last transaction began is in no file."""

    def add(self, game_id: str, number: int, framed: bytes) -> None:
        """Add entry ``number`` (from 0) of a game, framed as in a part that began when :meth:`taken` was called."""
        self._unwritten.append(write_record(game_id, number, framed))

    def write(self) -> None:
        """Pass the added entries to the operating system."""
        if self._unwritten:
            data = b"".join(self._unwritten)
            self._unwritten.clear()
            if not self._files:
                self._has_missed = True
                return
            file, size = self._files[self._current], self._sizes[self._current]
            try:
                # A part of it counts as nothing: a record that is cut off would hide those written behind it.
                whole = os.write(file, data) == len(data)
            except OSError:
                whole = False
            if whole:
                self._sizes[self._current] = size + len(data)
            else:
                self._has_missed = True
                self.give_up()

    def taken(self) -> None:
        """A transaction will write everything added so far; new entries go into the other file."""
        self._current = 1 - self._current
        self._has_missed = False

    def on_disk(self) -> None:
        """That transaction is done: empty its file."""
        self._empty(1 - self._current)
        if not self._has_missed:
            self.begin_again()

    def give_up(self) -> None:
        """Remove the files: an entry is in no file, or the journal is lost. If the server ends now, no game goes on."""
        self.close()
        for path in self._paths:
            with suppress(OSError):
                path.unlink()

    def begin_again(self) -> None:
        """The database has everything: new entries go into files again, if there is space."""
        if not self._files:
            with suppress(OSError):
                self._files = self._opened()

    def close(self) -> None:
        """Close the files. Entries added later are dropped."""
        files, self._files, self._sizes = self._files, [], [0, 0]
        for file in files:
            os.close(file)

    def _opened(self) -> list[int]:
        """Open both files, empty. Raises OSError, and then leaves none open."""
        # O_APPEND: after a file is emptied, the next record must begin at its new end, not behind a hole.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        files: list[int] = []
        try:
            for path in self._paths:
                files.append(os.open(path, flags, 0o600))
        except OSError:
            for file in files:
                os.close(file)
            raise
        return files

    def _empty(self, which: int) -> None:
        if self._sizes[which]:
            self._sizes[which] = 0
            with suppress(OSError):
                os.ftruncate(self._files[which], 0)


def read_write_ahead(directory: Path) -> Mapping[str, Mapping[int, bytes]]:
    """Read the entries that an earlier server left: framed, by game id and number; empty if there are none. Raises
    OSError when a file exists but cannot be read, JournalError when it is damaged.

    Changes stay changes in memory: whole payloads of large states would take sixteen times as much. An entry is made
    whole on lookup, which is cheap in order."""
    found: dict[str, Tail] = defaultdict(Tail)
    for name in NAMES:
        path = directory / name
        if path.exists():
            data = path.read_bytes()
            games: dict[str, tuple[int, dict[bytes, bytes]]] = {}
            for offset, record in _stored(data):
                if record is None or _whole(record, games) is None:
                    raise damaged(path, f"the record at byte {offset} fails its checksum")
                found[record[0]].add(name, record)
    return found


class Tail(Mapping[int, bytes]):
    """The entries of one game in write-ahead files, by their number, each with its whole payload."""

    def __init__(self) -> None:
        self._records: defaultdict[str, list[tuple[str, int, bytes]]] = defaultdict(list)
        """The records as stored, by file name."""
        self._places: dict[int, tuple[str, int]] = {}
        """For each number: the file, and the index of the record in it."""
        self._at: tuple[str, int] = "", 0
        """Records up to this place were made whole last."""
        self._games: dict[str, tuple[int, dict[bytes, bytes]]] = {}
        """The payloads that the next record there may repeat."""

    def add(self, name: str, record: tuple[str, int, bytes]) -> None:
        """Add a record of a file."""
        self._places[record[1]] = name, len(self._records[name])
        self._records[name].append(record)

    def __getitem__(self, number: int) -> bytes:
        """Return one entry, whole."""
        name, wanted = self._places[number]
        at, passed = self._at
        if at != name or passed > wanted:
            passed, self._games = 0, {}
        whole = None
        for record in self._records[name][passed : wanted + 1]:
            whole = _whole(record, self._games)
        self._at = name, wanted + 1
        assert whole is not None  # it was, when it was read
        return whole[2]

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers of the entries."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._places)


def records(data: bytes) -> Iterator[tuple[int, tuple[str, int, bytes] | None]]:
    """Yield the records of a file, each with its byte offset: game id, number, framed entry with its whole payload.
    Yields None for a record that is damaged or repeats a damaged one, then goes on with the next intact one, if any."""
    games: dict[str, tuple[int, dict[bytes, bytes]]] = {}
    for at, record in _stored(data):
        yield at, None if record is None else _whole(record, games)


def _whole(
    record: tuple[str, int, bytes], games: dict[str, tuple[int, dict[bytes, bytes]]]
) -> tuple[str, int, bytes] | None:
    """Return a record with its whole payload; None if the payload that it repeats is missing. ``games`` has the number
    of the next entry and the payloads so far, by game."""
    game_id, number, framed = record
    following, before = games.get(game_id, (number, {}))
    if number != following:
        before = {}
    games[game_id] = number + 1, before
    try:
        return game_id, number, whole_entries(framed, before)
    except ValueError:
        return None


def _stored(data: bytes) -> Iterator[tuple[int, tuple[str, int, bytes] | None]]:
    """Yield the records as stored."""
    at, end = 0, len(data)
    old = not data.startswith(b"+") and data[: data.find(b"\n")].count(b" ") == 2
    read = _record_of_version_2 if old else _record
    while at < end:
        try:
            record = read(data, at)
        except ValueError:
            if _zeros(data, at):
                return
            yield at, None
            following = data.find(b"\n", at) + 1
            while following and not _begins(data, following):
                following = data.find(b"\n", following) + 1
            if not following:
                return
            at = following
            continue
        if record is None:
            return
        yield at, record[:3]
        at = record[3]


def write_record(game_id: str, number: int, framed: bytes) -> bytes:
    """Return a record of a write-ahead file."""
    line = b"+%b %d %d %08x" % (game_id.encode(), number, len(framed), crc32(framed))
    return b"%b %08x\n%b" % (line, crc32(line), framed)


def _record(data: bytes, at: int) -> tuple[str, int, bytes, int] | None:
    """Return the record that begins at ``at``, and where the next one begins. None if it is cut off. Raises ValueError
    if it is damaged."""
    line_end = data.find(b"\n", at)
    if line_end < 0:
        return None
    line, _, crc = data[at:line_end].rpartition(b" ")
    if crc != b"%08x" % crc32(line):
        raise ValueError("the line is damaged")
    game_id, number, length, crc = line.rsplit(b" ", 3)
    end = line_end + 1 + int(length)
    if end > len(data):
        return None
    framed = data[line_end + 1 : end]
    if crc != b"%08x" % crc32(framed):
        raise ValueError("the entry is damaged")
    return game_id[1:].decode(), int(number), framed, end


def _record_of_version_2(data: bytes, at: int) -> tuple[str, int, bytes, int] | None:
    """Return a record of servers that had no checksums yet, like :func:`_record`."""
    line_end = data.find(b"\n", at)
    fields = data[at:line_end].split(b" ") if line_end >= 0 else []
    if len(fields) != 3 or not (fields[1].isdigit() and fields[2].isdigit()):
        return None
    end = line_end + 1 + int(fields[2])
    if end > len(data):
        return None
    return fields[0].decode("ascii", "replace"), int(fields[1]), data[line_end + 1 : end], end


def _begins(data: bytes, at: int) -> bool:
    """Return whether the line of a record is at ``at``."""
    line, _, crc = data[at : data.find(b"\n", at)].rpartition(b" ")
    return crc == b"%08x" % crc32(line)


def _zeros(data: bytes, at: int) -> bool:
    """Return whether a power cut has kept bytes after ``at`` from the disk."""
    rest = data[at:]
    return bytes(SECTOR) in rest or not rest.strip(b"\0")
