"""A browser that plays, in the process of a test: the WebSocket of the page without bytes."""

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import trio
from starlette.types import Message

from ugs.page.server.app import Site
from ugs.page.server.play.persons import PLACE

BOUND_S = 600.0
"""Seconds of the clock that jumps within which anything must have happened."""

HEADERS = {"host": "ugs.example", "origin": "http://ugs.example"}


class Browser:
    """One browser: what it was told, and what it asks. It reads as long as ``reads`` is set."""

    def __init__(self, site: Site, headers: Mapping[str, str] | None = None) -> None:
        self.site = site
        self.headers = dict(HEADERS if headers is None else headers)
        self.view: Any = {}
        self.boards: list[Any] = []
        self.wrong: list[str] = []
        self.closed: int | None = None
        self.place = SimpleNamespace(plays=False)
        """What the page tells the shell."""
        self._says, self._said = trio.open_memory_channel[Message](100)
        self._says.send_nowait({"type": "websocket.connect"})
        self._news = trio.Event()
        self.scope = trio.CancelScope()

    async def run(self) -> None:
        """Open the WebSocket, until either side closes it."""
        scope = {
            "type": "websocket",
            "path": "/play/line",
            "raw_path": b"/play/line",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in self.headers.items()],
            "client": ("192.0.2.7", 4321),
            "scheme": "ws",
            "subprotocols": [],
            "extensions": {PLACE: self.place},
        }
        with self.scope:
            await self.site.app(scope, self._said.receive, self._hear)

    def asks(self, **request: Any) -> None:
        """Ask for something."""
        self.says(json.dumps(request))

    def says(self, text: str) -> None:
        """Say any text."""
        self._says.send_nowait({"type": "websocket.receive", "text": text})

    def leaves(self) -> None:
        """Close the window."""
        self._says.send_nowait({"type": "websocket.disconnect", "code": 1001})

    async def sees(self, is_so: Callable[[Any], object]) -> Any:
        """Wait until the view is so; returns it. Raises trio.TooSlowError."""
        await self.until(lambda: bool(self.view) and bool(is_so(self.view)))
        return self.view

    async def phase(self, name: str) -> Any:
        """Wait for a phase."""
        return await self.sees(lambda view: view["phase"] == name)

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait until something is so. Raises trio.TooSlowError."""
        with trio.fail_after(BOUND_S):
            while not is_so():
                await self._news.wait()

    async def enters(self, nick: str, game_type: str) -> Any:
        """Log in."""
        self.asks(do="login", nick=nick, game_type=game_type)
        return await self.phase("lobby")

    def may_move(self) -> bool:
        """Whether there are moves on offer in the position that it sees."""
        game = self.view.get("game")
        shown = bool(self.boards) and bool(game) and self.boards[-1]["number"] == game["number"]
        return shown and bool(self.boards[-1]["offers"]) and bool(game["mine"])

    async def plays(self, pick: Callable[[list[str]], int] = lambda offers: 0) -> Any:
        """Play the game that is on to its end; returns the last view."""
        while True:
            await self.until(lambda: self.view["phase"] == "over" or self.may_move())
            if self.view["phase"] == "over":
                return await self.sees(lambda view: view["game"]["verdict"].get("told"))
            board = self.boards[-1]
            self.asks(do="move", number=board["number"], offer=pick(board["offers"]))
            await self.until(lambda: not self.may_move())

    async def _hear(self, message: Message) -> None:
        if message["type"] == "websocket.close":
            self.closed = message["code"]
        elif message["type"] == "websocket.send":
            told = json.loads(message["text"])
            self.view = told.get("view", self.view)
            self.boards += [told["board"]] if "board" in told else []
            self.wrong += [told["wrong"]] if "wrong" in told else []
        self._news.set()
        self._news = trio.Event()
        await trio.lowlevel.checkpoint()
