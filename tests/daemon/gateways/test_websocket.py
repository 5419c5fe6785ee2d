"""One WebSocket: handshakes, what comes, what goes out, and all the ways in which it ends."""

from collections.abc import Callable

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked
from wsproto.events import BytesMessage, Ping, TextMessage

from tests.daemon.shell import Shell
from tests.daemon.stream_transport import StreamTransport
from tests.daemon.toy_gateway import HANDSHAKE, Closed, ToyHouse, masked
from ugs.daemon.fairness.service_turns import Guest
from ugs.daemon.gateways.websocket_line import MAX_FRAGMENTS, SLICE, WebSocketWire

Opens = Callable[..., Shell]
Receives = Callable[..., ToyHouse]

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
"""Kinds of frames."""


@pytest.fixture
def receives(opens: Opens) -> Receives:
    """Opens a server with these settings and a toy gateway with those in ``gateway``."""
    return lambda gateway=(), **settings: ToyHouse(opens(**settings), **dict(gateway))


async def raw(house: ToyHouse) -> trio.abc.HalfCloseableStream:
    """A client that has shaken hands and now says what it likes, as bytes."""
    stream = house.connects().stream
    await stream.send_all(HANDSHAKE)
    assert (await stream.receive_some()).startswith(b"HTTP/1.1 101 ")
    return stream


async def all_of(stream: trio.abc.HalfCloseableStream) -> bytes:
    """What comes until the end."""
    received = bytearray()
    with trio.fail_after(60):
        while data := await stream.receive_some():
            received += data
    return bytes(received)


def closing(code: int) -> bytes:
    """How a closing frame of ours goes on after its length."""
    return code.to_bytes(2, "big")


# Hands are shaken.


async def test_a_client_may_ask_for_any_path_and_for_things_it_does_not_get(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    client = await house.client()
    assert client.accepted is not None
    assert client.accepted.subprotocol is None
    assert not client.accepted.extensions
    await client.says("echo hello")
    assert await client.hears() == "hello"
    assert house.toy.received == [("started",), ("opened", 1, "192.0.2.5:5"), ("text", 1, "echo hello")]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", b"400"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
         b"Sec-WebSocket-Key: YQ==\r\nSec-WebSocket-Version: 7\r\n\r\n", b"426"),
        (b"<message type='playerLogin'/>\n\n\n\n", b"400"),
        (b"x" * 100_000, b"400"),
    ],
)  # fmt: skip
async def test_what_is_no_handshake_is_refused_in_http(
    receives: Receives, autojump_clock: MockClock, request_: bytes, status: bytes
) -> None:
    house = receives()
    stream = house.connects().stream
    await stream.send_all(request_)
    assert (await all_of(stream)).startswith(b"HTTP/1.1 " + status)
    assert house.toy.received == [("started",)]
    await stream.aclose()
    await house.server.all_gone()


@pytest.mark.parametrize(
    "request_",
    [
        HANDSHAKE.replace(b"Host: x", b"Host: \xff"),
        HANDSHAKE.replace(b"Host: x", b"Host: xn--\xc3"),
        HANDSHAKE.replace(b"/any/path", b"/\xc3\xbc"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        HANDSHAKE[:40],
        b"",
    ],
)
async def test_garbage_costs_nothing_but_its_own_connection(
    receives: Receives, autojump_clock: MockClock, request_: bytes
) -> None:
    house = receives()
    with capture_logs() as lines:
        other = await house.client()
        stream = house.connects().stream
        await stream.send_all(request_)
        await stream.send_eof()
        await all_of(stream)
        await other.says("echo still here")
        assert await other.hears() == "still here"
    assert "closed" not in [received[0] for received in house.toy.received]
    assert not [line for line in lines if line["log_level"] in ("error", "warning")]


async def test_the_handshake_is_limited_in_time(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives(login_timeout_s=3)
    stream = house.connects().stream
    await stream.send_all(HANDSHAKE[:40])
    start = trio.current_time()
    assert await all_of(stream) == b""
    assert trio.current_time() - start == 3
    await house.server.all_gone()


# What comes.


async def test_texts_come_in_order_and_whole_however_they_are_cut(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    client = await house.client()
    await client.sends(
        TextMessage("echo a", message_finished=False), Ping(b"?"), TextMessage("b"), TextMessage("echo ü\U0001f600")
    )
    assert [await client.hears(), await client.hears()] == ["ab", "ü\U0001f600"]
    assert client.pongs == 1
    await client.says(*(f"echo {number}" for number in range(100)))
    assert [await client.hears() for _ in range(100)] == [str(number) for number in range(100)]


async def test_what_is_no_text_is_told_apart(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    client = await house.client()
    await client.sends(BytesMessage(b"\xff"))
    await client.says("echo on")
    assert await client.hears() == "on"
    assert ("binary", 1) in house.toy.received


@pytest.mark.parametrize("letter", ["x", "ü", "\U0001f600"])
async def test_a_message_may_have_so_many_bytes_and_no_more(
    receives: Receives, autojump_clock: MockClock, letter: str
) -> None:
    house = receives(gateway={"max_message_bytes": 2000})
    client = await house.client()
    most = "echo" + letter * ((2000 - 4) // len(letter.encode()))
    await client.says(most)
    await client.says(most + "x" * (2001 - len(most.encode())))
    received = await client.hears()
    assert isinstance(received, Closed)
    assert (received.code, "2000" in (received.reason or "")) == (1009, True)
    await wait_all_tasks_blocked()
    assert house.toy.received[2:] == [("text", 1, most), ("closed", 1)]


def fragments(count: int, text: bytes = b"") -> bytes:
    """A text in so many frames: the first ones empty, the last with all of it."""
    empty = masked(TEXT, b"", final=False) + masked(0, b"", final=False) * (count - 2)
    return empty + masked(0, text)


async def test_a_message_may_have_so_many_fragments_and_no_more(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    stream = await raw(house)
    await stream.send_all(fragments(MAX_FRAGMENTS, b"echo a") + fragments(MAX_FRAGMENTS, b"echo b"))
    await stream.send_all(fragments(MAX_FRAGMENTS + 1, b"echo c") + masked(TEXT, b"echo d"))
    await stream.send_eof()
    received = await all_of(stream)
    assert [one for one in house.toy.received if one[0] == "text"] == [
        ("text", 1, "echo a"),
        ("text", 1, "echo b"),
    ]
    assert closing(1009) + b"messages of more than 1024 fragments" in received


async def test_who_goes_on_sending_what_is_too_large_is_told_nevertheless(
    receives: Receives, autojump_clock: MockClock
) -> None:
    stream = await raw(receives(gateway={"max_message_bytes": 2000}))
    await stream.send_all(masked(TEXT, b"x" * 3000) * 20 + masked(PING, b"?"))
    for _ in range(20):
        await stream.send_all(masked(TEXT, b"x" * 3000))
    await stream.send_eof()
    received = await all_of(stream)
    assert received[:1] == b"\x88"
    assert received[2:4] == closing(1009)
    assert b"\x8a" not in received[-4:], "no pong after the closing frame"


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (masked(TEXT, b"caf\xe9"), 1007),
        (masked(TEXT, b"\xed\xa0\x80"), 1007),
        (masked(TEXT, b"\xc3", final=False) + masked(0, b"x"), 1007),
        (masked(3, b"x"), 1002),
        (b"\x81\x01x", 1002),
        (masked(TEXT, b"a", final=False) + masked(TEXT, b"b"), 1002),
        (masked(0x40 | TEXT, b"a"), 1002),
        (masked(CLOSE, b"\x03"), 1002),
    ],
)
async def test_what_is_no_text_and_no_frame_is_closed_with_its_code(
    receives: Receives, autojump_clock: MockClock, frames: bytes, code: int
) -> None:
    house = receives()
    stream = await raw(house)
    await stream.send_all(frames)
    assert (await all_of(stream))[2:4] == closing(code)
    assert house.toy.received[-1] == ("closed", 1)
    await stream.aclose()
    await house.server.all_gone()


async def test_pings_are_answered(receives: Receives, autojump_clock: MockClock) -> None:
    stream = await raw(receives())
    await stream.send_all(masked(PING, b"there?"))
    assert await stream.receive_some() == b"\x8a\x06there?"


# Clients go.


async def test_who_closes_is_answered_and_its_last_message_is_heard(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    client = await house.client()
    with capture_logs() as lines:
        await client.says("flood 1000", "the last")
        await client.closes()
        await client.stream.send_eof()
        await all_of(client.stream)
        await house.server.all_gone()
    assert house.toy.received[-3:] == [("text", 1, "flood 1000"), ("text", 1, "the last"), ("closed", 1)]
    assert [(line["log_level"], line["event"]) for line in lines] == [("info", "socket closed")]


@pytest.mark.parametrize("says", ["flood 1000", "the last"])
async def test_who_is_gone_without_a_word_is_heard_to_the_end(
    receives: Receives, autojump_clock: MockClock, says: str
) -> None:
    house = receives()
    client = await house.client()
    with capture_logs() as lines:
        await client.says("first", says)
        await client.stream.aclose()
        await house.server.all_gone()
    assert house.toy.received[2:] == [("text", 1, "first"), ("text", 1, says), ("closed", 1)]
    assert [(line["log_level"], line["event"]) for line in lines] == [("info", "socket closed")]


async def test_a_client_on_a_stream_that_breaks_is_closed_once(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    client = await house.client()
    await trio.aclose_forcefully(client.stream)
    await house.server.all_gone()
    assert house.toy.received[2:] == [("closed", 1)]


# We close.


async def test_we_close_when_all_has_gone_out_and_the_gateway_has_forgotten_it(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    client = await house.client()
    await client.says("last word", "echo too late")
    assert [await client.hears() for _ in range(10)] == ["x" * 10] * 10
    assert await client.hears() == Closed(4001, "word")
    await client.answers_close()
    assert house.toy.received[2:] == [("text", 1, "last word")]
    await client.stream.aclose()
    await house.server.all_gone()


async def test_what_comes_while_we_close_is_not_heard_and_its_pings_not_answered(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    stream = await raw(house)
    await stream.send_all(masked(TEXT, b"close bye"))
    await wait_all_tasks_blocked()
    await stream.send_all(masked(TEXT, b"echo no") + masked(PING, b"?") + masked(CLOSE, closing(1000)))
    assert await all_of(stream) == b"\x88\x05" + closing(4000) + b"bye"
    assert house.toy.received[2:] == [("text", 1, "close bye")]


async def test_closing_takes_no_longer_than_its_setting(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives(gateway={"close_s": 4})
    client = await house.client()
    await client.says("close bye")
    start = trio.current_time()
    assert await client.hears() == Closed(4000, "bye")
    assert await client.hears(5) is None
    assert trio.current_time() - start == 4
    await house.server.all_gone()


async def test_a_client_that_does_not_read_cannot_hold_up_its_own_closing(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(gateway={"close_s": 4})
    pipe = await house.pipe(room=50)
    pipe.says(masked(TEXT, b"last word"))
    start = trio.current_time()
    await house.server.all_gone()
    assert trio.current_time() - start == 4
    assert pipe.is_closed()
    assert house.toy.received[2:] == [("text", 1, "last word")]


# Clients that do not read, or do not answer.


async def test_a_client_that_does_not_read_fills_its_own_queue_and_holds_up_nobody(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(max_outbox_bytes=65_536)
    pipe = await house.pipe(room=0)
    other = await house.client()
    with capture_logs() as lines:
        pipe.says(masked(TEXT, b"flood 6000"))
        await wait_all_tasks_blocked()
        assert not pipe.is_closed()
        pipe.says(masked(TEXT, b"flood 6000"))
        await other.says("echo fine")
        assert await other.hears() == "fine"
    assert pipe.is_closed()
    assert sorted(map(str, house.toy.received[-2:])) == ["('closed', 1)", "('text', 2, 'echo fine')"]
    (line,) = lines
    assert line["reason"] == "does not read: more than 65536 bytes wait for it"


async def test_a_client_that_takes_no_byte_for_too_long_is_given_up(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(write_timeout_s=7, gateway={"ping_s": 1000})
    pipe = await house.pipe(room=0)
    with capture_logs() as lines:
        pipe.says(masked(TEXT, b"flood 1000"))
        await trio.sleep(5)
        pipe.makes_room(100)
        await trio.sleep(6.5)
        assert not pipe.is_closed()
        await trio.sleep(1)
    assert pipe.is_closed()
    assert house.toy.received[-1] == ("closed", 1)
    assert lines[0]["reason"] == "does not read: took no byte in 7 s"


async def test_what_waits_goes_out_in_order_when_the_client_reads_again(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    pipe = await house.pipe(room=0)
    pipe.says(*(masked(TEXT, b"echo %d" % digit) for digit in range(10)))
    await wait_all_tasks_blocked()
    before = len(pipe.written)
    pipe.makes_room()
    await wait_all_tasks_blocked()
    assert pipe.written[before:] == b"".join(b"\x81\x01%d" % digit for digit in range(10))


async def test_clients_are_pinged_and_stay_as_long_as_they_answer(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(gateway={"ping_s": 20, "pong_timeout_s": 5})
    client = await house.client()
    with pytest.raises(trio.TooSlowError), trio.fail_after(200):
        await client.hears(1000)
    await client.says("echo here")
    assert await client.hears() == "here"


async def test_who_does_not_answer_pings_is_dropped(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives(gateway={"ping_s": 20, "pong_timeout_s": 5})
    client = await house.client()
    client.answers_pings = False
    start = trio.current_time()
    with capture_logs() as lines:
        assert await client.hears(100) is None
    assert trio.current_time() - start == 25
    assert house.toy.received[-1] == ("closed", 1)
    assert lines[0]["reason"] == "no pong in 5 s"


async def test_a_late_pong_is_no_pong(receives: Receives, autojump_clock: MockClock) -> None:
    stream = await raw(receives(gateway={"ping_s": 20, "pong_timeout_s": 5}))
    await stream.receive_some()
    await stream.send_all(masked(PONG, b"none of yours"))
    assert await all_of(stream) == b""


async def test_half_a_surrogate_pair_is_replaced(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    client = await house.client()
    house.toy.server.send(1, "a\ud800b")
    assert await client.hears() == "a?b"


# A client that says too much.


async def test_a_client_that_says_too_much_is_slowed_down_and_then_closed(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(max_messages_per_second=10, rate_burst_s=1, rate_patience_s=3)
    client, calm = await house.client(), await house.client()
    with capture_logs() as lines:
        await client.says(*["silence"] * 30)
        await trio.sleep(1)
        assert 10 < house.toy.received.count(("text", 1, "silence")) < 25
        await trio.sleep(2)
        assert house.toy.received.count(("text", 1, "silence")) == 30
        await client.says(*["silence"] * 100)
        answer = await client.hears(within=30)
    assert answer == Closed(1008, "rate limit: at most 10 messages per second")
    assert [line["reason"] for line in lines if line["event"] == "too much from a socket"] == [
        "rate limit: at most 10 messages per second"
    ]
    await calm.says("echo still here")
    assert await calm.hears() == "still here"


async def test_too_many_new_clients_from_one_address_have_to_wait(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(max_logins_per_second_per_ip=2, rate_burst_s=1)
    for _ in range(2):
        await house.client()
    late = house.connects()
    begun = trio.current_time()
    await late.shakes_hands()
    assert trio.current_time() - begun == pytest.approx(0.5, abs=0.1)


# The stream below.


def always_on() -> Guest:
    """A guest whose turn it is at once."""

    def at_once(guest: Guest) -> None:
        guest.turn(0)

    return Guest("192.0.2.1", at_once)


async def test_closing_a_wire_wakes_who_reads_and_who_writes(autojump_clock: MockClock) -> None:
    near, _far = trio.testing.lockstep_stream_pair()
    wire = WebSocketWire(StreamTransport(near, "192.0.2.1:1"), 100, always_on())
    woken: list[str] = []

    async def closed(name: str, work: Callable[[], object]) -> None:
        with pytest.raises(trio.ClosedResourceError):
            await work()  # type: ignore[misc]
        woken.append(name)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(closed, "reader", wire.receive_some)
        nursery.start_soon(closed, "writer", lambda: wire.send_all(b"x"))
        await wait_all_tasks_blocked()
        await wire.aclose()
    assert sorted(woken) == ["reader", "writer"]
    with pytest.raises(trio.ClosedResourceError):
        await wire.receive_some()
    with pytest.raises(trio.ClosedResourceError):
        await wire.send_all(b"x")


async def test_a_wire_without_a_peer_says_so_as_streams_do(autojump_clock: MockClock) -> None:
    near, far = memory_stream_pair()
    wire = WebSocketWire(StreamTransport(near, "192.0.2.1:1"), 100, always_on())
    await far.aclose()
    with pytest.raises(trio.BrokenResourceError):
        await wire.send_all(b"x")
    await wire.wait_send_all_might_not_block()
    assert await wire.receive_some() == b""


async def test_a_wire_gives_what_has_come_in_slices(autojump_clock: MockClock) -> None:
    near, far = memory_stream_pair()
    wire = WebSocketWire(StreamTransport(near, "192.0.2.1:1"), 100, always_on())
    data = bytes(range(256)) * 40
    await far.send_all(data)
    await far.send_eof()
    pieces = []
    while piece := await wire.receive_some():
        pieces.append(piece)
    assert b"".join(pieces) == data
    assert {len(piece) for piece in pieces} == {SLICE, len(data) % SLICE}
