"""Opens a journal to read it, in any kind of database."""

from pathlib import Path
from typing import Final

from ugs.distributions import install_for
from ugs.journal.database import connect
from ugs.journal.database_contract import Database
from ugs.journal.journal_error import JournalError
from ugs.places import Place

SOON_S: Final = 2.0
"""How long a database may take to connect, and for each answer until the first question, of those who do not wait."""
QUERY_S: Final = 10.0
"""The same for each question: one about very many games may take seconds."""


def open_to_read(place: Place, *, soon: bool = False) -> Database:
    """Open a journal that a server may write at the same time. With ``soon``, a database that does not answer is not
    waited for. Raises :class:`JournalError` when there is none."""
    if isinstance(place, Path):
        return connect(place, readonly=True)
    try:
        from ugs.journal.postgresql.postgresql_connection import PostgresqlDatabase  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    if not soon:
        return PostgresqlDatabase(place, readonly=True)
    db = PostgresqlDatabase(place, readonly=True, answers_in_s=SOON_S)
    db.raw.answers_in_s = QUERY_S
    return db


def no_driver(place: Place, error: ImportError) -> JournalError:
    """Return the error for a database whose package is not installed."""
    return JournalError(f"{place}: needs psycopg ({error}): {install_for('psycopg')}")
