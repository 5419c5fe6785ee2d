"""SQLite's write-ahead log, read without SQLite: finds damage, and saves its content.

The format is https://www.sqlite.org/fileformat2.html#the_write_ahead_log. After a header, the log is a sequence of
frames, each with one page of the database. The checksum of a frame continues that of the previous frame, and every
frame has the two numbers ("salt") of the header; frames with another salt are left over from earlier.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ugs.value import value

WAL_SUFFIX: Final = "-wal"
"""The suffix of the log: its name is the database's plus this."""
HEADER: Final = struct.Struct(">8I")
FRAME: Final = struct.Struct(">6I")
MAGIC: Final = 0x377F0682
"""The last bit is the byte order of the checksums."""


class LogFrame(NamedTuple):
    """A frame of a log."""

    number: int
    """From 1."""
    offset: int
    """Where it begins in the file."""
    page: int
    """The number of the page, from 1."""
    pages: int
    """In the last frame of a transaction: the size of the database after it, in pages. Otherwise 0."""
    salt: tuple[int, int]
    checksum: tuple[int, int]
    content: bytes


@value
class LogFault:
    """The first damaged place in a log."""

    text: str
    """For people: the frame, its place in the file, what is wrong."""
    transactions_follow: bool
    """Whether another transaction begins after the one with this place. SQLite waits for the disk before it begins one,
    so then this is damage; otherwise a power cut may have cut off the last transaction."""


class WriteAheadLog:
    """A write-ahead log, read into memory. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes() if path.exists() else b""
        whole = self._data[: HEADER.size].ljust(HEADER.size, b"\0")
        magic, _version, self.page_size, _sequence, *salt, one, two = HEADER.unpack(whole)
        self.salt: tuple[int, int] = (salt[0], salt[1])
        self._pairs = ">II" if magic & 1 else "<II"
        self._checksum = (one, two)
        sums = _sums(self._pairs, whole[:24], (0, 0))
        self.header_is_good = magic & ~1 == MAGIC and sums == self._checksum

    def __bool__(self) -> bool:
        """Whether it has any content."""
        return bool(self._data.strip(b"\0"))

    def frames(self) -> Iterator[LogFrame]:
        """Yield the frames in order, including left-over ones; without an incomplete one at the end."""
        step = FRAME.size + self.page_size
        for number, offset in enumerate(range(HEADER.size, len(self._data) - step + 1, step), 1):
            page, pages, *rest = FRAME.unpack_from(self._data, offset)
            content = self._data[offset + FRAME.size : offset + step]
            yield LogFrame(number, offset, page, pages, (rest[0], rest[1]), (rest[2], rest[3]), content)

    def fault(self) -> LogFault | None:
        """Return the first frame that is damaged or cut off; None if all are intact."""
        if not self:
            return None
        if not self.header_is_good:
            return LogFault("its header (byte 0) fails its checksum", len(self._data) > HEADER.size)
        bad: LogFrame | None = None
        transaction_over = False
        before = self._checksum
        for frame in self.frames():
            good = frame.salt == self.salt and frame.checksum == self._sums(frame, before)
            before = frame.checksum
            # Its checksum continues that of the bad frame, which therefore was whole once.
            if bad is not None and good and transaction_over:
                return LogFault(_where(bad), True)
            if bad is None and not good:
                bad = frame
            if bad is not None and frame.pages and (frame is bad or frame.salt == self.salt):
                transaction_over = True
        return None if bad is None or bad.salt != self.salt else LogFault(_where(bad), False)

    def _sums(self, frame: LogFrame, before: tuple[int, int]) -> tuple[int, int]:
        head = FRAME.pack(frame.page, frame.pages, *frame.salt, *frame.checksum)[:8]
        return _sums(self._pairs, frame.content, _sums(self._pairs, head, before))


def _where(frame: LogFrame) -> str:
    return f"frame {frame.number} (byte {frame.offset}) fails its checksum"


def _sums(pairs: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    """Return SQLite's checksum of ``data``, continued from ``start``."""
    one, two = start
    for first, second in struct.iter_unpack(pairs, data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
