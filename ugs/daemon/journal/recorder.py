"""Writes entries to the journal, each with the moments when it happened, on the wall and on the server's clock, which
stands still while peers wait for the journal.

An entry also records when the peer that had to act was handed the reason to. For a player that is when the network had
taken its messages, for a master when the batch with the move was flushed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import trio

from ugs.broker.effects import RecordEntry, Recording, RecordResult, RecordSession
from ugs.broker.events import Event, ResultKept
from ugs.broker.values.record import EntryKind
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.connections.connection import Connection
from ugs.daemon.server_clock import ServerClock
from ugs.record.times import MICRO

if TYPE_CHECKING:
    from ugs.journal.journal import Journal

MAX_UNWRITTEN_BYTES = 64 * 1024 * 1024
"""Bytes that may wait to be written before the peers have to wait instead."""
DISK_PATIENCE_S = 0.05
"""Seconds between two looks at a disk that is behind."""
WALL_CLOCK_S = 1.0
"""The clock on the wall is read again after this many seconds: it can be set."""

REACHES_MASTER = frozenset({EntryKind.BEGIN, EntryKind.MOVE})
"""Entries that require the master to act."""


class Recorder:
    """Hands what the broker records to the journal. Without a journal nothing is written down, and every result is as
    good as kept.

    ``connections`` are all open ones, by number; ``follows`` takes the events that a record leads to; ``work`` is where
    the task waits that calls :meth:`write`; ``measured`` gets the round trips of each game, in microseconds; ``wall``
    is the clock on the wall, ``clock`` that of the server.
    """

    def __init__(
        self,
        journal: "Journal | None",
        connections: Mapping[int, Connection],
        follows: Callable[[Event], None],
        work: trio.lowlevel.ParkingLot,
        measured: Callable[[Sequence[int]], None] = lambda round_trips_us: None,
        wall: WallClock | None = None,
        clock: ServerClock | None = None,
    ) -> None:
        self.unwritten = False
        """Whether :meth:`write` is going to be called: something was recorded since it was, or will be."""
        self.handed_us: dict[str, int] = {}
        """For each running game when the peer that has to act was handed the reason to, in microseconds."""
        self.to_master: set[str] = set()
        """Games whose master gets something with the next flush."""
        self.deliver: Callable[[], object] = lambda: None
        """Sends what peers may be sent: called when nothing is held back any more, before more is read."""
        self._journal = journal
        self._connections = connections
        self._follows = follows
        self._work = work
        self._measured = measured
        self._wall = wall or WallClock()
        self._clock = clock or ServerClock()
        self._is_behind = False
        """Whether nothing is read until the disk has caught up."""
        self._durable = trio.lowlevel.ParkingLot()
        """Where readers wait while :meth:`holds`."""
        self._wall_offset = 0
        """Microseconds from the server's clock to the one on the wall."""
        self._wall_read_again_at = -math.inf

    @property
    def pending_bytes(self) -> int:
        """What was recorded and is not on disk."""
        return self._journal.pending_bytes if self._journal is not None else 0

    @property
    def lag_s(self) -> float:
        """For how long the oldest of it has waited, in seconds."""
        return self._journal.lag_s if self._journal is not None else 0.0

    def behind(self) -> bool:
        """Whether the disk is so slow that nothing more should be read for now."""
        return self.pending_bytes > MAX_UNWRITTEN_BYTES

    async def caught_up(self) -> None:
        """Wait until the disk is not :meth:`behind`, and nothing is held back for it."""
        while self.behind():
            self._is_behind = True
            self._clock.stop()
            await trio.sleep(DISK_PATIENCE_S)  # the thread of the disk sets no event
        if self._is_behind:
            self._is_behind = False
            self.lets_go()
        while self.holds():
            await self._durable.park()

    def holds(self) -> bool:
        """Whether what was recorded is not on disk yet, and peers must not be sent what depends on it."""
        return self._journal is not None and not self._journal.durable

    def now_durable(self) -> None:
        """More of what was recorded is on disk, maybe all of it: see :meth:`holds`."""
        self._clock_goes_on()  # what peers have waited for is done; where there is more, they wait anew
        if self.lets_go():
            # Before anyone reads: what comes in now has to be written, and would hold this back for a commit more.
            self.deliver()
            self._durable.unpark_all()
            self._work.unpark_all()

    def lets_go(self) -> bool:
        """Whether nothing :meth:`holds` messages back now. The clock stands while something does, and while peers are
        not read."""
        held = self.holds()
        if held or self._is_behind:
            self._clock.stop()
        else:
            self._clock_goes_on()
        return not held

    def _clock_goes_on(self) -> None:
        if self._clock.stands:
            self._clock.go_on()
            self._wall_read_again_at = -math.inf

    def entry(self, effect: RecordEntry, now: float) -> None:
        """Perform: an entry of a running game."""
        if self._journal is None:
            return
        if not self.unwritten or now > self._wall_read_again_at:
            self._prepare(now)
        handed = self.handed_us.pop(effect.game_id, 0)
        mono = int(now * MICRO)
        self._journal.entry(effect, mono + self._wall_offset, mono, handed)
        if effect.kind in REACHES_MASTER:
            self.to_master.add(effect.game_id)

    def result(self, effect: RecordResult, now: float) -> None:
        """Perform: the result of a game, with the network round trip of each player."""
        result = effect.result
        self.handed_us.pop(result.game_id, None)
        self.to_master.discard(result.game_id)
        connections = [self._connections.get(number) for number in effect.conns]
        round_trips = tuple([0 if one is None else one.round_trip_us() for one in connections])
        self._measured(round_trips)
        if self._journal is None:
            # A void game is announced at once: nothing waits for its result.
            if not result.verdict.void:
                self._follows(ResultKept(result.game_id))
            return
        self._prepare(now)
        mono = int(now * MICRO)
        self._journal.record(effect, mono + self._wall_offset, mono, round_trips_us=round_trips)

    def record(self, effect: Recording, now: float) -> None:
        """Perform: all other records."""
        if self._journal is not None:
            self._prepare(now)
            mono = int(now * MICRO)
            self._journal.record(effect, mono + self._wall_offset, mono)

    def session(self, effect: RecordSession, now: float) -> None:
        """Perform: a session. It began when the clock on the wall showed what it showed then, also if that was set."""
        if self._journal is not None:
            self._prepare(now)
            began_us = int(self._wall.showed_s(now - effect.held_s) * MICRO)
            self._journal.record(effect, began_us + round(effect.held_s * MICRO), int(now * MICRO))

    def write(self) -> None:
        """Let the journal write what was recorded. What must outlive a killed server is with the operating system when
        this returns."""
        self.unwritten = False
        if self._journal is not None:
            self._journal.flush()

    def masters_handed(self, now: float) -> None:
        """The batches with what the masters have to answer were flushed at ``now``, by Trio's clock."""
        self.handed_us.update(dict.fromkeys(self.to_master, int(self._clock.at(now) * MICRO)))
        self.to_master.clear()

    def _prepare(self, now: float) -> None:
        """Something is about to be recorded."""
        if not self.unwritten:
            self.unwritten = True
            if self._work:
                self._work.unpark()
        # While the server's clock stands, the difference is that of another moment.
        if now > self._wall_read_again_at and not self._clock.stands:
            self._wall_read_again_at, self._wall_offset = now + WALL_CLOCK_S, self._wall.look(now)
