"""The journal of a running server: opened, written into, closed."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from ugs.broker.effects import (
    RecordAct,
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
from ugs.journal.batch_taker import BatchTaker
from ugs.journal.committed import COMMITTED
from ugs.journal.continuing_games import UnfinishedGame
from ugs.journal.database_contract import Database, Exposed, JournalStore
from ugs.journal.held_journal import hold
from ugs.journal.past import read_past
from ugs.journal.pruning import Pruner
from ugs.journal.recovery import recover
from ugs.journal.step_collector import StepCollector
from ugs.journal.thread_handover import Handover
from ugs.journal.writer import Callbacks, Writer
from ugs.places import Place
from ugs.record.times import wall_us, written_time


class Journal:
    """Records effects of the broker, and writes them in a thread of its own.

    Call everything but :meth:`close` from the broker's thread. ``past`` is the value to give to the new broker. The
    games in ``past`` continue: entries and results recorded for them are added to the same games.

    When the journal is lost, everything recorded since the last call of ``kept`` is dropped, and so is everything
    recorded before :meth:`accept_loss`. After that call, results, logins and ledgers are kept and written as soon as
    writing works again; of a game that begins while the journal is lost only the result is recorded. Void results,
    ledgers and sessions are never dropped because of a loss (except beyond
    :data:`ugs.journal.step_collector.MAX_WHILE_LOST`). If the server ends before writing works again, none of its games
    continues: the players already know that they are void.
    """

    def __init__(
        self,
        place: Place,
        *,
        version: str,
        kept: Callable[[list[str]], None],
        lost: Callable[[str], None],
        back: Callable[[], None],
        keep_days: float = 0,
        max_bytes: int = 0,
        retry_s: float = 2.0,
        most_rows: int = sys.maxsize,
        keep: str = "results",
        written: Callable[[], None] = lambda: None,
        gone: Callable[[str], None] = lambda reason: None,
        waits: Callable[[], object] | None = None,
    ) -> None:
        """Open the journal at ``place``, create or update it, and close what an earlier server left open.

        ``version`` is the server's. ``kept``, ``lost`` and ``back`` are called in the writer's thread: ``kept`` with
        the ids of games whose results are on disk, ``lost`` with the reason why nothing can be written, ``back`` when
        writing works again. ``keep_days`` and ``max_bytes`` limit what is kept of games besides their results; 0 means
        no limit. ``retry_s`` is the number of seconds between attempts to write again; ``most_rows`` how many rows of
        open play are read for ``past``. With ``waits``, a server that holds a database is waited for, and ``waits``
        called first. Raises :class:`JournalError`
        when it cannot be used, another server uses it, or the database is damaged.
        """
        self._most_rows = most_rows
        self._store: JournalStore | None = (store := hold(place, keep, waits))
        try:
            self.facts: Mapping[str, str] = store.facts
            """What people should know of the database."""
            self.doubt: str = store.doubt
            """Why what it confirms may be lost; empty if it keeps its promises."""
            self.exposed: list[Exposed] = store.exposed
            """Files and directories that others than the owner could use until now."""
            # Recovered before the files are emptied: they hold what a killed server had not written.
            run, numbers, unfinished = self._open(store, version)
            self._write_ahead = store.begin_tail()
        except BaseException:
            store.close()
            raise
        self._handover = Handover(self._write_ahead, prompt=self._write_ahead is None and keep == "moves")
        self._collector = collector = StepCollector(self._handover, *numbers, unfinished)
        self.entry: Callable[[RecordEntry, int, int, int], None] = collector.entry
        """``entry(effect, wall_us, mono_us, handed_us)``: :meth:`record` for the most frequent effect."""
        self.flush: Callable[[], None] = collector.flush
        """Call it at the end of a step of the broker: its records may then be written."""
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
            RecordAct: lambda effect, wall_us, *_: collector.act(effect, wall_us),
            RecordSession: lambda effect, wall_us, *_: collector.session(effect, wall_us),
            RecordSessionOver: lambda effect, wall_us, *_: collector.session(effect, wall_us),
        }
        self._writer = Writer(
            BatchTaker(self._handover),
            store.place,
            store.connect,
            store.transactions,
            run,
            version,
            Callbacks(kept, lost, back, written, gone),
            Pruner(keep_days, max_bytes),
            retry_s,
        )
        self._writer.start()

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes of steps that have ended are not on disk yet."""
        return self._handover.pending_bytes

    @property
    def lag_s(self) -> float:
        """For how many seconds the oldest of them has waited."""
        return self._handover.lag_s

    @property
    def prompt(self) -> bool:
        """Whether peers must not be sent what depends on a step before it is :attr:`durable`."""
        return self._handover.prompt

    @property
    def durable(self) -> bool:
        """Whether all steps that have ended are on disk; always True if only results must be before peers learn of
        them."""
        handover = self._handover
        return not handover.prompt or handover.durable == handover.steps

    @property
    def settled(self) -> bool:
        """Whether everything is on disk and all finished games are packed, so that nothing changes until something is
        recorded."""
        return self._writer.settled

    def record(
        self,
        effect: Recording,
        wall_us: int,
        mono_us: int,
        handed_us: int = 0,
        round_trips_us: tuple[int, ...] = (),
    ) -> None:
        """Record an effect with its times in microseconds.

        ``wall_us`` is the time since 1970 (UTC), ``mono_us`` the time on the server's monotonic clock, ``handed_us``
        (entries only) when the entry before this one was handed to the network, on the same clock as ``mono_us``.
        ``round_trips_us`` (results only) holds the round trip of the master, then of each seat.
        """
        self._record[type(effect)](effect, wall_us, mono_us, handed_us, round_trips_us)

    def accept_loss(self) -> None:
        """Call it when the broker learns that the journal is lost: its records count again from then on."""
        self._collector.accept_loss()

    def close(self) -> None:
        """Write everything that is left, record that the server ended in order, and release the directory.

        Waits for the disk. Another thread may call it once nothing more is recorded. A second call does nothing.
        """
        store, self._store = self._store, None
        if store is not None:
            self._collector.end()
            # The writer's last transaction records that the server ended in order.
            self._writer.join()
            if self._write_ahead is not None:
                self._write_ahead.close()
            store.close()

    def _open(self, store: JournalStore, version: str) -> tuple[int, tuple[int, int, int], list[UnfinishedGame]]:
        """Recover the database and read ``past``. Returns the number of this run, the first free row ids, and the games
        that can continue: none if something is missing in the ``store``."""
        db = store.open()
        try:
            run, unfinished, stranded, until_us = recover(
                db, store.place, store.transactions, version=version, pid=os.getpid(), complete=not store.missing
            )
            self.gaps = _gaps(store.missing, stranded, until_us)
            """What is unknown because files are missing, in sentences."""
            self.read_at: float = monotonic()
            """When ``past`` was read."""
            self.past: Past = read_past(db, unfinished, wall_us(), self._most_rows)
            numbers = (_first_free(db, "game"), _first_free(db, "login"), _first_free(db, "championship_log"))
            return run, numbers, unfinished
        except db.Error as error:
            raise db.unusable(error) from error
        except (ValueError, LookupError, TypeError, OverflowError) as error:
            raise db.damaged(error) from error
        finally:
            db.close()


def _gaps(missing: Sequence[str], stranded: Sequence[str], until_us: int) -> list[str]:
    """Return what the missing files mean for running games, which are therefore ``stranded``, in a journal whose last
    event was at ``until_us``."""
    gaps = []
    if COMMITTED in missing:
        until = f"it holds nothing after {written_time(until_us)}" if until_us else "it holds nothing"
        gaps.append(f"{COMMITTED} is missing: nothing proves that the last results are in the journal; {until}")
    if stranded:
        games = "1 running game is" if len(stranded) == 1 else f"{len(stranded)} running games are"
        gaps.append(
            f"{' and '.join(missing)} missing: last moves may be lost, so {games} void and no player has lost: "
            + ", ".join(stranded)
        )
    return gaps


def _first_free(db: Database, table: str) -> int:
    (last,) = db.execute(f"SELECT max(id) FROM {table}").fetchone()
    return db.first_id if last is None else int(last) + 1
