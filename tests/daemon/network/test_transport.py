"""Bytes in and out of real sockets, and of streams. Nothing here waits for the clock."""

import socket
from collections.abc import Iterator

import pytest
import trio
import trio.testing
from trio.testing import wait_all_tasks_blocked

from tests.daemon.stream_transport import StreamTransport
from ugs.daemon.network.transport import CHUNK, Gone, SocketTransport, Transport

FLOOD = bytes(1_000_000)


@pytest.fixture
def pair() -> Iterator[tuple[SocketTransport, socket.socket]]:
    """A transport over TCP, and the socket at its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        peer = socket.create_connection(listener.getsockname(), timeout=60)
        ours, _ = listener.accept()
    with peer, ours:
        yield SocketTransport(ours, "127.0.0.1:1"), peer


async def received(transport: Transport) -> bytes:
    """What comes next, waited for."""
    while True:
        await transport.readable()
        data = transport.receive_now()
        if data is not None:
            return data


def fill(transport: SocketTransport) -> int:
    """Send until nothing more is taken; how much was."""
    taken = 0
    while sent := transport.send_now(FLOOD):
        taken += sent
    return taken


def reset(peer: socket.socket) -> None:
    """Close so that the network says it was no orderly end."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    peer.close()


async def test_small_messages_are_not_held_back(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, _ = pair
    assert ours._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_bytes_go_both_ways(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, peer = pair
    peer.sendall(b"to us")
    assert await received(ours) == b"to us"
    assert ours.receive_now() is None
    assert ours.send_now(b"to you") == 6
    assert peer.recv(100) == b"to you"


async def test_the_end_of_a_peer_is_no_bytes(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, peer = pair
    peer.shutdown(socket.SHUT_WR)
    assert await received(ours) == b""
    assert ours.send_now(b"still") == 5


async def test_a_full_socket_takes_nothing_until_the_peer_reads(
    pair: tuple[SocketTransport, socket.socket], nursery: trio.Nursery
) -> None:
    ours, peer = pair
    taken = quiet = 0
    while quiet < 20:  # the network moves what it has taken on when it likes, and then takes more
        more = fill(ours)
        taken, quiet = taken + more, 0 if more else quiet + 1
        await trio.sleep(0.005)
    sent: list[int] = []

    @nursery.start_soon
    async def send() -> None:
        sent.append(await ours.send(b"the rest"))

    await wait_all_tasks_blocked()
    assert sent == []
    while taken:
        taken -= len(peer.recv(min(taken, 1_000_000)))
    assert peer.recv(100) == b"the rest" if sent else True
    with trio.fail_after(60):
        while not sent:
            await trio.lowlevel.checkpoint()
    assert sent == [8]


async def test_a_peer_that_reset_the_connection_is_gone(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, peer = pair
    reset(peer)
    with pytest.raises(Gone, match="reset"):
        await received(ours)
    with pytest.raises(Gone):
        ours.send_now(b"hello?")
    with pytest.raises(Gone):
        await ours.send(b"hello?")


async def test_sending_on_what_the_reader_has_closed_is_gone(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, _ = pair
    await ours.aclose()
    await ours.aclose()
    with pytest.raises(Gone):
        ours.send_now(b"hello?")
    with pytest.raises(Gone):
        await ours.send(b"hello?")
    await ours.send_eof()


async def test_closing_wakes_who_waits_to_send(
    pair: tuple[SocketTransport, socket.socket], nursery: trio.Nursery
) -> None:
    ours, _ = pair
    fill(ours)
    ends: list[str] = []

    @nursery.start_soon
    async def send() -> None:
        with pytest.raises(Gone):
            await ours.send(b"the rest")
        ends.append("gone")

    await wait_all_tasks_blocked()
    await ours.aclose()
    await wait_all_tasks_blocked()
    assert ends == ["gone"]


async def test_after_our_end_the_peer_may_still_speak(pair: tuple[SocketTransport, socket.socket]) -> None:
    ours, peer = pair
    await ours.send_eof()
    assert peer.recv(100) == b""
    peer.sendall(b"more")
    assert await received(ours) == b"more"


async def test_a_stream_carries_bytes_both_ways() -> None:
    near, far = trio.testing.memory_stream_pair()
    ours = StreamTransport(near, "memory")
    await far.send_all(b"to us")
    assert await received(ours) == b"to us"
    assert ours.receive_now() is None
    assert ours.send_now(b"not without waiting") == 0
    assert await ours.send(b"to you") == 6
    assert await far.receive_some() == b"to you"
    await ours.send_eof()
    assert await far.receive_some() == b""
    await ours.aclose()


async def test_a_stream_takes_no_more_than_a_chunk_at_a_time() -> None:
    near, far = trio.testing.memory_stream_pair()
    assert await StreamTransport(near, "memory").send(FLOOD) == CHUNK
    assert len(await far.receive_some()) == CHUNK


async def test_what_is_closed_is_gone_for_all_who_wait_however_often(
    pair: tuple[SocketTransport, socket.socket],
) -> None:
    ours, _ = pair
    await ours.aclose()
    for _ in range(2):
        with pytest.raises(Gone):
            await ours.readable()
        with pytest.raises(Gone):
            await ours.writable()


async def test_a_stream_whose_other_end_is_closed_is_gone() -> None:
    near, far = trio.testing.memory_stream_pair()
    ours = StreamTransport(near, "memory")
    await far.aclose()
    with pytest.raises(Gone):
        await ours.send(b"hello?")
    await ours.send_eof()
    await ours.aclose()
    with pytest.raises(Gone):
        await received(ours)
