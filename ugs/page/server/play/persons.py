"""People who play with a browser: a WebSocket to the page, a connection to the broker, a seat that knows both sides.

::

    GET /play              the page, whose script opens the WebSocket
    WebSocket /play/line   what :mod:`ugs.page.server.play.page_requests` takes, as JSON; back come objects with one of
                           these keys: ``view`` (all but the picture), ``board`` (a position), ``wrong`` (what could not
                           be)

Nothing piles up here: what one side does not read, the other side has to wait for. So the broker judges a browser that
does not read like any other player.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

import structlog
import trio
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from ugs.page.contract import Busy, Live, Question, Reads, SocketPlace
from ugs.page.server.play.page_requests import UnfitRequest, asked
from ugs.page.server.play.person_state import QUIET, DrawPosition, Enter, Leave, PersonPhase, PersonSeat, Step
from ugs.page.server.play.server_messages import steps_of
from ugs.page.server.request_line import is_own_origin
from ugs.peer import Peer
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.extensions import ShowClock
from ugs.wire.messages import Message

Connect: TypeAlias = Callable[[str], trio.abc.Stream]
"""``connect(address)``: a new connection to the broker, which counts for this address. Raises OSError if there can be
none."""

POLICY, TRY_LATER = 1008, 1013
"""Close codes of WebSockets."""
MAX_WRONG: Final = 30
"""A browser is let go after this many wrong requests."""
PER_SECOND, AT_ONCE = 8.0, 24.0
"""Requests of one browser; more have to wait."""
PLACE: Final = "ugs.place"
"""The scope extension where the shell hands over the place of a client."""
PUZZLE: Final = "puzzle"
"""The option of a table that names the puzzle."""
AGAIN_S: Final = 0.5
"""Seconds until a picture is asked for again if the worker has too much to do."""
LOOK_S: Final = 2.0
"""Seconds between two looks at what no message to players has: whether the server is about to stop, and whether a game
waits for its lost master."""


class PersonRoutes:
    """The routes. ``reads`` draws."""

    def __init__(self, connect: Connect, reads: Reads, live: Live) -> None:
        self._connect = connect
        self._reads = reads
        self._live = live

    def routes(self, answer: Callable[[Request, Question], Any]) -> list[BaseRoute]:
        """The routes; ``answer`` asks the worker for a page."""

        async def page(request: Request) -> Response:
            response: Response = await answer(request, Question("play", {}, self._live.public()))
            return response

        return [Route("/play", page), WebSocketRoute("/play/line", self._line)]

    async def _line(self, websocket: WebSocket) -> None:
        # Any page can open a WebSocket to any host: a strange one would play in the visitor's name.
        if not is_own_origin(websocket):
            await websocket.close(POLICY)
            return
        await websocket.accept()
        await Person(websocket, self._connect, self._reads, self._live).run()


class Person:
    """One browser, from the handshake to the end of its WebSocket."""

    def __init__(self, websocket: WebSocket, connect: Connect, reads: Reads, live: Live) -> None:
        self._websocket = websocket
        self._connect = connect
        self._reads = reads
        self._live = live
        self._options: tuple[str, Mapping[str, str]] = ("", {})
        """What was chosen for the game with this id."""
        self._address = address_of(websocket)
        self._place: SocketPlace | None = websocket.scope.get("extensions", {}).get(PLACE)
        self._seat = PersonSeat()
        self._peer: Peer | None = None
        self._shown: Mapping[str, Any] = {}
        """The view that the page has."""
        self._wrong = 0
        # No buffer: what is not taken here is not read there.
        self._to_do, self._happened = trio.open_memory_channel[Callable[[], list[Step]]](0)
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self) -> None:
        """Serve it until it is gone; its place in the broker may be kept for it."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen, nursery)
                nursery.start_soon(self._look_at_server)
                await self._show()
                async for happened in self._happened:
                    await self._carry_out(happened, nursery)
        finally:
            await self._leave()

    async def _carry_out(self, happened: Callable[[], list[Step]], nursery: trio.Nursery) -> None:
        try:
            steps = happened()
        except UnfitRequest as wrong:
            await self._is_wrong(str(wrong), nursery)
            return
        for step in steps:
            if isinstance(step, Enter):
                await self._enter(nursery)
            elif isinstance(step, Leave):
                await self._leave()
            elif isinstance(step, DrawPosition):
                await self._show()
                await self._draw(step)
            else:
                await self._send_message(step)
        await self._show()

    # The browser.

    async def _listen(self, nursery: trio.Nursery) -> None:
        """Read what the browser asks, no faster than people do."""
        allowance, at = AT_ONCE, trio.current_time()
        while True:
            message = await self._websocket.receive()
            if message["type"] != "websocket.receive":
                nursery.cancel_scope.cancel()
                return
            now = trio.current_time()
            allowance, at = min(AT_ONCE, allowance + (now - at) * PER_SECOND) - 1, now
            if allowance < 0:
                await trio.sleep(-allowance / PER_SECOND)
            await self._to_do.send(partial(self._asked, message.get("text") or ""))

    async def _look_at_server(self) -> None:
        """Show when the server is about to stop, and when the game begins to wait for a master, or goes on."""
        seen: tuple[bool, float | None] = (False, None)
        while True:
            now = self._is_stopping(), self._awaited()
            if now != seen:
                seen = now
                await self._to_do.send(self._clock_asked)
            await trio.sleep(LOOK_S)

    def _clock_asked(self) -> list[Step]:
        # No clock runs while a game waits; when it goes on, the time of the move begins again.
        return [ShowClock(QUIET)] if self._seat.phase is PersonPhase.PLAYING else []

    def _awaited(self) -> float | None:
        game = self._seat.game
        return self._live.awaited(game.id) if game is not None and self._seat.phase is PersonPhase.PLAYING else None

    def _is_stopping(self) -> bool:
        return bool(self._live.alive().get("draining"))

    def _asked(self, text: str) -> list[Step]:
        return asked(self._seat, _read(text))

    async def _is_wrong(self, text: str, nursery: trio.Nursery) -> None:
        self._wrong += 1
        if self._wrong > MAX_WRONG:
            await self._websocket.close(POLICY, "too many wrong requests")
            nursery.cancel_scope.cancel()
            return
        await self._send({"wrong": text})

    async def _show(self) -> None:
        # Lines of those who play are served before the pages (request_turns.py).
        if self._place is not None:
            self._place.plays = self._seat.phase is PersonPhase.PLAYING
        view = {**self._seat.view(), "stopping": self._is_stopping(), "awaited": self._awaited()}
        if view != self._shown:
            self._shown = view
            await self._send({"view": view})

    async def _draw(self, wanted: DrawPosition) -> None:
        scene = replace(wanted.scene, options=self._options_of(wanted.game_id))
        asked = {"game": wanted.game_id, "game_type": wanted.game_type, "scene": scene, "shown": wanted.shown}
        # What came before the first position of this page: who comes back wants to know.
        first = self._seat.game is not None and self._seat.game.number == 1
        question = Question("hand", {**asked, "past": first})
        while True:
            try:
                hand = await self._reads.call(question, self._address)
                break
            except Busy:
                await trio.sleep(AGAIN_S)
        puzzle = scene.options.get(PUZZLE, "")
        await self._send({"board": {**self._seat.drawn(hand), "puzzle": puzzle}})

    def _options_of(self, game_id: str) -> Mapping[str, str]:
        """What was chosen for a game: the protocol does not send it to players, but spectators get it."""
        if self._options[0] != game_id:
            game = self._live.follow(game_id)
            chosen = game.first.options if game is not None else ()
            self._options = game_id, {option.name: option.value for option in chosen}
        return self._options[1]

    async def _send(self, news: Mapping[str, Any]) -> None:
        await self._websocket.send({"type": "websocket.send", "text": json.dumps(news, separators=(",", ":"))})

    # The broker.

    async def _enter(self, nursery: trio.Nursery) -> None:
        await self._leave()
        try:
            self._peer = Peer(self._connect(self._address))
        except OSError as error:
            self._log.warning("no connection for a player at a browser", reason=str(error), address=self._address)
            self._seat.line_lost()
            return
        nursery.start_soon(self._receive, self._peer)

    async def _receive(self, peer: Peer) -> None:
        """Read what the broker sends on one connection, until it closes that."""
        # Another login replaces the connection while this one is being read.
        while peer is self._peer:
            try:
                message = await peer.receive()
            except WrongMessage:
                continue
            except (WireError, trio.BrokenResourceError, trio.ClosedResourceError):
                message = None
            if message is None:
                await self._to_do.send(partial(self._lost, peer))
                return
            await self._to_do.send(partial(self._steps_of, peer, message))

    def _steps_of(self, peer: Peer, message: Message) -> list[Step]:
        # It may have waited here while its connection was replaced.
        return steps_of(self._seat, message) if peer is self._peer else []

    def _lost(self, peer: Peer) -> list[Step]:
        if peer is self._peer:
            self._seat.line_lost()
        return [Leave()] if peer is self._peer else []

    async def _send_message(self, message: Message) -> None:
        if self._peer is None:
            return
        try:
            await self._peer.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return  # the other task sees the end

    async def _leave(self) -> None:
        peer, self._peer = self._peer, None
        if peer is not None:
            # Shielded: the broker has to see the end even where the page is being stopped.
            with trio.CancelScope(shield=True):
                await peer.aclose()


def _read(text: str) -> Mapping[str, Any]:
    """What a browser asks. Raises UnfitRequest."""
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        raise UnfitRequest("a request is a JSON object") from None
    if not isinstance(request, dict):
        raise UnfitRequest("a request is a JSON object")
    return request


def address_of(connection: HTTPConnection) -> str:
    """Where a browser is, for people and for limits per address."""
    client = connection.client
    if client is None:
        return ""
    return f"[{client.host}]:{client.port}" if ":" in client.host else f"{client.host}:{client.port}"
