"""Opens and creates the database of a journal.

It is created under another name and renamed when it is complete and on disk: a process killed meanwhile leaves no
journal.

The ``application_id`` of a database marks it as a journal, ``user_version`` is its version. An older version is updated
when it is opened for writing; a newer version or the database of another program is left alone.
"""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from ugs.journal.checksums import CHECKED
from ugs.journal.immutable_database import ImmutableDatabase, is_only_to_read, unreadable
from ugs.journal.journal_error import JournalError, damaged, unusable
from ugs.journal.own_files import refuse_strange_files
from ugs.journal.schema_versions import ADDITIVE, MIGRATIONS, SEALED
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.path_faults import reason_of

APPLICATION_ID = 0x55475334
"""``UGS4`` in ASCII."""
DATABASE = "journal.sqlite"
"""The file in the data directory."""
NEW = f"{DATABASE}.new"
"""The file while it is created."""
OF_SQLITE = ("-journal", "-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database."""
BUSY_S = 5.0
"""Seconds to wait for another process that writes to the same database; there should be none."""
WAL_BYTES = 32 * 1024 * 1024
"""SQLite's write-ahead log is truncated to this size after it has been copied into the database."""
OLDEST_SQLITE = (3, 38, 0)
"""The first version with the operator ``->>``."""


def connect(
    directory: Path,
    *,
    readonly: bool = False,
    create: bool = True,
    migrations: Mapping[int, Sequence[str]] = MIGRATIONS,
) -> SqliteDatabase:
    """Open the journal of a data directory so that every transaction is on disk when its COMMIT returns.

    The connection is in autocommit mode; a caller that wants a transaction executes BEGIN. With ``readonly`` nothing is
    changed, and a server may write at the same time. Otherwise the SQL tables are updated, or created unless ``create``
    is False. Any thread may use the connection, but only one at a time. Raises :class:`JournalError` when there is no
    journal, or the database is damaged, of a newer version or not a journal.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise JournalError(f"SQLite {needed} or newer is needed, this is {sqlite3.sqlite_version}")
    path = directory / DATABASE
    refuse_strange_files(directory, (DATABASE, *(f"{DATABASE}{end}" for end in OF_SQLITE)))
    if readonly or not create:
        require_database(directory)
    db = None
    try:
        if not readonly and create:
            _create(path, migrations)
        db = open_database(path, "ro" if readonly else "rw")
        _prepare(db, path, readonly, migrations)
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise (unreadable if readonly else unusable)(path, error) from error
    except BaseException:
        if db is not None:
            db.close()
        raise
    return db


def require_database(directory: Path) -> None:
    """Raise :class:`JournalError` when there is no journal in a directory, or this process may not look there."""
    try:
        found = (directory / DATABASE).is_file()
    except OSError as error:  # a directory of another user
        raise JournalError(f"{directory}: cannot be used: {reason_of(error)}") from error
    if not found:
        raise JournalError(f"{directory}: there is no journal here (no file {DATABASE}){_one_below(directory)}")


def _one_below(directory: Path) -> str:
    """Which directory in this one has a journal, as a match keeps it; empty where none has."""
    below = sorted(directory.glob(f"*/{DATABASE}"))
    return f"; there is one in {below[0].parent}" if below else ""


def open_database(path: Path, mode: Literal["ro", "rw"]) -> SqliteDatabase:
    """Open a database without checking its content. A read-only connection leaves SQLite's write-ahead log as it is,
    and needs no right to write where no server uses the database. Raises sqlite3.Error."""
    immutable = mode == "ro" and is_only_to_read(path)
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
        factory=ImmutableDatabase if immutable else SqliteDatabase,
    )
    db.path = path
    return db


def roll_back(directory: Path) -> None:
    """Let SQLite undo the unfinished transaction of a killed process, if there is one. A read-only connection cannot do
    that, and fails. Raises nothing: errors of the database show when it is used."""
    path = directory / DATABASE
    if path.with_name(f"{DATABASE}-journal").exists() and path.exists():
        with suppress(sqlite3.Error), closing(open_database(path, "rw")) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def sync_directory(directory: Path) -> None:
    """Return when new files in a directory are safe from a power cut. Raises OSError."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _create(path: Path, migrations: Mapping[int, Sequence[str]]) -> None:
    """Create the database if there is none, or an empty one. Only its owner may read it; SQLite gives its other files
    the same mode. Raises JournalError and sqlite3.Error."""
    if path.exists() and path.stat().st_size:
        return
    new, log = path.with_name(NEW), path.with_name(f"{path.name}-wal")
    try:
        # An empty database beside a full log has lost its file: a new one would hide what the log still holds.
        if log.exists() and log.stat().st_size:
            raise damaged(path, "it is empty or missing, and its write-ahead log is there")
        for file in (new, *(new.with_name(NEW + end) for end in OF_SQLITE)):
            file.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.fchmod(handle, 0o600)  # regardless of the umask
        os.close(handle)
        with closing(open_database(new, "rw")) as db:
            _prepare(db, new, False, migrations)
            # All in the one file before it gets its name: its log would keep the other name.
            (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise JournalError(f"{path}: cannot be created: another process uses {new}")
        for end in OF_SQLITE:  # left by a process that was killed before the database was complete
            path.with_name(path.name + end).unlink(missing_ok=True)
        # A killed server leaves no journal or a whole one, never half of one (attack `first-starts`).
        new.replace(path)
        sync_directory(path.parent)
    except OSError as error:
        raise JournalError(f"{path}: cannot be created: {reason_of(error)}") from error


def _prepare(db: SqliteDatabase, path: Path, readonly: bool, migrations: Mapping[int, Sequence[str]]) -> None:
    newest = max(migrations)
    version = _version(db, path, newest)
    if readonly:
        if version == 0:
            raise JournalError(f"{path}: there is no journal in here yet")
        steps = [step for step in range(version + 1, newest + 1) if migrations[step]]  # else only entries change
        if not ADDITIVE.issuperset(steps):
            raise JournalError(
                f"{path}: of version {version}, this program reads version {newest}: "
                "start a server on it to bring it up to date"
            )
        for statement in (one for step in steps for one in migrations[step]):
            # A journal of the version before is read as it is: its tables are there, empty, for this connection alone.
            db.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))
        db.execute("PRAGMA query_only = ON")
        return
    if version == 0:
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only takes effect before the first page is written
    # Readers (the page, ugs why) and the writer do not wait for each other.
    db.execute("PRAGMA journal_mode = WAL")
    # A result is on disk before it is announced; NORMAL would lose the last ones in a power cut.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA temp_store = MEMORY")  # a server may run where no folder for temporary files can be written
    db.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    if version < newest:
        _migrate(db, path, migrations)


def _version(db: SqliteDatabase, path: Path, newest: int) -> int:
    """Return the version of the journal; 0 for an empty database. Raises JournalError for a newer version and for other
    databases."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    if application != APPLICATION_ID:
        (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application or version or tables:
            raise JournalError(f"{path}: not a journal of ugs, but a database of something else")
        return 0
    if version > newest:
        raise JournalError(f"{path}: of version {version}, this program knows versions up to {newest}: it is too old")
    return version


def _migrate(db: SqliteDatabase, path: Path, migrations: Mapping[int, Sequence[str]]) -> None:
    """Execute all steps from the current version to the newest, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version = _version(db, path, max(migrations))  # another process may have migrated it meanwhile
        for step in sorted(migrations):
            if step > version:
                for statement in migrations[step]:
                    db.execute(statement)
        if version < SEALED <= max(migrations):
            for table in CHECKED:
                db.seal(table)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {max(migrations)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
