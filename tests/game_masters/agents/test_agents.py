"""Agents play through the real client of the MCP package, against a whole broker and real masters, on a fake clock."""

import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import structlog
import trio
import trio.testing
from mcp.client.client import Client

from game_masters.agents.tools import AgentSeats, endpoint
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.run import run
from game_masters.registry import find_game
from tests.daemon.shell import Shell
from tests.daemon.stream_transport import StreamTransport
from tests.profile import ONLY_DEEP
from ugs.broker.events import IdentitiesRead
from ugs.broker.values.identity import Identity, Role
from ugs.peer import Peer
from ugs.tokens import digest_of, new_token

LOG = structlog.get_logger("test")


class House:
    """A server with masters, bots and one endpoint for agents."""

    def __init__(self, nursery: trio.Nursery, **settings: object) -> None:
        self.nursery = nursery
        self.shell = Shell(nursery, **settings)
        self.seats = AgentSeats(self._open)

    async def _open(self, address: str = "") -> Peer:
        near, far = trio.testing.memory_stream_pair()
        self.shell.attaches(StreamTransport(near, "192.0.2.1:1"))
        return Peer(far)

    def master(self, name: str, **options: str) -> None:
        game = find_game(name)
        master: Master[Any, Any] = Master(game, game.choose_options(options), id=name, chance=random.Random)
        self._runs(master)

    def bot(self, name: str, nick: str, bot: str, **options: str) -> None:
        game = find_game(name)
        player: Player[Any, Any] = Player(
            game, game.choose_options(options), game.bot(bot), nick=nick, rng=random.Random(1)
        )
        self._runs(player)

    def _runs(self, client: Any) -> None:
        async def runs() -> None:
            await run(client, self._open, once=True, rng=random.Random(1), log=LOG)

        self.nursery.start_soon(runs)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        async with Client(endpoint(self.seats)) as client:
            yield client


@asynccontextmanager
async def house(**settings: object) -> AsyncIterator[House]:
    async with trio.open_nursery() as nursery:
        one = House(nursery, **settings)
        await nursery.start(one.seats.run)
        yield one
        nursery.cancel_scope.cancel()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    content: dict[str, Any] = result.structured_content
    return content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(getattr(result.content[0], "text", ""))


async def plays(client: Client, seat: str, rng: random.Random) -> dict[str, Any]:
    """Play a game to its end, with any legal move each time; the last answer of wait_turn."""
    begun = False
    while True:
        seen = await call(client, "wait_turn", seat=seat)
        begun = begun or bool(seen.get("your_turn"))
        if begun and seen.get("result"):
            return seen
        if seen.get("your_turn"):
            await call(client, "act", seat=seat, move=rng.choice(list(seen["moves"])))


@pytest.mark.parametrize(
    ("game", "options", "bot"),
    [
        ("tic-tac-toe", {"width": "3", "height": "3", "row": "3"}, "random"),
        pytest.param("apologies", {}, "random", marks=ONLY_DEEP),
        pytest.param("apologies-adult", {}, "random", marks=ONLY_DEEP),
    ],
)
async def test_an_agent_plays_whole_games(
    game: str, options: dict[str, str], bot: str, autojump_clock: trio.testing.MockClock
) -> None:
    async with house() as server, server.client() as client:
        server.master(game, **options)
        server.bot(game, "bob", find_game(game).bots[-1].name, **options)
        assert (await call(client, "rules", game=game))["summary"]
        seat = (await call(client, "join", game=game, nick="ada", options=options))["seat"]
        seen = await plays(client, seat, random.Random(3))
        assert seen["result"] in ("won", "lost", "drawn")
        assert "unfit_moves" not in seen
        assert not any("broke a rule" in note for note in seen.get("notes", ()))
        assert (await call(client, "why", seat=seat))["why"]
        assert (await plays(client, seat, random.Random(4)))["game_id"] != seen["game_id"]
        await call(client, "leave", seat=seat)
        assert "no seat with this key" in await refused(client, "table", seat=seat)


@ONLY_DEEP
async def test_all_installed_games_are_listed() -> None:
    async with house() as server, server.client() as client:
        listed = await call(client, "list_games")
        assert {"tic-tac-toe", "catan", "titan"} <= {one["game"] for one in listed["games"]}


async def test_a_name_with_a_token_is_let_in_with_it_alone() -> None:
    """A thread looks at the token, so the clock is the real one; nothing is waited for."""
    token = new_token()
    row = Identity(1, Role.PLAYER, "ada", digest_of(token, made_here=True))
    async with house() as server, server.client() as client:
        server.shell.driver.happens(IdentitiesRead((row,)))
        why = await refused(client, "join", game="tic-tac-toe", nick="ada", token="wrong")
        assert "token" in why
        joined = await call(client, "join", game="tic-tac-toe", nick="ada", token=token)
        assert joined["state"] == "waiting for a game"


async def test_who_is_too_slow_loses_like_any_player(autojump_clock: trio.testing.MockClock) -> None:
    async with house(move_timeout_s=30.0) as server, server.client() as client:
        server.master("tic-tac-toe")
        server.bot("tic-tac-toe", "bob", "threats")
        seat = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        while not (await call(client, "wait_turn", seat=seat)).get("your_turn"):
            pass
        await trio.sleep(40)
        assert "not asked" in await refused(client, "act", seat=seat, move=0)
        seen = await call(client, "table", seat=seat)
        assert seen["result"] == "lost"
        assert "time" in (await call(client, "why", seat=seat))["why"]


async def test_waiting_for_a_turn_ends_after_25_seconds(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        seat = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        begun = trio.current_time()
        assert (await call(client, "wait_turn", seat=seat, seconds=1e9))["state"] == "waiting for a game"
        assert trio.current_time() - begun == pytest.approx(25, abs=1)


async def test_what_is_hidden_stays_hidden_from_another_client(autojump_clock: trio.testing.MockClock) -> None:
    """Two agents in one game: neither sees a card that only the other one may see, by any tool."""
    async with house() as server, server.client() as one, server.client() as two:
        server.master("apologies-adult")
        keys = {}
        for client, nick in ((one, "ada"), (two, "eve")):
            keys[nick] = (await call(client, "join", game="apologies-adult", nick=nick))["seat"]
        seen = {nick: await call(client, "wait_turn", seat=keys[nick]) for client, nick in ((one, "ada"), (two, "eve"))}
        assert seen["ada"]["game_id"] == seen["eve"]["game_id"]
        assert sum("moves" in view for view in seen.values()) == 1
        assert seen["ada"]["board"] != seen["eve"]["board"]
        for guess in ("", "ada", seen["ada"]["game_id"], keys["ada"][:-1]):
            for tool in ("table", "wait_turn", "why", "leave"):
                assert "no seat with this key" in await refused(two, tool, seat=guess)
        assert keys["ada"] not in str([seen["eve"], await call(two, "table", seat=keys["eve"])])


@pytest.mark.parametrize("retries", [0, 2])
async def test_a_move_that_is_none_costs_what_it_costs_any_player(
    retries: int, autojump_clock: trio.testing.MockClock
) -> None:
    settings = {"faults": f"retry {retries}"} if retries else {}
    async with house(**settings) as server, server.client() as client:
        server.master("tic-tac-toe")
        server.bot("tic-tac-toe", "bob", "threats")
        seat = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        while not (await call(client, "wait_turn", seat=seat)).get("your_turn"):
            pass
        for _ in range(retries):
            assert "no move" in (await call(client, "act", seat=seat, move="the centre"))["sent"]
            await trio.sleep(1)
            seen = await call(client, "wait_turn", seat=seat)
            assert seen["your_turn"]
            assert any("unreadable" in note or "expected" in note for note in seen["notes"]), seen["notes"]
        assert "no move" in (await call(client, "act", seat=seat, move="the centre"))["sent"]
        seen = await call(client, "table", seat=seat)
        while not seen.get("result"):
            await trio.sleep(1)
            seen = await call(client, "table", seat=seat)
        assert seen["result"] == "lost"
        assert seen["unfit_moves"] == retries + 1
        assert any("broke a rule" in note or "is lost" in note for note in seen["notes"])


async def test_games_and_nicks_that_do_not_fit_are_refused(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        assert "no game 'go-fish'" in await refused(client, "join", game="go-fish", nick="ada")
        assert "no game 'pettingzoo:this'" in await refused(client, "rules", game="pettingzoo:this")
        assert "this" not in sys.modules, "clients do not decide what is imported"
        await call(client, "join", game="tic-tac-toe", nick="ada")
        assert "in use" in await refused(client, "join", game="tic-tac-toe", nick="ada")


async def test_a_seat_that_is_named_by_no_call_leaves(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        seat = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        await trio.sleep(2 * 1800)
        assert "no seat" in await refused(client, "table", seat=seat)
        await call(client, "join", game="tic-tac-toe", nick="ada")
