"""The server's side of one connection, reduced to what one game needs."""

from collections import deque
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Final, TypeVar

import trio

from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.extensions import Family, Hello, Ping, Pong
from ugs.wire.framing import Document, Framer, WireError
from ugs.wire.messages import Error, GameMasterLogin, LoginResponse, Message, PlayerLogin, ServerShutdown

MAX_NOTES: Final = 20
GOODBYE_S: Final = 2.0
"""Seconds the other side has to close the connection after the message that the server stops."""

Login = TypeVar("Login", GameMasterLogin, PlayerLogin)


class NoMessage(Enum):
    """Why there is no message."""

    CLOSED = "closed the connection"
    SILENT = "sent nothing in time"
    GARBLED = "sent bytes that are no documents"


class Dialogue:
    """Exchanges messages with one peer.

    Messages are written with an XML declaration until the peer's first document arrives; after that, as in the server,
    only if that document had one.
    """

    def __init__(self, stream: trio.abc.HalfCloseableStream, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.notes: deque[str] = deque(maxlen=MAX_NOTES)
        """What was unusual, in words for people; the last notes only."""
        self.families: frozenset[str] = frozenset()
        """The extension families granted to the peer in answer to its x-hello."""
        self._stream = stream
        self._framer = Framer()
        self._documents: Iterator[Document] = iter(())
        self._prefix: bytes | None = None

    def deadline(self) -> float:
        """When an answer awaited from now on is late, on Trio's clock."""
        return trio.current_time() + self.timeout_s

    async def send(self, message: Message) -> None:
        """Send a message. If the peer is gone or does not read, nothing is raised: the next ``receive`` reports it."""
        prefix = DECLARATION if self._prefix is None else self._prefix
        with trio.move_on_after(self.timeout_s):
            try:
                await self._stream.send_all(prefix + encode(message))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return

    async def receive(self, deadline: float) -> Message | NoMessage:
        """The next message, or why there is none until ``deadline``.

        A wrong message is noted and answered with an error, a ping is answered with a pong; neither is returned.
        """
        try:
            with trio.move_on_at(deadline):
                while True:
                    document = await self._next()
                    if document is None:
                        return NoMessage.CLOSED
                    try:
                        message = decode(document.raw)
                    except WrongMessage as wrong:
                        self.notes.append(f"a wrong message: {wrong}")
                        await self.send(Error(str(wrong)))
                        continue
                    if not isinstance(message, Ping):
                        return message
                    await self.send(Pong(message.ref))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return NoMessage.CLOSED
        except WireError as garbled:
            self.notes.append(str(garbled))
            return NoMessage.GARBLED
        return NoMessage.SILENT

    async def login(self, kind: type[Login], families: Collection[Family] = ()) -> Login | NoMessage:
        """Wait for a login of this kind, accept it with any contents, and return it.

        An x-hello before it is answered: of ``families``, those that it asks for are granted.
        """
        deadline = self.deadline()
        while True:
            message = await self.receive(deadline)
            if isinstance(message, Hello):
                granted = tuple(str(family) for family in families if family in message.families)
                self.families = frozenset(granted)
                await self.send(Hello(granted))
                continue
            if isinstance(message, kind):
                await self.send(LoginResponse())
                return message
            if isinstance(message, NoMessage):
                return message
            self.notes.append(f"{message.TYPE} instead of {kind.TYPE}")
            await self.send(Error(f"{message.TYPE}: {kind.TYPE} is expected"))

    async def goodbye(self) -> list[Message]:
        """Send the peer the message that the server stops, and end the sending side.

        Returns the messages that arrive until the peer closes the connection, for at most :data:`GOODBYE_S`.
        """
        await self.send(ServerShutdown())
        try:
            await self._stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return []
        deadline = trio.current_time() + min(GOODBYE_S, self.timeout_s)
        messages: list[Message] = []
        while not isinstance(message := await self.receive(deadline), NoMessage):
            messages.append(message)
        return messages

    async def _next(self) -> Document | None:
        while True:
            document = next(self._documents, None)
            if document is not None:
                if self._prefix is None:
                    self._prefix = DECLARATION if document.declared else b""
                return document
            data = await self._stream.receive_some()
            if not data:
                return None
            self._documents = self._framer.feed(bytes(data))
