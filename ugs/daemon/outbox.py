"""What waits to be sent to one peer.

The messages of one moment gather in the batch, which goes out in one send. What the network does not take at once waits
in the backlog, which a task of its own empties. A peer for which too much waits, or that takes no byte for too long, is
dropped, so no other peer waits for it.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import trio

from ugs.daemon.supervision import Tasks
from ugs.daemon.transport import CHUNK, Gone, Transport


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and for how much the server waits for a peer that does not read."""

    bytes: int
    """Bytes that may wait for the network."""
    seconds: float
    """Seconds in which the network has to take at least one byte of them."""


CROWDED_BYTES = 131_072
"""What waits for a master above which the players of its games are not heard: their moves would wait as well, in the
order in which they came. Where they wait, who has said little goes first."""


NO_MARK = sys.maxsize
"""More bytes than any outbox will ever send."""


class Unsent:
    """How much waits for all peers together, and how much there was."""

    __slots__ = ("bytes", "crowded", "sent_bytes", "sent_messages", "spared")

    def __init__(self) -> None:
        self.bytes = 0
        """What the network has not taken of what was flushed."""
        self.crowded = 0
        """How many outboxes hold more than CROWDED_BYTES."""
        self.spared = 0
        """How many messages peers were spared since they were far behind."""
        self.sent_bytes = self.sent_messages = 0
        """What was ever flushed, taken or not."""


def _nothing(_what: object) -> None:
    """What is called when nobody is there any more."""


class Outbox:
    """The unsent bytes of one peer. Those of its backlog are counted in ``unsent``, too.

    ``emptied`` is called with the moment at which the network has taken everything, if :attr:`watched` is set then;
    ``passed`` with the moment at which it has taken as much as :attr:`mark` says;
    ``stuck`` is called with the reason when the peer takes nothing for too long.
    """

    __slots__ = (
        "_backlog",
        "_cleared",
        "_emptied",
        "_passed",
        "_patience",
        "_relieved",
        "_stuck",
        "_tasks",
        "_transport",
        "_unsent",
        "_writing",
        "acknowledged_then",
        "backlog_bytes",
        "batch",
        "batch_bytes",
        "crowded",
        "gone",
        "mark",
        "taken_bytes",
        "watched",
    )

    def __init__(
        self,
        transport: Transport,
        tasks: Tasks,
        patience: Patience,
        unsent: Unsent,
        emptied: Callable[[float], None],
        stuck: Callable[[str], None],
        passed: Callable[[float], None],
    ) -> None:
        self.batch: list[bytes] = []
        """What goes out with the next :meth:`flush`."""
        self.batch_bytes = 0
        self.backlog_bytes = 0
        """How much the network has not taken of what was flushed."""
        self.taken_bytes = 0
        """How much the network has taken, ever."""
        self.acknowledged_then = 0
        """How much the peer had taken when the backlog began."""
        self.mark = NO_MARK
        """When it has taken this much, ``passed`` is called."""
        self.watched = False
        """Whether ``emptied`` is called."""
        self.crowded = False
        """Whether more than CROWDED_BYTES wait."""
        self.gone = False
        """Whether the network has said that nobody reads what is sent."""
        self._transport = transport
        self._tasks = tasks
        self._patience = patience
        self._unsent = unsent
        self._emptied = emptied
        self._stuck = stuck
        self._passed = passed
        # A list takes a tenth of what a deque does, and mostly it is empty.
        self._backlog: list[bytes] = []
        self._relieved: list[Callable[[], None]] = []
        """Called when it is no longer crowded."""
        self._writing = False
        """Whether the task runs that empties the backlog."""
        self._cleared = False

    @property
    def empty(self) -> bool:
        """Whether the network has taken everything."""
        return not self.batch and not self._writing

    @property
    def waiting_bytes(self) -> int:
        """What has been put into it and the network has not taken."""
        return self.batch_bytes + self.backlog_bytes

    def put(self, data: bytes) -> str | None:
        """Put something into the batch. Returns why the peer has to be dropped instead, or None.

        The limit is looked at before: whatever the answer to one message, a peer that reads gets it. One that asks
        again and again before anything could be sent does not.
        """
        waiting = self.batch_bytes + self.backlog_bytes
        if waiting > self._patience.bytes:
            return self._too_much()
        size = len(data)
        self.batch.append(data)
        self.batch_bytes += size
        if waiting + size > CROWDED_BYTES and not self.crowded:
            self.crowded = True
            self._unsent.crowded += 1
        return None

    def acknowledged_bytes(self) -> int:
        """How many bytes the peer's machine has taken, ever, as far as the network knows."""
        return self.taken_bytes - self._transport.unacknowledged()

    def spares(self) -> bool:
        """Whether so much waits that the peer does without a message that it does not need; counts it."""
        far_behind = self.batch_bytes + self.backlog_bytes > self._patience.bytes // 4
        if far_behind:
            self._unsent.spared += 1
        return far_behind

    def when_relieved(self, call: Callable[[], None]) -> None:
        """Call this once, when it is no longer crowded or will send nothing more. It must be crowded."""
        self._relieved.append(call)

    def flush(self, now: float) -> str | None:
        """Send the batch. Returns why the peer has to be dropped, or None. ``now`` is a moment of Trio's clock."""
        batch = self.batch
        if not batch:
            return None  # dropped meanwhile
        messages = len(batch)
        data = batch[0] if messages == 1 else b"".join(batch)
        size, unsent = len(data), self._unsent
        unsent.sent_messages += messages
        unsent.sent_bytes += size
        batch.clear()
        self.batch_bytes = 0
        if not self._writing:  # else it would overtake what the task has taken out of the backlog
            try:
                sent = self._transport.send_now(data)
            except Gone:
                self.gone = True
                sent = size  # the reader will find out, with what the peer still had to say
            self.taken_bytes += sent
            if sent == size:
                if self.crowded:
                    self._relieve()
                if self.watched:
                    self._emptied(now)
                if self.taken_bytes >= self.mark:
                    self._passed(now)
                return None
            data = data[sent:]
        self._backlog.append(data)
        self._count(len(data))
        if self.backlog_bytes > self._patience.bytes:
            return self._too_much()
        if not self._writing:
            self._writing = True
            self.acknowledged_then = self.acknowledged_bytes()
            self._tasks.start_soon(self._goes_out)
        if self.taken_bytes >= self.mark:
            self._passed(now)
        return None

    def forget(self) -> None:
        """The connection has ended: let go of its methods, which hold it."""
        self._emptied = self._stuck = self._passed = _nothing

    def clear(self) -> None:
        """Throw away what has not been sent; nothing more will be."""
        self.batch.clear()
        self.batch_bytes = 0
        self._backlog.clear()
        self._count(-self.backlog_bytes)
        self._cleared = True
        self.watched = False
        self.mark = NO_MARK
        if self.crowded:
            self._relieve()

    def _too_much(self) -> str:
        return f"does not read: more than {self._patience.bytes} bytes wait for it"

    def _count(self, size: int) -> None:
        """The backlog has grown by ``size`` bytes."""
        self.backlog_bytes += size
        self._unsent.bytes += size

    def _relieve(self) -> None:
        self.crowded = False
        self._unsent.crowded -= 1
        calls, self._relieved = self._relieved, []
        for call in calls:
            call()

    async def _goes_out(self) -> None:
        """The task that empties the backlog. Should it fail, nothing would go out any more: the peer is dropped."""
        try:
            await self._empty_backlog()
        except Exception:
            self._stuck("bug in the server")
            raise

    async def _empty_backlog(self) -> None:
        """Send the backlog, as fast as the peer takes it."""
        seconds = self._patience.seconds
        while self._backlog:
            data = self._next_chunk()
            try:
                with trio.move_on_after(seconds) as scope:
                    sent = await self._transport.send(data)
            except Gone:
                self.gone = True
                self._backlog.clear()
                self.taken_bytes += self.backlog_bytes
                self._count(-self.backlog_bytes)
                if self.crowded:
                    self._relieve()
                break
            if self._cleared:
                break
            if scope.cancelled_caught:
                self._stuck(f"does not read: took no byte in {seconds:g} s")
                return
            self._count(-sent)
            self.taken_bytes += sent
            if self.crowded and self.waiting_bytes <= CROWDED_BYTES:
                self._relieve()
            if sent < len(data):
                self._backlog.insert(0, data[sent:])
            if self.taken_bytes >= self.mark:
                self._passed(trio.current_time())
        self._writing = False
        if not self.batch and self.watched:  # with a batch the next flush goes on from here
            self._emptied(trio.current_time())
        if self.taken_bytes >= self.mark:
            self._passed(trio.current_time())

    def _next_chunk(self) -> bytes:
        """Documents of the backlog merged into one send of moderate size."""
        size, taken = 0, 0
        for part in self._backlog:
            size += len(part)
            taken += 1
            if size >= CHUNK:
                break
        parts = self._backlog[:taken]
        del self._backlog[:taken]
        return parts[0] if taken == 1 else b"".join(parts)
