"""The entries of a finished game, packed: a tenth of their size or less.

Values that differ little from entry to entry are stored together: all kinds, all times, all seats and so on, times as
differences to the previous entry, then the texts, then the payloads. Kinds are numbered as they occur; their words come
first. Numbers are written as eight planes of bytes, the lowest bytes first, so that the higher planes are nearly empty.
There are two streams: the payloads, and everything else. Small amounts of payloads are packed by bz2, a sixth smaller
than zlib but ten times slower; large and tiny amounts by zlib.

A payload that repeats most of the previous one of its kind is packed as changes (:mod:`ugs.journal.changes`): zlib
would need thirty times as long to find the repetition, and looks back only 32 KiB.

Packed entries begin with a line: :data:`MARK`, the id of the last part that they replace, the number of entries, the
length of the first stream, the length of the payloads, and, with changes, the length of the payloads and changes as
stored; then the numbers have one more column. They are stored in pieces, because SQLite wastes half a page on a row of
a bit more than half a page; all but the first begin with :data:`MORE`.
"""

import bz2
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ugs.broker.values.record import EntryKind
from ugs.journal.changes import MIN_BYTES, changed, changes
from ugs.journal.entries import KINDS, NO_SEAT, SEAT_KINDS, SEAT_WORDS, Fields, fields_of
from ugs.record.game import Entry

MARK: Final = b"\x01"
MORE: Final = b"\x02"
PIECE: Final = 990
"""Bytes of a piece: four of them and SQLite's overhead fill a page of 4096 bytes."""
MAX_PIECES: Final = 16
"""Larger results stay in one row: they fill pages of their own, except for the last."""
LEVEL: Final = 6
"""The level of zlib: as fast as entries are read; higher levels save 1 or 2 %."""
SMALL: Final = 64 * 1024
"""Payloads of at most this many bytes together are packed by bz2, unless a caller waits for the result."""
TINY: Final = 100
"""Results of zlib that are this small are kept: bz2 cannot save much there."""
BZ2: Final = b"BZh"
COLUMNS: Final = 7
"""Columns of numbers: clock, wall minus clock, handed, seat, audience, length of the text, length of the payload. With
changes one more: their length, 0 for a whole payload, negative for changes of a seat (:mod:`ugs.journal.entries`)."""


class Packer:
    """Packs entries that are added bit by bit; payloads of at most ``bz2_to`` bytes together are packed by bz2."""

    def __init__(self, bz2_to: int = SMALL) -> None:
        self._bz2_to = bz2_to
        self._words: dict[bytes, int] = {}
        """The words of the kinds that occur, with their numbers."""
        self._kinds = bytearray()
        self._columns: list[list[int]] = [[] for _ in range(COLUMNS + 1)]
        self._before: dict[bytes, bytes] = {}
        self._before_of_seat: dict[tuple[bytes, int, int], bytes] = {}
        """The last payloads that others may repeat, by kind and by kind, seat and audience."""
        self._texts: list[bytes] = []
        self._bodies: list[bytes] = []
        """Payloads and changes; beyond :data:`SMALL` bytes of payloads, the packed stream."""
        self._bodies_length = 0
        self._stated_length = 0
        """The length of payloads and changes as stored."""
        self._stream: Any = None
        self._mono_us = 0
        self._ahead_us = 0

    def add(self, entries: Iterable[Fields]) -> None:
        """Add some entries."""
        clock, ahead, handed, seats, audiences, text_lengths, lengths, edits_lengths = (
            column.append for column in self._columns
        )
        bodies = []
        before_us, ahead_us, words, before = self._mono_us, self._ahead_us, self._words, self._before
        before_of_seat = self._before_of_seat
        for word, wall_us, mono_us, handed_us, seat, audience, text, body in entries:
            self._kinds.append(words.setdefault(word, len(words)))
            clock(mono_us - before_us)
            ahead(wall_us - mono_us - ahead_us)
            handed(_from_handed(handed_us, before_us))
            seats(seat)
            audiences(audience)
            text_lengths(len(text))
            lengths(len(body))
            before_us, ahead_us = mono_us, wall_us - mono_us
            if text:
                self._texts.append(text)
            self._bodies_length += len(body)
            # Found again here: each part begins with whole payloads, a packed game only once.
            edits, sign = None, 1
            if len(body) >= MIN_BYTES:
                base = before.get(word, b"")
                if word in SEAT_WORDS:
                    key = word, seat, audience
                    own, before_of_seat[key] = before_of_seat.get(key), body
                    if own is not None:
                        base, sign = own, -1
                edits = changes(base, body)
                before[word] = body
            edits_lengths(0 if edits is None else sign * len(edits))
            bodies.append(body if edits is None else edits)
        self._mono_us, self._ahead_us = before_us, ahead_us
        joined = b"".join(bodies)
        self._stated_length += len(joined)
        if self._stream is None and self._bodies_length > self._bz2_to:
            # From here on payloads are compressed as they come: a large game is not kept whole.
            self._stream = zlib.compressobj(LEVEL)
            self._bodies = [self._stream.compress(body) for body in self._bodies]
        self._bodies.append(joined if self._stream is None else self._stream.compress(joined))

    def packed(self, last: int = 0) -> bytes:
        """Return all added entries, packed, to replace the parts up to the id ``last``; nothing can be added
        afterwards. Raises OverflowError when a number does not fit into 64 bits."""
        count = len(self._kinds)
        repeats = any(self._columns[COLUMNS])
        head: list[bytes] = [
            b" ".join(self._words),
            b"\n",
            bytes(self._kinds),
            *(_planes(column) for column in self._columns[: COLUMNS + repeats]),
            *self._texts,
        ]
        first = zlib.compress(b"".join(head), LEVEL)
        length = b" %d" % self._stated_length if repeats else b""
        line = b"%b%d %d %d %d%b\n" % (MARK, last, count, len(first), self._bodies_length, length)
        joined = b"".join(self._bodies)
        return line + first + (_smallest(joined) if self._stream is None else joined + self._stream.flush())


def pack(entries: Iterable[Entry], bz2_to: int = SMALL) -> list[bytes]:
    """Pack entries with a :class:`Packer`; returns the pieces. Raises OverflowError when a number does not fit into 64
    bits."""
    packer = Packer(bz2_to)
    packer.add(map(fields_of, entries))
    return pieces(packer.packed())


def pieces(packed: bytes) -> list[bytes]:
    """Return packed entries as the pieces that are stored."""
    count = -(-len(packed) // PIECE)
    if count > MAX_PIECES:
        return [packed]
    size = -(-len(packed) // count)
    return [MORE * bool(at) + packed[at : at + size] for at in range(0, len(packed), size)]


def last_part(piece: bytes) -> int:
    """Return the id of the last part that it replaces; 0 for a piece that is not the first."""
    return int(piece[len(MARK) : piece.index(b" ")]) if piece.startswith(MARK) else 0


class TooLarge(ValueError):
    """The packed entries are larger than the caller wants to unpack."""


def stated_size(piece: bytes) -> tuple[int, int]:
    """Return the number of entries and the bytes of payloads that the first piece of a packed part declares; nothing is
    unpacked. Zeros for a piece that is not the first."""
    if not piece.startswith(MARK):
        return 0, 0
    _, count, _, bodies_length = piece.partition(b"\n")[0][len(MARK) :].split()[:4]
    return int(count), int(bodies_length)


def unpack(stored: Iterable[bytes], most_bytes: int | None = None, *, payloads: bool = True) -> list[Entry]:
    """Return the entries in any number of pieces, in order; without ``payloads``, these are empty, which takes a
    fraction of the time. Raises ValueError when they cannot be read, and :class:`TooLarge` when a stream has more than
    ``most_bytes``; no more than that is unpacked."""
    each = unpack_each(((0, piece) for piece in stored), most_bytes, payloads=payloads)
    return [entry for _, entries in each for entry in entries]


def unpack_each(
    stored: Iterable[tuple[int, bytes]], most_bytes: int | None = None, *, payloads: bool = True
) -> Iterator[tuple[int, list[Entry]]]:
    """Yield the entries of pieces in rows: those packed together, one group after the other, with the id of the first
    row. One group is in memory at a time."""
    unpack_one = _unpack if payloads else _unpack_heads
    first, pieces_of_one = 0, list[bytes]()
    for row, piece in stored:
        if piece.startswith(MARK):
            if pieces_of_one:
                yield first, unpack_one(b"".join(pieces_of_one), most_bytes)
            first, pieces_of_one = row, [piece]
        elif pieces_of_one and piece.startswith(MORE):
            pieces_of_one.append(piece[len(MORE) :])
        else:
            raise ValueError("a packed part has no beginning")
    if pieces_of_one:
        yield first, unpack_one(b"".join(pieces_of_one), most_bytes)


class _Opened(NamedTuple):
    """A packed part before its entries are put together."""

    kinds: list[EntryKind]
    """By number."""
    head: bytes
    """The numbers of the kinds, the columns, the texts."""
    texts: int
    """Where the texts begin."""
    columns: list[Sequence[int]]
    bodies: bytes


def _opened(body: bytes, most_bytes: int | None, *, payloads: bool) -> _Opened:
    line, newline, _ = body.partition(b"\n")
    fields = line[len(MARK) :].split()
    if len(fields) not in (4, 5) or not newline:
        raise ValueError("a packed part has no line at its beginning")
    _, count, first_length, bodies_length = map(int, fields[:4])
    if most_bytes is not None and bodies_length > most_bytes:
        raise TooLarge(f"more than {most_bytes} bytes")
    start = len(line) + 1
    try:
        head = _inflated(body[start : start + first_length], most_bytes)
        bodies = _inflated(body[start + first_length :], most_bytes) if payloads else b""
        if payloads and len(bodies) != int(fields[-1]):
            raise ValueError("its payloads have another length")
    except TooLarge:
        raise
    except (zlib.error, OSError, ValueError) as error:
        raise ValueError(f"a packed part cannot be unpacked: {error}") from error
    words, _, head = head.partition(b"\n")
    kinds = [KINDS[word] for word in words.split() if word in KINDS]
    at = count
    columns: list[Sequence[int]] = []
    for _ in range(COLUMNS + len(fields) - 4):
        columns.append(_numbers(head[at : at + 8 * count], count))
        at += 8 * count
    if len(fields) == 4:
        columns.append([0] * count)
    # The line at the beginning was believed when memory was promised (``most_bytes``): it has to be true.
    if sum(columns[COLUMNS - 1]) != bodies_length:
        raise ValueError("the payloads of a packed part have another length")
    return _Opened(kinds, head, at, columns, bodies)


def _unpack_heads(body: bytes, most_bytes: int | None) -> list[Entry]:
    """Entries without their payloads, which are neither inflated nor put together from changes."""
    kinds, head, at, columns, _ = _opened(body, most_bytes, payloads=False)
    entries: list[Entry] = []
    mono_us = ahead_us = 0
    for place, clock, ahead, handed, seat, audience, length, *_ in zip(head, *columns, strict=False):
        handed_us = _to_handed(handed, mono_us)
        mono_us += clock
        ahead_us += ahead
        text = head[at : at + length].decode("utf-8", "surrogatepass") if length else ""
        at += length
        whose = None if seat == NO_SEAT else seat
        entries.append(Entry(kinds[place], mono_us + ahead_us, mono_us, handed_us, whose, audience, text, b""))
    if at != len(head):
        raise ValueError("a packed part does not end where it should")
    return entries


def _unpack(body: bytes, most_bytes: int | None) -> list[Entry]:
    kinds, head, at, columns, bodies = _opened(body, most_bytes, payloads=True)
    entries: list[Entry] = []
    mono_us = ahead_us = body_at = 0
    before: dict[EntryKind, bytes] = {}
    before_of_seat: dict[tuple[EntryKind, int, int], bytes] = {}
    for place, clock, ahead, handed, seat, audience, text_length, length, edits in zip(head, *columns, strict=False):
        handed_us = _to_handed(handed, mono_us)
        mono_us += clock
        ahead_us += ahead
        kind = kinds[place]
        body = bodies[body_at : body_at + (abs(edits) or length)]
        body_at += len(body)
        key = kind, seat, audience
        if edits:
            body = changed(before.get(kind, b"") if edits > 0 else before_of_seat.get(key, b""), body)
        if len(body) >= MIN_BYTES:
            before[kind] = body
            if kind in SEAT_KINDS:
                before_of_seat[key] = body
        if len(body) != length:
            raise ValueError("a payload in a packed part has another length")
        entries.append(
            Entry(
                kind,
                mono_us + ahead_us,
                mono_us,
                handed_us,
                None if seat == NO_SEAT else seat,
                audience,
                head[at : at + text_length].decode("utf-8", "surrogatepass"),
                body,
            )
        )
        at += text_length
    if (at, body_at) != (len(head), len(bodies)):
        raise ValueError("a packed part does not end where it should")
    return entries


def _inflated(packed: bytes, most_bytes: int | None) -> bytes:
    if most_bytes is None:
        return bz2.decompress(packed) if packed.startswith(BZ2) else zlib.decompress(packed)
    stream: Any = bz2.BZ2Decompressor() if packed.startswith(BZ2) else zlib.decompressobj()
    # One byte more than allowed: a small file can hold gigabytes, and is not unpacked to find that out.
    inflated: bytes = stream.decompress(packed, most_bytes + 1)
    if len(inflated) > most_bytes:
        raise TooLarge(f"more than {most_bytes} bytes")
    return inflated


def _smallest(payloads: bytes) -> bytes:
    """Return small payloads, packed."""
    # bz2 wins on most small amounts, not on all: the smaller one is kept.
    packed = zlib.compress(payloads, LEVEL)
    return packed if len(packed) <= TINY else min(packed, bz2.compress(payloads, 1), key=len)


def _from_handed(handed_us: int, before_us: int) -> int:
    """Return the time relative to the previous entry; 0 (unknown) stays 0."""
    relative = handed_us - before_us
    return 0 if not handed_us else relative + 1 if relative >= 0 else relative


def _to_handed(relative: int, before_us: int) -> int:
    return 0 if not relative else before_us + relative - 1 if relative > 0 else before_us + relative


def _planes(numbers: Sequence[int]) -> bytes:
    try:
        packed = struct.pack(f"<{len(numbers)}q", *numbers)
    except struct.error as error:
        raise OverflowError(str(error)) from error
    return b"".join(packed[plane::8] for plane in range(8))


def _numbers(planes: bytes, count: int) -> Sequence[int]:
    if len(planes) != 8 * count:
        raise ValueError("a packed part ends early")
    packed = bytearray(len(planes))
    for plane in range(8):
        packed[plane::8] = planes[plane * count : (plane + 1) * count]
    return struct.unpack(f"<{count}q", packed)
