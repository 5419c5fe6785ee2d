"""One channel of spectators: what was published on it and not handed to all subscribers, and who these are.

A message is written once, and messages that go out together are joined once, however many spectators get them.
"""

from collections.abc import Callable

from ugs.daemon.connections.connection import Connection
from ugs.wire.codec import DECLARATION
from ugs.wire.messages import Message


class MessageChannel:
    """Messages are numbered from 0. ``write`` makes a document of one, without declaration."""

    __slots__ = ("_documents", "_first", "_joined", "_messages", "_write", "closing", "gathered", "subscribers")

    def __init__(self, write: Callable[[Message], bytes]) -> None:
        self._write = write
        self._documents: list[bytes] = []
        """What has been written, without declarations."""
        self._first = 0
        """The number of the first of them."""
        self._messages: list[Message] = []
        """What was published after that, and has not been written yet."""
        self._joined: dict[tuple[int, int, bool], bytes] = {}
        self.subscribers: dict[int, int] = {}
        """By connection the number of the first message that it has not been handed."""
        self.gathered = False
        """Whether the next round hands out what is here."""
        self.closing = False
        """Whether nothing more will be published."""

    @property
    def count(self) -> int:
        """How many messages have been published since the beginning."""
        return self._first + len(self._documents) + len(self._messages)

    @property
    def waiting_bytes(self) -> int:
        """What has been written and not handed to all subscribers, joined or not."""
        return sum(map(len, self._documents)) + sum(map(len, self._joined.values()))

    def put(self, message: Message) -> None:
        """One more message; nothing is done with it yet."""
        self._messages.append(message)

    def take(self, connection: Connection, end: int) -> bytes:
        """The messages before number ``end`` that a connection has not been handed, as one piece; empty where there are
        none, and for a connection that is no subscriber. They count as handed to it."""
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
        """All subscribers have the messages before number ``end``."""
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
