"""The line of a peer that a door has handed over: its own, but for how it begins."""

from ugs.cluster.relayed_transport import RelayedTransport
from ugs.daemon.network.transport import Transport
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.errors import WireError
from ugs.wire.extensions import Hello
from ugs.wire.framing import Framer


class HandedTransport(RelayedTransport):
    """The :class:`~ugs.daemon.network.transport.Transport` of such a peer. ``line`` carries it, ``first`` are the bytes
    that the door has read of it; with ``greeted``, the peer has had the answer to its greeting, which is left out."""

    def __init__(self, line: Transport, address: str, first: bytes, *, greeted: bool) -> None:
        super().__init__(line, address, first)
        if greeted:
            self.send_now = self._send_after_greeting

    def _send_after_greeting(self, data: bytes) -> int:
        """Send the first bytes of all, which are whole documents, but for the answer to the greeting."""
        self.send_now = self._line.send_now
        left_out = len(data) - len(without_greeting(data))
        return left_out + (self._line.send_now(data[left_out:]) if left_out < len(data) else 0)


def without_greeting(data: bytes) -> bytes:
    """Return these documents without the first one, if that is a greeting."""
    framer = Framer()
    try:
        document = next(framer.feed(data), None)
        if document is not None and isinstance(decode(document.raw), Hello):
            return framer.take_rest()
    except (WireError, WrongMessage):
        pass
    return data
