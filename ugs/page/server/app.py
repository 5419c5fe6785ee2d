"""The page as a Starlette application: what is asked is checked here, answered by the worker, and sent with headers
that allow nothing but what the page itself brings.

::

    GET /…                         a page; ugs/page/pages.py has the table
    GET /api/v1/…                  the same as JSON, and tables as CSV
    GET /api/v1/openapi.json       what there is, for programs
    GET /live?page=NAME&…          server-sent events: the parts of an open page that change
    GET /assets/…                  style and scripts
    GET /favicon.ico               the icon, for browsers that show no page of ours: a file, or JSON
    GET /game.ugsg?id=GAME         a game that has ended, for ``ugs record import`` and ``ugs replay``
    GET /standings.json            the standings as ``ugs standings --connect`` reads them
    GET /docs/…                    the manual, among the ``more`` routes: ugs/page/server/manual.py
    GET /healthz                   ok
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import structlog
import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ugs.address import origin_of
from ugs.page import html
from ugs.page.assets import assets
from ugs.page.contract import Busy, EventLine, Live, Masthead, PageAnswer, Question, Reads
from ugs.page.gzip_chunks import HEAD, stored
from ugs.page.pages import API, BY_NAME, CHAMPIONSHIP, GAME, GAME_TYPE, PAGES, Page, Param, WrongQuery, read_query
from ugs.page.played import LiveBoard
from ugs.page.server.event_stream import Audience, FullHouse, Key, News
from ugs.page.server.live_boards import Boards
from ugs.page.server.live_facts import FACTS, PICTURES_PATIENCE_S, ServerFacts
from ugs.page.server.masthead import masthead_of, name_site
from ugs.page.server.my_games import Corner
from ugs.page.server.package_types import lend_reads
from ugs.page.server.play.persons import Connect, PersonRoutes

WRONG, UNKNOWN, BUSY, BUG = 400, 404, 503, 500
LINE: Final = "ugs.line"
"""The scope extension where the shell hands over the line of a client."""
PATIENCE_S: Final[Mapping[str, float]] = {"html": 1.0, "parts": 0.0, "json": 20.0, "csv": 20.0}
"""How long an answer in this form may wait for standings that are being computed for the first time."""
GAME_PERIOD_S, PERIOD_S = 0.25, 2.0
"""How often an open page looks for news: at a running game, at anything else."""
SLOW_S: Final = 0.2
"""Seconds that open pages wait for pictures, and for those whose answers may take long. What was asked is answered
meanwhile, and shown at the next look."""
RETRY: Final = b"retry: 3000\n\n"
"""Start of an event stream: an open page that has lost its line tries again after this many milliseconds."""
MAX_NEWS: Final = 128
"""Answers that are remembered as they were read: most looks at a page find the answer of the look before."""

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
ICON: Final = "icon.svg"
FOR_EVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"

STANDINGS: Final = (GAME_TYPE, CHAMPIONSHIP)


class Site:
    """The page of one server. :meth:`run` has to run for it; :attr:`app` answers."""

    def __init__(
        self,
        live: Live,
        reads: Reads,
        more: Sequence[BaseRoute] = (),
        connect: Connect | None = None,
        masthead: Masthead = html.NO_MASTHEAD,
    ) -> None:
        """``more`` are routes of other parts of the page; people can play if there is a way to ``connect`` them.
        ``masthead`` stands around all pages."""
        self.reads = reads
        self.server = ServerFacts(live, Boards(live, reads))
        self.audience = Audience(self._look, lambda name: GAME_PERIOD_S if name == "game" else PERIOD_S)
        self._news = lru_cache(MAX_NEWS)(_news)
        routes: list[BaseRoute] = [Route("/healthz", _health), Route("/standings.json", self._standings_json)]
        routes += [Route("/live", self._live), Route("/assets/{name}", _asset), Route("/favicon.ico", _icon)]
        routes += [Route(API + "/openapi.json", self._openapi), Route("/game.ugsg", self._game_file)]
        for page in PAGES:
            if page.html:
                routes.append(Route(page.path, self._page(page, "html")))
            routes.append(Route(page.api, self._page(page, "json")))
            if page.table:
                routes.append(Route(page.api + ".csv", self._page(page, "csv")))
        routes += Corner(live.visitor, self._ask_plainly, sent).routes()
        if connect is not None:
            routes += PersonRoutes(connect, reads, live).routes(self._answer)
        # Or each client that hangs up in the middle of a form would leave a traceback in the log.
        handlers = {HTTPException: _refused, ClientDisconnect: _gone, Exception: _bug}
        app = Starlette(routes=[*routes, *more], exception_handlers=handlers)
        name_site(app, masthead)
        lend_reads(app, reads)
        app.router.redirect_slashes = False  # it would lead to the host named by the client
        self.app: ASGIApp = Guarded(app)

    async def run(self) -> None:
        """Draw running games and keep open pages up to date, until cancelled."""
        for _ in html.prepare():
            await trio.lowlevel.checkpoint()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.server.boards.run)
            nursery.start_soon(self.audience.run)

    def _page(self, page: Page, form: str) -> Any:
        async def answer(request: Request) -> Response:
            asked = _read(page.params, request)
            return sent(request, await self._ask(page, form, asked, _address(request)))

        return answer

    async def _ask(self, page: Page, form: str, asked: Mapping[str, str | int], address: str) -> PageAnswer:
        try:
            facts = await FACTS[page.facts](self.server, asked, PICTURES_PATIENCE_S[form])
            question = Question("view", {"page": page.name, "form": form, "query": dict(asked)}, facts)
            return await self.reads.ask(question, address, PATIENCE_S[form])
        except Busy as busy:
            raise HTTPException(BUSY, str(busy), {"Retry-After": "2"}) from None

    async def _standings_json(self, request: Request) -> Response:
        question = Question("standings.json", _read(STANDINGS, request))
        return sent(request, await self._ask_plainly(request, question))

    async def _game_file(self, request: Request) -> Response:
        asked = _read((GAME,), request)
        answer = await self._ask_plainly(request, Question("game file", asked))
        return sent(request, answer)

    async def _answer(self, request: Request, question: Question) -> Response:
        return sent(request, await self._ask_plainly(request, question))

    async def _openapi(self, request: Request) -> Response:
        return sent(request, await self._ask_plainly(request, Question("openapi")))

    async def _ask_plainly(self, request: Request, question: Question) -> PageAnswer:
        try:
            return await self.reads.ask(question, _address(request), PATIENCE_S["json"])
        except Busy as busy:
            raise HTTPException(BUSY, str(busy), {"Retry-After": "2"}) from None

    # Open pages.

    async def _live(self, request: Request) -> Response:
        query = request.query_params.multi_items()
        page = BY_NAME.get(next((value for name, value in query if name == "page"), ""))
        if page is None or not page.changes:
            names = ", ".join(one.name for one in PAGES if one.changes)
            raise HTTPException(WRONG, f"parameter 'page': expected one of {names}")
        asked = _read(page.params, request, skip="page")
        line: EventLine | None = request.scope.get("extensions", {}).get(LINE)
        # HTTP/1.0 has no chunks, and an answer without an end needs them.
        if line is None or request.scope["http_version"] == "1.0":
            raise HTTPException(WRONG, "events are sent over HTTP/1.1 only")
        key = page.name, tuple(sorted(asked.items()))
        return EventResponse(self.audience, key, line, _address(request), zips=_takes_gzip(request))

    async def _look(self, keys: list[Key]) -> Mapping[Key, News]:
        """What these pages show now. A game that has ended may take long: only its own pages wait for it."""
        news: dict[Key, News] = {}
        boards: Mapping[str, LiveBoard] = {}
        with suppress(Busy):
            wanted = [str(dict(asked)["id"]) for name, asked in keys if name == "game"]
            boards = await self.server.boards.look(wanted, SLOW_S)
        running = {game_id for game_id, board in boards.items() if not board.over}
        slow = [key for key in keys if key[0] == "game" and dict(key[1])["id"] not in running]
        for key in keys:
            if key not in slow:
                await trio.lowlevel.checkpoint()  # a kept answer is there at once: games have their turns between
                await self._look_at(key, news)
        if slow:
            with trio.move_on_after(SLOW_S):
                async with trio.open_nursery() as nursery:
                    for key in slow:
                        nursery.start_soon(self._look_at, key, news)
        return news

    async def _look_at(self, key: Key, news: dict[Key, News]) -> None:
        name, asked = key
        try:
            answer = await self._ask(BY_NAME[name], "parts", dict(asked), "")
        except HTTPException:
            return
        if answer.status == 200:
            news[key] = self._news(answer.body, answer.compressed)


class Guarded:
    """Adds the headers that keep any page from doing what it should not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}  # the manual has a policy of its own
                message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in own)]
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


class EventResponse(Response):
    """An answer without an end: a page is open and is sent what changes."""

    def __init__(self, audience: Audience, key: Key, line: EventLine, address: str, *, zips: bool) -> None:
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        super().__init__(headers=headers, media_type="text/event-stream")
        if zips:
            self.headers["Content-Encoding"] = "gzip"
        self._audience, self._key, self._line, self._address, self._zips = audience, key, line, address, zips
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Join the audience until the client is gone."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        begin = HEAD + stored(RETRY) if self._zips else RETRY
        await send({"type": "http.response.body", "body": begin, "more_body": True})
        try:
            self._line.listen()
            self._audience.join(self._key, self._line, self._address, zips=self._zips)
        except (FullHouse, OSError):
            await send({"type": "http.response.body", "body": b""})
            return
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._audience.leave(self._key, self._line)


def sent(request: Request, answer: PageAnswer) -> Response:
    """An answer as this client can take it."""
    headers = {"Cache-Control": REVALIDATE, "Vary": "Accept-Encoding", **answer.headers}
    if answer.tag and answer.status == 200:
        headers["ETag"] = f'"{answer.tag}"'
        if f'"{answer.tag}"' in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
    body = answer.body
    if answer.zipped and _takes_gzip(request):
        body = answer.zipped
        headers["Content-Encoding"] = "gzip"
    return Response(body, answer.status, headers, answer.kind)


async def _health(_request: Request) -> Response:
    return PlainTextResponse("ok")


async def _asset(request: Request) -> Response:
    return _sent_asset(request, request.path_params["name"])


async def _icon(request: Request) -> Response:
    return _sent_asset(request, ICON)


def _sent_asset(request: Request, name: str) -> Response:
    asset = assets().get(name)
    if asset is None:
        raise HTTPException(UNKNOWN)
    # Under its tag only: that address will never show anything else.
    headers = {"Cache-Control": FOR_EVER if request.url.query == f"v={asset.tag}" else REVALIDATE}
    return sent(request, PageAnswer(asset.body, asset.kind, 200, asset.zipped, asset.tag, headers))


def _news(answer: bytes, compressed: bytes) -> News:
    """What the parts of a page are, as the worker has written them."""
    facts = json.loads(answer)
    return News(facts["parts"], facts["over"], compressed)


def _read(params: Sequence[Param], request: Request, skip: str = "") -> dict[str, str | int]:
    """What a query asks. Raises HTTPException."""
    query = request.query_params.multi_items()
    try:
        return read_query(params, [(name, value) for name, value in query if name != skip])
    except WrongQuery as wrong:
        raise HTTPException(WRONG, str(wrong)) from None


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _address(request: Request) -> str:
    """The address that a request counts for."""
    client = request.client
    return origin_of(f"[{client.host}]:0") if client is not None else ""


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(request, error.status_code, error.detail, error.headers)


async def _gone(_request: Request, _error: Exception) -> Response:
    """A client has hung up before its request was complete: this answer reaches no reader."""
    return Response(status_code=WRONG)


async def _bug(request: Request, error: Exception) -> Response:
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    log.error("bug in the server", during=f"{request.method} {request.url.path}", exc_info=error)
    return _error(request, BUG, "a bug in the server; see its log")


def _error(request: Request, status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        return Response(html.error(status, text, site=masthead_of(request)), status, headers, "text/html")
    return Response(json.dumps({"error": text}), status, headers, "application/json")
