"""HTTP over real sockets of the loopback interface, with a plain client in a thread and an application of the test."""

import http.client
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
import trio
import trio.testing
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from structlog.testing import capture_logs
from trio_websocket import ConnectionClosed, open_websocket_url

from tests.certificates import Authority
from tests.daemon.shell import Shell
from ugs.daemon.http.request_turns import RequestTurns
from ugs.daemon.http.server import LINE, MAX_MESSAGE, ConnectionLimits, EventSocket, Front, SecureLine, serve_http
from ugs.daemon.network.certificates import Certificates
from ugs.page.server.event_stream import PIECE

BOUND_S = 120.0


@dataclass(frozen=True)
class Answer:
    """What a client got."""

    status: int
    kind: str
    body: bytes


def get(address: str, path: str, method: str = "GET") -> Answer:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection(address, timeout=BOUND_S)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers["Content-Type"], answer.read())
    finally:
        connection.close()


async def _health(_request: Request) -> Response:
    return PlainTextResponse("ok")


async def _scheme(request: Request) -> Response:
    return PlainTextResponse(request.url.scheme)


async def _large(_request: Request) -> Response:
    return Response(b"x" * 50_000_000)


async def _slow(_request: Request) -> Response:
    await trio.Event().wait()
    return Response()


async def _echo(websocket: WebSocket) -> None:
    await websocket.accept()
    while True:
        message = await websocket.receive()
        if message["type"] != "websocket.receive":
            return
        await websocket.send_text(str(len(message["text"])))


async def _stumble(websocket: WebSocket) -> None:
    await websocket.accept()
    raise RuntimeError("a bug")


async def _events(request: Request) -> Response:
    return Endless(request.scope["extensions"][LINE])


class Endless(Response):
    """Hands its line to the test."""

    lines: ClassVar[list[EventSocket]] = []

    def __init__(self, line: EventSocket) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        self._line = line

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin, then wait for the end."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": b"begin", "more_body": True})
        self._line.listen()
        self.lines.append(self._line)
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.lines.remove(self._line)


APP = Starlette(
    routes=[
        Route("/healthz", _health),
        Route("/scheme", _scheme),
        Route("/large", _large),
        Route("/slow", _slow),
        Route("/events", _events),
        WebSocketRoute("/echo", _echo),
        WebSocketRoute("/stumble", _stumble),
    ]
)


@asynccontextmanager
async def serving(
    limits: ConnectionLimits = ConnectionLimits(),  # noqa: B008
    playing: bool = False,
    app: ASGIApp = APP,
) -> AsyncIterator[str]:
    """A server; gives its address, and cancels it at the end."""
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            front = Front(app, limits, RequestTurns(lambda: playing))
            nursery.start_soon(front.run)
            yield await nursery.start(serve_http, front, "127.0.0.1", 0)
            nursery.cancel_scope.cancel()


async def asked(address: str, path: str, method: str = "GET") -> Answer:
    """The answer to one request."""
    return await trio.to_thread.run_sync(get, address, path, method)


@pytest.mark.parametrize("playing", [False, True])
async def test_the_application_answers(playing: bool) -> None:
    async with serving(playing=playing) as address:
        assert await asked(address, "/healthz") == Answer(200, "text/plain; charset=utf-8", b"ok")
        assert (await asked(address, "/healthz", "POST")).status == 405


async def test_a_port_in_use_is_one_clear_error() -> None:
    async with serving() as address:
        host, _, port = address.rpartition(":")
        with pytest.raises(OSError, match=f"cannot listen on {host} port {port}: "):
            await serve_http(Front(APP, ConnectionLimits(), RequestTurns(lambda: False)), host, int(port))


async def connected(address: str, receive_buffer: int = 0) -> trio.SocketStream:
    """A client that speaks for itself; it lets the network keep ``receive_buffer`` bytes for it, if given."""
    host, _, port = address.rpartition(":")
    sock = trio.socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    await sock.connect((host, int(port)))
    return trio.SocketStream(sock)


async def test_open_connections_are_closed_at_once_at_the_end() -> None:
    async with serving() as address:
        silent = await connected(address)
        half = await connected(address)
        await half.send_all(b"GET / HTTP/1.1\r\nHost:")
        kept_alive = await connected(address)
        await kept_alive.send_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await kept_alive.receive_some()).startswith(b"HTTP/1.1 200")
    for stream in (silent, half, kept_alive):
        async with stream:
            with trio.fail_after(BOUND_S), suppress(trio.BrokenResourceError):
                async for _rest in stream:  # whatever was still on its way, then the end
                    pass


async def test_a_client_that_does_not_read_does_not_hold_up_the_end() -> None:
    async with serving() as address:
        deaf = await connected(address)
        await deaf.send_all(b"GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await deaf.receive_some(1)) == b"H"
        assert (await asked(address, "/healthz")).status == 200
    await trio.aclose_forcefully(deaf)


async def test_an_answer_that_is_not_ready_does_not_hold_up_the_end() -> None:
    async with serving() as address:
        waiting = await connected(address)
        await waiting.send_all(b"GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await asked(address, "/healthz")).status == 200
    await trio.aclose_forcefully(waiting)


@pytest.mark.parametrize(
    "garbage", [b"\0\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nrubbish"]
)
async def test_garbage_costs_its_connection_only(garbage: bytes) -> None:
    async with serving() as address:
        async with await connected(address) as rude:
            await rude.send_all(garbage)
            await rude.send_eof()
            with suppress(trio.BrokenResourceError):
                while await rude.receive_some():
                    pass
        assert (await asked(address, "/healthz")).status == 200


async def test_an_answer_to_who_has_also_said_garbage_may_come_while_the_line_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer is on its way when the line is closed: it is late, and no bug."""
    sending, closing, answered = trio.Event(), trio.Event(), trio.Event()
    real_send, real_eof = trio.SocketStream.send_all, trio.SocketStream.send_eof
    failed: list[Exception] = []

    async def send_all(stream: trio.SocketStream, data: bytes) -> None:
        if b" 200 " in data:
            sending.set()
            await closing.wait()
            answered.set()
        await real_send(stream, data)

    async def send_eof(stream: trio.SocketStream) -> None:
        if not closing.is_set():
            with stream._send_conflict_detector:
                closing.set()
                await answered.wait()
                await trio.testing.wait_all_tasks_blocked()
        await real_eof(stream)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await PlainTextResponse("ok")(scope, receive, send)
        except Exception as error:
            failed.append(error)

    monkeypatch.setattr(trio.SocketStream, "send_all", send_all)
    monkeypatch.setattr(trio.SocketStream, "send_eof", send_eof)
    async with serving(app=app) as address, await connected(address) as rude:
        await rude.send_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        await sending.wait()
        await rude.send_all(b"another request after the last one")
        await answered.wait()
        with suppress(trio.BrokenResourceError):
            while await rude.receive_some():
                pass
    assert failed == []


async def test_one_connection_too_many_is_hung_up_on() -> None:
    async with serving(ConnectionLimits(1, 50)) as address, await connected(address) as first:
        await first.send_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await first.receive_some()).startswith(b"HTTP/1.1 200")
        async with await connected(address) as second:
            assert await second.receive_some() == b""


async def test_a_client_with_many_connections_keeps_nobody_out() -> None:
    """Each of its connections beyond the limit takes the place of its oldest."""
    async with serving(ConnectionLimits(100, 5)) as address:
        streams = [await connected(address) for _ in range(40)]
        for _ in range(5):
            assert (await asked(address, "/healthz")).status == 200
        assert await streams[0].receive_some() == b""
        for stream in streams:
            await trio.aclose_forcefully(stream)


async def test_when_all_places_are_taken_the_address_with_most_gives_one() -> None:
    async with serving(ConnectionLimits(4, 50)) as address:
        host, _, port = address.rpartition(":")
        many = [await trio.open_tcp_stream(host, int(port), local_address="127.0.0.2") for _ in range(4)]
        for _ in range(2):
            assert (await asked(address, "/healthz")).status == 200
        assert await many[0].receive_some() == b""
        for stream in many:
            await trio.aclose_forcefully(stream)


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
async def test_nobody_is_answered_in_http_2(request_: bytes) -> None:
    async with serving() as address, await connected(address) as client:
        await client.send_all(request_)
        answer = await client.receive_some()
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"HTTP/1.1 101" not in answer


# Events.


@asynccontextmanager
async def listening(address: str, receive_buffer: int = 0) -> AsyncIterator[tuple[trio.SocketStream, EventSocket]]:
    """A client that listens to events, and its line."""
    async with await connected(address, receive_buffer) as client:
        await client.send_all(b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
        got = b""
        while not got.endswith(b"begin\r\n"):
            got += await client.receive_some()
        while not Endless.lines:  # noqa: ASYNC110
            await trio.sleep(0.005)
        yield client, Endless.lines[-1]


async def gone(line: EventSocket) -> None:
    """Wait until the application knows that a client is gone."""
    while line in Endless.lines:  # noqa: ASYNC110
        await trio.sleep(0.005)


async def test_events_go_out_at_once_in_chunks() -> None:
    async with serving() as address, listening(address) as (client, line):
        assert line.send(b"data: 1\n\n")
        assert line.send(b"data: 2\n\n")
        got = b""
        while not got.endswith(b"2\n\n\r\n"):
            got += await client.receive_some()
        assert got == b"9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n"
        while not line.ready():  # noqa: ASYNC110
            await trio.sleep(0.005)


async def test_a_client_that_has_taken_everything_takes_a_piece() -> None:
    async with serving() as address, listening(address) as (client, line), trio.open_nursery() as nursery:

        async def read() -> None:
            async for _ in client:
                pass

        nursery.start_soon(read)
        for _ in range(30):
            while not line.ready():  # noqa: ASYNC110
                await trio.sleep(0.005)
            assert line.send(bytes(PIECE))
        nursery.cancel_scope.cancel()


async def test_the_system_takes_a_whole_page_for_a_client_that_does_not_read_yet() -> None:
    async with serving() as address, listening(address, 4096) as (_client, line):
        while not line.ready():  # noqa: ASYNC110
            await trio.sleep(0.005)
        assert line.send(b"x" * 100_000)
        assert not line.ready()


async def test_a_client_that_does_not_read_is_not_ready_and_then_its_line_is_broken() -> None:
    async with serving() as address, listening(address) as (_client, line):
        while line.send(b"x" * 20_000):
            pass
        assert not line.ready()
        line.cut()
        await gone(line)
        assert not line.send(b"x")
        assert line.ready()


async def test_what_is_over_ends_in_good_order() -> None:
    async with serving() as address, listening(address) as (client, line):
        assert line.send(b"data: 1\n\n")
        line.end()
        await gone(line)
        got = b""
        async for data in client:
            got += data
        assert got == b"9\r\ndata: 1\n\n\r\n0\r\n\r\n"
        line.end()


async def test_a_client_that_listens_may_go() -> None:
    async with serving() as address, listening(address) as (client, line):
        await client.aclose()
        await gone(line)


async def test_events_do_not_hold_up_the_end() -> None:
    async with serving() as address:
        client = await connected(address)
        await client.send_all(b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
        assert await client.receive_some()
    await trio.aclose_forcefully(client)


# WebSockets.


@pytest.mark.parametrize("playing", [False, True])
async def test_a_websocket_is_carried_and_bounded(playing: bool) -> None:
    async with serving(playing=playing) as address, open_websocket_url(f"ws://{address}/echo") as socket:
        for size in (1, 600, MAX_MESSAGE):
            await socket.send_message("x" * size)
            assert await socket.get_message() == str(size)
        await socket.send_message("x" * (MAX_MESSAGE + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.get_message()
        assert closed.value.reason is not None
        assert closed.value.reason.code == 1009
        await socket._stream.aclose()  # the library leaves that to the server's end


HANDSHAKE = (
    b"GET /echo HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


async def test_a_websocket_is_not_compressed() -> None:
    """A kilobyte could become a megabyte."""
    async with serving() as address, await connected(address) as stream:
        await stream.send_all(HANDSHAKE + b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
        head = b""
        while b"\r\n\r\n" not in head:
            head += await stream.receive_some()
        assert head.startswith(b"HTTP/1.1 101")
        assert b"extensions" not in head.lower()


async def test_many_small_frames_are_read_a_few_at_a_time() -> None:
    """Others are answered meanwhile."""
    empty = b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 20_000
    async with serving(playing=True) as address, await connected(address) as stream, trio.open_nursery() as nursery:
        await stream.send_all(HANDSHAKE + b"\r\n")
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 101")
        nursery.start_soon(stream.send_all, empty)
        assert (await asked(address, "/healthz")).status == 200
        nursery.cancel_scope.cancel()


async def test_a_bug_at_a_websocket_is_logged_and_costs_that_one() -> None:
    """The library keeps to itself what an application has met there."""
    with capture_logs() as lines:
        async with serving() as address, await connected(address) as stream:
            await stream.send_all(HANDSHAKE.replace(b"/echo", b"/stumble") + b"\r\n")
            said = b""
            while data := await stream.receive_some():
                said += data
            assert said.endswith(b"\x88\x02\x03\xf3"), "closed with 1011"
            assert (await asked(address, "/healthz")).status == 200
    told = [line for line in lines if line["event"] == "bug in the server"]
    assert [line["during"] for line in told] == ["WebSocket /stumble"]


async def test_frames_that_come_before_the_handshake_are_refused() -> None:
    async with serving() as address, await connected(address) as stream:
        await stream.send_all(HANDSHAKE + b"\r\n" + b"\x01\x80\0\0\0\0" * 1000)
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 400")


# TLS.


@asynccontextmanager
async def serving_tls(nursery: trio.Nursery, directory: Path) -> AsyncIterator[tuple[str, Authority, Shell]]:
    """A server that speaks TLS: its address, the authority of its certificate, and whose handshakes they are."""
    authority = Authority(directory)
    shell = Shell(nursery, tls={"certificate": str(authority.issue())})
    shell.handshakes.certificates = Certificates(shell.config.tls)
    front = Front(APP, ConnectionLimits(), RequestTurns(lambda: False))
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as own:
            own.start_soon(front.run)
            yield await own.start(serve_http, front, "127.0.0.1", 0, shell.handshakes), authority, shell
            own.cancel_scope.cancel()


async def connected_over_tls(address: str, authority: Authority) -> trio.SSLStream[trio.SocketStream]:
    """A client that speaks for itself, over TLS."""
    stream = await connected(address)
    return trio.SSLStream(stream, authority.trusts(), server_hostname="localhost", https_compatible=True)


async def test_the_application_answers_over_tls_and_knows_it(nursery: trio.Nursery, tmp_path: Path) -> None:
    async with serving_tls(nursery, tmp_path) as (address, authority, shell):
        client = await connected_over_tls(address, authority)
        for _ in range(2):
            await client.send_all(b"GET /scheme HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"https"):
                answer += await client.receive_some()
            assert answer.startswith(b"HTTP/1.1 200")
        await client.send_all(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        size = 0
        while size < 5_000_000 and (part := await client.receive_some()):
            size += len(part)
        assert size >= 5_000_000
        await client.aclose()
        assert shell.handshakes.counts["done"] == 1


@pytest.mark.parametrize("said", [b"\x00\xff\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"], ids=["garbage", "no host"])
async def test_what_is_no_request_is_refused_over_tls_and_is_no_bug(
    nursery: trio.Nursery, tmp_path: Path, said: bytes
) -> None:
    async with serving_tls(nursery, tmp_path) as (address, authority, _):
        with capture_logs() as lines:
            for _ in range(3):
                client = await connected_over_tls(address, authority)
                await client.send_all(said)
                answer = b""
                while data := await client.receive_some():
                    answer += data
                assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431"))
                await client.transport_stream.aclose()
                await trio.testing.wait_all_tasks_blocked()
    assert [line for line in lines if line["event"] == "bug in the server"] == []


async def test_events_go_over_tls_all_or_nothing(nursery: trio.Nursery, tmp_path: Path) -> None:
    async with serving_tls(nursery, tmp_path) as (address, authority, _):
        client = await connected_over_tls(address, authority)
        await client.send_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = b""
        while b"begin" not in heard:
            heard += await client.receive_some()
        while not Endless.lines:
            await trio.lowlevel.checkpoint()
        (line,) = Endless.lines
        assert isinstance(line, SecureLine)
        while not line.ready():
            await trio.lowlevel.checkpoint()
        assert line.send(b"news")
        heard = b""
        while b"4\r\nnews\r\n" not in heard:
            heard += await client.receive_some()
        while line.send(bytes(100_000)):
            pass
        assert not line.ready(), "the rest of a chunk that is encrypted lies here"
        line.end()
        with suppress(trio.BrokenResourceError):
            while await client.receive_some():
                pass
        await client.aclose()


async def test_who_speaks_http_to_https_is_told_so(nursery: trio.Nursery, tmp_path: Path) -> None:
    async with serving_tls(nursery, tmp_path) as (address, _, shell):
        answer = await asked(address, "/healthz")
        assert (answer.status, answer.body) == (400, b"this port speaks TLS only: https instead of http\n")
        client = await connected(address)
        await client.send_all(b"\x16garbage")
        with suppress(trio.BrokenResourceError):
            while await client.receive_some():
                pass
        await client.aclose()
        assert shell.handshakes.counts["failed"] == 1
