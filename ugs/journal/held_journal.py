"""Holds a journal to write it, in any kind of database."""

from collections.abc import Callable
from pathlib import Path

from ugs.journal.database_contract import JournalStore
from ugs.journal.open_journal import no_driver
from ugs.journal.sqlite_store import SqliteStore
from ugs.places import Place


def hold(
    place: Place, keep: str = "results", waits: Callable[[], object] | None = None, *, make: bool = True
) -> JournalStore:
    """Hold a journal as its only writer. ``keep`` is what is on disk before peers learn of it: ``results``, or also
    ``moves``, which a directory has in its write-ahead files. With ``waits``, another server that holds a
    database is waited for, and ``waits`` called first. Without ``make``, a place without a journal is refused, and
    nothing made there. Raises :class:`JournalError` when that is impossible."""
    if isinstance(place, Path):
        return SqliteStore(place, make=make)
    # Imported here: psycopg is an extra, and a directory needs none of it.
    try:
        from ugs.journal.postgresql.postgresql_store import PostgresqlStore  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    return PostgresqlStore(place, keep=keep, waits=waits, make=make)
