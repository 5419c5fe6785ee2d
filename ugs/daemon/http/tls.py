"""HTTP over TLS: the transport of the other ports under Hypercorn, and under the line of a client that is sent events.

Hypercorn itself could speak TLS, through Trio's streams. But events are written at once and all or nothing, past any
stream, so that no task waits for a client (:class:`ugs.daemon.http.server.EventSocket`); and handshakes here count like
all others.
"""

import trio

from ugs.daemon.network.transport import Gone, Transport

NO_TLS = b"this port speaks TLS only: https instead of http\n"
REFUSAL = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b"
    % (len(NO_TLS), NO_TLS)
)
"""What a client is sent that speaks HTTP without TLS."""


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
        """A transport does not know: just try."""
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """What has come, at most that many bytes; nothing at the end."""
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
        """Send the end of the TLS stream, and close."""
        try:
            await self._transport.send_eof()
        finally:
            await self.transport_stream.aclose()
