"""The writing thread: one transaction for everything recorded since the last one, and what happens when it fails."""

import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep, thread_time

from ugs.journal.batch import Batch
from ugs.journal.batch_taker import BatchTaker
from ugs.journal.compaction import Compactor
from ugs.journal.door import Database, Transactions
from ugs.journal.journal_error import JournalError
from ugs.journal.places import Place
from ugs.journal.pruning import Pruner
from ugs.journal.row_writer import RowWriter
from ugs.record.times import wall_us
from ugs.value import value

PRUNE_EVERY_S = 60.0
"""Seconds between two checks of the limits of age and size."""
PACKING_S = 0.004
"""How long finished games are packed before the queue is checked again; new items end it earlier."""
PACKING_REST_S = 0.001
"""How long the writer then waits for new items."""
PACKING_AGAIN_S = 60.0
"""Seconds until packing is tried again after a failure, for instance a full disk."""


@value
class Callbacks:
    """Functions that the writer calls in its own thread. They must not raise or take long."""

    kept: Callable[[list[str]], None]
    """The results of these games are on disk."""
    lost: Callable[[str], None]
    """Nothing can be written, for this reason."""
    back: Callable[[], None]
    """Writing works again."""


class Writer:
    """Writes the batches that ``taker`` takes, until nothing more arrives.

    ``connect`` opens the journal at ``place``, ``committed`` carries out transactions; ``run`` is the id of this
    run of the server.
    """

    def __init__(
        self,
        taker: BatchTaker,
        place: Place,
        connect: Callable[[], Database],
        committed: Transactions,
        run: int,
        version: str,
        callbacks: Callbacks,
        pruner: Pruner,
        retry_s: float,
    ) -> None:
        self._taker = taker
        self._place = place
        self._connect = connect
        self._committed = committed
        self._run = run
        self._version = version
        self._callbacks = callbacks
        self._pruner = pruner
        self._retry_s = retry_s
        self._db: Database | None = None
        self._lost = False
        self._compactor: Compactor | None = None
        self._pack_at = self._prune_at = monotonic()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)

    @property
    def settled(self) -> bool:
        """Whether everything is written, and all finished games are packed."""
        compactor = self._compactor
        return not self._taker.pending_bytes and compactor is not None and not compactor.busy

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait until everything is written. Call it after the end of the hand-over."""
        self._thread.join()

    def _work(self) -> None:
        while not self._taker.ended:
            try:
                self._step()
            except Exception as error:  # a bug: without this thread results would wait for ever, unnoticed
                if self._lost:
                    sleep(self._retry_s)
                else:
                    self._lose(error)
        if not self._lost:
            self._write(self._taker.take_now())
        elif not self._taker.loss_unannounced:
            self._retry()
        self._finish()

    def _step(self) -> None:
        if self._lost:
            self._taker.pause(self._retry_s)
            if not self._taker.loss_unannounced:
                self._retry()
        else:
            self._write(self._taker.take(self._idle_s()))
            self._prune()
            self._pack()

    def _idle_s(self) -> float | None:
        """Return how long there is nothing to do, as far as known; None: until new items arrive."""
        now = monotonic()
        waits = []
        if self._pruner.bounded:
            waits.append(self._prune_at - now)
        if self._compactor is None or self._compactor.busy:
            waits.append(max(PACKING_REST_S, self._pack_at - now))
        return max(0.0, min(waits)) if waits else None

    def _write(self, batch: Batch) -> None:
        """Write a batch and report the results in it, or report that it is lost."""
        if not batch:
            self._taker.done()
            return
        began, worked = monotonic(), thread_time()
        try:
            self._commit(batch)
        except Exception as error:  # any error means that the batch is not on disk
            self._lose(error, batch)
        else:
            self._tell_kept(batch, monotonic() - began, thread_time() - worked)

    def _retry(self) -> None:
        """Try to write what was recorded since the loss."""
        batch = self._taker.take_now()
        try:
            self._disconnect()
            self._commit(batch, lost=True)
        except Exception:
            self._disconnect()
            self._taker.put_back(batch)
            return
        self._lost = False
        self._taker.resume()
        self._tell_kept(batch)
        self._callbacks.back()

    def _tell_kept(self, batch: Batch, took_s: float = 0.0, processor_s: float = 0.0) -> None:
        if batch.ended and self._compactor is not None:
            self._compactor.game_over()
        self._taker.done(took_s, processor_s)
        if batch.ended:
            self._callbacks.kept([ended.result.game_id for ended in batch.ended])

    def _lose(self, error: Exception, taken: Batch | None = None) -> None:
        self._lost = True
        self._disconnect()
        self._taker.lose(taken or Batch())
        self._callbacks.lost(str(error) if isinstance(error, JournalError) else f"{self._place}: {error}")

    def _commit(self, batch: Batch, lost: bool = False) -> None:
        """Write a batch in one transaction. After any exception, nothing of the batch is on disk, as far as can be
        known."""
        db, rows = self._connected()
        with self._committed.transaction(db):
            rows.write(batch)
            if lost:
                db.execute("UPDATE run SET losses = losses + 1 WHERE id = ?", (self._run,))
                db.seal("run", "WHERE id = ?", (self._run,))

    def _connected(self) -> tuple[Database, RowWriter]:
        if self._db is None:
            self._db = self._connect()
            self._rows = RowWriter(self._db, self._run, self._version)
            self._rows.check()
            self._compactor = Compactor(self._db, self._committed)
        self._db.verify_place()
        return self._db, self._rows

    def _disconnect(self) -> None:
        """Close the connection, which rolls back an open transaction, and forget the ids of names."""
        db, self._db, self._compactor = self._db, None, None
        if db is not None:
            with suppress(db.Error):
                db.close()

    def _prune(self) -> None:
        if self._lost or not self._pruner.bounded or monotonic() < self._prune_at:
            return
        try:
            db, _ = self._connected()
            more = self._pruner.step(db, self._committed, wall_us())
        except Exception as error:
            self._lose(error)
        else:
            self._prune_at = monotonic() + (0.0 if more else PRUNE_EVERY_S)

    def _pack(self) -> None:
        """Pack finished games for a moment. A failure does no harm: the games stay as they are."""
        if self._lost or monotonic() < self._pack_at:
            return
        try:
            self._connected()
        except Exception as error:
            self._lose(error)
            return
        assert self._compactor is not None
        until = monotonic() + PACKING_S
        try:
            while self._compactor.busy and not self._taker.has_content and monotonic() < until:
                self._compactor.step()
                sleep(0)  # let the broker's thread have the interpreter's lock
        except Exception:  # any failure: SQLite, memory, a game that cannot be packed
            self._pack_at = monotonic() + PACKING_AGAIN_S

    def _finish(self) -> None:
        """Record that the server ends in order."""
        if self._lost:
            self._disconnect()
            return
        try:
            db, _ = self._connected()
            with self._committed.transaction(db):
                db.execute("UPDATE run SET ended_us = ?, in_order = 1 WHERE id = ?", (wall_us(), self._run))
                db.seal("run", "WHERE id = ?", (self._run,))
            db.finish()
        except Exception as error:
            self._lose(error)
        self._disconnect()
