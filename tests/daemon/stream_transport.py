"""A connection on a Trio stream, such as one in memory."""

import trio

from ugs.daemon.network.transport import CHUNK, Gone


class StreamTransport:
    """Any Trio stream that can be closed half. Nothing is sent without waiting: the outbox does all of it."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, address: str) -> None:
        self._stream = stream
        self._received: bytes | None = None
        self.address = address
        self.taken = 0

    def round_trip_us(self) -> int:
        """See :meth:`Transport.round_trip_us`: a stream cannot be asked."""
        return 0

    def unacknowledged(self) -> int:
        """See :meth:`Transport.unacknowledged`: a stream cannot be asked."""
        return 0

    def fileno(self) -> int:
        """See :meth:`Transport.fileno`."""
        return -1

    def unread(self) -> int:
        """See :meth:`Transport.unread`."""
        return len(self._received or b"")

    async def readable(self) -> None:
        """See :meth:`Transport.readable`: a stream cannot be asked, so the bytes are taken and kept."""
        try:
            self._received = bytes(await self._stream.receive_some(CHUNK))
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise Gone(str(error)) from error

    def receive_now(self) -> bytes | None:
        """See :meth:`Transport.receive_now`."""
        received, self._received = self._received, None
        self.taken += len(received or b"")
        return received

    def send_now(self, data: bytes) -> int:
        """See :meth:`Transport.send_now`."""
        return 0

    async def send(self, data: bytes) -> int:
        """See :meth:`Transport.send`."""
        part = data[:CHUNK]
        try:
            await self._stream.send_all(part)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise Gone(str(error)) from error
        return len(part)

    async def send_eof(self) -> None:
        """See :meth:`Transport.send_eof`."""
        try:
            await self._stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    async def aclose(self) -> None:
        """See :meth:`Transport.aclose`."""
        await trio.aclose_forcefully(self._stream)
