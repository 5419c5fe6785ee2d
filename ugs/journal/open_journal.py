"""Opens a journal to read it, in any kind of database."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from ugs.distributions import install_for
from ugs.journal.committed import Committed
from ugs.journal.database import DATABASE, connect, open_database
from ugs.journal.door import Database
from ugs.journal.journal_error import JournalError, damaged
from ugs.journal.lock import is_held
from ugs.journal.redo import rows_are_owed, write_owed_rows
from ugs.journal.repair.checking import check
from ugs.journal.schema_versions import MIGRATIONS
from ugs.places import Place


def open_to_read(place: Place) -> Database:
    """Open a journal that a server may write at the same time; rows that a killed server owed are written first. Raises
    :class:`JournalError` when there is none, or when that is impossible."""
    if isinstance(place, Path):
        return _open_directory(place)
    try:
        from ugs.journal.postgresql.postgresql_connection import PostgresqlDatabase  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    return PostgresqlDatabase(place, readonly=True)


def no_driver(place: Place, error: ImportError) -> JournalError:
    """Return the error for a database whose package is not installed."""
    return JournalError(f"{place}: needs psycopg ({error}): {install_for('psycopg')}")


def _open_directory(directory: Path) -> Database:
    db = connect(directory, readonly=True)
    try:
        killed = rows_are_owed(db) and not is_held(directory)
    except db.Error as error:
        db.close()
        raise db.unusable(error) from error
    except BaseException:
        db.close()
        raise
    if killed:
        db.close()
        _finish(directory)
        db = connect(directory, readonly=True)
    return db


def _finish(directory: Path) -> None:
    """Write the rows that a killed server owed, unless a server has the journal by now."""
    # As a start does: one more transaction would hide that earlier ones are missing.
    check(directory)
    path = directory / DATABASE
    try:
        with closing(open_database(path, "rw")) as db:
            db.execute("PRAGMA synchronous = FULL")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != max(MIGRATIONS):
                raise _server_needed(path, f"it is of version {version}")
            committed = Committed(directory, create=False)
            try:
                with suppress(_Held), committed.transaction(db):
                    # Within the transaction: a server that starts from now on waits for its end.
                    if is_held(directory):
                        raise _Held
                    write_owed_rows(db)
            finally:
                committed.close()
    except (sqlite3.Error, OSError) as error:
        raise _server_needed(path, str(error)) from error
    except ValueError as error:
        raise damaged(path, error) from error


class _Held(Exception):
    """A server has the journal by now."""


def _server_needed(path: Path, why: str) -> JournalError:
    return JournalError(
        f"{path}: its server was killed, and its last results are yet to be put in their places, which is impossible "
        f"here ({why}): start a server on it"
    )
