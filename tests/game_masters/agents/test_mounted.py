"""The endpoint over streamable HTTP in the page, in this process, with the real client of the MCP package."""

import json
import random
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
import trio
from mcp.client.client import Client

from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.run import run
from game_masters.registry import find_game
from tests.game_masters.agents.test_agents import call, plays, refused
from ugs.config import parse
from ugs.daemon import serve as module
from ugs.daemon.serve import serve
from ugs.gateway import settings_of
from ugs.peer import connect

SMALL = {"width": "3", "height": "3", "row": "3"}
BOUND_S = 120.0


async def test_an_agent_plays_through_the_page_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "spare_the_collector", lambda: None)
    monkeypatch.setattr(module, "share_the_interpreter", lambda: None)
    monkeypatch.setattr(module, "allow_many_connections", lambda: None)
    ready = tmp_path / "ready.json"
    config = parse({"port": 0, "http_port": 0, "mounts": "mcp"}, "test", settings_of)
    game = find_game("tic-tac-toe")
    options = game.choose_options(SMALL)
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, config, ready)
            while not ready.exists():  # noqa: ASYNC110  (the file is what a server announces itself with)
                await trio.sleep(0.001)
            addresses = json.loads(ready.read_text())
            host, _, port = addresses["game"].rpartition(":")
            master: Master[Any, Any] = Master(game, options, id="m", chance=random.Random)
            bob: Player[Any, Any] = Player(game, options, game.bot("random"), nick="bob", rng=random.Random(1))

            async def joins(one: Any) -> None:
                dial = lambda: connect(host, int(port))  # noqa: E731
                await run(one, dial, once=True, rng=random.Random(1), log=structlog.get_logger("test"))

            nursery.start_soon(joins, master)
            nursery.start_soon(joins, bob)
            url = f"http://{addresses['http']}/mcp"
            async with Client(url) as client:
                seat = (await call(client, "join", game="tic-tac-toe", nick="ada", options=SMALL))["seat"]
                assert (await plays(client, seat, random.Random(1)))["result"] in ("won", "lost", "drawn")
            async with Client(url) as other:
                assert "no seat with this key" in await refused(other, "table", seat="ada")
                assert (await call(other, "table", seat=seat))["result"]
            async with httpx2.AsyncClient() as browser:
                answer = await browser.post(url, json={}, headers={"Origin": "http://elsewhere.example"})
                assert answer.status_code == 403
            nursery.cancel_scope.cancel()
