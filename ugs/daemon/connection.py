"""One peer: reading what it sends, sending what it is sent, and its end.

What one moment produced for a peer is sent in one go. What the network does not take at once waits in the outbox,
which a task of its own empties; a peer whose outbox grows too large, or takes no byte for too long, is dropped, so
nobody waits for anybody else. A connection that is closed by us says so to the peer and goes on reading, and throwing
away, for a moment: closing with unread bytes would make the network throw away our last words instead.
"""

from collections import deque
from typing import TYPE_CHECKING

import trio

from ugs.broker.events import Timer
from ugs.daemon.timers import Running
from ugs.daemon.transport import CHUNK, Gone, Transport
from ugs.wire.framing import Framer

if TYPE_CHECKING:
    from ugs.daemon.driver import Driver

LINGER_S = 1.0
"""How long we wait for a peer to close its side after we have closed ours."""


class Connection:
    """The shell's side of one connection. ``number`` is what the broker knows it by."""

    __slots__ = (
        "_after_sending",
        "_backlog",
        "_backlog_bytes",
        "_batch",
        "_driver",
        "_scope",
        "_writing",
        "closing",
        "declares",
        "framer",
        "number",
        "transport",
        "unheard",
    )

    def __init__(self, number: int, transport: Transport, framer: Framer, driver: "Driver") -> None:
        self.number = number
        self.transport = transport
        self.framer = framer
        self.declares = True
        """Whether what we send begins with an XML declaration."""
        self.unheard = True
        """Whether no whole document has come yet."""
        self.closing = False
        self._driver = driver
        self._batch: list[bytes] = []
        self._backlog: deque[bytes] = deque()
        self._backlog_bytes = 0
        self._writing = False
        self._after_sending: list[tuple[Timer, Running, float]] = []
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Read until the peer or the server has had enough; leaves the transport closed."""
        reason = "closed by the peer"
        try:
            with self._scope:
                while data := await self.transport.receive():
                    if not self.closing:
                        self._driver.received(self, data)
        except Gone as gone:
            reason = f"connection lost: {gone}"
        finally:
            await self.transport.aclose()
            self._driver.ended(self, reason)

    def put(self, document: bytes) -> bool:
        """Add a document to what goes out with the next :meth:`flush`; True if it is the first one."""
        self._batch.append(document)
        return len(self._batch) == 1

    def start_after_sending(self, timer: Timer, running: Running, seconds: float) -> None:
        """This timer counts from the moment at which all that was put so far has been sent."""
        self._after_sending.append((timer, running, seconds))

    def flush(self) -> str | None:
        """Send what was put. Returns why the connection has to be dropped, or None."""
        batch = self._batch
        data = batch[0] if len(batch) == 1 else b"".join(batch)
        batch.clear()
        if not self._backlog:
            try:
                sent = self.transport.send_now(data)
            except Gone:
                sent = len(data)  # the reader will find out, with what the peer still had to say
            if sent == len(data):
                self._after_sending.clear()
                self._end_if_closing()
                return None
            data = data[sent:]
        self._backlog.append(data)
        self._backlog_bytes += len(data)
        limit = self._driver.config.max_outbox_bytes
        if self._backlog_bytes > limit:
            return f"does not read: more than {limit} bytes wait for it"
        for timer, running, _ in self._after_sending:
            self._driver.timers.hold(timer, running)
        if not self._writing:
            self._writing = True
            self._driver.tasks.start_soon(self._empty_outbox)
        return None

    def close(self) -> None:
        """Send what was put, then tell the peer that nothing more will come, and let go of it soon."""
        self.closing = True
        if not self._batch and not self._writing:
            self._end_if_closing()

    def drop(self) -> None:
        """Let go of the peer at once, whatever still waits for it."""
        self.closing = True
        self._batch.clear()
        self._backlog.clear()
        self._scope.cancel()

    def _end_if_closing(self) -> None:
        if self.closing:
            self._driver.tasks.start_soon(self._say_end)

    async def _say_end(self) -> None:
        self._scope.deadline = trio.current_time() + LINGER_S
        await self.transport.send_eof()

    async def _empty_outbox(self) -> None:
        """Send what waits, as fast as the peer takes it."""
        patience = self._driver.config.write_timeout_s
        while self._backlog:
            data = self._next_chunk()
            try:
                with trio.move_on_after(patience) as scope:
                    sent = await self.transport.send(data)
            except Gone:
                self._backlog.clear()
                self._end_if_closing()
                return
            if scope.cancelled_caught:
                self._driver.lose(self, f"does not read: took no byte in {patience:g} s")
                return
            self._backlog_bytes -= sent
            if sent < len(data):
                self._backlog.appendleft(data[sent:])
        self._writing = False
        for timer, running, seconds in self._after_sending:
            self._driver.timers.release(timer, running, seconds)
        self._after_sending.clear()
        self._end_if_closing()

    def _next_chunk(self) -> bytes:
        """Pending documents merged into one send of moderate size."""
        parts = [self._backlog.popleft()]
        size = len(parts[0])
        while self._backlog and size < CHUNK:
            parts.append(self._backlog.popleft())
            size += len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)
