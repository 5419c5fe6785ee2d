"""What the embedded database does in its own way: see :class:`ugs.journal.database_contract.Database`.

Each statement releases the interpreter's lock and waits until the broker's thread gives it back, which under load takes
longer than the statement. So rows are passed as one JSON array that the database takes apart, the entries of a batch as
one byte string with the positions to cut it at, and what is inserted in one transaction waits, to be inserted by one
statement (:class:`ugs.journal.joined_inserts.JoinedInserts`) before the next one of another kind. A transaction
without any other is that one statement, without BEGIN and COMMIT.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ugs.journal.checksums import CHECKED, enable_sealing, seal
from ugs.journal.joined_inserts import JoinedInserts
from ugs.journal.journal_error import JournalError, damaged, unusable

FREE_PAGES: Final = 16
"""This many free pages stay in the database for new rows, or"""
FREE_SHARE: Final = 8
"""one page in this many, if that is more."""

BODIES: Final = """
    INSERT INTO {table} (id, game, body, crc)
    SELECT value ->> 0, value ->> 1, substr({{0}}, value ->> 2, value ->> 3), value ->> 4 FROM json_each({{1}})
"""
DELETE: Final = """
    DELETE FROM part WHERE id IN (
        SELECT old.id FROM json_each(?) AS p
        CROSS JOIN part AS old ON old.id = p.value ->> 0 AND old.game = p.value ->> 1
    )
"""


class SqliteDatabase(sqlite3.Connection):
    """A connection to the file ``path``."""

    path = Path()
    first_id = 1
    _file: tuple[int, int] | None = None
    _joined: JoinedInserts | None = None
    _announced = False
    """Whether a transaction has been announced that nothing has begun yet."""

    def announce(self) -> None:
        """A transaction follows, until :meth:`end_with` or :meth:`undo`. What cannot wait begins it."""
        self._announced = True

    def end_with(self, statement: str, values: Sequence[str]) -> None:
        """End the transaction with this statement, in which ``{0}``, ``{1}`` … stand for the values: all of it is on
        disk then, or nothing if this raises."""
        if self._joined is None:
            self._joined = JoinedInserts()
        self._joined.add(statement, values)
        if self._announced and self._joined.is_one:
            self._announced = False
            for text, parameters in self._joined.take():
                super().execute(text, parameters)
        else:
            self.execute("COMMIT")

    def undo(self) -> None:
        """Nothing of the transaction counts."""
        self._announced = False
        if self._joined is not None:
            self._joined.rolled_back()
        if self.in_transaction:
            self.execute("ROLLBACK")

    def execute(self, statement: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute one statement, after the inserts that wait."""
        if self._joined is not None and statement.startswith("ROLLBACK"):  # also to a savepoint
            self._joined.rolled_back()
        self._begin()
        self._insert_waiting()
        found = super().execute(statement, parameters)
        if self._joined is not None and statement == "COMMIT":
            self._joined.committed()
        return found

    def executemany(self, statement: str, rows: Iterable[Any], /) -> sqlite3.Cursor:
        """Execute one statement for each of these parameters, after the inserts that wait."""
        self._begin()
        self._insert_waiting()
        return super().executemany(statement, rows)

    def insert(self, table: str, rows: Sequence[Sequence[Any]], known: str = "", target: str = "") -> None:
        """Insert rows; SQLite finds by itself the columns that identify existing ones."""
        at_once, each = _statements(table, known)
        text = json.dumps(rows, ensure_ascii=False)
        if "\\u0000" in text:  # SQLite's JSON reader would end the text at a NUL
            self.executemany(each, rows)
        else:
            self._insert(at_once, (text,))

    def add_bodies(self, table: str, rows: Sequence[tuple[int, int, bytes, int]]) -> None:
        """Insert rows into ``part`` or ``packed``, joined: the interpreter's lock is held while they are."""
        places, at = [], 1  # the database counts bytes from 1
        for row, game, body, crc in rows:
            places.append((row, game, at, len(body), crc))
            at += len(body)
        joined = b"".join([body for _, _, body, _ in rows])
        self._insert(BODIES.format(table=table), (joined, json.dumps(places)))

    def seal(self, table: str, condition: str = "", parameters: Sequence[Any] = ()) -> None:
        """Renew the checksums of rows."""
        enable_sealing(self)
        self.execute(f"{seal(table)} {condition}", parameters)

    def delete_parts(self, parts: Sequence[tuple[int, int]]) -> None:
        """Delete rows of ``part``."""
        self.execute(DELETE, (json.dumps(parts),))

    def last_id(self, table: str) -> int:
        """Return the id of the last row."""
        (last,) = self.execute(f"SELECT max(id) FROM {table}").fetchone()
        return int(last or 0)

    def used_bytes(self) -> int:
        """Return the size of the database without its free pages."""
        return (self._pragma("page_count") - self._pragma("freelist_count")) * self._pragma("page_size")

    def give_back(self, pages: int) -> bool:
        """Return free pages to the file system."""
        if not self._pragma("freelist_count"):
            return False
        self.executescript(f"PRAGMA incremental_vacuum({pages})")  # execute() would stop after the first page
        return True

    def much_is_free(self) -> bool:
        """Return whether it is worth the trouble."""
        return self._pragma("freelist_count") > max(FREE_PAGES, self._pragma("page_count") // FREE_SHARE)

    def verify_place(self) -> None:
        """Raise JournalError when the file has been replaced since the first call, OSError when it is gone: SQLite
        would keep writing to the deleted file."""
        # By device and number: a copy put in its place has the same name.
        status = os.stat(self.path)
        found = status.st_dev, status.st_ino
        if self._file is None:
            self._file = found
        elif found != self._file:
            raise JournalError(f"{self.path}: has been removed or replaced")

    def finish(self) -> None:
        """Copy SQLite's write-ahead log into the database."""
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def unusable(self, error: Exception) -> JournalError:
        """Return the error for a failure of SQLite."""
        return unusable(self.path, error)

    def damaged(self, what: object) -> JournalError:
        """Return the error for wrong content."""
        return damaged(self.path, what)

    def _insert(self, statement: str, values: tuple[str | bytes, ...]) -> None:
        """Execute an insert, within a transaction later, together with others."""
        if not (self.in_transaction or self._announced):
            self.execute(statement.format(*(f"?{place}" for place in range(1, len(values) + 1))), values)
            return
        if self._joined is None:
            self._joined = JoinedInserts()
        self._joined.add(statement, values)
        if self._joined.much:
            self._begin()
            self._insert_waiting()

    def _begin(self) -> None:
        """Begin the transaction that was announced, if any was."""
        if self._announced:
            self._announced = False
            super().execute("BEGIN IMMEDIATE")

    def _insert_waiting(self) -> None:
        if self._joined is None:
            return
        if not self.in_transaction:  # SQLite itself rolls back, for instance on a full disk
            self._joined.rolled_back()
        if self._joined.waiting:
            for statement, values in self._joined.take():
                super().execute(statement, values)

    def _pragma(self, name: str) -> int:
        return int(self.execute(f"PRAGMA {name}").fetchone()[0])


@lru_cache(maxsize=64)
def _statements(table: str, known: str) -> tuple[str, str]:
    """Return the statements that insert many rows at once, and one."""
    columns = f"{CHECKED[table]}, crc"
    width = len(columns.split(","))
    cells = ", ".join(f"value ->> {place}" for place in range(width))
    conflict = f"ON CONFLICT {known}" if known else ""
    # "WHERE true" keeps the parser from taking ON CONFLICT for a join.
    return (
        f"INSERT INTO {table} ({columns}) SELECT {cells} FROM json_each({{0}}) WHERE true {conflict}",
        f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * width)}) {conflict}",
    )
