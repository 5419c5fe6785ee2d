"""Standings over HTTP: real sockets of the loopback interface, and a plain HTTP client in a thread."""

import http.client
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio
from starlette.exceptions import HTTPException
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.why.records import over
from ugs.daemon import http as web
from ugs.daemon.http import Front, StandingsCache, application, serve_http
from ugs.journal.importing import store
from ugs.journal.schema import JournalError
from ugs.standings.source import WrongRequest, from_server

BOUND_S = 10.0


@dataclass(frozen=True)
class Answer:
    """What a client got."""

    status: int
    kind: str
    body: bytes

    @property
    def error(self) -> str:
        """The reason in an answer that is a refusal."""
        assert self.kind == "application/json"
        text: str = json.loads(self.body)["error"]
        return text


Asks = Callable[[str], Awaitable[Answer]]


def get(address: str, path: str, method: str = "GET") -> Answer:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection(address, timeout=BOUND_S)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers["Content-Type"], answer.read())
    finally:
        connection.close()


@asynccontextmanager
async def serving(data_dir: Path | None) -> AsyncIterator[str]:
    """A server; gives its address, and cancels it at the end."""
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            yield await nursery.start(serve_http, "127.0.0.1", 0, data_dir)
            nursery.cancel_scope.cancel()


async def asked(address: str, path: str, method: str = "GET") -> Answer:
    """The answer to one request."""
    return await trio.to_thread.run_sync(get, address, path, method)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal that knows one game of chess."""
    assert store(tmp_path, over())
    return tmp_path


async def test_health_is_ok_and_the_front_page_leads_to_the_standings(data_dir: Path) -> None:
    async with serving(data_dir) as address:
        assert await asked(address, "/healthz") == Answer(200, "text/plain; charset=utf-8", b"ok")
        page = await asked(address, "/")
        assert (page.status, page.kind) == (200, "text/html; charset=utf-8")
        assert b'href="/standings.json"' in page.body


@pytest.mark.parametrize("query", ["", "?game_type=chess"])
async def test_standings_are_told_as_json(data_dir: Path, query: str) -> None:
    async with serving(data_dir) as address:
        answer = await asked(address, f"/standings.json{query}")
        assert (answer.status, answer.kind) == (200, "application/json")
        players: list[dict[str, Any]] = json.loads(answer.body)["players"]
        assert [(row["nick"], row["won"], row["lost"]) for row in players] == [("ann", 1, 0), ("bob", 0, 1)]


async def test_the_command_for_standings_understands_them(data_dir: Path) -> None:
    async with serving(data_dir) as address:
        (table,) = await trio.to_thread.run_sync(from_server, f"http://{address}", "chess")
        assert [line.nick for line in table.players] == ["ann", "bob"]
        with pytest.raises(WrongRequest, match="game type 'go': unknown; there are: chess"):
            await trio.to_thread.run_sync(from_server, f"http://{address}", "go")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/standings.json?game_type=go", 404, "'go': unknown; there are: chess"),
        ("/standings.json?championship=spring", 404, "'spring': unknown"),
        ("/standings.json?gametype=chess", 400, "unknown parameter 'gametype'; allowed: game_type, championship"),
        ("/standings.json?game_type=chess&game_type=go", 400, "'game_type': given twice"),
        ("/nowhere", 404, "Not Found"),
    ],
)
async def test_what_cannot_be_answered_is_an_error_in_json(data_dir: Path, path: str, status: int, words: str) -> None:
    async with serving(data_dir) as address:
        answer = await asked(address, path)
        assert answer.status == status
        assert words in answer.error


async def test_only_get_is_allowed(data_dir: Path) -> None:
    async with serving(data_dir) as address:
        answer = await asked(address, "/standings.json", "POST")
        assert (answer.status, answer.error) == (405, "Method Not Allowed")


async def test_without_a_data_directory_there_are_no_standings() -> None:
    async with serving(None) as address:
        answer = await asked(address, "/standings.json")
        assert (answer.status, answer.error) == (503, "nothing is kept: the server was started without --data-dir")
        assert (await asked(address, "/healthz")).status == 200


async def test_a_journal_that_cannot_be_read_is_in_the_log_and_not_in_the_answer(tmp_path: Path) -> None:
    async with serving(tmp_path / "nowhere") as address:
        with capture_logs() as log:
            answer = await asked(address, "/standings.json")
        assert (answer.status, answer.error) == (503, "the journal cannot be read; the server's log tells more")
        assert [line["event"] for line in log] == ["no standings"]
        assert "nowhere" in log[0]["reason"]


async def test_a_port_in_use_is_one_clear_error() -> None:
    async with serving(None) as address:
        host, _, port = address.rpartition(":")
        with pytest.raises(OSError, match=f"cannot listen on {host} port {port}: "):
            await serve_http(host, int(port), None)


async def test_a_bug_costs_one_answer(tmp_path: Path) -> None:
    def compute(_path: Path, _game_type: str | None, _championship: str | None) -> bytes:
        raise ZeroDivisionError

    async with serving_with(StandingsCache(tmp_path, compute)) as address:
        with capture_logs() as log:
            answer = await asked(address, "/standings.json")
        assert (answer.status, answer.error) == (500, "a bug in the server; its log tells more")
        assert [line["event"] for line in log] == ["bug in the server"]
        assert (await asked(address, "/healthz")).status == 200


# The end.


@asynccontextmanager
async def serving_with(desk: StandingsCache) -> AsyncIterator[str]:
    """The same with standings of the test's own."""
    front = Front(application(desk))
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port: int = listener.socket.getsockname()[1]
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.close_at_end)
            nursery.start_soon(trio.serve_listeners, front.serve, [listener])
            yield f"127.0.0.1:{port}"
            nursery.cancel_scope.cancel()


async def connected(address: str) -> trio.SocketStream:
    """A client that speaks for itself."""
    host, _, port = address.rpartition(":")
    return await trio.open_tcp_stream(host, int(port))


async def test_open_connections_are_closed_at_once_at_the_end(data_dir: Path) -> None:
    async with serving(data_dir) as address:
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


async def test_a_client_that_does_not_read_does_not_hold_up_the_end(tmp_path: Path) -> None:
    computed = threading.Event()

    def compute(_path: Path, _game_type: str | None, _championship: str | None) -> bytes:
        computed.set()
        return b"x" * 50_000_000

    async with serving_with(StandingsCache(tmp_path, compute)) as address:
        deaf = await connected(address)
        await deaf.send_all(b"GET /standings.json HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await deaf.receive_some(1)) == b"H"
        assert computed.is_set()
        assert (await asked(address, "/healthz")).status == 200
    await trio.aclose_forcefully(deaf)


async def test_a_computation_does_not_hold_up_the_end(tmp_path: Path) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def compute(_path: Path, _game_type: str | None, _championship: str | None) -> bytes:
        began.set()
        goes_on.wait(BOUND_S)
        return b"{}"

    async with serving_with(StandingsCache(tmp_path, compute)) as address:
        waiting = await connected(address)
        await waiting.send_all(b"GET /standings.json HTTP/1.1\r\nHost: h\r\n\r\n")
        assert await trio.to_thread.run_sync(began.wait, BOUND_S)
    goes_on.set()
    await trio.aclose_forcefully(waiting)


@pytest.mark.parametrize(
    "garbage", [b"\0\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nrubbish"]
)
async def test_garbage_costs_its_connection_only(data_dir: Path, garbage: bytes) -> None:
    async with serving(data_dir) as address:
        async with await connected(address) as rude:
            await rude.send_all(garbage)
            await rude.send_eof()
            with suppress(trio.BrokenResourceError):
                while await rude.receive_some():
                    pass
        assert (await asked(address, "/healthz")).status == 200


async def test_one_connection_too_many_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MAX_CONNECTIONS", 1)
    async with serving(None) as address, await connected(address) as first:
        await first.send_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await first.receive_some()).startswith(b"HTTP/1.1 200")
        async with await connected(address) as second:
            assert await second.receive_some() == b""


async def test_a_client_with_many_connections_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its connections beyond the limit takes the place of its oldest."""
    monkeypatch.setattr(web, "MAX_CONNECTIONS_PER_IP", 5)
    async with serving(None) as address:
        streams = [await connected(address) for _ in range(40)]
        for _ in range(5):
            assert (await asked(address, "/healthz")).status == 200
        assert await streams[0].receive_some() == b""
        for stream in streams:
            await trio.aclose_forcefully(stream)


async def test_when_all_places_are_taken_the_address_with_most_gives_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MAX_CONNECTIONS", 4)
    async with serving(None) as address:
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
    async with serving(None) as address, await connected(address) as client:
        await client.send_all(request_)
        answer = await client.receive_some()
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"HTTP/1.1 101" not in answer


# What is kept.


class Counting:
    """Computes something, counts how often, and lets the clock go on meanwhile."""

    def __init__(self, clock: MockClock, takes_s: float = 0) -> None:
        self.asked: list[str | None] = []
        self._clock = clock
        self._takes_s = takes_s

    def __call__(self, _path: Path, game_type: str | None, _championship: str | None) -> bytes:
        self.asked.append(game_type)
        trio.from_thread.run_sync(self._clock.jump, self._takes_s)
        if game_type == "damaged":
            raise JournalError("damaged")
        return f"{game_type} {len(self.asked)}".encode()


async def test_standings_are_told_again_for_a_second(mock_clock: MockClock, tmp_path: Path) -> None:
    compute = Counting(mock_clock)
    desk = StandingsCache(tmp_path, compute)
    assert await desk.standings(("go", None)) == await desk.standings(("go", None)) == b"go 1"
    assert await desk.standings(("chess", None)) == b"chess 2"
    mock_clock.jump(1.01)
    assert await desk.standings(("go", None)) == b"go 3"


async def test_standings_that_took_long_are_told_again_for_longer(mock_clock: MockClock, tmp_path: Path) -> None:
    desk = StandingsCache(tmp_path, Counting(mock_clock, takes_s=2))
    await desk.standings(("go", None))
    mock_clock.jump(19)
    assert await desk.standings(("go", None)) == b"go 1"
    mock_clock.jump(1.01)
    assert await desk.standings(("go", None)) == b"go 2"


async def test_many_who_ask_at_the_same_time_are_one_computation(mock_clock: MockClock, tmp_path: Path) -> None:
    compute = Counting(mock_clock)
    desk = StandingsCache(tmp_path, compute)
    async with trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(desk.standings, ("go", None))
    assert compute.asked == ["go"]


async def test_a_failure_is_not_kept(mock_clock: MockClock, tmp_path: Path) -> None:
    compute = Counting(mock_clock)
    desk = StandingsCache(tmp_path, compute)
    for _ in range(2):
        with capture_logs(), pytest.raises(HTTPException):
            await desk.standings(("damaged", None))
    assert compute.asked == ["damaged"] * 2


async def test_not_everything_is_kept_for_ever(mock_clock: MockClock, tmp_path: Path) -> None:
    compute = Counting(mock_clock)
    desk = StandingsCache(tmp_path, compute)
    for number in range(web.MAX_KEPT + 1):
        await desk.standings((str(number), None))
    await desk.standings(("1", None))
    await desk.standings(("0", None))
    assert compute.asked[-1] == "0"
    assert compute.asked.count("1") == 1
