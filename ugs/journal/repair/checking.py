"""The check of a whole journal before a server uses it. It changes nothing.

It finds what SQLite alone misses: changed bytes in rows, transactions lost from a damaged write-ahead log, unreadable
entries in the write-ahead files. 100,000 games take about a second.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from ugs.journal.checksums import BY_SEAT, CHECKED, content_checksum, content_of
from ugs.journal.committed import COMMITTED, transactions, transactions_known
from ugs.journal.database import APPLICATION_ID, DATABASE, open_database
from ugs.journal.journal_error import damaged, unusable
from ugs.journal.repair.wal import WAL_SUFFIX, WriteAheadLog
from ugs.journal.schema_versions import ADDED, MIGRATIONS, SEALED
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.write_ahead import NAMES, read_write_ahead

MIN_PAGE: Final = 512
"""Bytes of the smallest page that SQLite knows."""


def check(directory: Path) -> None:
    """Check the journal in ``directory``, if there is one; no server may be using it. Raises :class:`JournalError` that
    names the first damage, and OSError when a file cannot be read."""
    path = directory / DATABASE
    known = transactions_known(directory)
    # Read only to be checked: it raises where a record is damaged.
    read_write_ahead(directory)
    size = path.stat().st_size if path.exists() else 0
    if size < MIN_PAGE and (known or WriteAheadLog(wal_of(path))):  # SQLite would start an empty database
        lost = f"{known} transactions were in it" if known else "its write-ahead log is there"
        raise damaged(path, f"it is empty or missing, and {lost}")
    if not size:
        return
    # With a log, a power cut may have interrupted copying the log into the database.
    if size % MIN_PAGE and not WriteAheadLog(wal_of(path)):
        raise damaged(path, f"it ends within a page (byte {size})")
    try:
        db = open_database(path, "ro")
        try:
            _check(db, path, known)
        finally:
            db.close()
    except sqlite3.Error as error:
        raise unusable(path, error) from error
    except (ValueError, OverflowError, MemoryError) as error:
        raise damaged(path, error) from error


def missing_files(directory: Path) -> list[str]:
    """Return the names of missing files beside the database; every server creates them. None if there is no journal
    yet. The journal must have passed :func:`check`. A copy of the database alone lacks them, and with them the proof
    that it is complete."""
    path = directory / DATABASE
    if not path.exists() or not path.stat().st_size:
        return []
    with closing(open_database(path, "ro")) as db:
        made = (COMMITTED, *NAMES) if has_checksums(db) else NAMES
    return [name for name in made if not (directory / name).exists()]


def has_checksums(db: sqlite3.Connection) -> bool:
    """Return whether a database has checksums, regardless of its version number."""
    return has_table(db, "committed")


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Return whether there is an SQL table of this name."""
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone() is not None


def wal_of(path: Path) -> Path:
    """Return the path of the write-ahead log of the database at ``path``."""
    return path.with_name(path.name + WAL_SUFFIX)


def _check(db: SqliteDatabase, path: Path, known: int | None) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version > max(MIGRATIONS):
        return  # connect reports what is wrong
    for table, since in {"committed": SEALED, **ADDED}.items():
        if version < since and has_table(db, table):
            raise damaged(path, f"it claims version {version}, but holds what came with version {since}")
    if known is None:
        fault = WriteAheadLog(wal_of(path)).fault()
        if fault is not None and fault.transactions_follow:
            raise damaged(wal_of(path), f"{fault.text}, and transactions follow it")
    if version >= SEALED:
        if known is not None:
            _check_transactions(path, known, transactions(db))
        _check_rows(db, path, version)
    # SQLite's own check sees the structure of pages and indexes, not what is in them.
    (finding,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if finding != "ok":
        raise damaged(path, " ".join(finding.split()))


def _check_transactions(path: Path, known: int, found: int) -> None:
    """Raise JournalError if committed transactions are missing."""
    if found >= known:
        return
    lost = f"of {known} transactions the last {known - found} are lost"
    log = WriteAheadLog(wal_of(path))
    fault = log.fault()
    if fault is not None:
        raise damaged(wal_of(path), f"{fault.text}: {lost}")
    raise damaged(path, f"{lost}, {'and its write-ahead log has an end' if log else 'with the write-ahead log'}")


def _check_rows(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise JournalError if a row does not match its checksum."""
    db.text_factory = bytes  # damaged text is compared like anything else
    try:
        for table in (table for table in CHECKED if version >= ADDED.get(table, SEALED)):
            row: object = None
            key = "game || ', seat ' || seat" if table in BY_SEAT else "id"
            try:
                for row, crc, content in db.execute(f"SELECT {key}, crc, {content_of(table)} FROM {table}"):
                    if content_checksum(table, content) != crc:
                        raise damaged(path, f"table {table}, row {_shown(row)}: its content fails its checksum")
            except sqlite3.Error as error:
                after = "at its beginning" if row is None else f"after row {_shown(row)}"
                raise damaged(path, f"table {table}, {after}: {error}") from error
    finally:
        db.text_factory = str


def _shown(row: object) -> str:
    return row.decode(errors="replace") if isinstance(row, bytes) else str(row)
