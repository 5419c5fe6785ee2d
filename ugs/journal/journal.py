"""The journal of a running server: opened, written into, closed."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ugs.broker.effects import (
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    Recording,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.broker.past import Past
from ugs.journal.collector import Collector
from ugs.journal.continuing import GoingOn
from ugs.journal.lock import DirectoryLock
from ugs.journal.past import read_past
from ugs.journal.pruning import Pruner
from ugs.journal.recovery import recover, wall_us
from ugs.journal.schema import DATABASE, JournalError, connect, unusable
from ugs.journal.tail import Tail
from ugs.journal.writer import Listener, Writer


class Journal:
    """Takes what the broker wants to be written down, and writes it in a thread of its own.

    Everything but :meth:`close` is for the thread in which the broker runs. ``past`` is what the broker is to be given.

    Games in ``past`` go on where they were: entries and the result that are recorded of them belong to the same game.

    When the journal is lost, all that was recorded since the last call of ``kept`` is gone, and whatever is recorded
    goes the same way until :meth:`accept_loss`. After it results, logins and ledgers are kept and written as soon as
    that is possible again; games that begin before then are not followed. Ledgers and sessions are never dropped.
    """

    def __init__(
        self,
        directory: Path,
        *,
        version: str,
        kept: Callable[[list[str]], None],
        lost: Callable[[str], None],
        back: Callable[[], None],
        keep_days: float = 0,
        max_bytes: int = 0,
        retry_s: float = 2.0,
    ) -> None:
        """Open the journal in ``directory``, create or update it, close what an earlier server left open.

        ``version``: of the server. ``kept``, ``lost`` and ``back`` are called in the writer's thread: with the ids of
        games whose results are on disk; with the reason for which nothing can be written; when it can again.
        ``keep_days`` and ``max_bytes`` bound what is kept of games besides their results, 0 is no bound. ``retry_s``:
        seconds between attempts to write again. Raises :class:`JournalError` when the directory cannot be used,
        another server uses it, or the database is damaged.
        """
        self._lock: DirectoryLock | None = DirectoryLock(directory)
        try:
            run, numbers, going_on = self._open(directory, version)
            self._tail = Tail(directory)
        except OSError as error:
            self._lock.release()
            raise JournalError(f"{directory}: cannot be used: {error.strerror}") from error
        except BaseException:
            self._lock.release()
            raise
        self._collector = collector = Collector(*numbers, going_on, self._tail)
        self.entry: Callable[[RecordEntry, int, int, int], None] = collector.entry
        """``entry(effect, wall_us, mono_us, handed_us)``: :meth:`record` for the one effect that comes all the time."""
        self.flush: Callable[[], None] = collector.flush
        """To be called when a step of the broker has ended: what was recorded in it may be written."""
        self._record: dict[type[Recording], Callable[[Any, int, int, int, tuple[int, ...]], None]] = {
            RecordLogin: lambda effect, wall_us, *_: collector.log_in(effect, wall_us),
            RecordLogout: lambda effect, wall_us, *_: collector.log_out(effect, wall_us),
            RecordBegin: lambda effect, wall_us, mono_us, *_: collector.begin(effect, wall_us, mono_us),
            RecordEntry: lambda effect, wall_us, mono_us, handed_us, _: collector.entry(
                effect, wall_us, mono_us, handed_us
            ),
            RecordResult: lambda effect, wall_us, _m, _h, round_trips_us: collector.result(
                effect, wall_us, round_trips_us
            ),
            RecordChampionship: lambda effect, wall_us, *_: collector.championship(effect, wall_us),
            RecordSession: lambda effect, wall_us, *_: collector.session(effect, wall_us),
            RecordSessionOver: lambda effect, wall_us, *_: collector.session(effect, wall_us),
        }
        self._writer = Writer(
            collector,
            directory,
            lambda: connect(directory, create=False),
            run,
            version,
            Listener(kept, lost, back),
            Pruner(keep_days, max_bytes),
            retry_s,
        )
        self._writer.start()

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes have been recorded and are not yet on disk."""
        return self._collector.pending_bytes

    def record(
        self,
        effect: Recording,
        wall_us: int,
        mono_us: int,
        handed_us: int = 0,
        round_trips_us: tuple[int, ...] = (),
    ) -> None:
        """Write this down, at these times in microseconds: on the clock on the wall since 1970 (UTC), on the server's
        own clock, and (of an entry) when the one before it had been handed to the network. ``round_trips_us`` (of a
        result): of the master, then of each seat."""
        self._record[type(effect)](effect, wall_us, mono_us, handed_us, round_trips_us)

    def accept_loss(self) -> None:
        """To be called when the broker is told that the journal is lost: what it records from now on counts."""
        self._collector.accept_loss()

    def close(self) -> None:
        """Write all there is, note that the server ended as it should, and let go of the directory. It waits for the
        disk; another thread may do that, when nothing is recorded any more. A second time it does nothing."""
        lock, self._lock = self._lock, None
        if lock is not None:
            self._collector.end()
            self._writer.join()
            self._tail.close()
            lock.release()

    def _open(self, directory: Path, version: str) -> tuple[int, tuple[int, int, int], list[GoingOn]]:
        """Put the database in order and read the past; the number of this life, the first free numbers, and the games
        that may go on."""
        db = connect(directory)
        try:
            run, going_on = recover(db, directory, version=version, pid=os.getpid())
            self.past: Past = read_past(db, going_on, wall_us())
            numbers = (_first_free(db, "game"), _first_free(db, "login"), _first_free(db, "championship_log"))
            return run, numbers, going_on
        except sqlite3.Error as error:
            raise JournalError(unusable(directory / DATABASE, error)) from error
        except (ValueError, KeyError) as error:
            raise JournalError(f"{directory / DATABASE}: damaged: {error}") from error
        finally:
            db.close()


def _first_free(db: sqlite3.Connection, table: str) -> int:
    (last,) = db.execute(f"SELECT max(id) FROM {table}").fetchone()
    return 1 + int(last or 0)
