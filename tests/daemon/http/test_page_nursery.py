"""The page of a server over real sockets, with its real worker."""

import http.client
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from tests.daemon.shell import Shell
from tests.why.records import over
from ugs.config import Config
from ugs.daemon.http.live import LiveServer
from ugs.daemon.http.page_nursery import serve_page
from ugs.journal.importing import store
from ugs.page.contract import SiteSettings
from ugs.standings.source import WrongRequest, from_server

BOUND_S = 120.0


@asynccontextmanager
async def serving(data_dir: Path | None) -> AsyncIterator[str]:
    """A page; gives its address."""
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            shell = Shell(nursery, data_dir=str(data_dir or ""), http_port=0)
            live = LiveServer(shell.broker, shell.questions)
            address, _ = await nursery.start(serve_page, shell.config, live, lambda: False, shell.fairness.watchdog)
            yield address
            nursery.cancel_scope.cancel()


def read(address: str, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(address, timeout=BOUND_S)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


async def test_the_command_for_standings_understands_them(tmp_path: Path) -> None:
    assert store(tmp_path, over())
    async with serving(tmp_path) as address:
        (table,) = await trio.to_thread.run_sync(from_server, f"http://{address}", "chess")
        assert [line.nick for line in table.players] == ["ann", "bob"]
        with pytest.raises(WrongRequest, match="game type 'go': unknown; there are: chess"):
            await trio.to_thread.run_sync(from_server, f"http://{address}", "go")


async def test_there_is_a_page_without_a_journal_and_with_a_damaged_one(tmp_path: Path) -> None:
    async with serving(None) as address:
        assert b"Nothing is kept" in (await trio.to_thread.run_sync(read, address, "/"))[1]
    (tmp_path / "journal.sqlite").write_bytes(b"nonsense" * 1000)
    async with serving(tmp_path) as address:
        with capture_logs() as log:
            assert (await trio.to_thread.run_sync(read, address, "/standings.json"))[0] == 503
            assert [line["event"] for line in log] == ["the page has no answer"]
            assert await trio.to_thread.run_sync(read, address, "/healthz") == (200, b"ok")


def test_the_worker_is_told_the_settings_of_each_game_type() -> None:
    config = Config.read(
        {"watch_delay_s": 5.0, "game_types": {"go": {"watch_delay_s": 60.0}, "chess": {"open_records": True}}}
    )
    settings = SiteSettings.of(config)
    assert [settings.delay_of(name) for name in ("go", "chess", "nim")] == [60, 5, 5]
    assert [settings.is_open(name) for name in ("go", "chess", "nim")] == [False, True, False]
