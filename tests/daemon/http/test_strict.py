"""Requests of which two readers could think differently, on real connections: they are refused, and nothing behind them
is read."""

import pytest
import trio
import trio.testing

from tests.daemon.http.test_server import connected, serving

HOST = b" /healthz HTTP/1.1\r\nHost: h\r\n"
BEHIND = b"GET /scheme HTTP/1.1\r\nHost: h\r\n\r\n"

REFUSED = {
    "length and encoding": b"POST" + HOST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "encoding and length": b"POST" + HOST + b"transfer-encoding: Chunked\r\nCONTENT-LENGTH: 0\r\n\r\n0\r\n\r\n",
    "encoding and length of a GET": b"GET" + HOST + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "lengths that differ": b"POST" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "lengths that do not": b"POST" + HOST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "a list of lengths": b"POST" + HOST + b"Content-Length: 5, 5\r\n\r\nhello",
    "a length with a sign": b"POST" + HOST + b"Content-Length: +5\r\n\r\nhello",
    "a length in hex": b"POST" + HOST + b"Content-Length: 0x5\r\n\r\nhello",
    "a length without digits": b"POST" + HOST + b"Content-Length:\r\n\r\nhello",
    "white space before the colon": b"POST" + HOST + b"Content-Length : 5\r\n\r\nhello",
    "a folded header": b"POST" + HOST + b"X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello",
    "a folded length": b"POST" + HOST + b"Content-Length:\r\n 5\r\n\r\nhello",
    "folded with a tab": b"POST" + HOST + b"X: a\n\tContent-Length: 7\r\n\r\n",
    "an encoding that is not last": b"POST" + HOST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "an unknown encoding": b"POST" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two encodings": b"POST" + HOST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an encoding in HTTP/1.0": b"POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET" + HOST + b"Host: h\r\n\r\n",
    "an empty host": b"GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
    "a host with a user": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n",
    "a host with a path": b"GET /healthz HTTP/1.1\r\nHost: http://h/\r\n\r\n",
    "a list of hosts": b"GET /healthz HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n",
    "a host in one bracket": b"GET /healthz HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "a port that is none": b"GET /healthz HTTP/1.1\r\nHost: h:80:80\r\n\r\n",
    "a port beyond all": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:99999\r\n\r\n",
    "port 0": b"GET /healthz HTTP/1.1\r\nHost: h:0\r\n\r\n",
    "a colon without a port": b"GET /healthz HTTP/1.1\r\nHost: h:\r\n\r\n",
    "a host of dots": b"GET /healthz HTTP/1.1\r\nHost: ...\r\n\r\n",
    "a host with two dots": b"GET /healthz HTTP/1.1\r\nHost: a..b\r\n\r\n",
    "a host of markup": b"GET /healthz HTTP/1.1\r\nHost: <b>\r\n\r\n",
    "a host with a letter that is none": b"GET /healthz HTTP/1.1\r\nHost: b\xc3\xbccher.example\r\n\r\n",
    "a chunk without a length": b"GET /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n\r\n",
    "a chunk of negative length": b"GET /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "a chunk longer than it says": b"GET /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
}
PLAIN = {
    "no body": b"GET" + HOST + b"\r\n",
    "a length": b"GET" + HOST + b"Content-Length: 5\r\n\r\nhello",
    "an encoding": b"GET" + HOST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "an address": b"GET /healthz HTTP/1.1\r\nHost: [fe80::1%eth0]:8080\r\n\r\n",
    "a name with a port": b"GET /healthz HTTP/1.1\r\nHost: my_server.xn--bcher-kva.example.:80\r\n\r\n",
    "words of a body": b"GET" + HOST + b"Content-Length: 37\r\n\r\nx\r\nContent-Length: 3\r\n folded\r\n\r\nmore",
}


async def answers(said: list[bytes]) -> bytes:
    """All that a client is answered that says these pieces, until it is closed or has two answers."""
    async with serving() as address, await connected(address) as client:
        got = b""
        for piece in said:
            await client.send_all(piece)
            await trio.testing.wait_all_tasks_blocked()
        while got.count(b"HTTP/1.1 ") < 2 or not got.endswith(b"http"):
            try:
                part = await client.receive_some()
            except trio.BrokenResourceError:
                break
            if not part:
                break
            got += part
        return got


@pytest.mark.parametrize("request_", REFUSED.values(), ids=REFUSED)
async def test_what_is_ambiguous_is_refused_and_the_connection_closed(request_: bytes) -> None:
    got = await answers([request_ + BEHIND])
    assert got.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501"))
    assert got.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a host of dots", b"400: a Host that is none\n"),
        ("a folded header", b"400: a folded header\n"),
        ("a length in hex", b"400: bad Content-Length\n"),
    ],
)
async def test_the_reason_is_the_text_of_the_answer(name: str, reason: bytes) -> None:
    head, _, body = (await answers([REFUSED[name]])).partition(b"\r\n\r\n")
    assert body == reason
    assert b"content-length: %d" % len(reason) in head


async def test_an_answer_to_head_has_no_text() -> None:
    got = await answers([b"HEAD /healthz HTTP/1.1\r\nHost: ...\r\n\r\n" + BEHIND])
    assert (got[:12], got[-4:], got.count(b"HTTP/1.1 ")) == (b"HTTP/1.1 400", b"\r\n\r\n", 1)


async def test_it_is_refused_in_pieces_too_and_behind_another_request() -> None:
    ambiguous = REFUSED["length and encoding"]
    got = await answers([ambiguous[:60], ambiguous[60:] + BEHIND])
    assert got.startswith(b"HTTP/1.1 400")
    got = await answers([PLAIN["words of a body"] + ambiguous + BEHIND])
    assert got.startswith(b"HTTP/1.1 200")
    assert got.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 400" in got


@pytest.mark.parametrize("request_", PLAIN.values(), ids=PLAIN)
async def test_what_is_clear_is_answered_and_so_is_what_follows(request_: bytes) -> None:
    got = await answers([request_ + BEHIND])
    assert got.count(b"HTTP/1.1 200") == 2
