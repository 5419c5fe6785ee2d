"""The broker's end of the hand-over: collects the records of a step and hands them over as a whole.

So the writer takes all of a step or nothing; only entries of games may wait longer (:mod:`ugs.journal.waiting`). There
is an entry for every message. It is only noted, and all are written as lines at the end of the step: in a row, that
takes half the time.
"""

import json
from collections.abc import Iterable

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
from ugs.journal.batch import Acted, Batch, BegunGame, EndedGame, LedgerAddition, LoggedIn, LoggedOut, SessionChange
from ugs.journal.continuing_games import GameClock, UnfinishedGame
from ugs.journal.thread_handover import Arrived, Handover, Loss
from ugs.journal.waiting import OpenGame

ROUGH_BYTES = 400
"""The assumed size of anything but an entry."""
MAX_WHILE_LOST = 100_000
"""At most this many results, logins, ledger entries, sessions and acts are kept while nothing can be written; further
ones are dropped."""

Noted = tuple[RecordEntry, int, int, int]
"""An entry with its times."""


class StepCollector:
    """Collects the broker's records until :meth:`flush`. For the broker's thread.

    ``next_game``, ``next_login`` and ``next_logged`` are the first free ids in the SQL tables of games, logins and
    ledger entries. ``unfinished`` are the games of earlier lives that can continue.
    """

    def __init__(
        self,
        handover: Handover,
        next_game: int,
        next_login: int,
        next_logged: int,
        unfinished: Iterable[UnfinishedGame] = (),
    ) -> None:
        self._handover = handover
        self._next_game = next_game
        self._next_login = next_login
        self._next_logged = next_logged
        self._running = {
            one.game.game_id: OpenGame(one.game.row, may_outlive=True, number=len(one.entries), clock=GameClock(one))
            for one in unfinished
        }
        self._logins: dict[int, int] = {}
        """The ids of logins, by connection."""
        self._entries: list[Noted] = []
        """Entries of this step."""
        self._over: dict[str, int] = {}
        """Games that end in this step, and how many entries of the step were noted before."""
        self._others: Batch | None = None
        """Everything else of this step."""

    def entry(self, effect: RecordEntry, wall_us: int, mono_us: int, handed_us: int = 0) -> None:
        """Add an entry of a game that has begun; ignored for any other game. Times as in
        :meth:`ugs.journal.journal.Journal.record`."""
        self._entries.append((effect, wall_us, mono_us, handed_us))

    def begin(self, effect: RecordBegin, wall_us: int, mono_us: int) -> None:
        """Add the beginning of a game. Ignored while the journal is lost."""
        game = self._running[effect.game_id] = OpenGame(self._new_game(), may_outlive=bool(effect.seed))
        self._step().begun.append(BegunGame(game.row, effect, wall_us, mono_us))

    def result(self, effect: RecordResult, wall_us: int, round_trips_us: tuple[int, ...]) -> None:
        """Add the result of a game; no entry may follow. It is urgent, because players wait for it.

        A result that counts is announced when it is on disk. A void one is announced at once, and then the broker
        forgets the game: so it is kept even if the journal is lost and the broker does not know yet.
        """
        result = effect.result
        # A second result in one step, void after all, is written like one without a beginning: by its id.
        game = self._running.get(result.game_id) if result.game_id not in self._over else None
        row = self._new_game() if game is None else game.row
        if game is not None:
            self._over[result.game_id] = len(self._entries)
            if game.clock is not None:
                result = game.clock.result(result)
        self._step().ended.append(EndedGame(row, game is None, result, wall_us, round_trips_us))

    def log_in(self, effect: RecordLogin, wall_us: int) -> None:
        """Add a login."""
        self._logins[effect.conn] = self._next_login
        self._step().logged_in.append(LoggedIn(self._next_login, effect, wall_us))
        self._next_login += 1

    def log_out(self, effect: RecordLogout, wall_us: int) -> None:
        """Add a logout of a connection that had logged in; ignored for any other connection."""
        row = self._logins.pop(effect.conn, None)
        if row is not None:
            self._step().logged_out.append(LoggedOut(row, effect.reason, wall_us))

    def championship(self, effect: RecordChampionship, wall_us: int) -> None:
        """Add an entry to a ledger. It is kept even when the journal is lost, so it must be writable: raises TypeError
        for data that is not JSON."""
        data = json.dumps(dict(effect.entry.data), ensure_ascii=False)
        self._step().ledger.append(LedgerAddition(self._next_logged, effect, wall_us, data))
        self._next_logged += 1

    def session(self, effect: RecordSession | RecordSessionOver, wall_us: int) -> None:
        """Add a session that is open, has changed or is over. It is kept even when the journal is lost: an expired
        token must not become valid again."""
        self._step().sessions.append(SessionChange(effect, wall_us))

    def act(self, effect: RecordAct, wall_us: int) -> None:
        """Add an act of an organiser. It is urgent, and kept even when the journal is lost, like a ledger."""
        self._step().acts.append(Acted(effect, wall_us))

    def flush(self) -> None:
        """End a step: hand over its records. On return, entries that must survive a killed server are with the
        operating system."""
        entries, others = self._entries, self._others
        if not entries and others is None:
            return
        self._entries, self._others = [], None
        handover = self._handover
        with handover.lock:
            handover.steps += 1
            if handover.loss is Loss.NONE:
                self._add_entries(entries)
            else:
                others = self._after_loss(others)
            self._add(others)
            if handover.write_ahead is not None:
                # Before anything of this step is sent: no peer knows more than the files.
                handover.write_ahead.write()

    def accept_loss(self) -> None:
        """Call it when the broker learns that everything since the last kept result is lost: its records take that into
        account from now on."""
        self.flush()
        with self._handover.lock:
            if self._handover.loss is Loss.UNANNOUNCED:
                self._handover.loss = Loss.ANNOUNCED
                self._running.clear()

    def end(self) -> None:
        """Nothing more will be added."""
        self.flush()
        with self._handover.lock:
            self._handover.end()

    def _step(self) -> Batch:
        if self._others is None:
            self._others = Batch()
        return self._others

    def _new_game(self) -> int:
        row = self._next_game
        self._next_game += 1
        return row

    def _after_loss(self, others: Batch | None) -> Batch | None:
        """Return the part of a step that is kept while nothing can be written: nothing of running games."""
        self._running.clear()
        self._over.clear()
        if others is None:
            return None
        kept = others.after_loss(announced=self._handover.loss is Loss.ANNOUNCED)
        # The disk may stay full for days, and what is kept is in memory.
        kept.shorten(MAX_WHILE_LOST - len(self._handover.batch))
        return kept

    def _add(self, others: Batch | None) -> None:
        """Hand over everything but entries, and signal that a step has arrived."""
        handover = self._handover
        if others is None:
            handover.unwritten.step(0)
            handover.arrives(Arrived.URGENT if handover.prompt else Arrived.SOMETHING)
            return
        handover.batch.extend(others)
        handover.unwritten.step(ROUGH_BYTES * len(others))
        handover.arrives(Arrived.URGENT if others.ended or others.acts or handover.prompt else Arrived.SOMETHING)

    def _add_entries(self, noted: list[Noted]) -> None:
        """Hand over the entries of a step; those of games that end in it do not wait for others."""
        if not self._over:
            self._write(noted)
            return
        begin = 0
        for game_id, end in self._over.items():
            self._write(noted[begin:end])
            self._handover.entries.over.append(self._running.pop(game_id))
            begin = end
        self._write(noted[begin:])
        self._over = {}

    def _write(self, noted: list[Noted]) -> None:
        """Write these entries as lines, each for its game."""
        handover, running = self._handover, self._running
        games, write_ahead = handover.entries.games, handover.write_ahead
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
        handover.entries.bytes += size
