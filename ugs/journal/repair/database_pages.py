"""The rows in the pages of a database, read without SQLite: works with a damaged tree, schema or header.

The format is https://www.sqlite.org/fileformat2.html. Every leaf page holds whole rows, so rows can be read without the
tree above them. The checksum of a row (:mod:`ugs.journal.checksums`) shows which table of a journal it belongs to, and
that it is intact.
"""

import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from ugs.journal.checksums import CHECKED, part_checksum, row_checksum
from ugs.journal.repair.wal import LogFrame, WriteAheadLog

PAGE_SIZE: Final = 4096
"""SQLite's default, which every journal has."""
TABLE_LEAF, TABLE_INNER, INDEX_LEAF, INDEX_INNER = 13, 5, 10, 2
IS_ROOT, IS_FREE, IS_TREE = 1, 2, 5
"""Kinds of pages in the pointer map."""
SCHEMA_COLUMNS: Final = 5
INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The sizes of integers by their type."""

Value: TypeAlias = int | str | bytes | None


class DatabaseRow(NamedTuple):
    """A row as it was written."""

    table: str
    cells: tuple[Value, ...]
    """In the order of the columns in the SQL table, including ``crc``."""


class Lost(NamedTuple):
    """Something that cannot be read, or has changed."""

    page: int
    table: str
    """Empty if unknown."""
    row: int
    """The id of the row; 0 if unknown. Both may be wrong, since they are damaged too."""


class Pages:
    """The pages of a database, including those only in its write-ahead log; a context manager."""

    def __init__(self, path: Path, log: WriteAheadLog) -> None:
        """Raises OSError."""
        self._file: BinaryIO = path.open("rb")
        self._in_file = (os.fstat(self._file.fileno()).st_size + PAGE_SIZE - 1) // PAGE_SIZE
        self._in_log: dict[int, bytes] = {}
        frames = _committed(log) if log.page_size == PAGE_SIZE else []
        for frame in frames:
            self._in_log[frame.page] = frame.content
        pages_counted = frames[-1].pages if frames else struct.unpack(">I", self[1][28:32])[0]
        there = max(self._in_file, *self._in_log, 0) if self._in_log else self._in_file
        self.missing = max(0, pages_counted - there) if pages_counted < 2 * there + 1000 else 0
        """Pages missing at the end."""
        self.last = there
        self._free = self._free_pages()

    def __enter__(self) -> "Pages":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getitem__(self, number: int) -> bytes:
        found = self._in_log.get(number)
        if found is None:
            self._file.seek((number - 1) * PAGE_SIZE)
            found = self._file.read(PAGE_SIZE)
        return found.ljust(PAGE_SIZE, b"\0")

    def kinds(self) -> Iterator[tuple[int, bool, bool]]:
        """Yield the pages that may hold rows: number, whether it is certainly a page of a tree, and whether it may be
        free (its rows may have been deleted long ago)."""
        for number in range(1, self.last + 1):
            if number != 1 and (number - 2) % (PAGE_SIZE // 5 + 1) == 0:
                continue  # a page of the map
            kind = self._mapped(number)
            free = (kind == IS_FREE) + (number in self._free)
            # Free by the map and by the list: only then it is certain that its rows were deleted.
            if free < 2:
                yield number, kind in (IS_ROOT, IS_TREE), bool(free)

    def _mapped(self, number: int) -> int:
        if number == 1:
            return IS_ROOT
        step = PAGE_SIZE // 5 + 1
        page = (number - 2) // step * step + 2
        return self[page][(number - page - 1) * 5]

    def _free_pages(self) -> set[int]:
        """Return the pages in the list of free pages, as far as it can be read."""
        found: set[int] = set()
        (trunk,) = struct.unpack(">I", self[1][32:36])
        # A damaged list may lead round in a circle.
        while 1 < trunk <= self.last and trunk not in found:
            found.add(trunk)
            page = self[trunk]
            following, count = struct.unpack(">II", page[:8])
            found.update(struct.unpack(f">{min(count, 1000)}I", page[8 : 8 + 4 * min(count, 1000)]))
            trunk = following
        return found


def rows(pages: Pages, columns: Mapping[str, Sequence[str]]) -> Iterator[DatabaseRow | Lost]:
    """Yield all rows whose checksum is right, and what cannot be read. ``columns`` has the columns of each table, in
    order. Rows on pages that may be free come last."""
    tables: dict[int, list[str]] = {}
    for table, names in columns.items():
        tables.setdefault(len(names), []).append(table)
    doubtful = []
    for number, tree, free in pages.kinds():
        if free:
            doubtful.append(number)
        else:
            yield from _on_page(pages, number, tree, tables, columns)
    for number in doubtful:
        yield from (row for row in _on_page(pages, number, False, tables, columns) if isinstance(row, DatabaseRow))


def _on_page(
    pages: Pages, number: int, tree: bool, tables: Mapping[int, list[str]], columns: Mapping[str, Sequence[str]]
) -> Iterator[DatabaseRow | Lost]:
    page = pages[number]
    start = 100 if number == 1 else 0
    kind = page[start]
    if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INNER):
        if tree and kind != TABLE_INNER:
            yield Lost(number, "", 0)
        return
    (count,) = struct.unpack(">H", page[start + 3 : start + 5])
    head = start + (12 if kind == INDEX_INNER else 8)
    if head + 2 * count > PAGE_SIZE:
        yield Lost(number, "", 0)
        return
    for (at,) in struct.iter_unpack(">H", page[head : head + 2 * count]):
        row: DatabaseRow | Lost | None
        try:
            row_id, values = _cell(pages, page, at, kind)
        except (ValueError, IndexError, struct.error):
            row = Lost(number, "", 0)
        else:
            row = _row(number, row_id, values, tables.get(len(values), ()), columns)
            if row is None and len(values) == SCHEMA_COLUMNS:
                continue
        if isinstance(row, DatabaseRow) or (tree and kind == TABLE_LEAF):
            yield row or Lost(number, "", 0)


def _row(
    page: int, row_id: int, values: list[Value], tables: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> DatabaseRow | Lost | None:
    """Return the row for the table whose checksum fits; a damaged row fits none."""
    for table in tables:
        names = columns[table]
        cells = [row_id if name == "id" else value for name, value in zip(names, values, strict=True)]
        by_name = dict(zip(names, cells, strict=True))
        covered = [by_name[name] for name in CHECKED[table].split(", ")]
        if table in ("part", "packed"):
            _, game, body = covered
            right = (
                isinstance(game, int)
                and isinstance(body, bytes)
                and part_checksum(row_id, game, body, table) == by_name["crc"]
            )
        else:
            right = not any(isinstance(cell, bytes) for cell in covered)
            right = right and row_checksum(table, [c for c in covered if not isinstance(c, bytes)]) == by_name["crc"]
        if right:
            return DatabaseRow(table, tuple(cells))
    return Lost(page, tables[0] if len(tables) == 1 else "", row_id) if tables else None


def _cell(pages: Pages, page: bytes, at: int, kind: int) -> tuple[int, list[Value]]:
    """Return the id (0: none) and the values of the row at byte ``at`` of a page. Raises ValueError, IndexError or
    struct.error when there is none."""
    if kind == INDEX_INNER:
        at += 4
    size, at = _varint(page, at)
    row_id = 0
    if kind == TABLE_LEAF:
        row_id, at = _varint(page, at)
    most = PAGE_SIZE - 35 if kind == TABLE_LEAF else (PAGE_SIZE - 12) * 64 // 255 - 23
    # Thresholds of the file format: what a cell keeps on its page before it goes on in others.
    if size <= most:
        return row_id, _values(page[at : at + size], size)
    least = (PAGE_SIZE - 12) * 32 // 255 - 23
    local = least + (size - least) % (PAGE_SIZE - 4)
    if local > most:
        local = least
    parts = [page[at : at + local]]
    (following,) = struct.unpack(">I", page[at + local : at + local + 4])
    left = size - local
    while left > 0:
        if not 1 < following <= pages.last:
            raise ValueError("a row goes on in a page that is not there")
        overflow = pages[following]
        (following,) = struct.unpack(">I", overflow[:4])
        parts.append(overflow[4 : 4 + left])
        left -= PAGE_SIZE - 4
    return row_id, _values(b"".join(parts), size)


def _values(record: bytes, size: int) -> list[Value]:
    if len(record) != size:
        raise ValueError("a row ends early")
    head, at = _varint(record, 0)
    place = head
    values: list[Value] = []
    while at < head:
        kind, at = _varint(record, at)
        if kind in (0, 8, 9):
            values.append(None if kind == 0 else kind - 8)
            continue
        length = INTEGERS.get(kind, (kind - 12) // 2)
        if length < 0 or place + length > size:
            raise ValueError("a value ends behind its row")
        value = record[place : place + length]
        place += length
        if kind in INTEGERS:
            values.append(int.from_bytes(value, "big", signed=True))
        else:
            values.append(value.decode() if kind % 2 else value)
    return values


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at an offset, and the offset after it."""
    number = 0
    for place in range(at, at + 8):
        byte = data[place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place + 1
    number = number << 8 | data[at + 8]
    return number - (1 << 64) if number >> 63 else number, at + 9


def _committed(log: WriteAheadLog) -> list[LogFrame]:
    """Return the frames up to the end of the last transaction in the log, including damaged ones: the checksums of rows
    show what is wrong in them."""
    frames = list(log.frames())
    salts = [frame.salt for frame in frames]
    salt = log.salt if log.salt in salts else salts[0] if salts else log.salt
    ends = [place for place, frame in enumerate(frames) if frame.salt == salt and frame.pages]
    taken = frames[: ends[-1] + 1] if ends else []
    most = taken[-1].pages if taken else 0
    return [frame for frame in taken if 0 < frame.page <= most or frame is taken[-1]]
