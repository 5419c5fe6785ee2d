"""Where the broker's thread puts what is to be written, and the writer's thread takes it: whole steps only.

Between the first thing that is put in and :meth:`Collector.flush` the lock is held, so that whoever takes gets all of
a step or nothing of it. Putting in an entry of a game is the one thing that happens for every message: it costs one
line of formatting and two appends at most.
"""

import json
import threading
from collections.abc import Iterable
from time import monotonic

from ugs.broker.effects import (
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.journal.batch import Batch, Begun, Ended, Logged, LoggedIn, LoggedOut, Part, SessionNews
from ugs.journal.continuing import GameClock, GoingOn
from ugs.journal.entries import write_entry
from ugs.journal.tail import Tail

LINGER_S = 0.02
"""How long entries wait for others under load, so that a transaction is worth its cost."""
QUIET_LINGER_S = 0.001
"""How long they wait when little is going on: what is not on disk is lost if the server is killed."""
QUIET_PARTS = 8
"""Games that had a share in a transaction when little was going on."""
REST = 9
"""After a transaction under load the writer rests so many times as long as it took: results that come in a crowd share
one, and neither a busy processor nor a slow disk is kept busier by many small ones. Without load it does not rest."""
LONGEST_REST_S = 0.05
"""But never longer: somebody waits for a result."""
ROUGH_BYTES = 400
"""What anything but an entry is taken to weigh."""
MOST_WHILE_LOST = 100_000
"""Results and the like that wait while nothing can be written; more are given up."""


class OpenGame:
    """A game that runs: its row, its entries since the last batch, and if it began in an earlier life its clock."""

    __slots__ = ("clock", "entries", "may_outlive", "number", "row")

    def __init__(self, row: int, *, may_outlive: bool, number: int = 0, clock: GameClock | None = None) -> None:
        self.row = row
        self.may_outlive = may_outlive
        """Whether it may go on when this server is lost."""
        self.number = number
        """So many entries it has."""
        self.clock = clock
        self.entries: list[bytes] = []


class Collector:
    """What waits to be written. The first half is for the broker's thread, the second for the writer's.

    ``next_game``, ``next_login`` and ``next_logged``: the first numbers that are free in the tables of games, of logins
    and of ledgers. ``going_on``: games of earlier lives that may go on. Without a ``tail`` the last moves of games
    that may outlive the server are lost with it.
    """

    def __init__(
        self,
        next_game: int,
        next_login: int,
        next_logged: int,
        going_on: Iterable[GoingOn] = (),
        tail: Tail | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._held = False
        """The broker's thread is within a step, and holds the lock."""
        self._some = False
        """There is something to take."""
        self._urgent = False
        """There is something that somebody waits for."""
        self._idle = False
        """The writer waits for anything at all."""
        self._lingering = False
        """The writer waits for something urgent."""
        self._ended = False
        self._lost = False
        """Nothing can be written: games are not followed."""
        self._unheard = False
        """Nor does the broker know it yet: whatever it records is void."""
        self._next_game = next_game
        self._next_login = next_login
        self._next_logged = next_logged
        self._tail = tail
        self._open = {
            one.game.game_id: OpenGame(one.game.row, may_outlive=True, number=len(one.entries), clock=GameClock(one))
            for one in going_on
        }
        self._logins: dict[int, int] = {}
        self._fresh: list[OpenGame] = []
        """Open games with entries that nobody has taken."""
        self._batch = Batch()
        self._collected_bytes = 0
        self._taken_bytes = 0
        self._rested_at = 0.0
        self._linger_s = QUIET_LINGER_S

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes are not yet on disk."""
        return self._collected_bytes + self._taken_bytes

    def entry(self, effect: RecordEntry, wall_us: int, mono_us: int, handed_us: int = 0) -> None:
        """An entry of a game that has begun; of any other it is ignored."""
        if not self._held:
            self._hold()
        game = self._open.get(effect.game_id)
        if game is None:
            return
        if game.clock is not None:
            mono_us, handed_us = game.clock.times(wall_us, mono_us, handed_us)
        framed = write_entry(
            effect.kind, wall_us, mono_us, handed_us, effect.seat, effect.audience, effect.text, effect.body
        )
        if not game.entries:
            self._fresh.append(game)
        game.entries.append(framed)
        self._collected_bytes += len(framed)
        if game.may_outlive and self._tail is not None:
            self._tail.add(effect.game_id, game.number, framed)
            game.number += 1

    def begin(self, effect: RecordBegin, wall_us: int, mono_us: int) -> None:
        """A game begins."""
        self._hold()
        if self._lost:
            return
        game = self._open[effect.game_id] = OpenGame(self._new_game(), may_outlive=bool(effect.seed))
        self._batch.begun.append(Begun(game.row, effect, wall_us, mono_us))
        self._collected_bytes += ROUGH_BYTES

    def result(self, effect: RecordResult, wall_us: int, round_trips_us: tuple[int, ...]) -> None:
        """A game has ended; nothing follows. Somebody waits for it."""
        if not self._admits():
            return
        game = self._open.pop(effect.result.game_id, None)
        row = self._new_game() if game is None else game.row
        result = effect.result
        if game is not None and game.clock is not None:
            result = game.clock.result(result)
        self._batch.ended.append(Ended(row, game is None, result, wall_us, round_trips_us))
        self._urgent = True

    def log_in(self, effect: RecordLogin, wall_us: int) -> None:
        """Somebody has logged in."""
        if self._admits():
            self._logins[effect.conn] = self._next_login
            self._batch.logged_in.append(LoggedIn(self._next_login, effect, wall_us))
            self._next_login += 1

    def log_out(self, effect: RecordLogout, wall_us: int) -> None:
        """Somebody who had logged in has gone."""
        row = self._logins.pop(effect.conn, None)
        if row is not None and self._admits():
            self._batch.logged_out.append(LoggedOut(row, effect.reason, wall_us))

    def championship(self, effect: RecordChampionship, wall_us: int) -> None:
        """One more entry in a ledger. It is kept even when the journal is lost, so it must be something that can be
        written: TypeError for data that is no JSON."""
        data = json.dumps(dict(effect.entry.data), ensure_ascii=False)
        self._hold()
        if not self._lost or len(self._batch) < MOST_WHILE_LOST:
            self._batch.ledger.append(Logged(self._next_logged, effect, wall_us, data))
            self._next_logged += 1
            self._collected_bytes += ROUGH_BYTES

    def session(self, effect: RecordSession | RecordSessionOver, wall_us: int) -> None:
        """A session is open, has changed or is over. It is kept even when the journal is lost: a token that is worth
        nothing must not be worth something again."""
        self._hold()
        if not self._lost or len(self._batch) < MOST_WHILE_LOST:
            self._batch.sessions.append(SessionNews(effect, wall_us))
            self._collected_bytes += ROUGH_BYTES

    def flush(self) -> None:
        """A step has ended: what was put in may be taken."""
        if not self._held:
            return
        if self._tail is not None:
            self._tail.write()
        if self._idle or (self._urgent and self._lingering):
            self._idle = self._lingering = False
            self._news.notify()
        self._held = False
        self._lock.release()

    def accept_loss(self) -> None:
        """The broker is being told that everything since the last result that was kept is lost: what it records from
        now on takes that into account."""
        self.flush()
        with self._news:
            self._unheard = False

    def end(self) -> None:
        """Nothing more will come."""
        self.flush()
        with self._news:
            self._ended = True
            self._news.notify()

    # For the writer's thread.

    @property
    def ended(self) -> bool:
        """Whether nothing more will come; what there is can still be taken."""
        return self._ended

    @property
    def unheard(self) -> bool:
        """Whether the broker does not know yet of the loss."""
        return self._unheard

    def take(self, idle_s: float | None) -> Batch:
        """All there is, once it is worth a transaction, or somebody waits for it, or nothing more will come; an empty
        batch when nothing has come for so many seconds."""
        with self._news:
            if not self._anything():
                self._idle = True
                self._news.wait_for(self._anything, idle_s)
                self._idle = False
            if self._some and not self._ended:
                self._lingering = True
                self._news.wait_for(self._pressing, self._linger_s)
                self._lingering = False
                gap_s = self._rested_at - monotonic()
                if gap_s > 0:
                    self._news.wait_for(self._nothing_more, gap_s)
            return self._take()

    def take_now(self) -> Batch:
        """All there is."""
        with self._news:
            return self._take()

    def done(self, took_s: float = 0.0) -> None:
        """What was taken is on disk, or given up, after so many seconds."""
        self._taken_bytes = 0
        if self._tail is not None:
            self._tail.on_disk()
        busy = self._linger_s == LINGER_S
        self._rested_at = monotonic() + min(REST * took_s, LONGEST_REST_S) if busy else 0.0

    def lose(self, taken: Batch) -> None:
        """What was taken could not be written: drop everything but the ledgers and the sessions, and follow no game
        that has begun. (A ledger stands when a result in it that never counted is followed by the news that the game is
        void.)"""
        with self._news:
            self._lost = self._unheard = True
            self._open.clear()
            waiting = self._take()
            if self._tail is not None:
                self._tail.on_disk()
            self._batch.ledger = [*taken.ledger, *waiting.ledger]
            self._batch.sessions = [*taken.sessions, *waiting.sessions]
            self._some = bool(self._batch)
            self._taken_bytes = 0

    def pause(self, seconds: float) -> None:
        """Wait so long, or until nothing more will come."""
        with self._news:
            self._news.wait_for(self._nothing_more, seconds)

    def put_back(self, batch: Batch) -> None:
        """This could not be written either: keep it for the next time, before what has come meanwhile."""
        with self._news:
            batch.extend(self._batch)
            self._batch = batch
            self._some = bool(batch)
            self._collected_bytes += self._taken_bytes
            self._taken_bytes = 0

    def resume(self) -> None:
        """It can be written again: games are followed from their beginnings."""
        with self._news:
            self._lost = self._unheard = False

    def _hold(self) -> None:
        if not self._held:
            self._lock.acquire()
            self._held = self._some = True

    def _admits(self) -> bool:
        """Whether anything but a game may be put in."""
        self._hold()
        if self._unheard or (self._lost and len(self._batch) >= MOST_WHILE_LOST):
            return False
        self._collected_bytes += ROUGH_BYTES
        return True

    def _new_game(self) -> int:
        row = self._next_game
        self._next_game += 1
        return row

    def _take(self) -> Batch:
        batch, self._batch = self._batch, Batch()
        for game in self._fresh:
            batch.parts.append(Part(game.row, game.entries))
            game.entries = []
        self._fresh = []
        if self._tail is not None:
            self._tail.taken()
        self._some = self._urgent = False
        self._linger_s = LINGER_S if len(batch.parts) > QUIET_PARTS else QUIET_LINGER_S
        self._taken_bytes, self._collected_bytes = self._collected_bytes, 0
        return batch

    def _anything(self) -> bool:
        return self._some or self._ended

    def _pressing(self) -> bool:
        return self._urgent or self._ended

    def _nothing_more(self) -> bool:
        return self._ended
