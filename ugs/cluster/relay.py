"""The bytes of relayed peers, both ways, as they are.

Each way holds at most what one read has given. Until the other side has taken it nothing more is read, so a sender
waits for a peer that does not read, and the home's limits hold for the peer as if it were there. A side that takes no
byte for ``patience_s`` is given up, with both lines.

The sockets of all ways are in one epoll set, which one task reads: bytes that the other side takes at once, nearly all,
cost one call to receive and one to send. The system's part of these two is nearly all that a message costs. A way is a
task of its own only while it waits for a side that does not read, or where a transport has no socket to be watched.
"""

import select
from contextlib import suppress
from typing import Final

import structlog
import trio

from ugs.cluster.node_lines import send_whole
from ugs.daemon.network.transport import LINGER_S, Gone, Transport

MAX_READY: Final = 128
"""Ways that are served before all other tasks get a turn, and as many more in the last pass."""


class RelayWay:
    """One way that the epoll set carries, until its task has to go on with it."""

    __slots__ = ("gone", "rest", "sink", "source", "stopped")

    def __init__(self, source: Transport, sink: Transport) -> None:
        self.source = source
        self.sink = sink
        self.stopped = trio.Event()
        """Set when the epoll set does not carry it any more."""
        self.rest: bytes | None = b""
        """What the sink has not taken; None when the source has closed its side."""
        self.gone: Gone | None = None
        """Why a side is lost, if one is."""


class RelayWays:
    """All ways of a door. The owner calls :meth:`run`; until then, and afterwards, each way is a task."""

    def __init__(self) -> None:
        self._epoll: select.epoll | None = None
        self._carried: dict[int, RelayWay] = {}
        """By the file descriptor of the source."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self) -> None:
        """Serve all sockets until cancelled."""
        if not hasattr(select, "epoll"):
            await trio.sleep_forever()
        with select.epoll() as epoll:
            self._epoll = epoll
            try:
                while True:
                    await trio.lowlevel.wait_readable(epoll.fileno())
                    served = 0
                    # More has often come meanwhile, and asking again costs much less than coming back through Trio.
                    while served < MAX_READY and (ready := epoll.poll(0, MAX_READY)):
                        for file, _ in ready:
                            self._serve(file)
                        served += len(ready)
            finally:
                self._epoll = None
                for file in list(self._carried):
                    self._stop(file)
                # Trio wakes what waits for it before the number can belong to another file.
                trio.lowlevel.notify_closing(epoll.fileno())

    async def relay(self, peer: Transport, home: Transport, patience_s: float, first: bytes = b"") -> None:
        """Relay until the home has closed, or a line is lost; then both are closed. ``first`` has come from the home
        already. Raises nothing but cancellation."""
        try:
            async with trio.open_nursery() as ways:
                ways.start_soon(self._from_peer, peer, home, patience_s, ways.cancel_scope)
                with suppress(Gone):
                    await send_whole(peer, first, patience_s)
                    await self._pump(home, peer, patience_s)
                    await peer.send_eof()
                    # The peer has a moment to close its side, too.
                    ways.cancel_scope.deadline = trio.current_time() + LINGER_S
                    return
                ways.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await peer.aclose()
                await home.aclose()

    async def _from_peer(self, peer: Transport, home: Transport, patience_s: float, scope: trio.CancelScope) -> None:
        """Relay what the peer sends. A peer that has closed its side may still read what the home answers; after a lost
        line nothing goes on."""
        try:
            await self._pump(peer, home, patience_s)
            await home.send_eof()
        except Gone:
            scope.cancel()

    async def _pump(self, source: Transport, sink: Transport, patience_s: float) -> None:
        """Relay until the source has closed its side. Raises Gone."""
        while True:
            if self._epoll is not None and source.fileno() >= 0:
                rest = await self._carry(self._epoll, source, sink)
                if rest is None:
                    return
            else:
                await source.readable()
                received = source.receive_now()
                if received == b"":
                    return
                rest = received or b""
            await send_whole(sink, rest, patience_s)

    async def _carry(self, epoll: "select.epoll", source: Transport, sink: Transport) -> bytes | None:
        """Let the epoll set carry what the sink takes at once. Returns what it did not take, None when the source has
        closed its side. Raises Gone."""
        file = source.fileno()
        way = self._carried[file] = RelayWay(source, sink)
        try:
            epoll.register(file, select.EPOLLIN)
            await way.stopped.wait()
        finally:
            if not way.stopped.is_set():
                self._stop(file)
        if way.gone is not None:
            raise way.gone
        return way.rest

    def _serve(self, file: int) -> None:
        """Carry what has come from one source. Raises nothing: a failure is its way's."""
        way = self._carried.get(file)
        if way is None:  # its task has ended in this pass
            return
        try:
            data = way.source.receive_now()
            if data:
                sent = way.sink.send_now(data)
                if sent == len(data):
                    return
                way.rest = data[sent:]
            elif data is None:
                return
            else:
                way.rest = None
        except Gone as gone:
            way.gone = gone
        except Exception as error:
            self._log.exception("bug in the server", during="relaying")
            way.gone = Gone(str(error))
        self._stop(file)

    def _stop(self, file: int) -> None:
        """Carry this way no longer: its task goes on."""
        self._carried.pop(file).stopped.set()
        if self._epoll is not None:
            with suppress(OSError):  # closed meanwhile: then it is no longer in the set
                self._epoll.unregister(file)
