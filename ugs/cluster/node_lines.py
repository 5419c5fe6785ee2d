"""What is sent and received over the lines of nodes, by whole lines and whole pieces."""

import trio

from ugs.cluster.introduction import MAX_LINE, NoNode
from ugs.daemon.network.transport import Gone, Transport


async def send_whole(sink: Transport, data: bytes, patience_s: float) -> None:
    """Send all of it. Raises Gone, also when no byte is taken for ``patience_s``."""
    sent = sink.send_now(data) if data else 0
    while sent < len(data):
        data = data[sent:]
        with trio.move_on_after(patience_s) as waiting:
            sent = await sink.send(data)
        if waiting.cancelled_caught:
            raise Gone("not read for too long")


async def receive_some(line: Transport) -> bytes:
    """Wait for bytes and return them. Raises Gone, also at the end of the stream."""
    while True:
        await line.readable()
        data = line.receive_now()
        if data == b"":
            raise Gone("it has hung up")
        if data is not None:
            return data


async def read_line(line: Transport) -> tuple[bytes, bytes]:
    """Receive one line of an introduction. Returns it, and what has come after it. Raises Gone, and NoNode when it is
    too long."""
    received = b""
    while (end := received.find(b"\n")) < 0:
        if len(received) > MAX_LINE:
            raise NoNode("what it sends is no line of a node")
        received += await receive_some(line)
    if end >= MAX_LINE:
        raise NoNode("what it sends is no line of a node")
    return received[: end + 1], received[end + 1 :]
