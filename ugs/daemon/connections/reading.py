"""One task reads for all peers with a raw socket, when it is their turn.

The sockets are in an epoll set of our own, which Trio watches as one: a message costs no ``epoll_ctl`` and no task
switch. A peer whose turn is over before all its bytes have been handled waits for its next one
(:mod:`ugs.daemon.fairness.service_turns`). Nothing is read from it meanwhile, so it fills the network's buffers and has
to wait itself. A pass over the waiting peers is short: after it the answers go out, all other tasks run, and the
sockets are looked at again.

A player whose game master has not read what waits for it is not read either: its next move would only wait behind the
others. So moves wait where they came from, at the expense of the players who made them, and no player can crowd
another's master.

A transport that has no socket, and every transport where the system has no epoll, is awaited in its connection's task,
which asks for turns in the same way.
"""

import select
from collections.abc import Awaitable, Callable, Hashable, Sequence
from time import perf_counter
from typing import Protocol

import structlog
import trio

from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.outbox import Outbox
from ugs.daemon.connections.readers import Bell, PeerReader, Readers
from ugs.daemon.fairness.fair_queue import PeerStanding
from ugs.daemon.fairness.service_turns import Guest, ServiceTurns, Speaker
from ugs.daemon.fairness.watchdog import Watchdog
from ugs.daemon.network.transport import Gone
from ugs.daemon.processes.supervision import Tasks

MAX_EVENTS = 512
"""Sockets that are noticed in one pass. Others that are ready are reported by the next: epoll takes turns, too."""
LINGER_BYTES = 262_144
"""Bytes that are read, and thrown away, after the server has closed a connection."""


class Batches(Protocol):
    """What peers are sent: :class:`ugs.daemon.deliveries.Deliveries`."""

    def gather(self) -> None:
        """A pass begins; :meth:`flush` is called after it."""
        ...

    def flush(self) -> None:
        """Send what was gathered."""
        ...


class Reading:
    """Reads from all peers of one server, which it lists in ``readers``.

    ``received`` takes a connection, bytes and the moment (``perf_counter``) when its turn began, handles what its share
    allows, sets :attr:`Connection.leftover` and :attr:`Connection.pause_s`, and returns the moment when it ended.
    ``caught_up`` waits while the disk is too slow to read more. ``watchdog`` sees each pass. ``standing_of`` gives a
    connection's standing among the others, ``way_of`` the outbox that takes its messages in its game, if it is in one;
    ``unsent`` knows whether any is crowded. ``batches`` go out after each pass over the epoll set. ``tasks`` is the
    nursery of tasks that wait until peers that sent too much may be read again. The owner calls :meth:`run`.
    """

    def __init__(
        self,
        readers: Readers,
        received: Callable[[Connection, bytes, float], float],
        caught_up: Callable[[], Awaitable[None]],
        watchdog: Watchdog,
        standing_of: Callable[[Connection], PeerStanding],
        way_of: Callable[[Connection], Outbox | None],
        unsent: Unsent,
        batches: Batches,
        tasks: Tasks,
    ) -> None:
        self.standing_of = standing_of
        self._batches = batches
        self._way_of = way_of
        self._unsent = unsent
        self._tasks = tasks
        self._received = received
        self._caught_up = caught_up
        self._turns = ServiceTurns(watchdog)
        self._readers = readers
        self._standing_back: dict[Outbox, list[PeerReader]] = {}
        """Those who wait until an outbox is no longer crowded."""
        self._unserved: list[PeerReader] = []
        """Those whose turn in this pass was too short."""
        self._epoll: select.epoll | None = select.epoll() if hasattr(select, "epoll") else None
        self._watched: dict[int, Speaker] = {}
        """By file descriptor."""
        self._bell: Bell | None = None
        if self._epoll is not None:
            self._bell = Bell()
            self._watched[self._bell.file] = self._bell
            self._epoll.register(self._bell.file, select.EPOLLIN)
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def read(self, connection: Connection) -> None:
        """Read until the peer has closed its side. Raises Gone."""
        reader = PeerReader(connection, self)
        self._readers.add(reader)
        file = connection.transport.fileno()
        try:
            # A login over the rate has set a pause before the first byte is read.
            await self._pause(reader)
            if self._epoll is None or file < 0:
                await self._await_bytes(reader)
            else:
                await self._watch(self._epoll, reader, file)
        finally:
            reader.ended.set()
            self._readers.remove(reader)
        if reader.gone is not None:
            raise Gone(reader.gone)

    async def run(self) -> None:
        """Serve all sockets, for ever."""
        epoll = self._epoll
        if epoll is None:
            await trio.sleep_forever()
        turns, watched = self._turns, self._watched
        while True:
            if turns.wanted:
                await trio.lowlevel.checkpoint()
            else:
                await trio.lowlevel.wait_readable(epoll.fileno())
            # A disk that is behind stops all reading: bytes wait in the network's buffers, not in memory.
            await self._caught_up()
            self._batches.gather()
            try:
                self._pass([watched[file] for file, _ in epoll.poll(0, MAX_EVENTS)])
            finally:
                self._batches.flush()

    # Peers that tasks of their own serve.

    def guest(self, origin: Hashable) -> Guest:
        """A new one, which comes from ``origin``."""
        return Guest(origin, self._asks)

    def _asks(self, guest: Guest) -> None:
        self._turns.ask(guest)
        if self._bell is not None:
            self._bell.ring()
        else:
            self._tasks.start_soon(self._serve_waiting, guest)

    # Two ways to learn that bytes have come.

    async def _watch(self, epoll: "select.epoll", reader: PeerReader, file: int) -> None:
        self._register(epoll, reader, file)
        if reader.connection.transport.unread() and self._bell is not None:
            self._turns.ask(reader)  # bytes that have left the socket do not make it readable
            self._bell.ring()
        try:
            await reader.ended.wait()
        finally:
            self._forget(reader)

    async def _await_bytes(self, reader: PeerReader) -> None:
        readable = reader.connection.transport.readable
        while not reader.ended.is_set():
            await self._caught_up()
            if reader.connection.thrown_away > LINGER_BYTES:
                await reader.ended.wait()
            await readable()
            self._turns.ask(reader)
            self._pass()
            await self._pause(reader)
            while reader.waits:
                await trio.lowlevel.checkpoint()
                self._pass()
                await self._pause(reader)

    async def _pause(self, reader: PeerReader) -> None:
        """Wait as long as the peer must not be read, and queue it again if it has sent more."""
        connection = reader.connection
        while reader.relief is not None:
            await reader.relief.wait()
        while connection.pause_s and not connection.closing:
            seconds, connection.pause_s = connection.pause_s, 0.0
            await trio.sleep(seconds)
            if connection.leftover:
                self._turns.ask(reader)

    async def _resume(self, reader: PeerReader) -> None:
        """The same for a peer whose socket is in the epoll set."""
        try:
            await self._pause(reader)
            self._mute(reader, False)
            await self._serve_waiting(reader)
        except Exception:
            reader.connection.lose("bug in the server", bug=True)  # it would never be read again
            raise

    async def _serve_waiting(self, speaker: Speaker) -> None:
        """Make passes until one has served this peer: no socket may be ready that would lead to any."""
        while speaker.waits:
            await trio.lowlevel.checkpoint()
            self._pass()

    # Turns.

    def _pass(self, ready: Sequence[Speaker] = ()) -> None:
        self._turns.give(ready)
        if self._unserved:
            for reader in self._unserved:
                if reader.waits and not reader.muted:
                    self._mute(reader, True)
            self._unserved.clear()

    def serve(self, reader: PeerReader, begun: float) -> float:
        """Serve one peer; returns the moment when its turn ended. Raises nothing: a bug that shows here costs the peer
        that met it, not the task that serves all."""
        connection = reader.connection
        if reader.ended.is_set():
            connection.leftover = False
            return begun
        # Whether any outbox is crowded is asked first, since nearly always none is.
        if self._unsent.crowded and self._stands_back(reader):
            return begun
        try:
            data = b""
            if not connection.leftover:
                reader.before = connection.transport.taken
                received = connection.transport.receive_now()
                if not received:
                    if received is not None:
                        self._end(reader)
                    return perf_counter()
                data = received
            if not connection.closing:
                ended = self._received(connection, data, begun)
                if connection.succession.all_sent is not None:
                    self._end(reader)
                return ended
            connection.leftover = False
            self._throw_away(reader, data)
        except Gone as gone:
            reader.gone = str(gone)
            self._end(reader)
        except Exception:
            self._log.exception("bug in the server", during="reading", conn=connection.number)
            connection.lose("bug in the server", bug=True)
        return perf_counter()

    def after_turn(self, reader: PeerReader) -> bool:
        """Whether a peer that has had its turn wants another one at once. If it must not be read for a while, makes
        sure that it is read afterwards."""
        connection = reader.connection
        if reader.relief is not None:
            return False
        if connection.pause_s:
            # Those without a socket in the epoll set pause in their own tasks.
            if reader.watched:
                self._mute(reader, True)
                self._tasks.start_soon(self._resume, reader)
            return False
        if connection.leftover:
            self._unserved.append(reader)
            return True
        if reader.muted:
            self._mute(reader, False)
        return False

    def _stands_back(self, reader: PeerReader) -> bool:
        """Let a player wait until its game master has read, if it must; whether it must."""
        connection = reader.connection
        way = None if connection.closing else self._way_of(connection)
        if way is None or not way.crowded:
            return False
        reader.relief = trio.Event()
        reader.file = connection.transport.fileno() if reader.watched else -1
        self._forget(reader)  # not only muted: an epoll set goes on reporting that a peer has hung up
        if way not in self._standing_back:
            self._standing_back[way] = []
            way.when_relieved(lambda: self._come_back(way))
        self._standing_back[way].append(reader)
        return True

    def _come_back(self, way: Outbox) -> None:
        """Read the peers again that wait for this outbox, those that have sent the least first."""
        # So one short move passes those of a player whose moves fill the line.
        for reader in sorted(self._standing_back.pop(way), key=PeerReader.received):
            assert reader.relief is not None
            reader.relief.set()
            reader.relief = None
            if self._readers.has(reader) and not reader.ended.is_set():
                if self._epoll is not None and reader.file >= 0:
                    reader.muted = False
                    self._register(self._epoll, reader, reader.file)
                self._turns.ask(reader)
        if self._bell is not None:
            self._bell.ring()

    def _throw_away(self, reader: PeerReader, data: bytes) -> None:
        """Bytes of a peer that the server has closed. It gets its last words however much it sends, but the server
        does not read for ever."""
        reader.connection.thrown_away += len(data)
        if reader.connection.thrown_away > LINGER_BYTES:
            self._forget(reader)

    # The epoll set.

    def _end(self, reader: PeerReader) -> None:
        """Nothing more comes: the connection's task goes on from here. The socket would go on reporting its end."""
        reader.connection.leftover = False
        self._forget(reader)
        reader.ended.set()

    def _register(self, epoll: "select.epoll", reader: PeerReader, file: int) -> None:
        epoll.register(file, select.EPOLLIN)
        self._watched[file] = reader
        reader.watched = True

    def _forget(self, reader: PeerReader) -> None:
        if reader.watched and self._epoll is not None:
            reader.watched = False
            file = reader.connection.transport.fileno()
            del self._watched[file]
            self._epoll.unregister(file)

    def _mute(self, reader: PeerReader, muted: bool) -> None:
        if reader.watched and self._epoll is not None:
            reader.muted = muted
            self._epoll.modify(reader.connection.transport.fileno(), 0 if muted else select.EPOLLIN)
