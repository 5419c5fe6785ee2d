"""One writer: the lock that a server holds and a standby waits for, its number, and transactions that need both.

The lock is an advisory one of PostgreSQL, on a connection of its own: it ends with the server, however the server ends.
A connection may break without the server's notice, and another server take the lock meanwhile. So a server that gets
the lock raises the fence, a number in the database, and each transaction fails whose fence or whose count of
transactions is not that of the database: what the earlier server has not committed by then, it never will.
How a standby gets the lock is in :mod:`ugs.journal.postgresql.standby`.
"""

import math
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any, Final

import psycopg

from ugs.journal.checksums import row_checksum
from ugs.journal.database_contract import Database
from ugs.journal.journal_error import FencedOff
from ugs.journal.postgresql.postgresql_connection import LOCK_CLASS, PostgresqlDatabase, broken, connected
from ugs.places import DatabaseUrl

FENCED: Final = "UGS01"
PATIENCE_S: Final = 60.0
"""How long a server that the database has left alone tries to come back before the journal is lost: a database may have
to go over its files when it starts, and a replica takes over after half a minute where Patroni has its defaults."""
RETAKE_S: Final = 10.0
"""How long the lock may seem to belong to a connection that is broken."""
BEAT_S: Final = 1.0
"""Seconds between two looks whether the lock is still held, while nothing is written."""
AGAIN_S: Final = 0.1
"""Seconds between two attempts to take the lock."""
HELD: Final = "SELECT pg_try_advisory_lock(%s, 'writer'::regclass::oid::bigint::int)"


class WriterLock:
    """Holds a journal from :meth:`take` to :meth:`release`."""

    def __init__(self, url: DatabaseUrl, answers_in_s: float = math.inf) -> None:
        """``answers_in_s`` is how long the database may let its connection wait, in seconds."""
        self.url = url
        self.answers_in_s = answers_in_s
        self.fence = 0
        self.db: psycopg.Connection[Any] | None = None
        """The connection that has the lock, or that asks for it."""
        self._use = threading.Lock()
        """Of those who use the connection."""
        self._released = threading.Event()
        self._beats: threading.Thread | None = None

    def take(self) -> bool:
        """Take the lock if it is free, and return whether it was. Raises psycopg.Error."""
        with self._use:
            # Not the writer's: that one may wait for a replica for longer than a standby waits for a sign of life.
            self.connect()
            assert self.db is not None
            found = self.db.execute(HELD, (LOCK_CLASS,)).fetchone()
        taken = bool(found and found[0])
        if taken and self._beats is None:
            # In a thread: a writer whose commit waits for a replica gives a sign of life, too.
            self._beats = threading.Thread(target=self._keep_beating, name="lock", daemon=True)
            self._beats.start()
        return taken

    def _keep_beating(self) -> None:
        """Use the connection from time to time, so that others see that this server does not hang."""
        while not self._released.wait(BEAT_S):
            self.held()

    def connect(self) -> bool:
        """Connect to the database unless that is done already; return whether it was not. Raises psycopg.Error."""
        if self.db is not None and not self.db.closed:
            return False
        self.db = connected(self.url, self.answers_in_s)
        return True

    def held(self) -> bool:
        """Return whether the connection that has the lock still answers."""
        with self._use:
            if self.db is None or self.db.closed:
                return False
            try:
                self.db.execute("SELECT 1")
            except psycopg.Error:
                return False
            return True

    def release(self) -> None:
        """Let another server have it."""
        self._released.set()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection, and with it give up the lock."""
        with self._use:
            db, self.db = self.db, None
            if db is not None:
                with suppress(psycopg.Error):
                    db.close()


class FencedTransactions:
    """The transactions of the server that holds ``lock``. See :class:`ugs.journal.database_contract.Transactions`."""

    patience_s: float = PATIENCE_S
    beat_s: float | None = BEAT_S

    def __init__(self, lock: WriterLock, keep: str) -> None:
        self._lock = lock
        self._keep = keep
        self.ends_when_lost = keep == "moves"
        self._count = 0
        """Transactions in the database, as far as this server knows."""
        self._uncertain = False
        """Whether one more may be there: the connection broke while it was committed."""

    def begin(self, db: PostgresqlDatabase) -> bool:
        """Raise the fence. Returns whether the journal holds all that earlier players have seen: the last server ended
        in order, or kept moves before it sent them. Raises psycopg.Error."""
        with db.transaction():
            # FOR UPDATE: a transaction of the earlier server that is under way is waited for, and counted.
            (count,) = db.execute("SELECT transactions FROM committed WHERE id = 1 FOR UPDATE").fetchone()
            fence, keep, in_order = db.execute("SELECT fence, keep, in_order FROM writer").fetchone()
            self._lock.fence = fence + 1
            name = f"{socket.gethostname()} {os.getpid()}"
            query = "UPDATE writer SET fence = ?, server = ?, keep = ?, in_order = 0"
            db.execute(query, (self._lock.fence, name, self._keep))
            self._counted(db, count)
        self._count = count + 1
        return bool(in_order) or keep == "moves"

    @contextmanager
    def transaction(self, db: Database) -> Iterator[None]:
        """A transaction around the block, which fails when another server has written since. Raises
        :class:`FencedOff` then."""
        assert isinstance(db, PostgresqlDatabase)
        self._uncertain = False
        committing = False
        try:
            with db.transaction():
                yield
                committing = True
                checksum = row_checksum("committed", (1, self._count + 1))
                db.execute("SELECT count_transaction(?, ?, ?)", (self._count, checksum, self._lock.fence))
        except psycopg.Error as error:
            if error.sqlstate == FENCED:
                raise self._fenced() from error
            # The answer to COMMIT was lost: only the count in the database shows whether it was carried out.
            self._uncertain = committing and broken(error)
            raise
        self._count += 1

    def may_pass(self, error: BaseException) -> bool:
        """Return whether trying again may help: the connection is gone, not the database full."""
        return not isinstance(error, FencedOff) and broken(error.__cause__ or error)

    def regain(self, db: Database) -> bool:
        """A new connection of the writer after a failure: make sure that this server still holds the journal. Returns
        whether the transaction that failed last is on disk after all. Raises :class:`FencedOff`, and psycopg.Error."""
        if not self._lock.held():
            self._retake(db)
        (count,) = db.execute("SELECT transactions FROM committed WHERE id = 1").fetchone()
        done = self._uncertain and count == self._count + 1
        # Fewer transactions than were confirmed: a replica took over that lacks some. What peers know would be undone.
        if not (self._is_last(db) and (done or count == self._count)):
            raise self._fenced()
        self._uncertain = False
        self._count = count
        return done

    def holds(self) -> bool:
        """Return whether this server still holds the journal, as far as one round trip shows."""
        return self._lock.held()

    def end(self, db: Database) -> None:
        """Record within the last transaction that the server ends in order."""
        db.execute("UPDATE writer SET in_order = 1 WHERE fence = ?", (self._lock.fence,))

    def close(self) -> None:
        """No transaction may follow."""

    def _retake(self, db: Database) -> None:
        """Take the lock again; the database may still think that the broken connection has it."""
        until = monotonic() + RETAKE_S
        while not self._lock.take():
            if monotonic() > until or not self._is_last(db):
                raise self._fenced()
            sleep(AGAIN_S)

    def _is_last(self, db: Database) -> bool:
        """Whether no other server has held the journal since."""
        return bool(db.execute("SELECT fence FROM writer").fetchone()[0] == self._lock.fence)

    def _counted(self, db: PostgresqlDatabase, count: int) -> None:
        checksum = row_checksum("committed", (1, count + 1))
        db.execute("SELECT count_transaction(?, ?, ?)", (count, checksum, self._lock.fence))

    def _fenced(self) -> FencedOff:
        return FencedOff(f"{self._lock.url}: another server has taken over, or it lacks what it had confirmed")
