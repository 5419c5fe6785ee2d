"""The queue between the broker's thread, which adds what is to be written, and the writer's thread, which takes it.

The broker's thread holds the lock from the first thing it adds in a step until :meth:`WriteQueue.flush`, so the writer
takes either all of a step or nothing of it; only entries of games may have to wait longer (:mod:`ugs.journal.waiting`).
Such an entry comes with every message. It is only noted; many in a row, at the end of the step, are written as lines in
half the time that it takes between other work, when the processor has forgotten how.
"""

import json
import threading
from collections.abc import Iterable
from time import monotonic

from ugs.broker.effects import (
    RecordAct,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.journal.batch import Acted, Batch, Begun, Ended, LedgerAddition, LoggedIn, LoggedOut, SessionChange
from ugs.journal.continuing_games import GameClock, UnfinishedGame
from ugs.journal.waiting import LINGER_S, OpenGame, WaitingEntries
from ugs.journal.write_ahead import WriteAhead

QUIET_LINGER_S = 0.001
"""How long everything waits for more when there is little load. What is not on disk is lost if the server is killed."""
REST_FACTOR = 20
"""After a transaction under load the writer rests this many times as long as the transaction took. Results that arrive
together then share a transaction, and many small transactions keep neither the processor nor a slow disk busy. Without
load the writer does not rest."""
MAX_REST_S = 0.1
"""Upper limit of that rest, because players wait for results."""
ROUGH_BYTES = 400
"""The assumed size of anything but an entry."""
MAX_WHILE_LOST = 100_000
"""At most this many results, logins, ledger entries and sessions are kept while nothing can be written; further ones
are dropped."""


class WriteQueue:
    """What waits to be written. The first half is for the broker's thread, the second for the writer's.

    ``next_game``, ``next_login`` and ``next_logged`` are the first free ids in the SQL tables of games, logins and
    ledger entries. ``unfinished`` are the games of earlier lives that can continue. Without ``write_ahead``, a killed
    server loses the last moves of the games that can outlive it.
    """

    def __init__(
        self,
        next_game: int,
        next_login: int,
        next_logged: int,
        unfinished: Iterable[UnfinishedGame] = (),
        write_ahead: WriteAhead | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._condition = threading.Condition(self._lock)
        self._held = False
        """The broker's thread is within a step and holds the lock."""
        self._has_content = False
        """Something was added since the writer took something."""
        self._urgent = False
        """There is a result in the queue, for which players wait."""
        self._idle = False
        """The writer waits for any content."""
        self._lingering = False
        """The writer waits for something urgent."""
        self._ended = False
        self._lost = False
        """Nothing can be written; running games are not recorded."""
        self._loss_unannounced = False
        """The broker does not know of the loss yet; what it records is void."""
        self._next_game = next_game
        self._next_login = next_login
        self._next_logged = next_logged
        self._write_ahead = write_ahead
        self._open = {
            one.game.game_id: OpenGame(one.game.row, may_outlive=True, number=len(one.entries), clock=GameClock(one))
            for one in unfinished
        }
        self._logins: dict[int, int] = {}
        self._noted: list[tuple[RecordEntry, int, int, int]] = []
        """Entries of this step that are not in the queue yet, with their times. Many are written faster in a row."""
        self._entries = WaitingEntries()
        self._batch = Batch()
        self._queued_bytes = 0
        """Of anything but entries."""
        self._taken_bytes = 0
        self._queued_at: float | None = None
        self._taken_at: float | None = None
        """When the oldest of what is queued, or taken and not on disk, was added."""
        self._took_all = True
        """Whether no entries were left behind when something was taken."""
        self._rested_at = 0.0

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes are not on disk yet."""
        return self._queued_bytes + self._entries.bytes + self._taken_bytes

    @property
    def lag_s(self) -> float:
        """For how many seconds the oldest of it has waited."""
        oldest = self._taken_at or self._queued_at
        return monotonic() - oldest if oldest is not None else 0.0

    def entry(self, effect: RecordEntry, wall_us: int, mono_us: int, handed_us: int = 0) -> None:
        """Add an entry of a game that has begun; ignored for any other game. Times as in
        :meth:`ugs.journal.journal.Journal.record`."""
        self._noted.append((effect, wall_us, mono_us, handed_us))

    def begin(self, effect: RecordBegin, wall_us: int, mono_us: int) -> None:
        """Add the beginning of a game. Ignored while the journal is lost."""
        self._hold()
        if self._lost:
            return
        game = self._open[effect.game_id] = OpenGame(self._new_game(), may_outlive=bool(effect.seed))
        self._batch.begun.append(Begun(game.row, effect, wall_us, mono_us))
        self._queued_bytes += ROUGH_BYTES

    def result(self, effect: RecordResult, wall_us: int, round_trips_us: tuple[int, ...]) -> None:
        """Add the result of a game; no entry may follow. It is urgent, because players wait for it.

        One that counts is announced when it is on disk. A void one is announced at once, and the broker has forgotten
        the game then: it is kept even when the journal is lost and the broker does not know yet.
        """
        if not self._accepts(although_unheard=effect.result.verdict.void):
            return
        game = self._open.pop(effect.result.game_id, None)
        row = self._new_game() if game is None else game.row
        result = effect.result
        if game is not None and game.clock is not None:
            result = game.clock.result(result)
        self._batch.ended.append(Ended(row, game is None, result, wall_us, round_trips_us))
        if game is not None:
            self._entries.over.append(game)
        self._urgent = True

    def log_in(self, effect: RecordLogin, wall_us: int) -> None:
        """Add a login."""
        if self._accepts():
            self._logins[effect.conn] = self._next_login
            self._batch.logged_in.append(LoggedIn(self._next_login, effect, wall_us))
            self._next_login += 1

    def log_out(self, effect: RecordLogout, wall_us: int) -> None:
        """Add a logout of a connection that had logged in; ignored for any other connection."""
        row = self._logins.pop(effect.conn, None)
        if row is not None and self._accepts():
            self._batch.logged_out.append(LoggedOut(row, effect.reason, wall_us))

    def championship(self, effect: RecordChampionship, wall_us: int) -> None:
        """Add an entry to a ledger. It is kept even when the journal is lost, so it must be possible to write it:
        raises TypeError for data that is not JSON."""
        data = json.dumps(dict(effect.entry.data), ensure_ascii=False)
        self._hold()
        if not self._lost or len(self._batch) < MAX_WHILE_LOST:
            self._batch.ledger.append(LedgerAddition(self._next_logged, effect, wall_us, data))
            self._next_logged += 1
            self._queued_bytes += ROUGH_BYTES

    def session(self, effect: RecordSession | RecordSessionOver, wall_us: int) -> None:
        """A session is open, has changed or is over. It is kept even when the journal is lost: an expired token must
        not become valid again."""
        self._hold()
        if not self._lost or len(self._batch) < MAX_WHILE_LOST:
            self._batch.sessions.append(SessionChange(effect, wall_us))
            self._queued_bytes += ROUGH_BYTES

    def act(self, effect: RecordAct, wall_us: int) -> None:
        """Add an act of an organiser. It is kept even when the journal is lost, as a ledger is."""
        self._hold()
        if not self._lost or len(self._batch) < MAX_WHILE_LOST:
            self._batch.acts.append(Acted(effect, wall_us))
            self._queued_bytes += ROUGH_BYTES
            self._urgent = True

    def flush(self) -> None:
        """A step has ended: what was added in it may be taken."""
        if self._noted:
            self._hold()
        if not self._held:
            return
        if self._write_ahead is not None:
            self._write_ahead.write()
        if self._idle or (self._urgent and self._lingering):
            self._idle = self._lingering = False
            self._condition.notify()
        self._held = False
        self._lock.release()

    def accept_loss(self) -> None:
        """Call it when the broker learns that everything since the last kept result is lost: what it records from now
        on takes that into account."""
        self.flush()
        with self._condition:
            self._loss_unannounced = False

    def end(self) -> None:
        """Nothing more will be added."""
        self.flush()
        with self._condition:
            self._ended = True
            self._condition.notify()

    # For the writer's thread.

    @property
    def ended(self) -> bool:
        """Whether nothing more will be added. What is in the queue can still be taken."""
        return self._ended

    @property
    def has_content(self) -> bool:
        """Whether something was added since the writer took something."""
        return self._has_content

    @property
    def loss_unannounced(self) -> bool:
        """Whether the broker does not know of the loss yet."""
        return self._loss_unannounced

    def take(self, idle_s: float | None) -> Batch:
        """Wait, then take everything but entries that may wait longer.

        Waits until something was added. Then waits a little for more, unless a result is in the queue, and keeps the
        rest that the last transaction requires (:data:`REST_FACTOR`). The end of the queue ends every wait. Returns an
        empty batch when nothing was added for ``idle_s`` seconds (None: no limit), or nothing but such entries.
        """
        with self._condition:
            if not self._has_something_or_ended():
                self._idle = True
                self._condition.wait_for(self._has_something_or_ended, idle_s)
                self._idle = False
            if self._has_something_or_ended() and not self._ended:
                self._lingering = True
                self._condition.wait_for(self._is_urgent, LINGER_S if self._entries.busy else QUIET_LINGER_S)
                self._lingering = False
                gap_s = self._rested_at - monotonic()
                if gap_s > 0:
                    self._condition.wait_for(self._has_ended, gap_s)
            return self._take(leave=not self._ended)

    def take_now(self) -> Batch:
        """Take everything without waiting."""
        with self._condition:
            return self._take()

    def done(self, took_s: float = 0.0) -> None:
        """The batch taken last is on disk or has been given up; its transaction took ``took_s`` seconds."""
        self._taken_bytes, self._taken_at = 0, None
        if self._write_ahead is not None and self._took_all:
            with self._condition:
                self._write_ahead.on_disk()
        busy = self._entries.busy
        self._rested_at = monotonic() + min(REST_FACTOR * took_s, MAX_REST_S) if busy else 0.0

    def lose(self, taken: Batch) -> None:
        """The batch ``taken`` could not be written. Drop everything except void results, ledger entries, sessions and
        acts, and stop recording the games that have begun: the broker is going to void them.

        A ledger stays correct: an entry for a result that never counted is followed by one that declares the game void.
        """
        with self._condition:
            self._lost = self._loss_unannounced = True
            self._open.clear()
            waiting = self._take()
            if self._write_ahead is not None:
                self._write_ahead.give_up()
            self._batch.ended = [
                ended._replace(beginning_lost=True)
                for ended in (*taken.ended, *waiting.ended)
                if ended.result.verdict.void
            ]
            self._batch.ledger = [*taken.ledger, *waiting.ledger]
            self._batch.sessions = [*taken.sessions, *waiting.sessions]
            self._batch.acts = [*taken.acts, *waiting.acts]
            self._has_content = bool(self._batch)
            self._taken_bytes = 0
            self._queued_at, self._taken_at = self._taken_at if self._has_content else None, None

    def pause(self, seconds: float) -> None:
        """Wait for ``seconds``, or until the queue has ended."""
        with self._condition:
            self._condition.wait_for(self._has_ended, seconds)

    def put_back(self, batch: Batch) -> None:
        """This batch could not be written either: keep it for the next attempt, ahead of what was added since."""
        with self._condition:
            batch.extend(self._batch)
            self._batch = batch
            self._has_content = bool(batch)
            self._queued_bytes += self._taken_bytes
            self._queued_at, self._taken_at = self._taken_at or self._queued_at, None
            self._taken_bytes = 0

    def resume(self) -> None:
        """Writing works again: games are recorded again, from their beginnings."""
        with self._condition:
            self._lost = self._loss_unannounced = False
            if self._write_ahead is not None:
                self._write_ahead.begin_again()

    def _hold(self) -> None:
        if not self._held:
            self._lock.acquire()
            self._held = self._has_content = True
            if self._queued_at is None:
                self._queued_at = monotonic()
        if self._noted:
            self._add_noted()

    def _add_noted(self) -> None:
        """Add the entries that were noted to their games."""
        noted, self._noted = self._noted, []
        running, games, write_ahead = self._open, self._entries.games, self._write_ahead
        size = 0
        for effect, wall_us, mono_us, handed_us in noted:
            game = running.get(effect.game_id)
            if game is None:
                continue
            if game.clock is not None:
                mono_us, handed_us = game.clock.times(wall_us, mono_us, handed_us)
            fields = effect.kind, wall_us, mono_us, handed_us, effect.seat, effect.audience, effect.text, effect.body
            framed = game.repeating.write(*fields)
            if not game.entries:
                games.append(game)
            game.entries.append(framed)
            size += len(framed)
            if game.may_outlive and write_ahead is not None:
                write_ahead.add(effect.game_id, game.number, framed)
                game.number += 1
        self._entries.bytes += size

    def _accepts(self, *, although_unheard: bool = False) -> bool:
        """Whether anything but a game or an entry may be added; ``although_unheard``: also if the broker does not know
        of a loss yet. Takes the lock."""
        self._hold()
        if (self._loss_unannounced and not although_unheard) or (self._lost and len(self._batch) >= MAX_WHILE_LOST):
            return False
        self._queued_bytes += ROUGH_BYTES
        return True

    def _new_game(self) -> int:
        row = self._next_game
        self._next_game += 1
        return row

    def _take(self, leave: bool = False) -> Batch:
        """Take everything. If ``leave``, entries that may wait longer stay."""
        now = monotonic()
        batch, self._batch = self._batch, Batch()
        waiting, waiting_bytes = self._entries, self._entries.bytes
        self._took_all = not (leave and waiting.may_wait(now))
        batch.parts = waiting.take_all(now) if self._took_all else waiting.take_over()
        if self._took_all and self._write_ahead is not None:
            self._write_ahead.taken()
        self._taken_bytes, self._queued_bytes = self._queued_bytes + waiting_bytes - waiting.bytes, 0
        self._taken_at, self._queued_at = self._queued_at, self._queued_at if waiting.bytes else None
        self._has_content = self._urgent = False
        return batch

    def _has_something_or_ended(self) -> bool:
        return self._has_content or bool(self._entries.games) or self._ended

    def _is_urgent(self) -> bool:
        return self._urgent or self._ended

    def _has_ended(self) -> bool:
        return self._ended
