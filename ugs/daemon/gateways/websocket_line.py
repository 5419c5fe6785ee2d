"""The WebSocket library on a :class:`ugs.daemon.network.transport.Transport`, and where it has to behave otherwise."""

import trio
from trio_websocket import CloseReason, WebSocketConnection
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from ugs.daemon.fairness.service_turns import Guest
from ugs.daemon.network.transport import Gone, Transport

MAX_MESSAGES_AHEAD = 16
"""Messages of one client that are read ahead of being handled; the next ones wait in the network."""

TOO_BIG = 1009
"""The code that closes a WebSocket on a message that is too large."""
MAX_FRAGMENTS = 1024
"""Parts of one message, empty ones included. Each costs as much as a small message."""

SLICE = 4096
"""Bytes that the library is given at once. It copies the rest of them for every frame, and no other peer gets a turn
meanwhile."""


BYTE_S = 0.5e-6
"""Seconds that the library needs for a byte, as far as a client has to pay for it: more where frames are tiny."""


class WebSocketWire(trio.abc.Stream):
    """A transport as a stream. ``fault`` is the reason why the peer was given up, if it was.

    Closing it wakes the tasks that read or write, but lets go of the peer only with :func:`linger`: closing with unread
    bytes would make the network throw away the server's last words.
    """

    def __init__(self, transport: Transport, patience_s: float, guest: Guest) -> None:
        self.fault = ""
        self._guest = guest
        self._transport = transport
        self._patience_s = patience_s
        self._closed = False
        self._kept = b""
        """What has come and was not asked for yet."""
        self._at_work: set[trio.CancelScope] = set()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of it; a peer that takes no byte for too long is given up. Raises as Trio's streams do."""
        rest = bytes(data)
        with self._unless_closed() as scope:
            try:
                rest = rest[self._transport.send_now(rest) :]
                while rest:
                    with trio.move_on_after(self._patience_s) as patience:
                        rest = rest[await self._transport.send(rest) :]
                    if patience.cancelled_caught:
                        self.fault = f"does not read: took no byte in {self._patience_s:g} s"
                        raise trio.BrokenResourceError(self.fault)
            except Gone as gone:
                raise trio.BrokenResourceError(str(gone)) from gone
            finally:
                self._at_work.discard(scope)
        if scope.cancelled_caught:
            raise trio.ClosedResourceError

    async def wait_send_all_might_not_block(self) -> None:
        """A transport does not know: just try."""
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Bytes that have come, at most SLICE; none at the end. Raises as Trio's streams do."""
        data: bytes | None = None
        with self._unless_closed() as scope:
            try:
                if self._kept:
                    await self._guest.next_turn()
                    data = self._kept
                while data is None:
                    await self._transport.readable()
                    await self._guest.next_turn()
                    data = self._transport.receive_now()
            except Gone as gone:
                raise trio.BrokenResourceError(str(gone)) from gone
            finally:
                self._at_work.discard(scope)
        if data is None:
            raise trio.ClosedResourceError
        data, self._kept = data[:SLICE], data[SLICE:]
        self._guest.spent_s += len(data) * BYTE_S
        return data

    async def aclose(self) -> None:
        """Stop all reading and writing."""
        self._closed = True
        for scope in self._at_work:
            scope.cancel()
        await trio.lowlevel.checkpoint()

    def _unless_closed(self) -> trio.CancelScope:
        if self._closed:
            raise trio.ClosedResourceError
        scope = trio.CancelScope()
        self._at_work.add(scope)
        return scope


class WebSocketLine(WebSocketConnection):
    """A WebSocket that is closed with a reason when the peer breaks a rule. What came before that is still handled,
    what comes after it is not. The library would close without a reason, or forget what waits to be handled."""

    _bytes_come = _fragments = 0
    """Bytes and parts of the message that is not yet whole."""
    _bytes_ahead = 0
    """Bytes of whole messages that were not handled yet."""

    def __init__(self, transport: Transport, patience_s: float, max_message_bytes: int, guest: Guest) -> None:
        """The peer has to take at least one byte in ``patience_s`` seconds. What comes is handled when it is the turn
        of ``guest``."""
        self.wire = WebSocketWire(transport, patience_s, guest)
        super().__init__(
            self.wire,
            WSConnection(ConnectionType.SERVER),
            message_queue_size=MAX_MESSAGES_AHEAD,
            max_message_size=max_message_bytes,
            receive_buffer_size=None,  # the stream decides: a SLICE at a time
        )

    @property
    def held_bytes(self) -> int:
        """Bytes of the messages that were read, in part or as a whole, and not handled."""
        return self._bytes_come + self._bytes_ahead

    async def get_message(self) -> str | bytes:
        """The next message, as soon as there is one. Raises ConnectionClosed."""
        message: str | bytes = await super().get_message()
        self._bytes_ahead -= len(message.encode() if isinstance(message, str) else message)
        return message

    async def _refuse(self, code: int, reason: str) -> None:
        self._close_reason = CloseReason(code, reason)
        await self._send(CloseConnection(code, reason))
        await self._send_channel.aclose()

    async def _handle_close_connection_event(self, event: CloseConnection) -> None:
        if self._wsproto.state is ConnectionState.OPEN:  # the peer did not close: it broke the rules of WebSockets
            await self._refuse(event.code, event.reason or "")
        await super()._handle_close_connection_event(event)

    async def _handle_message_event(self, event: BytesMessage | TextMessage) -> None:
        if self._close_reason is not None:
            return
        self._bytes_come += len(event.data.encode() if isinstance(event, TextMessage) else event.data)
        if self._bytes_come > self._max_message_size:
            await self._refuse(TOO_BIG, f"messages of more than {self._max_message_size} bytes are not taken")
            return
        # wsproto gives a long frame in pieces; only its last one counts.
        self._fragments += event.frame_finished
        if self._fragments > MAX_FRAGMENTS:
            await self._refuse(TOO_BIG, f"messages of more than {MAX_FRAGMENTS} fragments are not taken")
            return
        if event.message_finished:
            self._bytes_ahead += self._bytes_come
            self._bytes_come = self._fragments = 0
        await super()._handle_message_event(event)

    async def _handle_ping_event(self, event: Ping) -> None:
        if self._close_reason is None:  # no pong may follow the closing frame
            await super()._handle_ping_event(event)
