"""The writing thread: one transaction for everything recorded since the last one, and what happens when it fails."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic, sleep

from ugs.journal.batch import Batch
from ugs.journal.batch_taker import BatchTaker
from ugs.journal.compaction import Compactor
from ugs.journal.database_contract import Database, Transactions
from ugs.journal.journal_error import FencedOff, JournalError
from ugs.journal.packing_pace import PackingPace
from ugs.journal.pruning import Pruner
from ugs.journal.row_writer import RowWriter
from ugs.places import Place
from ugs.record.times import wall_us
from ugs.value import value

PRUNE_EVERY_S = 60.0
"""Seconds between two checks of the limits of age and size."""
PACKING_S = 0.004
"""How long finished games are packed before the queue is checked again; new items end it earlier."""
PACKING_REST_S = 0.001
"""How long the writer then waits for new items."""
RECONNECT_S = 0.1
"""Seconds between two attempts to reach a database that has gone."""


@value
class Callbacks:
    """Functions that the writer calls in its own thread. They must not raise or take long."""

    kept: Callable[[list[str]], None]
    """The results of these games are on disk."""
    lost: Callable[[str], None]
    """Nothing can be written, for this reason."""
    back: Callable[[], None]
    """Writing works again."""
    written: Callable[[], None] = lambda: None
    """Everything up to some step is on disk: see :attr:`ugs.journal.thread_handover.Handover.durable`."""
    gone: Callable[[str], None] = lambda reason: None
    """Another server may have the journal now, for this reason: nothing more may be sent to any peer."""


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
        self._regained = False
        """Whether the transaction that failed last is on disk after all."""
        self._compactor: Compactor | None = None
        self._pace = PackingPace()
        self._prune_at = self._beat_at = monotonic()
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
        try:
            self._write_all()
        except FencedOff as error:
            self._disconnect()
            self._callbacks.gone(str(error))

    def _write_all(self) -> None:
        while not self._taker.ended:
            try:
                self._step()
            except FencedOff:
                raise
            except Exception as error:  # a bug: without this thread results would wait for ever, unnoticed
                if self._lost:
                    sleep(self._retry_s)
                else:
                    self._lose(error)
        if not self._lost:
            self._write(self._taker.take_now())
        # What the broker recorded without knowing of the loss is void: it may not be written now.
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
            self._beat()
            self._prune()
            self._pack()

    def _idle_s(self) -> float | None:
        """Return how long there is nothing to do, as far as known; None: until new items arrive."""
        now = monotonic()
        waits = []
        if self._pruner.bounded:
            waits.append(self._prune_at - now)
        if self._committed.beat_s is not None:
            waits.append(self._beat_at - now)
        if self._compactor is None or self._compactor.busy:
            waits.append(max(PACKING_REST_S, self._pace.wait_s(now)))
        return max(0.0, min(waits)) if waits else None

    def _write(self, batch: Batch) -> None:
        """Write a batch and report the results in it, or report that it is lost."""
        if not batch:
            self._taker.done()
            self._callbacks.written()
            return
        began = monotonic()
        try:
            self._patiently(partial(self._commit, batch))
        except Exception as error:  # any error means that the batch is not on disk
            self._lose(error, batch)
        else:
            ended = monotonic()
            self._report_kept(batch, ended - began)
            if self._taker.busy:
                self._pace.written(ended)

    def _retry(self) -> None:
        """Try to write what was recorded since the loss."""
        batch = self._taker.take_now()
        try:
            self._disconnect()
            self._commit(batch, lost=True)
        except FencedOff:
            raise
        except Exception:
            self._disconnect()
            self._taker.put_back(batch)
            return
        self._lost = False
        self._taker.resume()
        self._report_kept(batch)
        self._callbacks.back()

    def _report_kept(self, batch: Batch, took_s: float = 0.0) -> None:
        if batch.ended and self._compactor is not None:
            self._compactor.game_over()
        self._taker.done(took_s)
        self._callbacks.written()
        if batch.ended:
            self._callbacks.kept([ended.result.game_id for ended in batch.ended])

    def _lose(self, error: Exception, taken: Batch | None = None) -> None:
        if isinstance(error, FencedOff):
            raise error
        if self._committed.ends_when_lost:
            raise FencedOff(f"{self._place}: cannot be written any more: {error}") from error
        self._lost = True
        self._disconnect()
        self._taker.lose(taken or Batch())
        self._callbacks.lost(str(error) if isinstance(error, JournalError) else f"{self._place}: {error}")

    def _patiently(self, commit: Callable[[], None], since: float | None = None) -> None:
        """Commit a transaction, again on a new connection as long as that may help: where the first attempt has reached
        the disk, it is not repeated. ``since`` is when the database was last thought to be there (default: now)."""
        until = (monotonic() if since is None else since) + self._committed.patience_s
        tried = False
        while True:
            try:
                self._connected()
                if tried and self._regained:
                    return
                tried = True
                commit()
                return
            except Exception as error:
                if isinstance(error, FencedOff) or not self._committed.may_pass(error) or monotonic() >= until:
                    raise
            self._disconnect()
            sleep(RECONNECT_S)

    def _commit(self, batch: Batch, lost: bool = False) -> None:
        """Write a batch in one transaction. After any exception, nothing of the batch is on disk, as far as can be
        known."""
        db, rows = self._connected()
        self._regained = False
        with self._committed.transaction(db):
            # All or nothing: a doubtful commit is repeated, and every row can be written twice.
            rows.write(batch)
            if lost:
                db.execute("UPDATE run SET losses = losses + 1 WHERE id = ?", (self._run,))
                db.seal("run", "WHERE id = ?", (self._run,))

    def _connected(self) -> tuple[Database, RowWriter]:
        if self._db is None:
            db = self._connect()
            try:
                self._regained = self._committed.regain(db)
            except BaseException:
                db.close()
                raise
            self._db = db
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

    def _beat(self) -> None:
        """See from time to time whether this server still holds the journal."""
        every_s = self._committed.beat_s
        if every_s is None or self._lost or monotonic() < self._beat_at:
            return
        began = monotonic()
        try:
            if not self._committed.holds():
                self._disconnect()
                # An empty transaction: the fence decides whether this server may still write.
                self._patiently(partial(self._commit, Batch()), began)
        except Exception as error:
            self._lose(error)
        self._beat_at = monotonic() + every_s

    def _prune(self) -> None:
        if self._lost or not self._pruner.bounded or monotonic() < self._prune_at:
            return
        try:
            self._patiently(self._prune_step)
        except Exception as error:
            self._lose(error)

    def _prune_step(self) -> None:
        db, _ = self._connected()
        self._regained = False
        more = self._pruner.step(db, self._committed, wall_us())
        self._prune_at = monotonic() + (0.0 if more else PRUNE_EVERY_S)

    def _pack(self) -> None:
        """Pack finished games for a moment. A failure does no harm: the games stay as they are."""
        began = monotonic()
        if self._lost or self._pace.wait_s(began):
            return
        try:
            self._patiently(lambda: None)
        except Exception as error:
            self._lose(error)
            return
        assert self._compactor is not None
        try:
            while self._compactor.busy and not self._taker.has_content and monotonic() < began + PACKING_S:
                self._compactor.step()
                sleep(0)  # let the broker's thread have the interpreter's lock
        except FencedOff:
            raise
        except Exception as error:  # any failure: the database, memory, a game that cannot be packed
            self._pace.failed(monotonic())
            if self._committed.may_pass(error):
                self._disconnect()
        else:
            self._pace.packed(began, monotonic())

    def _finish(self) -> None:
        """Record that the server ends in order."""
        if self._lost:
            self._disconnect()
            return
        try:
            self._patiently(self._end_run)
            self._connected()[0].finish()
        except Exception as error:
            self._lose(error)
        self._disconnect()

    def _end_run(self) -> None:
        db, _ = self._connected()
        self._regained = False
        with self._committed.transaction(db):
            db.execute("UPDATE run SET ended_us = ?, in_order = 1 WHERE id = ?", (wall_us(), self._run))
            db.seal("run", "WHERE id = ?", (self._run,))
            self._committed.end(db)
