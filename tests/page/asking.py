"""The page in the process of a test: an application that is asked without sockets, and a worker that is a function."""

import gzip
import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import trio
from starlette.types import Message

from tests.daemon.shell import Shell
from ugs.daemon.http.live import LiveServer
from ugs.daemon.http.page_players import PagePlayers
from ugs.page.contract import Busy, EventLine, PageAnswer, Question, SiteSettings
from ugs.page.pipe import Failure
from ugs.page.server.app import LINE, Site
from ugs.page.worker import process
from ugs.page.worker.public_journal import PublicJournal as Kept


class Direct:
    """Reads without a process: what goes to the worker and back goes through pickles all the same."""

    def __init__(self, settings: SiteSettings) -> None:
        self.kept = Kept(settings)
        self.asked: list[str] = []

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        """Answer at once; standings are waited for."""
        while True:
            answer: PageAnswer = await self.call(question)
            if not answer.later:
                return answer
            await trio.to_thread.run_sync(lambda: None)

    async def call(self, question: Question, address: str = "") -> Any:
        """Answer at once."""
        await trio.lowlevel.checkpoint()
        self.asked.append(question.name)
        sent = pickle.loads(pickle.dumps((question.name, dict(question.asked), dict(question.facts))))
        reply = pickle.loads(pickle.dumps(process.answer(self.kept, *sent)))
        if isinstance(reply, Failure):
            raise reply
        return reply


class Refusing:
    """Reads that are always busy."""

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        """Refuse."""
        raise Busy("too much")

    async def call(self, question: Question, address: str = "") -> Any:
        """Refuse."""
        raise Busy("too much")


@dataclass
class Got:
    """What a client got."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def json(self) -> Any:
        """The body as JSON."""
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)


async def get(
    site: Site, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", **query: Any
) -> Got:
    """One request, answered to its end."""
    got = await exchanged(site, scope_of(path, headers, method, **query))
    if got.headers.get("content-encoding") == "gzip":
        got.body = gzip.decompress(got.body)
    return got


async def exchanged(site: Site, scope: Mapping[str, Any], body: bytes = b"") -> Got:
    """A request, and what its client gets, as it travels."""
    got = Got(0, {}, b"")

    bodies = [body]

    async def receive() -> Message:
        if not bodies:  # whoever listens for a client that hangs up waits
            await trio.sleep_forever()
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            got.status = message["status"]
            got.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            got.body += message.get("body", b"")

    await site.app(dict(scope), receive, send)
    return got


def scope_of(path: str, headers: Mapping[str, str] | None = None, method: str = "GET", **query: Any) -> dict[str, Any]:
    """A request as an application is told of it."""
    name, _, rest = path.partition("?")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": name,
        "raw_path": name.encode(),
        "query_string": (rest or urlencode(query)).encode(),
        "headers": [(key.lower().encode(), value.encode()) for key, value in (headers or {}).items()],
        "client": ("192.0.2.7", 4321),
        "server": ("192.0.2.1", 8080),
        "extensions": {},
    }


@dataclass
class TestLine:
    """A client that listens to events, as a list; it takes them as long as ``takes``, until it ``breaks``."""

    __test__ = False

    chunks: list[bytes] = field(default_factory=list)
    takes: bool = True
    breaks: bool = False
    was_cut: bool = False
    was_ended: bool = False

    def listen(self) -> None:
        """It is told events from now on."""

    def ready(self) -> bool:
        """Whether it has taken everything."""
        return self.takes

    def send(self, chunk: bytes | memoryview) -> bool:
        """One more chunk."""
        if self.breaks:
            return False
        self.chunks.append(bytes(chunk))
        return True

    def end(self) -> None:
        """It is closed in good order."""
        self.was_ended = True

    def cut(self) -> None:
        """It is closed."""
        self.was_cut = True

    @property
    def news(self) -> list[Any]:
        """What it was told so far, in whole."""
        *events, _ = b"".join(self.chunks).split(b"\n\n")
        return [json.loads(event.removeprefix(b"data: ")) for event in events if event.startswith(b"data: ")]


async def listen(site: Site, line: EventLine, **query: Any) -> None:
    """An open page, until cancelled."""
    gone = trio.Event()

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        assert message["type"] != "http.response.start" or message["status"] == 200

    scope = scope_of("/live", **query)
    scope["extensions"][LINE] = line
    try:
        await site.app(scope, receive, send)
    finally:
        gone.set()


def page_of(shell: Shell, data_dir: Path | None = None) -> tuple[Site, Direct]:
    """The page of a server, which draws the games that are looked at, and its worker."""
    config = shell.config
    settings = SiteSettings(str(data_dir or ""), config.watch_delay_s, {}, config.open_records)
    reads = Direct(settings)
    players = PagePlayers(config, shell.tasks, shell.peers, shell.status.parts.tally.turned_away)
    site = Site(LiveServer(shell.broker, shell.questions), reads, connect=players.connect)
    shell.tasks.start_soon(site.server.boards.run)
    return site, reads
