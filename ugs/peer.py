"""The other end of a connection to the broker: a Trio stream that carries messages.

Masters, bots and tools use it. The broker does not, since it moves bytes in its own way.
"""

from collections.abc import Iterator

import trio

from ugs.wire.codec import DECLARATION, decode, encode
from ugs.wire.framing import Document, Framer, Limits
from ugs.wire.messages import Message


class Peer:
    """Sends and receives UGS messages over a stream, which it owns from now on.

    One task may send while another receives; two may not do the same at once (Trio raises BusyResourceError).
    """

    def __init__(self, stream: trio.abc.Stream, *, declarations: bool = True, limits: Limits | None = None) -> None:
        """Use ``stream``. With ``declarations`` False, documents are sent without an XML declaration."""
        self._stream = stream
        self._prefix = DECLARATION if declarations else b""
        self._framer = Framer(limits) if limits is not None else Framer()
        self._documents: Iterator[Document] = iter(())

    async def send(self, *messages: Message) -> None:
        """Send messages in one write, without bytes between the documents.

        Raises trio.BrokenResourceError when the connection is gone, trio.ClosedResourceError after aclose. If the call
        is cancelled, an unknown part has been sent, and the connection can only be closed.
        """
        await self._stream.send_all(b"".join(self._prefix + encode(message) for message in messages))

    async def receive(self) -> Message | None:
        """Return the next message, or None when the other side has closed (a document it left unfinished is dropped).

        Raises WrongMessage for a whole document that is not a message; the next call goes on after it. Raises WireError
        for bytes that cannot be cut into documents; no further message can be received then. trio.BrokenResourceError
        and trio.ClosedResourceError as for ``send``. No message is lost when a call is cancelled.
        """
        await trio.lowlevel.checkpoint()
        while True:
            document = next(self._documents, None)
            if document is not None:
                return decode(document.raw)
            data = await self._stream.receive_some()
            if not data:
                return None
            self._documents = iter(self._framer.feed(bytes(data)))

    async def aclose(self) -> None:
        """Close the stream. Safe to call twice."""
        await self._stream.aclose()

    async def __aenter__(self) -> "Peer":
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()


async def connect(host: str, port: int, *, declarations: bool = True, limits: Limits | None = None) -> Peer:
    """Open a TCP connection to a broker. Raises OSError when no server answers there.

    Trio's streams send small writes at once (TCP_NODELAY), which a game that moves in turns needs.
    """
    stream = await trio.open_tcp_stream(host, port)
    return Peer(stream, declarations=declarations, limits=limits)
