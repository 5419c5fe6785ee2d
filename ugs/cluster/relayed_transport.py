"""The line from a door, as the home sees it: the transport of a peer that is elsewhere."""

from collections.abc import Awaitable

from ugs.daemon.network.transport import Transport


class RelayedTransport:
    """The :class:`~ugs.daemon.network.transport.Transport` of a relayed peer. ``first`` are bytes of the peer that came
    with the lines of the door; ``address`` is where the peer comes from."""

    def __init__(self, line: Transport, address: str, first: bytes) -> None:
        self.address = address
        # Straight to the line: each message comes this way.
        self.send_now, self.send, self.send_eof, self.aclose = line.send_now, line.send, line.send_eof, line.aclose
        self.round_trip_us, self.unacknowledged, self.fileno = line.round_trip_us, line.unacknowledged, line.fileno
        self._line = line
        self._first = first
        self._before = line.taken - len(first)
        """Bytes that were not the peer's."""

    @property
    def taken(self) -> int:
        """How many bytes of the peer have been taken."""
        return self._line.taken - self._before - len(self._first)

    def unread(self) -> int:
        """How many bytes wait."""
        return len(self._first) + self._line.unread()

    def readable(self) -> Awaitable[object]:
        """Wait until there is something to receive."""
        return self._at_once() if self._first else self._line.readable()

    async def _at_once(self) -> None:
        """There is."""

    def receive_now(self) -> bytes | None:
        """Return bytes that have come."""
        if self._first:
            first, self._first = self._first, b""
            return first
        return self._line.receive_now()
