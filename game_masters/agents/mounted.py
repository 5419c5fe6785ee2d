"""The tools over streamable HTTP, as a part of the page of a server: the mount ``mcp`` (:mod:`ugs.mounts`)."""

import json
from collections.abc import Callable, Mapping
from typing import Final

import trio
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game_masters.agents.tools import AgentSeats, endpoint
from ugs.peer import Peer

MAX_REQUEST_BYTES = 64 * 1024
BAD_REQUEST: Final = 400
NO_MESSAGE: Final[Mapping[str, str]] = {
    "Parse error": "the body is no JSON",
    "Validation error": "the body is no message of JSON-RPC: wanted: one object with jsonrpc, method and mostly id",
}
"""By how the package's texts about a body begin: what is wrong with it."""


class PlainErrors:
    """An endpoint whose answer to a body that is no message is a sentence; the package shows all that it has tried to
    read it as."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        held: list[Message] = []

        async def send_plain(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == BAD_REQUEST:
                held.append(message)
                return
            if held and message["type"] == "http.response.body":
                begin = held.pop()
                body = _plain(message.get("body", b""))
                # What else is known of the body is of the one before.
                others = [(name, value) for name, value in begin["headers"] if name.lower() != b"content-length"]
                await send({**begin, "headers": [*others, (b"content-length", str(len(body)).encode())]})
                message = {**message, "body": body}
            await send(message)

        await self._app(scope, receive, send_plain)


def _plain(body: bytes) -> bytes:
    """The answer with a sentence in the place of what a library says of a body; any other answer as it is."""
    try:
        answer = json.loads(body)
        text = str(answer["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return body
    sentence = next((plain for begin, plain in NO_MESSAGE.items() if text.startswith(begin)), None)
    if sentence is None:
        return body
    return json.dumps({**answer, "error": {**answer["error"], "message": sentence}}).encode()


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
        self.app: ASGIApp = PlainErrors(app.routes[0].app)  # type: ignore[attr-defined]

    async def run(self) -> None:
        """Serve, until cancelled."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.seats.run)
            async with self._server.session_manager.run():
                await trio.sleep_forever()
