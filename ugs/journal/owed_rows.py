"""The batches of the writer that are on disk whole, and whose rows it owes (:mod:`ugs.journal.redo`)."""

from time import monotonic
from typing import Final

from ugs.journal.batch import Batch
from ugs.journal.door import Database
from ugs.journal.redo import EMPTY, rows_are_owed
from ugs.journal.row_writer import RowWriter

OWED_S: Final = 0.3
"""Rows are owed for about this long: readers do not see a result before."""
MAX_OWED_BYTES: Final = 4 * 1024 * 1024
"""At most about this many bytes of batches are owed."""
MAX_WHOLE_BYTES: Final = 64 * 1024
"""A batch with more bytes of entries is not written twice."""


class OwedRows:
    """Batches in the table ``redo``. Times are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self._batch = Batch()
        self._bytes = 0
        self._since = 0.0
        self._tried = False
        """Whether anything may be in the table: a row may be there although writing it has failed."""

    def __bool__(self) -> bool:
        """Whether rows are owed."""
        return bool(self._batch)

    @property
    def due_at(self) -> float:
        """When they must be written at the latest."""
        return self._since + OWED_S

    @property
    def due(self) -> bool:
        """Whether they must be written now."""
        return bool(self._batch) and (monotonic() >= self.due_at or self._bytes >= MAX_OWED_BYTES)

    def takes(self, batch: Batch) -> bool:
        """Return whether the rows of this batch may be owed, too."""
        # An act applies to the results in the database: their rows come first.
        if not batch or batch.acts or self.due:
            return False
        return sum(len(entry) for part in batch.parts for entry in part.entries) <= MAX_WHOLE_BYTES

    def trying(self) -> None:
        """A batch is about to be written whole."""
        self._tried = True

    def add(self, batch: Batch, size: int) -> None:
        """This batch is on disk whole, in ``size`` bytes."""
        if not self._batch:
            self._since = monotonic()
        self._batch.extend(batch)
        self._bytes += size

    def write(self, db: Database, rows: RowWriter) -> None:
        """Write the rows within the caller's transaction. When that is on disk, call :meth:`written`."""
        # An empty table: the transaction that failed last is on disk after all, and has written them.
        if self._batch and rows_are_owed(db):
            rows.write(self._batch)
        if self._tried:
            db.execute(EMPTY)

    def written(self) -> bool:
        """Nothing is owed any more. Returns whether results were."""
        ended = bool(self._batch.ended)
        self._batch, self._bytes, self._tried = Batch(), 0, False
        return ended
