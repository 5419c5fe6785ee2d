"""What one hostile client of the tools can do to others: nothing."""

import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest
import structlog
import trio
from mcp.server.mcpserver.exceptions import ToolError

from game_masters.agents import agent_seat, tools
from game_masters.agents.accounts import standing
from game_masters.agents.agent_seat import MAX_NEWS, AgentGame, AgentSeat
from game_masters.agents.arguments import option_texts
from game_masters.agents.mounted import MAX_REQUEST_BYTES, AgentMount
from game_masters.registry import find_game
from tests.game_masters.agents.test_agents import call, house, plays, refused
from ugs.wire import extensions as x
from ugs.wire.messages import GameState

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "table", "arguments": {"seat": "x"}}}


async def test_guessed_keys_open_nothing_and_do_not_keep_a_seat(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as one, server.client() as other:
        key = (await call(one, "join", game="tic-tac-toe", nick="ada"))["seat"]
        for guess in ("", "ada", key[:-1], key + " ", key.swapcase(), "*", "../" + key, "\0", "0" * 22, "x" * 60_000):
            for tool, more in (("table", {}), ("wait_turn", {}), ("act", {"move": 0}), ("why", {}), ("leave", {})):
                assert key not in await refused(other, tool, seat=guess, **more)
        assert (await call(one, "table", seat=key))["state"] == "waiting for a game"


async def test_one_address_does_not_take_all_seats(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(tools, "MAX_SEATS_OF_ADDRESS", 3)
    told: list[str] = []
    async with house() as server:

        async def joins(number: int, address: str) -> None:
            try:
                await server.seats.join("tic-tac-toe", f"n{number}", "", {}, address)
            except ToolError as error:
                told.append(str(error))

        async with trio.open_nursery() as nursery:
            for number in range(10):
                nursery.start_soon(joins, number, f"192.0.2.9:{number}")
            nursery.start_soon(joins, 10, "192.0.2.10:1")
        assert len(told) == 7
        assert all("of your address" in one for one in told)


async def test_a_later_call_of_wait_turn_ends_the_earlier_ones(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        key = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        ended: list[float] = []

        async def waits() -> None:
            await call(client, "wait_turn", seat=key)
            ended.append(trio.current_time())

        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            for _ in range(50):
                nursery.start_soon(waits)
        assert sum(one - began < 1 for one in ended) == 49
        assert max(ended) - began < 26


@pytest.mark.parametrize("seconds", [-1e308, 0, 1e-300])
async def test_waiting_takes_no_strange_times(seconds: float, autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        key = (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]
        began = trio.current_time()
        await call(client, "wait_turn", seat=key, seconds=seconds)
        assert trio.current_time() - began < 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"game": "x" * 60_000, "nick": "ada"},
        {"game": "tic-tac-toe", "nick": "n" * 60_000},
        {"game": "tic-tac-toe", "nick": ""},
        {"game": "tic-tac-toe", "nick": "a\nb"},
        {"game": "tic-tac-toe", "nick": "ada", "token": "t" * 60_000},
        {"game": "tic-tac-toe", "nick": "ada", "options": {f"o{number}": "1" for number in range(5_000)}},
        {"game": "tic-tac-toe", "nick": "ada", "options": {"width": "9" * 50_000}},
        {"game": ["tic-tac-toe"], "nick": {"a": 1}},
        {"nick": "ada"},
    ],
)
async def test_strange_arguments_are_refused_and_nobody_is_in(
    arguments: dict[str, Any], autojump_clock: trio.testing.MockClock
) -> None:
    async with house() as server, server.client() as client:
        why = await refused(client, "join", **arguments)
        assert why
        assert len(why) < 2_000
        assert (await call(client, "join", game="tic-tac-toe", nick="ada"))["seat"]


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("join", {"nick": "ada"}, "join: game: is missing"),
        ("join", {"game": "tic-tac-toe", "nick": 7}, "join: nick: wanted: a text"),
        ("wait_turn", {"seat": "x", "seconds": "soon"}, "wait_turn: seconds: wanted: a number"),
        ("act", {"seat": "x"}, "act: move: is missing"),
        ("table", {"seat": "x"}, "table: there is no seat with this key: join gives one"),
        (
            "tabel",
            {"seat": "x"},
            "tool 'tabel': unknown (did you mean 'table'?); there are: list_games, rules, join, "
            "wait_turn, act, table, why, leave",
        ),
        (
            "act",
            {"seat": "x", "moves": 1},
            "act: argument 'moves': unknown (did you mean 'move'?); there are: seat, move",
        ),
        ("list_games", {"all": True}, "list_games: argument 'all': unknown; there are: none"),
        ("act", {"seat": "x", "move": [1]}, "act: move: wanted: the number of a move, or a text"),
        *(
            (
                "join",
                {"game": "tic-tac-toe", "nick": "ada", "options": options},
                "join: options: wanted: an object of names and values, each a text, a number, true or false",
            )
            for options in ({"width": [3]}, {"width": None}, ["width"], "width")
        ),
    ],
)
async def test_a_wrong_argument_is_named_in_a_sentence(tool: str, arguments: dict[str, Any], why: str) -> None:
    async with house() as server, server.client() as client:
        assert await refused(client, tool, **arguments) == why


async def test_options_may_be_numbers_and_truth_values(autojump_clock: trio.testing.MockClock) -> None:
    async with house() as server, server.client() as client:
        options = {"width": 3, "height": 3.0, "row": "3"}
        assert (await call(client, "join", game="tic-tac-toe", nick="ada", options=options))["seat"]
        why = await refused(client, "join", game="tic-tac-toe", nick="eve", options={"width": 3.5})
        assert "3.5" in why
    assert option_texts({"a": True, "b": False, "c": 10**30, "d": float("inf")}) == {
        "a": "true",
        "b": "false",
        "c": "1" + "0" * 30,
        "d": "inf",
    }


async def test_a_token_is_in_no_line_of_the_log(
    capfd: pytest.CaptureFixture[str], autojump_clock: trio.testing.MockClock
) -> None:
    secret = "sec-" + "7f3a" * 12
    with structlog.testing.capture_logs() as logs:
        async with house() as server, server.client() as client:
            await call(client, "join", game="tic-tac-toe", nick="ada", token=secret)
            await refused(client, "join", game="tic-tac-toe", nick="ada", token=secret)
            await refused(client, "join", game="tic-tac-toe", nick="eve", token=secret, options={"width": "x"})
            await refused(client, "join", game=1, nick="eve", token=secret)
            assert "at most 128 characters" in await refused(
                client, "join", game="tic-tac-toe", nick="e", token=secret * 9
            )
            assert "XML can hold" in await refused(client, "join", game="tic-tac-toe", nick="e\0", token=secret)
    assert secret not in str(logs)
    assert "agent's seat failed" not in str(logs)
    captured = capfd.readouterr()
    assert secret not in captured.out + captured.err


def seat_in_game(pictures: Any) -> tuple[AgentSeat, AgentGame]:
    """A seat in a game whose pictures are these, that it never looks at."""
    seat = AgentSeat(replace(find_game("tic-tac-toe"), pictures=pictures), "ada")
    playing = [x.SeatInfo(nick, x.SeatKind.HUMAN, x.SeatState.PLAYING) for nick in ("ada", "bob")]
    seat._receive(x.Seats("g1", "", tuple(playing)))
    assert seat.played is not None
    return seat, seat.played


class Talkative:
    """A picture with a lot of news."""

    def news(self) -> list[str]:
        return ["n" * 10_000] * 1_000

    def offers(self, seat: int) -> list[Any]:
        return []


async def test_an_agent_that_never_looks_holds_little() -> None:
    seat, game = seat_in_game(lambda scene: lambda shown: Talkative())
    for _ in range(100):
        seat._receive(GameState("g1", "bob", None, b"<gameState/>"))
    assert len(game.news) == MAX_NEWS
    assert sum(map(len, game.news)) < 30_000
    other = AgentSeat(find_game("tic-tac-toe"), "ada")
    for _ in range(1_000):
        other._receive(GameState("g2", "bob", None, b"<gameState/>"))
    assert other.played is not None
    assert len(other.played.unseen) < 20


@pytest.mark.parametrize("where", ["first", "each"])
async def test_a_picture_that_fails_costs_the_picture_and_nothing_else(where: str) -> None:
    def follows(scene: Any) -> Any:
        if where == "first":
            raise ZeroDivisionError

        def follow(shown: Any) -> Any:
            raise KeyError("x")

        return follow

    seat, game = seat_in_game(follows)
    seat._receive(GameState("g1", "ada", None, b"<gameState>12</gameState>"))
    assert game.mine
    assert standing(seat)["payload"] == "<gameState>12</gameState>"


async def test_a_bug_in_one_seat_ends_that_seat_alone(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async with house() as server, server.client() as client:
        server.master("tic-tac-toe", width="3", height="3", row="3")
        with monkeypatch.context() as patched:
            patched.setattr(agent_seat.AgentSeat, "_in_game", lambda seat, game_id: 1 / 0)
            keys = [(await call(client, "join", game="tic-tac-toe", nick=nick))["seat"] for nick in ("ada", "eve")]
            seen = await call(client, "wait_turn", seat=keys[0])
            assert seen["state"] == "not logged in"
            assert "has failed" in seen["reason"]
        server.bot("tic-tac-toe", "bob", "random", width="3", height="3", row="3")
        options = {"width": "3", "height": "3", "row": "3"}
        key = (await call(client, "join", game="tic-tac-toe", nick="zoe", options=options))["seat"]
        assert (await plays(client, key, random.Random(1)))["result"] in ("won", "lost", "drawn")


@asynccontextmanager
async def mount() -> AsyncIterator[httpx2.AsyncClient]:
    """The endpoint as it is mounted, without a server behind it."""

    def connect(address: str) -> trio.abc.Stream:
        raise OSError("no server here")

    one = AgentMount(connect)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await trio.testing.wait_all_tasks_blocked()
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=one.app), base_url="http://localhost"
        ) as client:
            yield client
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        json.dumps(LIST | {"params": {"name": "table", "arguments": {"seat": "x" * 60_000}}}).encode(),
        json.dumps(LIST | {"params": {"name": "no such tool", "arguments": {}}}).encode(),
        json.dumps(LIST | {"method": "no/such"}).encode(),
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"seat":"x","move":%b}}}'
        % (b"9" * 50_000),
        json.dumps(LIST).encode() + b" " * MAX_REQUEST_BYTES,
    ],
)
async def test_wrong_bodies_are_answered_and_the_next_client_is_served(body: bytes) -> None:
    async with mount() as client:
        answer = await client.post("/mcp", content=body, headers=HEADERS)
        assert answer.status_code < 500
        assert len(answer.content) < 100_000
        right = await client.post("/mcp", json=LIST, headers=HEADERS)
        assert right.status_code == 200
        assert "no seat with this key" in right.text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "the body is no JSON"),
        (b"[]", "the body is no message of JSON-RPC: wanted: one object with jsonrpc, method and mostly id"),
        (
            b'{"id": 1}',
            "the body is no message of JSON-RPC: wanted: one object with jsonrpc, method and mostly id",
        ),
    ],
)
async def test_a_body_that_is_no_message_is_refused_in_a_sentence(body: bytes, why: str) -> None:
    async with mount() as client:
        answer = await client.post("/mcp", content=body, headers=HEADERS)
        assert (answer.status_code, answer.json()["error"]["message"]) == (400, why)
        assert int(answer.headers["content-length"]) == len(answer.content)


async def test_other_refusals_stay_as_they_are() -> None:
    async with mount() as client:
        answer = await client.post("/mcp", json=LIST, headers=HEADERS | {"mcp-protocol-version": "0"})
        assert answer.status_code == 400
        assert "rotocol" in answer.text


async def test_a_thousand_sessions_are_none() -> None:
    begin = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    async with mount() as client:
        before = trio.lowlevel.current_statistics().tasks_living
        for _ in range(50):
            answer = await client.post("/mcp", json=begin, headers=HEADERS)
            assert answer.status_code == 200
            assert "mcp-session-id" not in answer.headers
        assert trio.lowlevel.current_statistics().tasks_living <= before + 5
        assert (await client.post("/mcp", json=LIST, headers=HEADERS)).status_code == 200
