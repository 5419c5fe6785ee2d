"""Holds a place for a journal that is filled at once; what was made in a directory is removed when that fails."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE, NEW, OF_SQLITE
from ugs.journal.database_contract import JournalStore
from ugs.journal.held_journal import hold
from ugs.journal.lock import LOCK
from ugs.journal.new_directory import missing, removed_again
from ugs.journal.token_file import FILE as TOKENS
from ugs.journal.write_ahead import NAMES
from ugs.places import Place

MADE: Final = (DATABASE, *(f"{name}{end}" for name in (DATABASE, NEW) for end in OF_SQLITE), NEW, COMMITTED, *NAMES)
"""Without the first of these files, the others are of no journal."""
OF_TOKENS: Final = (TOKENS, f"{TOKENS}-journal")


@contextmanager
def hold_to_fill(place: Place) -> Iterator[JournalStore]:
    """Hold a place within the block, whose connections must be closed at its end. When it raises, a directory without
    a journal is as before; tables that were made in a database stay, empty. Raises
    :class:`~ugs.journal.journal_error.JournalError` when the place cannot be held."""
    if not isinstance(place, Path):
        with closing(hold(place)) as store:
            yield store
        return
    directories = missing(place)
    locked = (place / LOCK).exists()
    with removed_again(directories), closing(hold(place)) as store:
        # Under the lock: what another process makes is never removed.
        made = [] if (place / TOKENS).exists() else [*OF_TOKENS]
        made += [] if (place / DATABASE).exists() else [*MADE, *([] if locked else [LOCK])]
        try:
            yield store
        except BaseException:
            for name in made:  # the lock is last: as long as it is there, no other process begins
                with suppress(OSError):
                    (place / name).unlink()
            raise
