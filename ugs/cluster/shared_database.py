"""The connection to the database of all nodes, for what stands in its tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql.postgresql_connection import connected
from ugs.places import DatabaseUrl


class SharedDatabase:
    """The database at ``url``, for one thread at a time. A connection that broke is made again with the next
    question."""

    def __init__(self, url: DatabaseUrl) -> None:
        self._url = url
        self._db: psycopg.Connection[Any] | None = None

    @contextmanager
    def asked(self) -> Iterator[psycopg.Connection[Any]]:
        """The connection, for the questions in the block. Raises :class:`JournalError` when they cannot be asked."""
        try:
            if self._db is None or self._db.closed:
                self._db = connected(self._url)
            yield self._db
        except psycopg.errors.UndefinedTable as error:
            text = f"{self._url}: no node has ever been here: ugs serve --node NAME --journal URL"
            raise JournalError(text) from error
        except psycopg.Error as error:
            self.close()
            raise unusable(self._url, error) from error

    def close(self) -> None:
        """Close the connection."""
        db, self._db = self._db, None
        if db is not None:
            db.close()


def unusable(url: DatabaseUrl, error: psycopg.Error) -> JournalError:
    """Return what to raise when a database cannot be asked."""
    return JournalError(f"{url}: cannot be used: {' '.join(str(error).split())}")
