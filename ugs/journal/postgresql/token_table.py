"""The list of tokens in a database; see :mod:`ugs.journal.tokens`."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg

from ugs.journal.postgresql.postgresql_connection import PostgresqlDatabase
from ugs.journal.postgresql.postgresql_schema import version_of
from ugs.journal.postgresql.postgresql_store import create
from ugs.places import DatabaseUrl


@contextmanager
def reading(url: DatabaseUrl) -> Iterator[PostgresqlDatabase | None]:
    """Open the list; None if there is none. Raises :class:`~ugs.journal.journal_error.JournalError`."""
    with closing(PostgresqlDatabase(url)) as db:
        try:
            yield db if version_of(db.raw, url) else None
        except psycopg.Error as error:
            raise db.unusable(error) from error


@contextmanager
def writing(url: DatabaseUrl) -> Iterator[PostgresqlDatabase]:
    """Open the list, or create it, in a transaction around the block. Rows get their numbers in the order of their
    commits. Raises :class:`~ugs.journal.journal_error.JournalError`."""
    with closing(PostgresqlDatabase(url)) as db:
        try:
            create(url)
            with db.transaction():
                # Readers ask for rows after a number, so no lower number may be committed later.
                db.raw.execute("LOCK TABLE token IN EXCLUSIVE MODE")
                yield db
        except psycopg.Error as error:
            raise db.unusable(error) from error
