"""Spectators: what is published on a channel goes to whoever is subscribed to it, when there is time for that.

Publishing only puts a message on its channel. A task of its own hands out what has gathered there: to a few connections
at a time, and between two of these slices comes first whatever the players have sent and are to be sent. What is
published while that goes on waits for the next round, and goes out together; the more a round costs, the later the next
one comes. A message is written once, and what a round hands out is joined once, however many get it.

Each subscriber gets what was published after it had subscribed, and in order with what is sent to it directly. One
that does not read is dropped; nobody waits for it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import trio

from ugs.daemon.connection import Connection
from ugs.wire.codec import DECLARATION
from ugs.wire.messages import Message

GATHER_S = 0.05
"""How long what is published waits for company: a move and the state that answers it go out together, and the players
have them before the work for the spectators begins."""
LONGEST_GATHER_S = 1.0
SHARE = 0.05
"""Rounds may take such a part of all time: after a long one what is published waits longer, up to the above."""
SLICE = 8
"""So many connections are handed something in one go: a player waits no longer than that takes."""
REST_S = 0.001
"""When something has happened the next slice waits so long, for the answer that it will most likely bring."""
LONGEST_REST_S = 0.002
"""However much happens, the next slice waits no longer than this: a server under full load still tells spectators."""


class Channel:
    """What has been published and not been handed out to all, and who is to get it."""

    __slots__ = ("_documents", "_first", "_joined", "_messages", "_write", "closing", "gathered", "subscribers")

    def __init__(self, write: Callable[[Message], bytes]) -> None:
        self._write = write
        self._documents: list[bytes] = []
        """What has been written, without declarations."""
        self._first = 0
        """The number of the first of them."""
        self._messages: list[Message] = []
        """What has been published after that, and not been written yet."""
        self._joined: dict[tuple[int, int, bool], bytes] = {}
        self.subscribers: dict[int, int] = {}
        """By connection the number of the first message that it has not been handed."""
        self.gathered = False
        """Whether the next round is going to see to it."""
        self.closing = False
        """Whether nothing more will be published."""

    @property
    def count(self) -> int:
        """How many messages have been published since the beginning."""
        return self._first + len(self._documents) + len(self._messages)

    def put(self, message: Message) -> None:
        """One more message; nothing is done with it yet."""
        self._messages.append(message)

    def taken(self, connection: Connection, end: int) -> bytes:
        """The messages before number ``end`` that a connection has not been handed, as one piece; empty when there are
        none, or when it is no subscriber. They count as handed to it."""
        begin = self.subscribers.get(connection.number, end)
        if begin >= end:
            return b""
        self.subscribers[connection.number] = end
        key = begin, end, connection.declares
        joined = self._joined.get(key)
        if joined is None:
            joined = self._joined[key] = self._join(begin, end, DECLARATION if connection.declares else b"")
        return joined

    def forget(self, end: int) -> None:
        """Everybody has the messages before this number."""
        self._write_all()
        del self._documents[: end - self._first]
        self._first = end
        self._joined.clear()

    def _join(self, begin: int, end: int, prefix: bytes) -> bytes:
        self._write_all()
        return b"".join([prefix + document for document in self._documents[begin - self._first : end - self._first]])

    def _write_all(self) -> None:
        self._documents += map(self._write, self._messages)
        self._messages.clear()


class Audience:
    """All channels of one server. ``connections`` are those there are, by number; ``write`` makes a document of a
    message, without declaration; ``latest`` tells when something last happened on this server; ``lose`` is called with
    a subscriber for whom more than ``most_bytes`` wait."""

    def __init__(
        self,
        connections: Mapping[int, Connection],
        write: Callable[[Message], bytes],
        latest: Callable[[], float],
        lose: Callable[[Connection, str], None],
        most_bytes: int,
    ) -> None:
        self._connections = connections
        self._write = write
        self._latest = latest
        self._lose = lose
        self._most_bytes = most_bytes
        self._channels: dict[str, Channel] = {}
        self.subscriptions: dict[int, list[Channel]] = {}
        """By connection; those without any are not in it."""
        self._gathered: list[Channel] = []
        self._something_published = trio.lowlevel.ParkingLot()

    def subscribe(self, number: int, name: str) -> None:
        """From now on a connection gets what is published on a channel."""
        if number not in self._connections:
            return  # lost in this very moment; the broker hears of it next
        channel = self._channels.get(name)
        if channel is None:
            channel = self._channels[name] = Channel(self._write)
        if number not in channel.subscribers:
            self.subscriptions.setdefault(number, []).append(channel)
        channel.subscribers[number] = channel.count

    def unsubscribe(self, name: str, number: int) -> None:
        """A connection gets nothing more of a channel, not even what has been published already."""
        channel = self._channels.get(name)
        if channel is not None and number in channel.subscribers:
            self._part(channel, number)
            if not channel.subscribers:
                del self._channels[name]

    def close(self, name: str) -> None:
        """Nothing more is published on a channel; what has been is still handed out."""
        channel = self._channels.pop(name, None)
        if channel is not None:
            channel.closing = True
            if not channel.gathered:
                self._end(channel)

    def publish(self, name: str, message: Message) -> None:
        """Put a message on a channel."""
        channel = self._channels.get(name)
        if channel is None:
            return  # all who were subscribed have gone in this very moment
        channel.put(message)
        if not channel.gathered:
            channel.gathered = True
            if not self._gathered:
                self._something_published.unpark()
            self._gathered.append(channel)

    def catch_up(self, connection: Connection) -> None:
        """Something is about to be sent to a subscriber directly: what was published before goes before."""
        for channel in self.subscriptions[connection.number]:
            documents = channel.taken(connection, channel.count)
            if documents:
                connection.batch.append(documents)

    def forget(self, number: int) -> None:
        """A connection is no more."""
        for channel in list(self.subscriptions.get(number, ())):
            self._part(channel, number)

    async def run(self) -> None:
        """Hand out what is published; for ever."""
        not_before = -math.inf
        while True:
            if not self._gathered:
                await self._something_published.park()
            await trio.sleep_until(max(not_before, trio.current_time() + GATHER_S))
            channels, self._gathered = self._gathered, []
            begun = trio.current_time()
            for channel in channels:
                await self._round(channel)
            ended = trio.current_time()
            not_before = ended + min(LONGEST_GATHER_S, (ended - begun) * (1 - SHARE) / SHARE)

    async def _round(self, channel: Channel) -> None:
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
        """Let everybody else run, and wait till nothing has happened for a moment."""
        await trio.lowlevel.checkpoint()
        now = trio.current_time()
        patience_ends = now + LONGEST_REST_S
        while (until := min(self._latest() + REST_S, patience_ends)) > now:
            await trio.sleep_until(until)
            now = trio.current_time()

    def _hand(self, channel: Channel, number: int, end: int, now: float) -> None:
        connection = self._connections.get(number)
        if connection is None or connection.closing:
            return
        documents = channel.taken(connection, end)
        if not documents:
            return
        if connection.backlog_bytes > self._most_bytes:
            self._lose(connection, f"slow spectator: more than {self._most_bytes} bytes wait for it")
            return
        connection.batch.append(documents)
        too_slow = connection.flush(now)
        if too_slow is not None:
            self._lose(connection, f"slow spectator: {too_slow}")

    def _end(self, channel: Channel) -> None:
        for number in list(channel.subscribers):
            self._part(channel, number)

    def _part(self, channel: Channel, number: int) -> None:
        del channel.subscribers[number]
        subscriptions = self.subscriptions[number]
        subscriptions.remove(channel)
        if not subscriptions:
            del self.subscriptions[number]


def slices(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """These numbers, a few at a time."""
    for begin in range(0, len(numbers), SLICE):
        yield numbers[begin : begin + SLICE]
