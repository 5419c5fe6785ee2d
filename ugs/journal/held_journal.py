"""Holds a journal to write it, whatever database it is in."""

from pathlib import Path

from ugs.journal.door import JournalStore
from ugs.journal.journal_error import JournalError
from ugs.journal.places import Place
from ugs.journal.sqlite_store import SqliteStore


def hold(place: Place) -> JournalStore:
    """Hold a journal as its only writer. Raises :class:`JournalError` when that is impossible."""
    if isinstance(place, Path):
        return SqliteStore(place)
    raise JournalError(f"{place}: this program has no driver for it")
