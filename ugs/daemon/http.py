"""Standings over HTTP: Starlette says what is answered, Hypercorn speaks HTTP, both in a nursery of the server.

::

    GET /                  a small page
    GET /healthz           ok
    GET /standings.json    the standings; ?game_type=… and ?championship=… choose among them

A wrong request is answered with a status and ``{"error": "…"}``. Standings are computed in a thread, one request at a
time, and kept for a while: a client that asks often gets what is there. Connections are accepted here instead of by
Hypercorn, because at the end all of them have to be closed at once, whatever their peers do.
"""

import json
import socket
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, cast

import h11
import structlog
import trio
from hypercorn.config import Config as HypercornConfig
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import AppWrapper, ASGIFramework, ConnectionState
from hypercorn.utils import wrap_app
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from ugs.address import origin_of
from ugs.daemon.listening import address_text, open_listeners
from ugs.journal.schema import JournalError
from ugs.standings.source import PAGE, WrongRequest, from_journal
from ugs.standings.standings import all_as_json

MAX_CONNECTIONS = 100
"""Connections at a time. One more takes the place of one from the address that has most, or is closed at once."""
MAX_CONNECTIONS_PER_IP = 50
"""Connections at a time from one address. One more takes the place of the oldest of them: a client with many idle
connections does not keep others out, not even one that shares its address."""
UNREAD_S = 30
"""Seconds after which the system gives up a connection whose peer takes no byte."""
FRESH_S = 1.0
"""Seconds for which computed standings are kept, or ..."""
REST = 10
"""... this many times as long as it took to compute them, if that is more."""
MAX_KEPT = 100
"""Different standings that are kept."""

PARAMETERS = ("game_type", "championship")
WRONG, UNAVAILABLE, UNKNOWN, BUG = 400, 503, 404, 500

FRONT_PAGE = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Universal game server</title></head>
<body>
<h1>Universal game server</h1>
<p>The standings of all games: <a href="{PAGE}">{PAGE[1:]}</a>.
Choose with <code>?game_type=…</code> or <code>?championship=…</code>;
<code>ugs standings --connect</code> shows them as a table.</p>
</body>
</html>
"""

Choice: TypeAlias = tuple[str | None, str | None]
"""Game type and championship; None where none was asked for."""
Compute: TypeAlias = Callable[[Path, str | None, str | None], bytes]


async def serve_http(
    host: str, port: int, data_dir: Path | None, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED
) -> None:
    """Answer on ``host`` and ``port`` (0 picks a free one) until cancelled, which closes all connections at once.

    ``task_status`` gets the address as text. Without ``data_dir`` there are no standings. Raises OSError, which names
    host and port, when it cannot listen.
    """
    sockets = await open_listeners(host, port)
    listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(sock)) for sock in sockets]
    front = Front(application(StandingsCache(data_dir)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.close_at_end)
        nursery.start_soon(trio.serve_listeners, front.serve, listeners)
        task_status.started(address_text(sockets[0].getsockname()))


def compute(data_dir: Path, game_type: str | None, championship: str | None) -> bytes:
    """The standings as the bytes of their JSON. Raises WrongRequest and JournalError."""
    return json.dumps(all_as_json(from_journal(data_dir, game_type, championship))).encode()


class StandingsCache:
    """The standings, computed when they are asked for and no fresh ones are kept."""

    def __init__(self, data_dir: Path | None, compute: Compute = compute) -> None:
        self._data_dir = data_dir
        self._compute = compute
        self._at_work = trio.Lock()
        self._kept: dict[Choice, tuple[bytes, float]] = {}
        """What was computed, and until which moment of Trio's clock it is fresh; the latest comes last."""

    async def standings(self, choice: Choice) -> bytes:
        """The standings as the bytes of their JSON. Raises HTTPException with status and reason if there are none."""
        if self._data_dir is None:
            raise HTTPException(UNAVAILABLE, "nothing is kept: the server was started without --data-dir")
        async with self._at_work:
            kept = self._kept.get(choice)
            if kept is not None and trio.current_time() < kept[1]:
                return kept[0]
            began = trio.current_time()
            try:
                body = await trio.to_thread.run_sync(self._compute, self._data_dir, *choice, abandon_on_cancel=True)
            except WrongRequest as error:
                raise HTTPException(UNKNOWN, str(error)) from None
            except JournalError as error:
                _log().warning("no standings", reason=str(error))
                raise HTTPException(UNAVAILABLE, "the journal cannot be read; the server's log tells more") from None
            ended = trio.current_time()
            self._kept.pop(choice, None)
            self._kept[choice] = (body, ended + max(FRESH_S, REST * (ended - began)))
            while len(self._kept) > MAX_KEPT:
                del self._kept[next(iter(self._kept))]
            return body


def application(cache: StandingsCache) -> Starlette:
    """The routes and what answers them."""

    async def standings(request: Request) -> Response:
        return Response(await cache.standings(_choice(request)), media_type="application/json")

    async def front_page(_request: Request) -> Response:
        return HTMLResponse(FRONT_PAGE)

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(
        routes=[Route("/", front_page), Route("/healthz", health), Route(PAGE, standings)],
        exception_handlers={HTTPException: _refused, Exception: _bug},
    )


def _choice(request: Request) -> Choice:
    """What a query chooses. Raises HTTPException for unknown and repeated parameters."""
    asked: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in PARAMETERS:
            raise HTTPException(WRONG, f"unknown parameter {name!r}; allowed: {', '.join(PARAMETERS)}")
        if name in asked:
            raise HTTPException(WRONG, f"parameter {name!r}: given twice")
        asked[name] = value
    return asked.get("game_type"), asked.get("championship")


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail, error.headers)


async def _bug(request: Request, error: Exception) -> Response:
    _log().error("bug in the server", during=f"GET {request.url.path}", exc_info=error)
    return _error(BUG, "a bug in the server; its log tells more")


def _error(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(json.dumps({"error": text}), status, headers, "application/json")


class Http1(H11Protocol):
    """HTTP/1.1 and nothing else: HTTP/2 lets a client open and reset thousands of requests in one segment."""

    async def _check_protocol(self, event: h11.Request) -> None:
        """Whatever a client would rather speak, it is answered in HTTP/1.1."""


class Http1Server(TCPServer):
    """Hypercorn's server of one connection, with :class:`Http1`. Hypercorn has no setting for that."""

    async def _read_data(self) -> None:
        made = self.protocol
        made.protocol = Http1(
            made.app,
            made.config,
            made.context,
            made.task_group,
            made.state,
            made.ssl,
            made.client,
            made.server,
            made.send,
        )
        await super()._read_data()


class Front:
    """The connections, each in a task of its own."""

    def __init__(self, app: Starlette) -> None:
        self._config = HypercornConfig()
        self._config.errorlog = None  # errors are logged where they arise
        self._config.include_server_header = False
        self._app: AppWrapper = wrap_app(cast(ASGIFramework, app), self._config.wsgi_max_body_size, "asgi")
        self._context = WorkerContext(None)
        self._streams: dict[trio.SocketStream, str] = {}
        """With the address of the client, the oldest first."""

    async def serve(self, stream: trio.SocketStream) -> None:
        """Answer one client until it or Hypercorn has had enough."""
        async with stream:
            try:
                address = origin_of(address_text(stream.socket.getpeername()))
            except OSError:
                return  # gone before it was served
            if not self._make_room(address):
                return
            self._streams[stream] = address
            try:
                if hasattr(socket, "TCP_USER_TIMEOUT"):
                    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_S * 1000)
                # Its annotation names streams with TLS only; it finds out by itself what it was given.
                tls_or_not = cast("trio.SSLStream[trio.SocketStream]", stream)
                await Http1Server(self._app, self._config, self._context, ConnectionState({}), tls_or_not).run()
            except OSError:
                return  # gone meanwhile
            except Exception:  # what a client said that nobody expected may cost its connection, not a contest
                _log().exception("bug in the server", during="HTTP")
            finally:
                self._streams.pop(stream, None)

    def _make_room(self, address: str) -> bool:
        """Whether there is room for one more client from this address, if need be in place of another."""
        counts = Counter(self._streams.values())
        if counts[address] >= MAX_CONNECTIONS_PER_IP:
            self._close_oldest(address)
        elif len(self._streams) >= MAX_CONNECTIONS:
            most, count = counts.most_common(1)[0]
            if count <= counts[address] + 1:
                return False
            self._close_oldest(most)
        return True

    def _close_oldest(self, address: str) -> None:
        oldest = next(stream for stream, its_address in self._streams.items() if its_address == address)
        del self._streams[oldest]
        oldest.socket.close()

    async def close_at_end(self) -> None:
        """Wait to be cancelled, then close all sockets: Hypercorn cannot be cancelled in the middle of a send."""
        try:
            await trio.sleep_forever()
        finally:
            for stream in self._streams:
                stream.socket.close()


def _log() -> structlog.typing.FilteringBoundLogger:
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    return log
