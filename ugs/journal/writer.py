"""The thread that writes: one transaction for all that has come since the last, and what to do when it fails."""

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from ugs.journal.batch import Batch
from ugs.journal.collector import Collector
from ugs.journal.pruning import Pruner
from ugs.journal.recovery import wall_us
from ugs.journal.rows import Rows
from ugs.journal.schema import DATABASE, JournalError

PRUNE_EVERY_S = 60.0
"""Seconds between two looks at what is too old or too much."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Whom the writer tells, in its own thread; none of these may raise or take long."""

    kept: Callable[[list[str]], None]
    """The results of these games are on disk."""
    lost: Callable[[str], None]
    """Nothing can be written, for this reason."""
    back: Callable[[], None]
    """It can be written again."""


class Writer:
    """Writes what a collector has, until nothing more comes.

    ``connect`` opens the database in ``directory``; ``run`` is the life of the server that is written about.
    """

    def __init__(
        self,
        collector: Collector,
        directory: Path,
        connect: Callable[[], sqlite3.Connection],
        run: int,
        version: str,
        listener: Listener,
        pruner: Pruner,
        retry_s: float,
    ) -> None:
        self._collector = collector
        self._path = directory / DATABASE
        self._connect = connect
        self._run = run
        self._version = version
        self._listener = listener
        self._pruner = pruner
        self._retry_s = retry_s
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._lost = False
        self._prune_at = monotonic()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait until all is written after the collector has ended."""
        self._thread.join()

    def _work(self) -> None:
        while not self._collector.ended:
            if self._lost:
                self._collector.pause(self._retry_s)
                if not self._collector.unheard:
                    self._retry()
            else:
                self._write(self._collector.take(self._idle_s()))
                self._prune()
        if not self._lost:
            self._write(self._collector.take_now())
        elif not self._collector.unheard:
            self._retry()
        self._finish()

    def _idle_s(self) -> float | None:
        return max(0.0, self._prune_at - monotonic()) if self._pruner.bounded else None

    def _write(self, batch: Batch) -> None:
        """Write a batch and tell of the results in it, or tell that it is lost."""
        if not batch:
            self._collector.done()
            return
        began = monotonic()
        try:
            self._commit(batch)
        except Exception as error:  # whatever went wrong: what was to be kept is not
            self._lose(error, batch)
        else:
            self._tell_kept(batch, monotonic() - began)

    def _retry(self) -> None:
        """Try to write what has been handed over since the loss."""
        batch = self._collector.take_now()
        try:
            self._disconnect()
            self._commit(batch, lost=True)
        except Exception:
            self._disconnect()
            self._collector.put_back(batch)
            return
        self._lost = False
        self._collector.resume()
        self._tell_kept(batch)
        self._listener.back()

    def _tell_kept(self, batch: Batch, took_s: float = 0.0) -> None:
        self._collector.done(took_s)
        if batch.ended:
            self._listener.kept([ended.result.game_id for ended in batch.ended])

    def _lose(self, error: Exception, taken: Batch | None = None) -> None:
        self._lost = True
        self._disconnect()
        self._collector.lose(taken or Batch())
        self._listener.lost(str(error) if isinstance(error, JournalError) else f"{self._path}: {error}")

    def _commit(self, batch: Batch, lost: bool = False) -> None:
        """One transaction. Raises whatever goes wrong; then, as far as can be known, nothing of it is on disk."""
        db, rows = self._connected()
        db.execute("BEGIN IMMEDIATE")
        rows.write(batch)
        if lost:  # something is written even if nothing has come, so that success means that writing works
            db.execute("UPDATE run SET losses = losses + 1 WHERE id = ?", (self._run,))
        db.execute("COMMIT")

    def _connected(self) -> tuple[sqlite3.Connection, Rows]:
        if self._db is None:
            self._db = self._connect()
            self._rows = Rows(self._db, self._run, self._version)
            self._rows.check()
            self._file = self._identity()
        elif self._identity() != self._file:  # writing would go on, into a file that nobody finds
            raise JournalError(f"{self._path}: was taken away")
        return self._db, self._rows

    def _identity(self) -> tuple[int, int]:
        found = os.stat(self._path)
        return found.st_dev, found.st_ino

    def _disconnect(self) -> None:
        """Close the connection, which takes back what has not been committed; forget all that was known of names."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def _prune(self) -> None:
        if self._lost or not self._pruner.bounded or monotonic() < self._prune_at:
            return
        try:
            db, _ = self._connected()
            more = self._pruner.step(db, wall_us())
        except Exception as error:
            self._lose(error)
        else:
            self._prune_at = monotonic() + (0.0 if more else PRUNE_EVERY_S)

    def _finish(self) -> None:
        """The server ends as it should."""
        if self._lost:
            self._disconnect()
            return
        try:
            db, _ = self._connected()
            db.execute("UPDATE run SET ended_us = ?, in_order = 1 WHERE id = ?", (wall_us(), self._run))
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except Exception as error:
            self._lose(error)
        self._disconnect()
