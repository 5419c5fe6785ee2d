"""A checksum in every row, which reveals bytes that have changed on the disk.

SQLite checks the structure of its pages, not their content. So each row of each SQL table has a column ``crc``: the
CRC-32 of its other columns, including the id, which is its place among others. It is written with the row and compared
by the check at the start. The only column that it does not cover, ``result.entries``, is part of an index, and ``PRAGMA
integrity_check`` compares rows and indexes.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias
from zlib import crc32

Cell: TypeAlias = int | str | None

CHECKED: Final[Mapping[str, str]] = {
    "run": "id, version, pid, began_us, ended_us, in_order, losses",
    "game_type": "id, name",
    "player": "id, name",
    "master": "id, name",
    "login": "id, run, role, who, game_type, address, version, players, began_us, ended_us, reason",
    "game": "id, game_id, game_type, master, run, server, began_us, began_mono_us, options, championship, fixture, "
    "counts, seats_total, seed, table_facts, seat_count",
    "result": "id, game, cause, culprit, by_server, void, moves, began_s, ended_s, ended_us, round_trips_us",
    "seat": "game, seat, player, outcome, departure",
    "refused": "game, seat, times",
    "part": "id, game, body",
    "packed": "id, game, body",
    "championship": "id, name, game_type",
    "championship_log": "id, championship, wall_us, what, who, why, data",
    "session": "id, session, digest, nick, game_type, families, pooled, began_us",
    "act": "id, wall_us, kind, subject, game_type, who, why, results_before",
    "committed": "id, transactions",
}
"""The columns that the checksum of a row covers, in order, by SQL table."""

BY_SEAT: Final = frozenset({"seat", "refused"})
"""Tables whose rows have the key ``game, seat``; those of all others have an ``id``."""

_BETWEEN: Final = 31
"""The character between two cells (ASCII: unit separator)."""
_NULL: Final = 30
"""What stands for NULL."""
_BEGINNING: Final = {table: crc32(table.encode()) for table in CHECKED}
"""Equal rows of different tables have different checksums."""


def row_checksum(table: str, cells: Iterable[Cell]) -> int:
    """Return the checksum of a row from its cells in the order of :data:`CHECKED`."""
    # A character of its own, so that NULL and the empty text differ.
    texts = [chr(_NULL) if cell is None else str(cell) for cell in cells]
    return crc32(chr(_BETWEEN).join(texts).encode(), _BEGINNING[table])


def part_checksum(row: int, game: int, body: bytes, table: str = "part") -> int:
    """Return the checksum of a row of the table ``part`` or ``packed``."""
    return crc32(body, crc32(b"%d%c%d%c" % (row, _BETWEEN, game, _BETWEEN), _BEGINNING[table]))


def content_checksum(table: str, content: bytes) -> int:
    """Return the checksum of a row from the result of :func:`content_of`."""
    return crc32(content, _BEGINNING[table])


def content_of(table: str) -> str:
    """Return the SQL expression for the bytes that the checksum of a row covers, as one BLOB."""
    cells = (f"coalesce({column}, char({_NULL}))" for column in CHECKED[table].split(", "))
    return f"CAST({f' || char({_BETWEEN}) || '.join(cells)} AS BLOB)"


def enable_sealing(db: sqlite3.Connection) -> None:
    """Let :func:`seal` work on this connection."""
    db.create_function("row_checksum", 2, content_checksum, deterministic=True)


def seal(table: str) -> str:
    """Return the SQL statement that renews the checksums of a table; a condition may be appended. It calls Python for
    each row, so use it for rare changes."""
    return f"UPDATE {table} SET crc = row_checksum('{table}', {content_of(table)})"
