"""The sockets of the bridge, in memory: one client's way in, and what ends it."""

import pytest
import structlog
import trio
from trio.testing import memory_stream_pair

from game_masters.catan.bridge.framing import Frames, framed
from game_masters.catan.bridge.guest import Guest, House
from game_masters.catan.bridge.serving import MAX_LINE, Room, Visit
from tests.game_masters.catan.bridge.test_guest import VERSION
from ugs.peer import Peer
from ugs.wire.messages import LoginResponse, PlayerLogin

ROBOT = framed(VERSION) + framed("1022|droid,c,X")


class Sides:
    """A client, the bridge's guest, and the server that it calls."""

    def __init__(self) -> None:
        self.client, ours = memory_stream_pair()
        self._calls, self.called = trio.open_memory_channel[Peer](4)
        self.visit = Visit(ours, Guest(House(), trio.current_time()), self.call, structlog.get_logger())
        self.reachable = True
        self._lines: list[str] = []
        self._frames = Frames(65_535)

    async def call(self) -> Peer:
        if not self.reachable:
            raise OSError("no server listens")
        near, far = memory_stream_pair()
        await self._calls.send(Peer(far))
        return Peer(near)

    async def line(self) -> str:
        """The next line for the client; empty when there are no more."""
        while not self._lines:
            data = await self.client.receive_some(4096)
            if not data:
                return ""
            self._lines += self._frames.feed(bytes(data))
        return self._lines.pop(0)


@pytest.fixture
async def sides(nursery: trio.Nursery, autojump_clock: object) -> Sides:
    both = Sides()
    nursery.start_soon(both.visit.run)
    return both


async def test_a_robot_comes_in_through_the_bridge(sides: Sides) -> None:
    await sides.client.send_all(ROBOT)
    assert (await sides.line()).startswith("9998|2700,")
    server = await sides.called.receive()
    assert await server.receive() == PlayerLogin("droid", "settlers")
    await server.send(LoginResponse())
    assert (await sides.line()).startswith("1071|")


async def test_a_client_that_goes_takes_its_player_along(sides: Sides) -> None:
    await sides.client.send_all(ROBOT)
    server = await sides.called.receive()
    await server.receive()
    await sides.client.aclose()
    assert await server.receive() is None


async def test_a_server_that_goes_ends_its_clients(sides: Sides) -> None:
    await sides.client.send_all(ROBOT)
    server = await sides.called.receive()
    await server.receive()
    await server.aclose()
    assert (await sides.line()).startswith("9998|")
    assert (await sides.line()) == "1059|the server has closed the connection"
    assert await sides.line() == ""


async def test_a_line_that_is_too_long_ends_its_client(sides: Sides) -> None:
    await sides.client.send_all((MAX_LINE + 1).to_bytes(2, "big"))
    assert "at most 4096 are read" in await sides.line()
    assert await sides.line() == ""


async def test_who_says_nothing_is_sent_away(sides: Sides, autojump_clock: object) -> None:
    assert (await sides.line()).startswith("1059|no name within")
    assert await sides.line() == ""


async def test_without_a_server_a_robot_is_told_so(sides: Sides) -> None:
    sides.reachable = False
    await sides.client.send_all(ROBOT)
    assert (await sides.line()).startswith("9998|")
    assert (await sides.line()) == "1059|no server listens"


def visit(name: str = "") -> Visit:
    guest = Guest(House(), 0)
    if name:
        guest.msg(f"1022|{name},c,X", 0)
    return Visit(memory_stream_pair()[0], guest, Sides.call, structlog.get_logger())  # type: ignore[arg-type]


async def test_one_address_has_half_of_the_places() -> None:
    room = Room(4)
    first, *_ = here = [visit(f"droid{number}") for number in range(2)]
    assert all(room.takes(one, "192.0.2.1") for one in here)
    assert not room.takes(visit("more"), "192.0.2.1")
    assert room.takes(visit("other"), "192.0.2.2")
    room.leaves(first)
    assert room.takes(visit("more"), "192.0.2.1")


async def test_who_has_no_name_gives_way_where_there_is_no_place_left() -> None:
    room = Room(2)
    silent = visit()
    assert room.takes(visit("droid"), "192.0.2.1")
    assert room.takes(silent, "192.0.2.2")
    assert room.takes(visit("other"), "192.0.2.3")
    assert not room.takes(visit("more"), "192.0.2.4")
    room.leaves(silent)
    assert not room.takes(visit("more"), "192.0.2.4")
