"""The bytes of a relayed peer: what one side does not take, the other one may not send."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.lowlevel
from trio.testing import MockClock, lockstep_stream_pair, wait_all_tasks_blocked

from tests.daemon.stream_transport import StreamTransport
from ugs.cluster.introduction import DoorIntroduction, HomeIntroduction, NoNode
from ugs.cluster.relay import RelayWays
from ugs.daemon.network.transport import CHUNK, SocketTransport

PATIENCE_S = 30.0
HOURS_S = 10_000.0
SECRET = "the secret of all"
OURS, THEIRS = "0" * 32, "f" * 32


class Sides:
    """A peer and a home, each at its end of a stream that holds no byte, and the relay between them."""

    def __init__(self) -> None:
        self.peer, at_door = lockstep_stream_pair()
        self.home, to_home = lockstep_stream_pair()
        self.lines = StreamTransport(at_door, "192.0.2.1:1"), StreamTransport(to_home, "10.0.0.1:1")
        self.over = trio.Event()

    async def run(self) -> None:
        await RelayWays().relay(*self.lines, PATIENCE_S)
        self.over.set()


@asynccontextmanager
async def relayed() -> AsyncIterator[Sides]:
    sides = Sides()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sides.run)
        yield sides
        with trio.fail_after(HOURS_S):
            await sides.over.wait()


async def test_bytes_pass_both_ways_as_they_are_and_an_end_passes_too(autojump_clock: MockClock) -> None:
    async with relayed() as sides:
        for data in (b"<", b"\x00\xff", b"x" * CHUNK):
            for sender, receiver in ((sides.peer, sides.home), (sides.home, sides.peer)):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(sender.send_all, data)
                    assert await receiver.receive_some(CHUNK) == data
        await sides.peer.send_eof()
        assert await sides.home.receive_some(CHUNK) == b""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sides.home.send_all, b"last words")
            assert await sides.peer.receive_some(CHUNK) == b"last words"
        await sides.home.aclose()
        assert await sides.peer.receive_some(CHUNK) == b""


async def test_a_home_that_does_not_read_is_not_read_for(autojump_clock: MockClock) -> None:
    """What the peer sends waits where it came from; at most one read is held."""
    async with relayed() as sides:
        await sides.peer.send_all(b"x" * CHUNK)
        with trio.move_on_after(PATIENCE_S / 2) as waiting:
            await sides.peer.send_all(b"y")
        assert waiting.cancelled_caught
        assert await sides.home.receive_some(CHUNK) == b"x" * CHUNK
        await sides.home.aclose()
        await sides.peer.aclose()


async def test_a_peer_that_reads_nothing_for_too_long_loses_both_lines(autojump_clock: MockClock) -> None:
    async with relayed() as sides:
        await sides.home.send_all(b"x")
        began = trio.current_time()
        await sides.over.wait()
        assert trio.current_time() - began == PATIENCE_S
        assert await sides.home.receive_some(CHUNK) == b""


async def test_a_peer_that_stays_when_its_home_has_closed_is_let_go(autojump_clock: MockClock) -> None:
    async with relayed() as sides:
        await sides.home.aclose()
        assert await sides.peer.receive_some(CHUNK) == b""
        await sides.over.wait()


async def test_cancelling_closes_both_lines(autojump_clock: MockClock) -> None:
    sides = Sides()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sides.run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert await sides.peer.receive_some(CHUNK) == await sides.home.receive_some(CHUNK) == b""


def introduced(door: DoorIntroduction, home: HomeIntroduction) -> str:
    """The address that the home takes from the door."""
    return home.address(door.proof(home.answer(door.greeting())))


def test_a_door_and_a_home_that_know_the_secret_come_together() -> None:
    door = DoorIntroduction("b", SECRET, OURS, "[2001:db8::1]:4747")
    assert introduced(door, HomeIntroduction("b", SECRET, THEIRS)) == "[2001:db8::1]:4747"


@pytest.mark.parametrize(
    ("door", "home", "why"),
    [
        (("b", "another", OURS), ("b", SECRET, THEIRS), "what listens there does not know"),
        (("c", SECRET, OURS), ("b", SECRET, THEIRS), "it looks for node 'c'"),
        (("b", "", OURS), ("b", "", THEIRS), "is not known here"),
    ],
)
def test_others_do_not(door: tuple[str, str, str], home: tuple[str, str, str], why: str) -> None:
    with pytest.raises(NoNode, match=why):
        introduced(DoorIntroduction(*door, "192.0.2.1:1"), HomeIntroduction(*home))


def test_what_was_listened_to_cannot_be_said_again() -> None:
    door = DoorIntroduction("b", SECRET, OURS, "192.0.2.1:1")
    first = HomeIntroduction("b", SECRET, THEIRS)
    proof = door.proof(first.answer(door.greeting()))
    assert first.address(proof) == "192.0.2.1:1"
    again = HomeIntroduction("b", SECRET, "e" * 32)
    again.answer(door.greeting())
    with pytest.raises(NoNode, match="secret"):
        again.address(proof)
    with pytest.raises(NoNode, match="secret"):
        first.address(proof.replace(b"192.0.2.1", b"127.0.0.1"))


@asynccontextmanager
async def carried() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream, RelayWays]]:
    """A peer and a home with sockets, relayed by an epoll set."""
    (peer, at_door), (home, to_home) = socket.socketpair(), socket.socketpair()
    ways = RelayWays()
    lines = SocketTransport(at_door, "192.0.2.1:1"), SocketTransport(to_home, "10.0.0.1:1")
    for end in (peer, home):
        end.setblocking(False)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ways.run)
            await wait_all_tasks_blocked()
            nursery.start_soon(ways.relay, *lines, PATIENCE_S)
            streams = (
                trio.SocketStream(trio.socket.from_stdlib_socket(peer)),
                trio.SocketStream(trio.socket.from_stdlib_socket(home)),
            )
            async with streams[0], streams[1]:
                yield *streams, ways
            nursery.cancel_scope.cancel()


async def test_sockets_are_carried_by_one_task_and_a_slow_side_gets_all() -> None:
    async with carried() as (peer, home, _):
        for sender, receiver in ((peer, home), (home, peer)):
            await sender.send_all(b"x\x00")
            assert await receiver.receive_some(CHUNK) == b"x\x00"
        many = bytes(range(256)) * 8192
        got = bytearray()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.send_all, many)
            await trio.lowlevel.checkpoint()
            await home.send_all(b"answers pass meanwhile")
            assert await peer.receive_some(CHUNK) == b"answers pass meanwhile"
            while len(got) < len(many):
                got += await home.receive_some(CHUNK)
        assert got == many
        await peer.send_eof()
        assert await home.receive_some(CHUNK) == b""
        await home.send_all(b"last words")
        assert await peer.receive_some(CHUNK) == b"last words"
        await home.aclose()
        assert await peer.receive_some(CHUNK) == b""


async def test_ways_go_on_as_tasks_when_the_task_that_carried_them_has_ended() -> None:
    (peer, at_door), (home, to_home) = socket.socketpair(), socket.socketpair()
    ways = RelayWays()
    with peer, home, trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            async with trio.open_nursery() as doors:
                doors.start_soon(ways.run)
                await wait_all_tasks_blocked()
                nursery.start_soon(ways.relay, SocketTransport(at_door, "a"), SocketTransport(to_home, "b"), PATIENCE_S)
                await wait_all_tasks_blocked()
                doors.cancel_scope.cancel()
            peer.send(b"still here")
            home.setblocking(False)
            await trio.lowlevel.wait_readable(home)
            assert home.recv(CHUNK) == b"still here"
            nursery.cancel_scope.cancel()
