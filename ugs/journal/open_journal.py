"""Opens a journal to read it, in any kind of database."""

from pathlib import Path

from ugs.distributions import install_for
from ugs.journal.database import connect
from ugs.journal.database_contract import Database
from ugs.journal.journal_error import JournalError
from ugs.places import Place


def open_to_read(place: Place) -> Database:
    """Open a journal that a server may write at the same time. Raises :class:`JournalError` when there is none."""
    if isinstance(place, Path):
        return connect(place, readonly=True)
    try:
        from ugs.journal.postgresql.postgresql_connection import PostgresqlDatabase  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    return PostgresqlDatabase(place, readonly=True)


def no_driver(place: Place, error: ImportError) -> JournalError:
    """Return the error for a database whose package is not installed."""
    return JournalError(f"{place}: needs psycopg ({error}): {install_for('psycopg')}")
