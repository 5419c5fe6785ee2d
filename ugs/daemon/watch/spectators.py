"""Spectators: what is published on a channel goes to its subscribers when there is time for that.

Publishing only puts a message on its channel. A task of its own hands out what has gathered there, to a few connections
at a time; between two of these slices, what players send and are sent goes first. What is published meanwhile waits for
the next round and goes out together; the longer a round takes, the later the next one comes.

A subscriber gets what was published after it had subscribed, in order with what is sent to it directly. One that does
not read is dropped; no other peer waits for it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import structlog
import trio

from ugs.broker.effects import Publish, Subscribe, Unsubscribe
from ugs.config import Config
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.payload_log import payload_log
from ugs.daemon.driver import Driver
from ugs.daemon.memory.shedding import Shedding
from ugs.daemon.processes.supervision import Supervisor, Tasks
from ugs.daemon.watch.spectator_queue import MessageChannel
from ugs.wire.codec import encode
from ugs.wire.messages import Message

GATHER_S = 0.05
"""How long what is published waits for company: a move and the state that answers it go out together, and the players
have them before the work for the spectators begins."""
MAX_GATHER_S = 1.0
SHARE = 0.05
"""Rounds take at most this part of all time: after a long one what is published waits longer, up to MAX_GATHER_S."""
SLICE = 8
"""Connections that are handed something in one go: a player waits no longer than that takes."""
REST_S = 0.001
"""After an event the next slice waits this long, for the answer that the event will most likely bring."""
MAX_REST_S = 0.002
"""However much happens, the next slice waits at most this long: a server under full load still serves spectators."""


class Spectators:
    """All channels of one server.

    ``connections`` are all open ones, by number. The driver reports when the latest event happened. Rounds run in a
    task of ``tasks``, which starts with the first subscription and begins again should it fail.
    """

    def __init__(
        self,
        config: Config,
        driver: Driver,
        connections: Mapping[int, Connection],
        tasks: Tasks,
        shedding: Shedding,
        supervisor: Supervisor,
    ) -> None:
        self.subscriptions: dict[int, list[MessageChannel]] = {}
        """By connection; those without any are not in it."""
        self._driver = driver
        self._connections = connections
        self._tasks = tasks
        self._shedding = shedding
        self._supervisor = supervisor
        self._max_backlog_bytes = config.max_watch_backlog_bytes
        self._channels: dict[str, MessageChannel] = {}
        self._gathered: list[MessageChannel] = []
        """Channels for the next round."""
        self._something_published = trio.lowlevel.ParkingLot()
        self._running = False
        self._payloads = payload_log(config)
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    # Effects.

    def subscribe(self, effect: Subscribe, _now: float) -> None:
        """Perform: from now on a connection gets what is published on a channel."""
        if not self._running:
            self._running = True
            self._tasks.start_soon(self._supervisor.run, "spectators", self._run)
        number = effect.conn
        if number not in self._connections:
            return  # lost in this very moment; the broker is notified next
        channel = self._channels.get(effect.channel)
        if channel is None:
            channel = self._channels[effect.channel] = MessageChannel(self._write)
        if number not in channel.subscribers:
            self.subscriptions.setdefault(number, []).append(channel)
        channel.subscribers[number] = channel.count

    def unsubscribe(self, effect: Unsubscribe, _now: float) -> None:
        """Perform: a connection gets nothing more of a channel, not even what has been published. Without a connection
        the channel is closed: what has been published is still handed out, and nothing else comes."""
        if effect.conn is None:
            self._close(effect.channel)
            return
        channel = self._channels.get(effect.channel)
        if channel is not None and effect.conn in channel.subscribers:
            self._part(channel, effect.conn)
            if not channel.subscribers:
                del self._channels[effect.channel]

    def publish(self, effect: Publish, _now: float) -> None:
        """Perform: put a message on a channel."""
        channel = self._channels.get(effect.channel)
        if channel is None:
            return  # all subscribers have gone in this very moment
        channel.put(effect.message)
        if not channel.gathered:
            channel.gathered = True
            if not self._gathered:
                self._something_published.unpark()
            self._gathered.append(channel)

    def waiting_bytes(self) -> list[int]:
        """For each channel what has not been handed to all its subscribers."""
        return [channel.waiting_bytes for channel in self._channels.values()]

    # Connections.

    def catch_up(self, connection: Connection) -> str | None:
        """Something is about to be sent to a subscriber directly: what was published before goes before. Returns why
        the subscriber has to be dropped instead, or None."""
        too_much = None
        for channel in self.subscriptions[connection.number]:
            documents = channel.take(connection, channel.count)
            if documents:
                too_much = too_much or connection.outbox.put(documents)
        return too_much

    def forget(self, number: int) -> None:
        """A connection has ended."""
        for channel in list(self.subscriptions.get(number, ())):
            self._part(channel, number)

    # Rounds.

    async def _run(self) -> None:
        """Hand out what is published; for ever."""
        not_before = -math.inf
        while True:
            if not self._gathered:
                await self._something_published.park()
            await trio.sleep_until(max(not_before, trio.current_time() + GATHER_S))
            channels, self._gathered = self._gathered, []
            begun = trio.current_time()
            try:
                while channels:
                    await self._round(channels.pop(0))
            finally:  # should a round fail, the others still come
                self._gathered[:0] = channels
            ended = trio.current_time()
            not_before = ended + min(MAX_GATHER_S, (ended - begun) * (1 - SHARE) / SHARE)

    async def _round(self, channel: MessageChannel) -> None:
        channel.gathered = False
        end = channel.count
        for numbers in slices(list(channel.subscribers)):
            await self._players_first()
            now = trio.current_time()
            for number in numbers:
                self._hand(channel, number, end, now)
        channel.forget(end)
        if channel.closing and not channel.gathered:
            self._end(channel)

    async def _players_first(self) -> None:
        """Let all other tasks run, and wait until nothing has happened for a moment."""
        await trio.lowlevel.checkpoint()
        now = trio.current_time()
        patience_ends = now + MAX_REST_S
        driver = self._driver
        while (until := min(driver.now + driver.clock.stood_s + REST_S, patience_ends)) > now:
            await trio.sleep_until(until)
            now = trio.current_time()

    def _hand(self, channel: MessageChannel, number: int, end: int, now: float) -> None:
        connection = self._connections.get(number)
        if connection is None or connection.closing:
            return
        documents = channel.take(connection, end)
        if not documents:
            return
        outbox = connection.outbox
        if outbox.backlog_bytes > self._max_backlog_bytes:
            self._lose(connection, f"more than {self._max_backlog_bytes} bytes wait for it")
            return
        goes_out_later = bool(outbox.batch)  # with the deliveries, after the journal has been written
        too_slow = outbox.put(documents)
        if too_slow is None and not goes_out_later:
            too_slow = outbox.flush(now)
        if too_slow is not None:
            self._lose(connection, too_slow)
        self._shedding.shed()

    def _lose(self, connection: Connection, why: str) -> None:
        reason = f"slow spectator: {why}"
        self._log.warning("slow spectator", conn=connection.number, reason=reason, address=connection.transport.address)
        connection.lose(reason, unread=True)

    # Channels.

    def _write(self, message: Message) -> bytes:
        """A message as a document, without declaration; nothing where a bug keeps it from being written: it may cost
        spectators an event, not a contest."""
        try:
            document = encode(message)
        except ValueError:
            self._log.exception("bug in the server", during="publishing", message=message.TYPE)
            return b""
        if self._payloads is not None:
            self._payloads.debug("out", conn="spectators", document=document.decode())
        return document

    def _close(self, name: str) -> None:
        channel = self._channels.pop(name, None)
        if channel is not None:
            channel.closing = True
            if not channel.gathered:
                self._end(channel)

    def _end(self, channel: MessageChannel) -> None:
        for number in list(channel.subscribers):
            self._part(channel, number)

    def _part(self, channel: MessageChannel, number: int) -> None:
        del channel.subscribers[number]
        subscriptions = self.subscriptions[number]
        subscriptions.remove(channel)
        if not subscriptions:
            del self.subscriptions[number]


def slices(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """These numbers, at most SLICE at a time."""
    for begin in range(0, len(numbers), SLICE):
        yield numbers[begin : begin + SLICE]
