"""The tools over streamable HTTP, as a part of the page of a server: the mount ``mcp`` (:mod:`ugs.mounts`)."""

from collections.abc import Callable

import trio
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from game_masters.agents.tools import AgentSeats, endpoint
from ugs.peer import Peer

MAX_REQUEST_BYTES = 64 * 1024


class AgentMount:
    """The endpoint ``/mcp`` of one server. ``connect`` opens connections to its broker."""

    path = "/mcp"

    def __init__(self, connect: Callable[[str], trio.abc.Stream]) -> None:
        async def open_line(address: str) -> Peer:
            return Peer(connect(address))

        self.seats = AgentSeats(open_line)
        self._server = endpoint(self.seats)
        app = self._server.streamable_http_app(
            streamable_http_path=self.path,
            json_response=True,
            max_request_body_size=MAX_REQUEST_BYTES,
            # What belongs to an agent has its own key: sessions would only be something to open and never to close.
            stateless_http=True,
            # Which names a server has is not known here; requests of pages from elsewhere are refused by the page.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self.app: ASGIApp = app.routes[0].app  # type: ignore[attr-defined]

    async def run(self) -> None:
        """Serve, until cancelled."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.seats.run)
            async with self._server.session_manager.run():
                await trio.sleep_forever()
