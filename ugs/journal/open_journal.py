"""Opens a journal to read it, whatever database it is in."""

from pathlib import Path

from ugs.journal.database import connect
from ugs.journal.door import Database
from ugs.journal.journal_error import JournalError
from ugs.journal.places import Place


def open_to_read(place: Place) -> Database:
    """Open a journal that a server may write at the same time. Raises :class:`JournalError` when there is none."""
    if isinstance(place, Path):
        return connect(place, readonly=True)
    raise JournalError(f"{place}: this program has no driver for it")
