"""Clients that hang up, at any moment and in any way: no bug, no traceback, nothing in the log."""

import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs

from tests.daemon.shell import Shell
from tests.page.asking import page_of
from ugs.daemon.http.request_turns import RequestTurns
from ugs.daemon.http.server import ConnectionLimits, Front, serve_http

BOUND_S = 120.0
FORM = b"Host: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
SOCKET = (
    b"GET /play/line HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
LOGIN = b"\x81\x80\0\0\0\0"
SAID = {
    "nothing": b"",
    "half a request": b"GET /",
    "a page": b"GET /games HTTP/1.1\r\nHost: h\r\n\r\n",
    "many pages": b"GET /games HTTP/1.1\r\nHost: h\r\n\r\n" * 20,
    "a form without its body": b"POST /mine/enter HTTP/1.1\r\n" + FORM + b"Content-Length: 10\r\n\r\n",
    "half a body": b"POST /mine/enter HTTP/1.1\r\n" + FORM + b"Content-Length: 10\r\n\r\ntoken",
    "a chunk of a body": b"POST /mine/enter HTTP/1.1\r\n" + FORM + b"Transfer-Encoding: chunked\r\n\r\n5\r\ntok",
    "a wrong token": b"POST /mine/enter HTTP/1.1\r\n" + FORM + b"Content-Length: 7\r\n\r\ntoken=x",
    "a form of organisers": b"POST /mine/leave HTTP/1.1\r\n" + FORM + b"Content-Length: 9999\r\n\r\n",
    "an open page": b"GET /live?page=games HTTP/1.1\r\nHost: h\r\n\r\n",
    "half a handshake": SOCKET[:-2],
    "a WebSocket": SOCKET,
    "half a frame": SOCKET + b"\x81",
    "a frame": SOCKET + LOGIN,
    "a text that is none": SOCKET + b"\x81\x82\0\0\0\0\xff\xfe",
    "garbage": b"\x16\x03\x01\x00\xff" * 20,
}


@asynccontextmanager
async def serving(nursery: trio.Nursery, directory: Path) -> AsyncIterator[tuple[str, int]]:
    """The page of a server, with real sockets."""
    site, _ = page_of(Shell(nursery), directory)
    front = Front(site.app, ConnectionLimits(), RequestTurns(lambda: False))
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as own:
            own.start_soon(front.run)
            own.start_soon(site.run)
            host, _, port = (await own.start(serve_http, front, "127.0.0.1", 0)).rpartition(":")
            yield host, int(port)
            own.cancel_scope.cancel()


@pytest.mark.parametrize("cut", [False, True], ids=["closed", "cut"])
@pytest.mark.parametrize("hears", [False, True], ids=["at once", "after the answer begins"])
@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
async def test_nobody_who_hangs_up_is_in_the_log(
    nursery: trio.Nursery, tmp_path: Path, said: bytes, hears: bool, cut: bool
) -> None:
    with capture_logs() as lines:
        async with serving(nursery, tmp_path) as (host, port):
            for _ in range(3):
                client = await trio.open_tcp_stream(host, port)
                await client.send_all(said)
                if hears:
                    with trio.move_on_after(0.05):
                        await client.receive_some()
                if cut:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                await trio.aclose_forcefully(client)
                await trio.testing.wait_all_tasks_blocked(0.01)
    assert lines == []
