"""HTTP over TLS: the transport of the other ports under Hypercorn, and under the line of a client that is told events.

Hypercorn could speak TLS by itself, through Trio's streams. But events are written at once and all or nothing, past any
stream, so that nobody waits for a client (:class:`ugs.daemon.http.Line`); and handshakes here count like all others.
"""

import os
import socket
from contextlib import suppress

import trio

from ugs.daemon.transport import Gone, Transport

NO_TLS = b"this port speaks TLS only: https instead of http\n"
REFUSAL = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
    % (len(NO_TLS), NO_TLS)
)
"""What a client is sent that speaks HTTP without TLS."""


class StreamWire:
    """A stream of Trio's as the :class:`ugs.daemon.tls.Wire` below TLS. Its owner closes the stream."""

    def __init__(self, stream: trio.SocketStream, address: str) -> None:
        self.address = address
        self.taken = 0
        self._stream = stream

    def round_trip_us(self) -> int:
        """Nobody asks."""
        return 0

    def fileno(self) -> int:
        """The file descriptor; -1 when it is closed."""
        return self._stream.socket.fileno()

    def unread(self) -> int:
        """Nobody asks."""
        return 0

    async def readable(self) -> None:
        """Wait until something has come. Raises Gone."""
        try:
            await trio.lowlevel.wait_readable(self._stream.socket)
        except (OSError, ValueError, trio.ClosedResourceError) as error:
            raise Gone(str(error)) from error

    async def writable(self) -> None:
        """Wait until something may be sent. Raises Gone."""
        try:
            await trio.lowlevel.wait_writable(self._stream.socket)
        except (OSError, ValueError, trio.ClosedResourceError) as error:
            raise Gone(str(error)) from error

    def first_byte(self) -> bytes | None:
        """See :class:`ugs.daemon.tls.Wire`."""
        try:
            same = socket.socket(fileno=self.fileno())
        except OSError as error:
            raise Gone(str(error)) from error
        try:
            return same.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Gone(str(error)) from error
        finally:
            same.detach()

    def receive_now(self, most: int) -> bytes | None:
        """See :class:`ugs.daemon.tls.Wire`."""
        try:
            data = os.read(self.fileno(), most)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Gone(str(error)) from error
        self.taken += len(data)
        return data

    def send_now(self, data: bytes) -> int:
        """See :class:`ugs.daemon.tls.Wire`."""
        try:
            return os.write(self.fileno(), data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise Gone(str(error)) from error

    def end_reading(self) -> None:
        """See :class:`ugs.daemon.tls.Wire`."""
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_RD)

    async def send_eof(self) -> None:
        """See :class:`ugs.daemon.tls.Wire`."""
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_WR)

    async def aclose(self) -> None:
        """Close the stream."""
        self._stream.socket.close()


class SecureStream(trio.abc.Stream):
    """The stream that Hypercorn is given: it asks for what Trio's streams with TLS have. Raises as they do."""

    def __init__(self, transport: Transport, stream: trio.SocketStream) -> None:
        self.transport_stream = stream
        self._transport = transport
        self._kept = b""
        """What has come and was not asked for yet."""

    async def do_handshake(self) -> None:
        """It is done."""
        await trio.lowlevel.checkpoint()

    def selected_alpn_protocol(self) -> str:
        """What is spoken."""
        return "http/1.1"

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of it."""
        rest = bytes(data)
        try:
            rest = rest[self._transport.send_now(rest) :]
            while rest:
                rest = rest[await self._transport.send(rest) :]
        except Gone as gone:
            raise trio.BrokenResourceError(str(gone)) from gone

    async def wait_send_all_might_not_block(self) -> None:
        """A transport cannot tell: just try."""
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """What has come, so many bytes at most; nothing at the end."""
        data: bytes | None = self._kept or None
        if data is not None:
            await trio.lowlevel.checkpoint()
        try:
            while data is None:
                await self._transport.readable()
                data = self._transport.receive_now()
        except Gone as gone:
            raise trio.BrokenResourceError(str(gone)) from gone
        most = max_bytes or len(data)
        data, self._kept = data[:most], data[most:]
        return data

    async def aclose(self) -> None:
        """Say the end, and close."""
        try:
            await self._transport.send_eof()
        finally:
            await self.transport_stream.aclose()
