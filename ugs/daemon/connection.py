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
from ugs.daemon.transport import CHUNK, LINGER_S, Gone, Transport
from ugs.wire.framing import Framer

if TYPE_CHECKING:
    from ugs.daemon.driver import Driver

DISK_PATIENCE_S = 0.05
"""How long we look away while the disk is behind."""


class Connection:
    """The shell's side of one connection. ``number`` is what the broker knows it by."""

    __slots__ = (
        "_after_sending",
        "_backlog",
        "_backlog_bytes",
        "_driver",
        "_heard_out",
        "_scope",
        "_writing",
        "batch",
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
        self.batch: list[bytes] = []
        """What goes out with the next :meth:`flush`."""
        self._backlog: deque[bytes] = deque()
        self._backlog_bytes = 0
        self._writing = False
        self._heard_out = False
        self._after_sending: list[Timer] = []
        self._scope = trio.CancelScope()

    @property
    def backlog_bytes(self) -> int:
        """How much the network has not taken yet."""
        return self._backlog_bytes

    @property
    def all_sent(self) -> bool:
        """Whether the network has taken everything."""
        return not self.batch and not self._writing

    async def run(self) -> None:
        """Read until the peer or the server has had enough; leaves the transport closed."""
        reason = "closed by the peer"
        readable, receive_now, received = self.transport.readable, self.transport.receive_now, self._driver.received
        try:
            with self._scope:
                while True:
                    while self._driver.behind:  # noqa: ASYNC110  (the thread of the disk sets no event of ours)
                        await trio.sleep(DISK_PATIENCE_S)
                    await readable()
                    data = receive_now()
                    if data:
                        if not self.closing:
                            received(self, data)
                    elif data is not None:
                        break
                self._driver.left(self, reason)
                await self._answers_sent()
        except Gone as gone:
            reason = f"connection lost: {gone}"
        finally:
            try:
                await self.transport.aclose()
            finally:
                self._driver.ended(self, reason)

    def start_after_sending(self, timer: Timer) -> None:
        """The driver wants to know when all that is in the batch has been sent: this timer counts from then."""
        self._after_sending.append(timer)

    def flush(self, now: float) -> str | None:
        """Send the batch. Returns why the connection has to be dropped, or None."""
        batch = self.batch
        if not batch:
            return None  # dropped meanwhile
        data = batch[0] if len(batch) == 1 else b"".join(batch)
        batch.clear()
        if not self._writing:  # else it would overtake what the task has taken out of the backlog
            try:
                sent = self.transport.send_now(data)
            except Gone:
                sent = len(data)  # the reader will find out, with what the peer still had to say
            if sent == len(data):
                if self._after_sending or self.closing:
                    self._all_sent(now)
                return None
            data = data[sent:]
        self._backlog.append(data)
        self._backlog_bytes += len(data)
        limit = self._driver.config.max_outbox_bytes
        if self._backlog_bytes > limit:
            return f"does not read: more than {limit} bytes wait for it"
        if not self._writing:
            self._writing = True
            self._driver.tasks.start_soon(self._empty_outbox)
        return None

    def close(self) -> None:
        """Send the batch, then tell the peer that nothing more will come, and let go of it soon."""
        self.closing = True
        if self.all_sent:
            self._all_sent(trio.current_time())

    def drop(self) -> None:
        """Let go of the peer at once, whatever still waits for it."""
        self.closing = True
        self.batch.clear()
        self._backlog.clear()
        self._after_sending.clear()
        self._scope.cancel()

    def _all_sent(self, now: float) -> None:
        if self._after_sending:
            self._driver.sent(self, self._after_sending, now)
            self._after_sending.clear()
        if self.closing:
            self._driver.tasks.start_soon(self._say_end)

    async def _say_end(self) -> None:
        await self.transport.send_eof()
        self._scope.deadline = trio.current_time() + (0 if self._heard_out else LINGER_S)

    async def _answers_sent(self) -> None:
        """The peer has closed its side, and may still read the answers to what it said before."""
        self._heard_out = True
        if self.batch or self._writing:
            self._scope.deadline = trio.current_time() + LINGER_S
            await trio.sleep_forever()

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
                self._backlog_bytes = 0
                break
            if scope.cancelled_caught:
                self._driver.lose(self, f"does not read: took no byte in {patience:g} s")
                return
            self._backlog_bytes -= sent
            if sent < len(data):
                self._backlog.appendleft(data[sent:])
        self._writing = False
        if not self.batch:  # else the next flush goes on from here
            self._all_sent(trio.current_time())

    def _next_chunk(self) -> bytes:
        """Pending documents merged into one send of moderate size."""
        parts = [self._backlog.popleft()]
        size = len(parts[0])
        while self._backlog and size < CHUNK:
            parts.append(self._backlog.popleft())
            size += len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)
