"""What waits to be sent to one peer.

The messages of one moment gather in the batch and go out in one send. What the network does not take at once waits in a
backlog (:mod:`ugs.daemon.connections.backlog`), which a task of its own empties. A peer that has too much waiting, or
takes no byte for too long, is dropped, so no other peer waits for it.
"""

import sys
from collections.abc import Callable

import trio

from ugs.daemon.connections.backlog import Backlog, Unsent
from ugs.daemon.network.transport import CHUNK, Gone, Transport
from ugs.daemon.processes.supervision import Tasks
from ugs.value import value


@value
class Patience:
    """How long and for how much the server waits for a peer that does not read."""

    bytes: int
    """Bytes that may wait for the network."""
    seconds: float
    """Within this many seconds the network has to take at least one byte of them."""


CROWDED_BYTES = 131_072
"""When more than this waits for a master, its games' players are not read: their moves would wait as well, in the order
they came. Where they wait now, the player that has sent the least goes first."""


NO_MARK = sys.maxsize
"""More bytes than any outbox will ever send."""


def _nothing(*_what: object) -> None:
    """Does nothing: stands in for the callbacks when the peer is gone."""


class Outbox:
    """The unsent bytes of one peer. ``unsent`` counts the memory that its backlog takes, too.

    ``emptied`` is called with the moment when the network has taken everything, if :attr:`watched` is set then;
    ``passed`` with the moment when it has taken up to :attr:`mark`; ``stuck`` when nothing more goes out, with the
    reason, and whether it is that the peer does not read.
    """

    __slots__ = (
        "_backlog",
        "_emptied",
        "_passed",
        "_patience",
        "_relieved",
        "_stuck",
        "_tasks",
        "_transport",
        "_unsent",
        "acknowledged_then",
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
        """Whether the network has reported that the peer no longer reads."""
        self._transport = transport
        self._tasks = tasks
        self._patience = patience
        self._unsent = unsent
        self._emptied = emptied
        self._stuck = stuck
        self._passed = passed
        self._backlog: Backlog | None = None
        """There while the task runs that empties it."""
        self._relieved: list[Callable[[], None]] = []
        """Called when it is no longer crowded."""

    @property
    def empty(self) -> bool:
        """Whether the network has taken everything."""
        return not self.batch and self._backlog is None

    @property
    def backlog_bytes(self) -> int:
        """How much the network has not taken of what was flushed."""
        return self._backlog.bytes if self._backlog is not None else 0

    @property
    def waiting_bytes(self) -> int:
        """What has been put into it and the network has not taken."""
        backlog = self._backlog  # not asked by a property: each state comes here
        return self.batch_bytes + backlog.bytes if backlog is not None else self.batch_bytes

    @property
    def held_bytes(self) -> int:
        """The memory that it answers for. What others wait for, too, is divided among all of them."""
        return self.batch_bytes + (self._backlog.share() if self._backlog is not None else 0)

    def put(self, data: bytes) -> str | None:
        """Put something into the batch. Returns why the peer has to be dropped instead, or None.

        The limit is checked first: a peer that reads gets the answer to one message, however long it is. One that asks
        again and again before anything could be sent does not.
        """
        backlog = self._backlog  # not asked by a property: each message comes here
        waiting = self.batch_bytes + backlog.bytes if backlog is not None else self.batch_bytes
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
        """Whether too much waits to add a message that the peer does not need; counts it then."""
        far_behind = self.waiting_bytes > self._patience.bytes // 4
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
        # Joining short messages costs less than a system call for each; a longer batch is never copied as a whole.
        if messages == 1:
            parts: tuple[bytes, ...] = (batch[0],)
            batch.clear()
        elif size <= CHUNK:
            parts = (b"".join(batch),)
            batch.clear()
        else:
            parts, self.batch = tuple(batch), []
        sent = done = 0
        backlog = self._backlog
        if backlog is None:  # else it would overtake what the task has taken out of the backlog
            try:
                for part in parts:
                    sent = self._transport.send_now(part)
                    if sent < len(part):
                        break
                    done += 1
            except Gone:
                self.gone = True
                done = len(parts)  # the reader will find out, and read what the peer still sent
            if done == len(parts):
                self.taken_bytes += size
                if self.crowded:
                    self._relieve()
                if self.watched:
                    self._emptied(now)
                if self.taken_bytes >= self.mark:
                    self._passed(now)
                return None
            backlog = Backlog(unsent, sent)
            self.taken_bytes += sum(map(len, parts[:done])) + sent
        for part in parts[done:]:
            backlog.add(part)
        if self._backlog is None:
            self._backlog = backlog
            # What the peer's machine takes from here on earns its clock time (wire_credit.py).
            self.acknowledged_then = self.acknowledged_bytes()
            self._tasks.start_soon(self._goes_out, backlog)
        if backlog.bytes > self._patience.bytes:
            return self._too_much()
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
        if self._backlog is not None:
            self._backlog.give_up()
        self.watched = False
        self.mark = NO_MARK
        if self.crowded:
            self._relieve()

    def _too_much(self) -> str:
        return f"does not read: more than {self._patience.bytes} bytes wait for it"

    def _relieve(self) -> None:
        self.crowded = False
        self._unsent.crowded -= 1
        calls, self._relieved = self._relieved, []
        for call in calls:
            call()

    async def _goes_out(self, backlog: Backlog) -> None:
        """The task that empties the backlog. Should it fail, nothing would go out any more: the peer is dropped."""
        try:
            await self._empty(backlog)
        except Exception:
            self._stuck("bug in the server", False)
            raise

    async def _empty(self, backlog: Backlog) -> None:
        """Send the backlog, as fast as the peer takes it."""
        seconds = self._patience.seconds
        while backlog.bytes:
            data = backlog.next_chunk()
            try:
                with trio.move_on_after(seconds) as scope:
                    sent = await self._transport.send(data)
            except Gone:
                self.gone = True
                # Counted as taken, or timers would wait for a peer that takes nothing any more.
                self.taken_bytes += backlog.bytes
                backlog.give_up()
                if self.crowded:
                    self._relieve()
                break
            if backlog.given_up:
                break
            if scope.cancelled_caught:
                self._stuck(f"does not read: took no byte in {seconds:g} s", True)
                return
            backlog.take(sent)
            self.taken_bytes += sent
            if self.crowded and self.waiting_bytes <= CROWDED_BYTES:
                self._relieve()
            if self.taken_bytes >= self.mark:
                self._passed(trio.current_time())
        self._backlog = None
        # What has gathered meanwhile is flushed with its batch; until then the outbox is not empty.
        if not self.batch and self.watched:  # with a batch the next flush goes on from here
            self._emptied(trio.current_time())
        if self.taken_bytes >= self.mark:
            self._passed(trio.current_time())
