"""One task reads for all peers with a raw socket, and gives each its share.

The sockets are in an epoll set of our own, which Trio watches as one: a message costs no ``epoll_ctl`` and no task
switch. A peer whose turn is over before all that it said has been handled waits in the queue of
:mod:`ugs.daemon.shares`. Nothing is read from it meanwhile, so it fills the network's buffers and has to wait itself.
A pass over the queue is short: after it the answers go out, all other tasks run, and the sockets are looked at again.

A transport that has no socket, and every transport where the system has no epoll, is awaited in its connection's task,
which puts the peer into the same queue.
"""

import select
from collections.abc import Callable
from time import perf_counter

import structlog
import trio

from ugs.daemon.connection import Connection
from ugs.daemon.shares import Account, Shares
from ugs.daemon.transport import Gone
from ugs.daemon.watchdog import Watchdog

PASS_S = 0.005
"""Seconds after which all other tasks get their turn."""
MAX_EVENTS = 512
"""Sockets that are noticed in one pass. Others that are ready are reported by the next: epoll takes turns, too."""
DISK_PATIENCE_S = 0.05
"""Seconds between two looks at a disk that is behind."""
LONG_TURN_S = 0.003
"""Seconds on the wall after which it is worth asking how much of a turn was processor time: a peer must not pay for
what the machine did meanwhile."""
HEAVY_TURN_S = 0.0005
"""Seconds after which it is worth asking what a peer's weight is."""
LINGER_BYTES = 262_144
"""Bytes that are read, and thrown away, after the server has closed a connection."""


class Reader(Account):
    """One peer, as long as something may come from it."""

    __slots__ = ("connection", "ended", "gone", "muted", "watched", "weight")

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self.ended = trio.Event()
        """Set when nothing more comes."""
        self.gone: Gone | None = None
        """Why, unless the peer has just closed its side."""
        self.watched = False
        """Whether its socket is in the epoll set."""
        self.muted = False
        """Whether the epoll set does not report it for now."""
        self.weight = 1
        """As many shares it has."""


class Reading:
    """Reads from all peers of one server.

    ``received`` takes a connection, bytes and the moment (``perf_counter``) at which its turn began, handles what its
    share allows, sets :attr:`Connection.leftover` and :attr:`Connection.pause_s`, and returns the moment at which it
    ended. ``behind`` says whether the disk is so slow that nothing more should be read for now. ``watchdog`` is told of
    each pass. ``weight_of`` says how many shares the connection of this number has. ``tasks`` is the nursery of tasks
    that wait until peers that said too much may be heard again. The owner calls :meth:`run`.
    """

    def __init__(
        self,
        received: Callable[[Connection, bytes, float], float],
        behind: Callable[[], bool],
        watchdog: Watchdog,
        weight_of: Callable[[int], int],
        tasks: trio.Nursery,
    ) -> None:
        self._tasks = tasks
        self._received = received
        self._watchdog = watchdog
        self._weight_of = weight_of
        self._behind = behind
        self._shares: Shares[Reader] = Shares()
        self._epoll: select.epoll | None = select.epoll() if hasattr(select, "epoll") else None
        self._watched: dict[int, Reader] = {}
        """By file descriptor."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def read(self, connection: Connection) -> None:
        """Read until the peer has closed its side. Raises Gone."""
        reader = Reader(connection)
        file = connection.transport.fileno()
        try:
            await self._pause(reader)
            if self._epoll is None or file < 0:
                await self._await_bytes(reader)
            else:
                await self._watch(self._epoll, reader, file)
        finally:
            reader.ended.set()
        if reader.gone is not None:
            raise reader.gone

    async def run(self) -> None:
        """Serve all sockets, for ever."""
        epoll = self._epoll
        if epoll is None:
            await trio.sleep_forever()
        shares, watched = self._shares, self._watched
        while True:
            if shares:
                await trio.lowlevel.checkpoint()
            else:
                await trio.lowlevel.wait_readable(epoll.fileno())
            while self._behind():  # noqa: ASYNC110  (the thread of the disk sets no event)
                await trio.sleep(DISK_PATIENCE_S)
            for file, _ in epoll.poll(0, MAX_EVENTS):
                shares.arrives(watched[file])
            self._pass()

    # Two ways to learn that bytes have come.

    async def _watch(self, epoll: "select.epoll", reader: Reader, file: int) -> None:
        epoll.register(file, select.EPOLLIN)
        self._watched[file] = reader
        reader.watched = True
        try:
            await reader.ended.wait()
        finally:
            self._forget(reader)

    async def _await_bytes(self, reader: Reader) -> None:
        readable = reader.connection.transport.readable
        while not reader.ended.is_set():
            while self._behind():  # noqa: ASYNC110  (as above)
                await trio.sleep(DISK_PATIENCE_S)
            if reader.connection.thrown_away > LINGER_BYTES:
                await reader.ended.wait()
            await readable()
            self._shares.arrives(reader)
            self._pass()
            await self._pause(reader)
            while reader.waits:
                await trio.lowlevel.checkpoint()
                self._pass()
                await self._pause(reader)

    async def _pause(self, reader: Reader) -> None:
        """Wait as long as the peer must not be heard, and queue it again if it has said more."""
        connection = reader.connection
        while connection.pause_s and not connection.closing:
            seconds, connection.pause_s = connection.pause_s, 0.0
            await trio.sleep(seconds)
            if connection.leftover:
                self._shares.arrives(reader)

    async def _resume(self, reader: Reader) -> None:
        """The same for a peer whose socket is in the epoll set."""
        await self._pause(reader)
        self._mute(reader, False)
        while reader.waits:
            await trio.lowlevel.checkpoint()
            self._pass()

    # Turns.

    def _pass(self) -> None:
        """Give turns until nobody waits or the pass has been long enough."""
        shares, turn = self._shares, self._turn
        self._watchdog.begin()
        moment = perf_counter()
        until = moment + PASS_S
        unserved: list[Reader] = []
        while shares and moment < until:
            reader = shares.next()
            ended = turn(reader, moment)
            seconds = ended - moment
            if seconds > LONG_TURN_S:
                seconds = self._watchdog.processor_s(seconds)
                self._watchdog.begin()
            if seconds > HEAVY_TURN_S or reader.weight > 1:
                reader.weight = self._weight_of(reader.connection.number)
                seconds /= reader.weight
            shares.spent(reader, seconds)
            moment = ended
            if reader.connection.pause_s:
                if reader.watched:
                    self._mute(reader, True)
                    self._tasks.start_soon(self._resume, reader)
            elif reader.connection.leftover:
                shares.arrives(reader)
                unserved.append(reader)
            elif reader.muted:
                self._mute(reader, False)
        for reader in unserved:
            if reader.waits and not reader.muted:
                self._mute(reader, True)

    def _turn(self, reader: Reader, begun: float) -> float:
        """Serve one peer; the moment at which its turn ended. Raises nothing: a bug that shows here costs the peer that
        met it, not the task that serves all."""
        connection = reader.connection
        if reader.ended.is_set():
            connection.leftover = False
            return begun
        try:
            if connection.leftover:
                data: bytes | None = b""
            else:
                data = connection.transport.receive_now()
                if not data:
                    if data is not None:
                        self._end(reader)
                    return perf_counter()
            if not connection.closing:
                return self._received(connection, data or b"", begun)
            connection.leftover = False
            self._throw_away(reader, data or b"")
        except Gone as gone:
            reader.gone = gone
            self._end(reader)
        except Exception:
            self._log.exception("bug in the server", during="reading", conn=connection.number)
            connection.lose("bug in the server")
        return perf_counter()

    def _throw_away(self, reader: Reader, data: bytes) -> None:
        """Bytes of a peer that the server has closed. It gets its last words however much it sends, but the server
        does not read for ever."""
        reader.connection.thrown_away += len(data)
        if reader.connection.thrown_away > LINGER_BYTES:
            self._forget(reader)

    # The epoll set.

    def _end(self, reader: Reader) -> None:
        """Nothing more comes: the connection's task goes on from here. The socket would go on reporting its end."""
        reader.connection.leftover = False
        self._forget(reader)
        reader.ended.set()

    def _forget(self, reader: Reader) -> None:
        if reader.watched and self._epoll is not None:
            reader.watched = False
            file = reader.connection.transport.fileno()
            del self._watched[file]
            self._epoll.unregister(file)

    def _mute(self, reader: Reader, muted: bool) -> None:
        if reader.watched and self._epoll is not None:
            reader.muted = muted
            self._epoll.modify(reader.connection.transport.fileno(), 0 if muted else select.EPOLLIN)
