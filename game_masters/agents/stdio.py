"""The tools over standard input and output, for a client that starts ``ugs mcp`` as a program of its own."""

import ssl

import trio

from game_masters.agents.tools import AgentSeats, endpoint
from ugs.peer import Peer, connect


async def serve(host: str, port: int, *, token: str = "", tls: ssl.SSLContext | None = None) -> None:
    """Serve one client, until it closes standard input. Each seat is a connection to the server at ``host``, ``port``;
    ``token`` is shown for those who show none."""

    async def open_line(address: str) -> Peer:
        return await connect(host, port, tls=tls)

    seats = AgentSeats(open_line, token=token)
    async with trio.open_nursery() as nursery:
        await nursery.start(seats.run)
        await endpoint(seats).run_stdio_async()
        nursery.cancel_scope.cancel()
