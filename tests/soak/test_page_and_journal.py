"""The page of a server, held against its journal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import cast

import pytest
import trio.testing

from tests.journal.servers import JournalServer
from ugs.peer import Peer
from ugs.soak.page_and_journal import not_shown, whole_list
from ugs.soak.server_process import ServerProcess, SoakFailed
from ugs.wire.messages import ChampionRow, ChampionsList


@contextmanager
def page(*games: str) -> Iterator[tuple[str, int]]:
    """A page with these games; its address."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"games": [{"game": game} for game in games]}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield "127.0.0.1", server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def server_with(directory: Path, http: tuple[str, int] | None) -> ServerProcess:
    """As much of a server as is asked."""
    return cast(ServerProcess, SimpleNamespace(place=SimpleNamespace(http=http), data=directory))


def test_what_the_page_leaves_out_is_named(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as journal:
        for game in ("g1", "g2", "g3"):
            journal.plays(game)
        with page("g3", "g1") as address:
            assert not_shown(server_with(tmp_path, address)) == ["g2"]
        with page("g1", "g2", "g3", "another") as address:
            assert not_shown(server_with(tmp_path, address)) == []
    (refused,) = not_shown(server_with(tmp_path, address))
    assert "refused" in refused
    assert not_shown(server_with(tmp_path, None)) == []


def champions(number: int) -> ChampionsList:
    return ChampionsList(tuple(ChampionRow(f"p{place}", place, 0) for place in range(number)))


async def test_the_whole_list_is_awaited_where_a_busy_server_tells_its_beginning(autojump_clock: object) -> None:
    near, far = trio.testing.memory_stream_pair()
    player, server = Peer(near), Peer(far)
    await server.send(champions(6), champions(30))
    assert len(await whole_list(player, 30)) == 30


async def test_a_list_after_which_no_longer_one_comes_is_all_that_is_told(autojump_clock: object) -> None:
    near, far = trio.testing.memory_stream_pair()
    player, server = Peer(near), Peer(far)
    await server.send(champions(4))
    assert len(await whole_list(player, 9)) == 4


async def test_a_line_that_ends_without_a_list_is_told() -> None:
    near, far = trio.testing.memory_stream_pair()
    await far.aclose()
    with pytest.raises(SoakFailed, match="ended"):
        await whole_list(Peer(near), 1)
