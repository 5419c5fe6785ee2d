"""The bytes of a relayed peer, both ways, as they are.

Each way holds at most what one read has given. Until the other side has taken it nothing more is read, so a sender
waits for a peer that does not read, and the home's limits hold for the peer as if it were there. A side that takes no
byte for ``patience_s`` is given up, with both lines.
"""

from contextlib import suppress

import trio

from ugs.daemon.network.transport import LINGER_S, Gone, Transport


async def relay(peer: Transport, home: Transport, patience_s: float) -> None:
    """Relay until the home has closed, or a line is lost; then both are closed. Raises nothing but cancellation."""
    try:
        async with trio.open_nursery() as ways:
            ways.start_soon(_from_peer, peer, home, patience_s, ways.cancel_scope)
            with suppress(Gone):
                await _pump(home, peer, patience_s)
                await peer.send_eof()
                ways.cancel_scope.deadline = trio.current_time() + LINGER_S
                return
            ways.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await peer.aclose()
            await home.aclose()


async def _from_peer(peer: Transport, home: Transport, patience_s: float, scope: trio.CancelScope) -> None:
    """Relay what the peer sends. A peer that has closed its side may still read what the home answers; after a lost
    line nothing goes on."""
    try:
        await _pump(peer, home, patience_s)
        await home.send_eof()
    except Gone:
        scope.cancel()


async def _pump(source: Transport, sink: Transport, patience_s: float) -> None:
    """Relay until the source has closed its side. Raises Gone."""
    while True:
        await source.readable()
        data = source.receive_now()
        if data is None:
            continue
        if not data:
            return
        await send_whole(sink, data, patience_s)


async def send_whole(sink: Transport, data: bytes, patience_s: float) -> None:
    """Send all of it. Raises Gone, also when no byte is taken for ``patience_s``."""
    sent = sink.send_now(data)
    while sent < len(data):
        data = data[sent:]
        with trio.move_on_after(patience_s) as waiting:
            sent = await sink.send(data)
        if waiting.cancelled_caught:
            raise Gone("not read for too long")
