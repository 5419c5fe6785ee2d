"""A stream that carries messages."""

import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.certificates import Authority
from ugs import peer
from ugs.peer import KEEPALIVE_S, Peer, connect
from ugs.tls import client_context, server_context
from ugs.wire.codec import DECLARATION, WrongMessage, encode
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, GameState, Logout, Message, ServerShutdown, ThankYou

MESSAGES: Sequence[Message] = (
    ThankYou("g<1>"),
    Error('ünïcode & "quotes"'),
    GameState("g1", "ann", None, b"<gameState><![CDATA[</message>]]></gameState>"),
    Logout(),
)


class Recorder(trio.abc.Stream):
    """Records each write; delivers the given input piece by piece, then the end of the stream."""

    def __init__(self, pieces: Sequence[bytes] = ()) -> None:
        self.writes: list[bytes] = []
        self.closed = False
        self._pieces = list(pieces)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        self.writes.append(bytes(data))

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.lowlevel.checkpoint()
        return self._pieces.pop(0) if self._pieces else b""

    async def aclose(self) -> None:
        self.closed = True
        await trio.lowlevel.checkpoint()


async def everything(peer: Peer) -> list[Message]:
    messages = []
    while (message := await peer.receive()) is not None:
        messages.append(message)
    return messages


async def test_several_messages_are_one_write_and_the_first_document_of_all_has_a_declaration() -> None:
    stream = Recorder()
    peer = Peer(stream)
    await peer.send(ThankYou("g1"), Logout())
    await peer.send(Logout())
    assert stream.writes == [DECLARATION + encode(ThankYou("g1")) + encode(Logout()), encode(Logout())]


async def test_when_the_server_has_spoken_it_is_mirrored_with_one_declaration_per_write_at_most() -> None:
    for beginning in (DECLARATION, b""):
        stream = Recorder([beginning + encode(ServerShutdown()), encode(ServerShutdown())])
        peer = Peer(stream)
        await peer.send(Logout())
        for _ in range(2):
            await peer.receive()
            await peer.send(ThankYou("g1"), Logout())
        answer = beginning + encode(ThankYou("g1")) + encode(Logout())
        assert stream.writes == [DECLARATION + encode(Logout()), answer, answer]


async def test_declarations_can_be_switched_off() -> None:
    stream = Recorder([DECLARATION + encode(ServerShutdown())])
    peer = Peer(stream, declarations=False)
    await peer.send(Logout())
    await peer.receive()
    await peer.send(Logout())
    assert stream.writes == [encode(Logout())] * 2


@pytest.mark.parametrize("size", [1, 2, 7, 64, 100_000])
async def test_messages_arrive_in_any_segmentation(size: int) -> None:
    data = b"\r\n".join(encode(message) for message in MESSAGES)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert await everything(Peer(Recorder(pieces))) == list(MESSAGES)


async def test_an_unfinished_document_at_the_end_is_dropped() -> None:
    assert await everything(Peer(Recorder([encode(Logout()), b'<message type="log']))) == [Logout()]


async def test_a_wrong_message_is_told_and_the_next_one_is_received() -> None:
    peer = Peer(Recorder([b'<message type="nonsense"/>' + encode(Logout())]))
    with pytest.raises(WrongMessage):
        await peer.receive()
    assert await peer.receive() == Logout()


async def test_bytes_that_are_no_documents_are_an_error() -> None:
    peer = Peer(Recorder([b"good-bye, master"]))
    with pytest.raises(WireError):
        await peer.receive()


async def test_a_cancelled_receive_loses_nothing() -> None:
    near, far = trio.testing.memory_stream_pair()
    peer = Peer(near)
    document = encode(ServerShutdown())
    await far.send_all(document[:10])
    with trio.move_on_after(0) as scope:
        await peer.receive()
    assert scope.cancelled_caught
    await far.send_all(document[10:])
    assert await peer.receive() == ServerShutdown()


async def test_leaving_the_context_closes_the_stream() -> None:
    stream = Recorder()
    closed = []
    async with Peer(stream) as peer:
        closed.append(stream.closed)
    closed.append(stream.closed)
    assert closed == [False, True]
    await peer.aclose()


async def test_two_peers_talk_over_tcp() -> None:
    async def answer(stream: trio.SocketStream) -> None:
        async with Peer(stream) as server:
            assert await server.receive() == ThankYou("g1")
            await server.send(ServerShutdown())

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, answer, [listener])
        port = listener.socket.getsockname()[1]
        async with await connect("127.0.0.1", port) as peer:
            await peer.send(ThankYou("g1"))
            assert await everything(peer) == [ServerShutdown()]
        nursery.cancel_scope.cancel()


async def test_nobody_there_is_an_oserror() -> None:
    free = trio.socket.socket()
    await free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    with pytest.raises(OSError, match=f"no server listens at 127.0.0.1 port {port}: start one there with `ugs serve`"):
        await connect("127.0.0.1", port)


async def test_a_host_that_there_is_not_is_named() -> None:
    with pytest.raises(OSError, match=r"there is no host 'no\.such\.host\.invalid' .*: check the address"):
        await connect("no.such.host.invalid", 4747)


async def test_a_machine_that_was_switched_off_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system asks whether the connection still exists, since a peer that waits would never send anything."""
    opened: list[trio.SocketStream] = []
    dial = trio.open_tcp_stream

    async def remembers(host: str, port: int) -> trio.SocketStream:
        opened.append(await dial(host, port))
        return opened[-1]

    monkeypatch.setattr(trio, "open_tcp_stream", remembers)
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener, await connect("127.0.0.1", listener.socket.getsockname()[1]):
        assert opened[0].getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        if sys.platform == "linux":
            assert opened[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == KEEPALIVE_S


async def test_a_line_is_encrypted_and_the_server_has_to_prove_its_name(nursery: trio.Nursery, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    serving = server_context(authority.issue(), None, None)
    (listener,) = await trio.open_ssl_over_tcp_listeners(0, serving, host="127.0.0.1", https_compatible=True)
    assert isinstance(listener.transport_listener, trio.SocketListener)
    port = listener.transport_listener.socket.getsockname()[1]

    async def answer(stream: trio.SSLStream[trio.SocketStream]) -> None:
        async with stream:
            with suppress(trio.BrokenResourceError):
                while said := await stream.receive_some():
                    await stream.send_all(said)

    nursery.start_soon(trio.serve_listeners, answer, [listener])
    with trio.fail_after(60):
        async with await connect("localhost", port, tls=client_context(authority.file)) as peer:
            await peer.send(Logout())
            assert await peer.receive() == Logout()
        with pytest.raises(OSError, match=r"its certificate is not trusted: .*: check name and --ca"):
            await connect("localhost", port, tls=client_context())
    nursery.cancel_scope.cancel()


async def test_a_server_without_tls_is_named_as_such(nursery: trio.Nursery, tmp_path: Path) -> None:
    async def answer(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some()
            await stream.send_all(encode(Error("what is this?")))

    listeners: list[trio.SocketListener] = await nursery.start(trio.serve_tcp, answer, 0)
    port = listeners[0].socket.getsockname()[1]
    with (
        trio.fail_after(60),
        pytest.raises(OSError, match=rf"no TLS with localhost port {port}: the other side speaks no"),
    ):
        await connect("localhost", port, tls=client_context(Authority(tmp_path).file))
    nursery.cancel_scope.cancel()


async def test_a_server_that_has_gone_away_holds_up_the_next_one_for_less_than_a_second(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    asked: list[tuple[str, float]] = []

    async def dial(host: str, port: int, **_how: object) -> None:
        asked.append((host, round(trio.current_time(), 1)))
        if host == "gone":
            await trio.sleep_forever()
        if len(asked) < 4:
            raise OSError(f"{host} refuses")  # it stands by, and opens its doors in a moment

    monkeypatch.setattr(peer, "connect", dial)
    await peer.connect_any([("gone", 1), ("standby", 1)])
    begun = asked[0][1]
    assert [(host, round(at - begun, 1)) for host, at in asked] == [
        ("gone", 0.0),
        ("standby", 0.8),
        ("gone", 0.8),
        ("standby", 2.3),
    ]


async def test_what_has_come_together_is_received_together() -> None:
    first, rest = encode(MESSAGES[0]), b"".join(map(encode, MESSAGES[1:]))
    peer = Peer(Recorder([first, rest[:-5], rest[-5:]]))
    assert [await peer.receive_ready() for _ in range(4)] == [[MESSAGES[0]], list(MESSAGES[1:-1]), [MESSAGES[-1]], ()]


async def test_a_mistake_behind_messages_is_raised_after_them() -> None:
    peer = Peer(Recorder([encode(Logout()) + b"<message type='nonsense'/>" + encode(ServerShutdown()) + b"nonsense"]))
    assert await peer.receive_ready() == [Logout()]
    with pytest.raises(WrongMessage):
        await peer.receive()
    assert await peer.receive_ready() == [ServerShutdown()]
    with pytest.raises(WireError):
        await peer.receive_ready()
