"""One WebSocket: the handshake, what comes, a queue of what goes out, and its end.

All that is sent to a client waits in its queue, which a task of its own empties, as with any peer: a client that does
not read fills its queue and loses its connection. Texts are not logged, since nobody here knows what in them is secret.
"""

from collections import deque
from typing import TYPE_CHECKING

import structlog
import trio
from trio_websocket import CloseReason, ConnectionClosed, WebSocketConnection
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from ugs.daemon.transport import Gone, Transport, linger

if TYPE_CHECKING:
    from ugs.daemon.gateways import GatewayServer

MESSAGES_AHEAD = 16
"""Messages of one client that are read before they are heard; the next ones wait in the network."""

TOO_BIG = 1009
"""The code with which we close on a message that is too large."""


class Wire(trio.abc.Stream):
    """A transport as a stream. ``fault`` says why we have given the peer up, if we have.

    Closing it wakes whoever reads or writes, but lets go of the peer only with :func:`linger`: closing with unread
    bytes would make the network throw away our last words.
    """

    def __init__(self, transport: Transport, patience_s: float) -> None:
        self.fault = ""
        self._transport = transport
        self._patience_s = patience_s
        self._closed = False
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
        """Not known of a transport: just try."""
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Bytes that have come, as many as there are; none at the end. Raises as Trio's streams do."""
        data: bytes | None = None
        with self._unless_closed() as scope:
            try:
                while data is None:
                    await self._transport.readable()
                    data = self._transport.receive_now()
            except Gone as gone:
                raise trio.BrokenResourceError(str(gone)) from gone
            finally:
                self._at_work.discard(scope)
        if data is None:
            raise trio.ClosedResourceError
        return data

    async def aclose(self) -> None:
        """Nothing more is to be read or written."""
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


class Line(WebSocketConnection):
    """A WebSocket that says why it is closed when what came was wrong, lets be heard what came before that, and hears
    nothing after it. The library would close without a word, or forget what waits to be heard."""

    _bytes_come = 0
    """Of the message that is not yet whole."""

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
        if event.message_finished:
            self._bytes_come = 0
        await super()._handle_message_event(event)

    async def _handle_ping_event(self, event: Ping) -> None:
        if self._close_reason is None:  # no pong may follow the closing frame
            await super()._handle_ping_event(event)


class WebSocket:
    """One client, from the handshake to the end. ``number`` is what the gateway knows it by."""

    def __init__(self, number: int, transport: Transport, server: "GatewayServer") -> None:
        self.number = number
        self.address = transport.address
        self._config = server.config
        self._server = server
        self._transport = transport
        self._wire = Wire(transport, self._config.write_timeout_s)
        self._line = Line(
            self._wire,
            WSConnection(ConnectionType.SERVER),
            message_queue_size=MESSAGES_AHEAD,
            max_message_size=self._config.gateway_max_message_bytes,
            receive_buffer_size=None,
        )
        self._scope = trio.CancelScope()
        self._handshake = trio.CancelScope(deadline=trio.current_time() + self._config.login_timeout_s)
        self._outbox: deque[tuple[str, int]] = deque()
        """Texts that have not gone out, and their bytes."""
        self._outbox_bytes = 0
        self._something_to_send = trio.Event()
        self._last_word: tuple[int, str] | None = None
        """With which code and reason we close, when the outbox is empty."""
        self._closed_by_us = trio.Event()
        self._why = ""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind(socket=number)

    # What the server wants.

    def send(self, text: str) -> None:
        """Put a text into the outbox."""
        if self._closing() or self._scope.cancel_called:
            return
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent
        size = len(text) if text.isascii() else len(text.encode())
        self._outbox.append((text, size))
        self._outbox_bytes += size
        limit = self._config.max_outbox_bytes
        if self._outbox_bytes > limit:
            self.drop(f"does not read: more than {limit} bytes wait for it")
        else:
            self._something_to_send.set()

    def close(self, code: int, reason: str) -> None:
        """Close it when the outbox is empty. Nothing more is heard from it, and it cannot take longer than allowed."""
        if self._last_word is None:
            self._last_word = (code, reason)
            self._scope.deadline = trio.current_time() + self._config.gateway_close_s
            self._handshake.cancel()
            self._something_to_send.set()

    def drop(self, why: str) -> None:
        """Let go of the client at once."""
        self._why = self._why or why
        self._scope.cancel()

    # Its tasks.

    async def run(self) -> None:
        """Serve it until one side has had enough; leaves the transport closed."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read)
                    if await self._shake_hands() and not self._closing():
                        self._log.info("socket opened", address=self.address)
                        self._server.opened(self)
                        nursery.start_soon(self._write)
                        nursery.start_soon(self._ping)
                        await self._hear()
                        self._server.lost(self.number)
                        if self._closing():
                            await self._closed_by_us.wait()
                    nursery.cancel_scope.cancel()
                if not self._wire.fault:
                    await linger(self._transport)
        except Exception:
            self._log.exception("bug in the server", during="websocket")
        finally:
            self._server.lost(self.number)
            code, reason = self._end()
            self._log.info("socket closed", code=code, reason=reason)
            try:
                await self._transport.aclose()
            finally:
                self._server.gone(self)

    def _closing(self) -> bool:
        return self._last_word is not None

    def _end(self) -> tuple[int | None, str | None]:
        """The code with which it was closed, and why, for people to read."""
        why = self._why or self._wire.fault
        if self._last_word is not None:
            return self._last_word[0], why or self._last_word[1]
        closed = self._line.closed
        return (closed.code, why or closed.reason) if closed is not None else (None, why)

    async def _read(self) -> None:
        """Let the library make messages of bytes. It is not prepared for everything that may come instead of a
        handshake."""
        try:
            await self._line._reader_task()
        except Exception as error:
            self._why = f"no WebSocket: {error}"
        finally:
            self._handshake.cancel()

    async def _shake_hands(self) -> bool:
        with self._handshake:
            try:
                request = await self._line._get_request()
                await request.accept()
            except Exception as error:
                self._why = f"no WebSocket: {error}"
                return False
            return True
        self._why = self._why or "no handshake"
        return False

    async def _hear(self) -> None:
        """Tell the gateway what comes, until nothing comes any more."""
        number, server = self.number, self._server
        while True:
            await server.disk_ready()
            try:
                message = await self._line.get_message()
            except ConnectionClosed:
                return
            if self._closing():
                continue
            if isinstance(message, bytes):
                server.tell(number, server.gateway.binary, number)
            else:
                server.tell(number, server.gateway.text, number, message)

    async def _write(self) -> None:
        try:
            while self._outbox or self._last_word is None:
                if not self._outbox:
                    self._something_to_send = trio.Event()
                    await self._something_to_send.wait()
                    continue
                text, size = self._outbox.popleft()
                await self._line.send_message(text)
                self._outbox_bytes -= size
            await self._line.aclose(*self._last_word)
        except ConnectionClosed:  # who has gone hears no answer; the reader finds out, too
            self._outbox.clear()
        finally:
            self._closed_by_us.set()

    async def _ping(self) -> None:
        patience = self._config.gateway_pong_timeout_s
        try:
            while True:
                await trio.sleep(self._config.gateway_ping_s)
                with trio.move_on_after(patience) as scope:
                    await self._line.ping()
                if scope.cancelled_caught:
                    self.drop(f"no pong in {patience:g} s")
        except ConnectionClosed:
            return
