"""What waits to be sent to one peer.

The messages of one moment gather in the batch, which goes out in one send. What the network does not take at once waits
in the backlog, which a task of its own empties. A peer for which too much waits, or that takes no byte for too long, is
dropped, so no other peer waits for it.

A large document is never copied: all whom it is sent to hold the same bytes, and how much of them the network has
taken.
"""

import sys
from collections.abc import Callable
from itertools import islice

import trio

from ugs.daemon.network.transport import CHUNK, Gone, Transport
from ugs.daemon.processes.supervision import Tasks
from ugs.value import value


@value
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
MIN_SHARED_BYTES = 16_384
"""From this size on it is counted who else waits for the same document, which then takes memory once."""


class Unsent:
    """How much waits for all peers together, and how much there was."""

    __slots__ = ("_holders", "bytes", "crowded", "sent_bytes", "sent_messages", "spared")

    def __init__(self) -> None:
        self.bytes = 0
        """The memory of what the network has not taken whole of what was flushed. What several peers wait for counts
        once."""
        self._holders: dict[int, int] = {}
        """How many outboxes hold a large document, by its id."""
        self.crowded = 0
        """How many outboxes hold more than CROWDED_BYTES."""
        self.spared = 0
        """How many messages peers were spared since they were far behind."""
        self.sent_bytes = self.sent_messages = 0
        """What was ever flushed, taken or not."""

    def hold(self, part: bytes) -> None:
        """One more outbox keeps this."""
        if len(part) >= MIN_SHARED_BYTES:
            holders = self._holders.get(id(part), 0)
            self._holders[id(part)] = holders + 1
            if holders:
                return
        self.bytes += len(part)

    def release(self, part: bytes) -> None:
        """An outbox does not keep this any more."""
        if len(part) >= MIN_SHARED_BYTES:
            holders = self._holders.pop(id(part)) - 1
            if holders:
                self._holders[id(part)] = holders
                return
        self.bytes -= len(part)

    def share(self, part: bytes) -> int:
        """How much of the memory of this, which is held, each outbox answers for."""
        return len(part) // self._holders.get(id(part), 1)


def _nothing(*_what: object) -> None:
    """What is called when nobody is there any more."""


class Outbox:
    """The unsent bytes of one peer. ``unsent`` counts the memory that its backlog takes, too.

    ``emptied`` is called with the moment at which the network has taken everything, if :attr:`watched` is set then;
    ``passed`` with the moment at which it has taken as much as :attr:`mark` says;
    ``stuck`` is called with the reason, and whether that is that it does not read, when nothing more goes out.
    """

    __slots__ = (
        "_backlog",
        "_begun",
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
        stuck: Callable[[str, bool], None],
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
        self._begun = 0
        """How many bytes of the first part of the backlog the network has taken."""
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

    @property
    def held_bytes(self) -> int:
        """The memory that it answers for. What others wait for, too, is divided among all of them."""
        share = self._unsent.share
        return self.batch_bytes + (sum([share(part) for part in self._backlog]) if self._backlog else 0)

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
        size, unsent = self.batch_bytes, self._unsent
        unsent.sent_messages += messages
        unsent.sent_bytes += size
        self.batch_bytes = 0
        if messages == 1:
            parts: tuple[bytes, ...] = (batch[0],)
            batch.clear()
        elif size <= CHUNK:
            parts = (b"".join(batch),)
            batch.clear()
        else:
            parts, self.batch = tuple(batch), []
        sent = done = 0
        if not self._writing:  # else it would overtake what the task has taken out of the backlog
            try:
                for part in parts:
                    sent = self._transport.send_now(part)
                    if sent < len(part):
                        break
                    done += 1
            except Gone:
                self.gone = True
                done = len(parts)  # the reader will find out, with what the peer still had to say
            if done == len(parts):
                self.taken_bytes += size
                if self.crowded:
                    self._relieve()
                if self.watched:
                    self._emptied(now)
                if self.taken_bytes >= self.mark:
                    self._passed(now)
                return None
            self._begun = sent
            self.taken_bytes += sum(map(len, parts[:done])) + sent
        self.backlog_bytes -= sent
        for part in parts[done:]:
            self._backlog.append(part)
            self.backlog_bytes += len(part)
            unsent.hold(part)
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
        self._forget_backlog()
        self._cleared = True
        self.watched = False
        self.mark = NO_MARK
        if self.crowded:
            self._relieve()

    def _too_much(self) -> str:
        return f"does not read: more than {self._patience.bytes} bytes wait for it"

    def _forget_backlog(self) -> None:
        for part in self._backlog:
            self._unsent.release(part)
        self._backlog.clear()
        self._begun = self.backlog_bytes = 0

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
            self._stuck("bug in the server", False)
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
                self.taken_bytes += self.backlog_bytes
                self._forget_backlog()
                if self.crowded:
                    self._relieve()
                break
            if self._cleared:
                break
            if scope.cancelled_caught:
                self._stuck(f"does not read: took no byte in {seconds:g} s", True)
                return
            self._taken(sent)
            self.taken_bytes += sent
            if self.crowded and self.waiting_bytes <= CROWDED_BYTES:
                self._relieve()
            if self.taken_bytes >= self.mark:
                self._passed(trio.current_time())
        self._writing = False
        if not self.batch and self.watched:  # with a batch the next flush goes on from here
            self._emptied(trio.current_time())
        if self.taken_bytes >= self.mark:
            self._passed(trio.current_time())

    def _next_chunk(self) -> bytes:
        """What is sent next: at most CHUNK bytes, which stay in the backlog until they are taken."""
        backlog, begun = self._backlog, self._begun
        if len(backlog) == 1 or len(backlog[0]) - begun >= CHUNK:
            return backlog[0] if not begun and len(backlog[0]) <= CHUNK else backlog[0][begun : begun + CHUNK]
        parts, size = [backlog[0][begun:]], len(backlog[0]) - begun
        for part in islice(backlog, 1, None):
            parts.append(part[: CHUNK - size])
            size += len(parts[-1])
            if size == CHUNK:
                break
        return b"".join(parts)

    def _taken(self, size: int) -> None:
        """The network has taken so many bytes of the backlog."""
        self.backlog_bytes -= size
        size += self._begun
        done = 0
        while done < len(self._backlog) and size >= len(self._backlog[done]):
            size -= len(self._backlog[done])
            self._unsent.release(self._backlog[done])
            done += 1
        del self._backlog[:done]
        self._begun = size
