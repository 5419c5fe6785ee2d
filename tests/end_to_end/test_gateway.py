"""The gateway of Apologies: the original clients, over real WebSockets, in real processes, at tables with everybody."""

import json
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio_websocket import ConnectionClosed, WebSocketConnection, wrap_client_stream

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import BOUND_S, Program, Server, client
from tests.profile import sized
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader

GAMES = sized(quick=4, deep=20)


@pytest.fixture
def server(serves: Serves, tmp_path: Path) -> Server:
    """A server with a gateway and a journal."""
    directory = ("--data-dir", str(tmp_path / "data"), "--http-port", "0")
    return serves("", "--gateway", "apologies=127.0.0.1:0", *directory)


@asynccontextmanager
async def dials(url: str) -> AsyncIterator[WebSocketConnection]:
    """A WebSocket, on a stream that is closed in any case."""
    host, _, port = url.removeprefix("ws://").strip("/").rpartition(":")
    async with await trio.open_tcp_stream(host, int(port)) as stream, trio.open_nursery() as nursery:
        yield await wrap_client_stream(nursery, stream, host, "/")
        nursery.cancel_scope.cancel()


class Client:
    """A client who says what its test wants and reads every event."""

    def __init__(self, line: WebSocketConnection, handle: str) -> None:
        self._line = line
        self.handle = handle
        self.id = ""
        self.heard: list[dict[str, Any]] = []
        """All events so far."""

    async def asks(self, message: str, **context: object) -> None:
        """Send a request."""
        request: dict[str, object] = {"message": message}
        if self.id:
            request["player_id"] = self.id
        if context:
            request["context"] = context
        await self._line.send_message(json.dumps(request))

    async def hears(self) -> dict[str, Any]:
        """The next event."""
        event: dict[str, Any] = json.loads(await self._line.get_message())
        self.heard.append(event)
        return event

    async def hears_of(self, message: str) -> dict[str, Any]:
        """Read on to the next event of that name; nothing fails meanwhile."""
        while (event := await self.hears())["message"] != message:
            assert event["message"] != "REQUEST_FAILED", event
        return event

    async def registers(self) -> None:
        """Be known by the handle."""
        await self.asks("REGISTER_PLAYER", handle=self.handle)
        self.id = (await self.hears())["player_id"]

    async def plays_on(self) -> dict[str, Any]:
        """Play at random to the end; what is said of it."""
        chance = random.Random(1)
        while True:
            event = await self.hears()
            match event["message"]:
                case "GAME_PLAYER_TURN":
                    await self.asks("EXECUTE_MOVE", move_id=chance.choice(list(event["context"]["moves"])))
                case "GAME_COMPLETED" | "GAME_CANCELLED":
                    return event
                case message:
                    assert message in ("GAME_STARTED", "GAME_PLAYER_CHANGE", "GAME_STATE_CHANGE"), event


def test_the_demonstration_client_plays_all_its_games(server: Server, tmp_path: Path) -> None:
    port = server.ready["gateways"]["apologies"].rpartition(":")[2].strip("/")
    with client("master", server, "apologies") as master:
        master.logs("logged in")
        with Program(sys.executable, "-m", "tests.end_to_end.demo_client", port, str(GAMES)) as demo:
            assert demo.ends() == 0, demo.output + server.output
        assert len(demo.lines) == GAMES
        assert server.stops() == 0
    assert len(server.events("game ended", fault="nobody")) == GAMES
    for program in (server, master):
        assert "Traceback" not in program.output
        assert program.complaints() == []
    with Reader(tmp_path / "data") as journal:
        assert len(list(journal.games())) == GAMES


@pytest.mark.parametrize("mode", sized(quick=["ADULT"], deep=["STANDARD", "ADULT"]))
async def test_a_client_and_players_of_both_kinds_and_the_program_play_at_one_table(
    server: Server, tmp_path: Path, mode: str
) -> None:
    """One through the gateway, one of plain v4 who is invited, one with a lobby who sits down, and the program."""
    nobody = client("bot", server, "apologies", "--nick", "vic", "--bot", "random", "--seed", "1", "--v4")
    with client("master", server, "apologies", "--check") as master, nobody as vic:
        master.logs("logged in")
        vic.logs("logged in")
        with trio.fail_after(BOUND_S):
            async with dials(server.ready["gateways"]["apologies"]) as line:
                ada = Client(line, "ada")
                await ada.registers()
                await ada.asks(
                    "ADVERTISE_GAME", name="Mixed", mode=mode, players=4, visibility="PUBLIC", invited_handles=["vic"]
                )
                await ada.hears_of("GAME_ADVERTISED")
                joins = ("--nick", "lou", "--bot", "random", "--seed", "1", "--join", "Mixed", "--games", "1")
                with client("bot", server, "apologies", *joins) as lou:
                    await ada.hears_of("GAME_PLAYER_CHANGE")
                    await ada.asks("START_GAME")
                    seats = (await ada.hears_of("GAME_PLAYER_CHANGE"))["context"]["players"]
                    end = await ada.plays_on()
                    assert lou.ends() == 0, lou.output
                assert [(seat["handle"], seat["player_type"]) for seat in seats[:3]] == [
                    ("ada", "HUMAN"),
                    ("lou", "HUMAN"),
                    ("vic", "HUMAN"),
                ]
                assert seats[3]["player_type"] == "PROGRAMMATIC"
                assert end["message"] == "GAME_COMPLETED"
                assert end["context"]["winner"] in {seat["handle"] for seat in seats}
                vic.logs("game over")
                await ada.asks("UNREGISTER_PLAYER")
                await ada.hears_of("PLAYER_UNREGISTERED")
                server.signal(signal.SIGTERM)
                await ada.hears_of("SERVER_SHUTDOWN")
                with pytest.raises(ConnectionClosed) as closed:
                    await ada.hears()
                assert closed.value.reason is not None
                assert closed.value.reason.code == 1001
        assert server.ends() == 0
        assert (vic.ends(), master.ends()) == (0, 0)
    assert not server.events("wrong message")
    assert not [event for program in (vic, lou) for event in program.events("unreadable state")]
    with Reader(tmp_path / "data") as journal:
        (result,) = journal.results()
        record = journal.record(result.game_id)
    assert tuple(record.seats) == ("ada", "lou", "vic")
    assert {entry.seat for entry in record.entries if entry.kind is EntryKind.MOVE} == {0, 1, 2}
