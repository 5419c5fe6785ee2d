"""TLS on a transport, over real sockets: what the other end hears, and what counts as read and sent."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from tests.certificates import NAME, Authority
from ugs.daemon.network.tls import MAX_OWED, READ_AT_ONCE, TlsTransport
from ugs.daemon.network.transport import Gone, SocketTransport
from ugs.tls import server_context

FLOOD = bytes(2_000_000)


class Pair:
    """A transport with TLS, and a client that does nothing by itself."""

    def __init__(self, directory: Path, buffer: int = 0, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> None:
        authority = Authority(directory)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.far = socket.socket()
            if buffer:
                self.far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            self.far.connect(listener.getsockname())
            near, _ = listener.accept()
            if buffer:
                near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        self.far.setblocking(False)
        self.far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.wire = SocketTransport(near, "127.0.0.1:1")
        self.ours = TlsTransport(self.wire, server_context(authority.issue(), None, None))
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = authority.trusts()
        context.minimum_version = context.maximum_version = version
        self.client = context.wrap_bio(self.incoming, self.outgoing, server_hostname=NAME)

    def close(self) -> None:
        self.far.close()
        self.wire._socket.close()

    def client_steps(self) -> bool:
        """The client goes on with its handshake."""
        self.takes()
        try:
            self.client.do_handshake()
        except ssl.SSLWantReadError:
            self.sends_made()
            return False
        return True

    def shakes_hands(self, early: bytes = b"") -> None:
        """Both do, to the end; the client says something together with its last word."""
        ours = False
        while not self.client_steps():
            ours = self.ours.shake_hands()
        if early:
            self.client.write(early)
        self.sends_made()
        assert ours or self.ours.shake_hands()

    def takes(self) -> int:
        """What the network has goes to the client's TLS."""
        size = 0
        try:
            while data := self.far.recv(1_000_000):
                size += self.incoming.write(data)
        except BlockingIOError:
            return size
        return size

    def sends_made(self) -> bytes:
        """What the client's TLS has made goes out."""
        data = self.outgoing.read()
        self.sends(data)
        return data

    def sends(self, data: bytes | bytearray) -> None:
        """These bytes go out, and are here."""
        here = self.wire.unread() + len(data)
        self.far.sendall(data)
        for _ in range(1_000_000):
            if self.wire.unread() >= here:
                return
        raise AssertionError("the network has lost something")

    def says(self, *records: bytes) -> bytes:
        """The client says this, each in a record of its own."""
        for record in records:
            self.client.write(record)
        return self.sends_made()

    def hears(self) -> bytes:
        """All that has come to the client."""
        self.takes()
        heard = b""
        try:
            while part := self.client.read(1_000_000):
                heard += part
        except ssl.SSLWantReadError:
            return heard
        return heard


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    made = Pair(tmp_path)
    yield made
    made.close()


def received(transport: TlsTransport) -> bytes:
    """What has come by now."""
    data = b""
    while part := transport.receive_now():
        data += part
    return data


async def test_bytes_go_both_ways_and_are_not_those_on_the_network(pair: Pair) -> None:
    pair.shakes_hands()
    assert b"to us" not in pair.says(b"to us")
    assert pair.ours.receive_now() == b"to us"
    assert pair.ours.receive_now() is None
    assert pair.ours.send_now(b"to you") == 6
    assert pair.hears() == b"to you"


async def test_what_comes_with_the_last_word_of_a_handshake_is_heard(pair: Pair) -> None:
    pair.shakes_hands(early=b"early")
    assert pair.ours.unread() == 5
    with trio.fail_after(60):
        await pair.ours.readable()
    before = pair.ours.taken
    assert pair.ours.receive_now() == b"early"
    assert (pair.ours.unread(), pair.ours.taken) == (0, before + 5)


async def test_bytes_are_counted_as_they_travel(pair: Pair) -> None:
    pair.shakes_hands()
    before = pair.ours.taken
    sent = len(pair.says(b"a", b"b"))
    assert pair.ours.unread() == sent
    assert pair.ours.receive_now() == b"ab"
    assert pair.ours.taken == before + sent


async def test_a_record_that_is_not_whole_is_nothing_yet(pair: Pair) -> None:
    pair.shakes_hands()
    pair.client.write(b"slowly")
    record = pair.outgoing.read()
    for place in range(len(record) - 1):
        pair.sends(record[place : place + 1])
        assert pair.ours.receive_now() is None
    pair.sends(record[-1:])
    assert pair.ours.receive_now() == b"slowly"


async def test_no_more_is_read_at_once_than_a_record_however_small_they_are(pair: Pair) -> None:
    pair.shakes_hands()
    sent = len(pair.says(*[b"x"] * 2000))
    assert sent > 2 * READ_AT_ONCE
    before = pair.ours.taken
    assert 0 < len(pair.ours.receive_now() or b"") < 1000
    assert pair.ours.taken - before == READ_AT_ONCE


async def test_large_records_are_read_as_without_tls(pair: Pair) -> None:
    pair.shakes_hands()
    pair.says(*[b"x" * 16_000] * 3)
    assert pair.ours.receive_now() == b"x" * 48_000


@pytest.mark.parametrize("spoilt", [False, True])
async def test_an_end_behind_large_records_comes_after_them(pair: Pair, spoilt: bool) -> None:
    pair.shakes_hands()
    for _ in range(2):
        pair.client.write(b"x" * 16_384)
    if spoilt:
        pair.sends(pair.outgoing.read() + b"\x17\x03\x03\x00\x20" + b"x" * 32)
    else:
        with pytest.raises(ssl.SSLWantReadError):
            pair.client.unwrap()
        pair.sends_made()
    heard = b""
    while part := pair.ours.receive_now():
        heard += part
        if len(heard) == 2 * 16_384:
            break
    assert heard == b"x" * 2 * 16_384
    with trio.fail_after(60):
        await pair.ours.readable()
    if spoilt:
        with pytest.raises(Gone, match="TLS: "):
            pair.ours.receive_now()
    else:
        assert pair.ours.receive_now() == b""


async def test_an_end_that_is_said_is_no_bytes_also_behind_others(pair: Pair) -> None:
    pair.shakes_hands()
    pair.client.write(b"bye")
    with pytest.raises(ssl.SSLWantReadError):
        pair.client.unwrap()
    pair.sends_made()
    assert pair.ours.receive_now() == b"bye"
    with trio.fail_after(60):
        await pair.ours.readable()
    assert pair.ours.receive_now() == b""
    assert pair.ours.receive_now() == b""
    assert pair.ours.send_now(b"you too") == 7
    await pair.ours.send_eof()
    assert pair.far.recv(1000)


async def test_an_end_alone_and_one_without_a_word_are_the_end_too(pair: Pair, tmp_path: Path) -> None:
    pair.shakes_hands()
    with pytest.raises(ssl.SSLWantReadError):
        pair.client.unwrap()
    pair.sends_made()
    assert pair.ours.receive_now() == b""
    cut = Pair(tmp_path)
    cut.shakes_hands()
    cut.far.close()
    assert cut.ours.receive_now() == b""
    cut.close()


async def test_who_changes_a_byte_is_gone_and_what_came_before_is_heard(pair: Pair) -> None:
    pair.shakes_hands()
    pair.client.write(b"good")
    pair.client.write(b"bad")
    data = bytearray(pair.outgoing.read())
    data[-1] ^= 1
    pair.sends(data)
    assert pair.ours.receive_now() == b"good"
    for _ in range(2):
        with pytest.raises(Gone, match="TLS: decryption failed or bad record mac"):
            pair.ours.receive_now()
    pair.takes()
    with pytest.raises(ssl.SSLError, match=r"(?i)bad.record.mac"):
        pair.client.read(100)


async def test_garbage_is_gone_at_once(pair: Pair) -> None:
    pair.shakes_hands()
    pair.sends(b"\x17\x03\x03\x00\x20" + b"x" * 32)
    with pytest.raises(Gone, match="TLS: "):
        pair.ours.receive_now()


async def test_our_end_is_said_in_tls_and_what_comes_then_is_thrown_away(pair: Pair) -> None:
    pair.shakes_hands()
    await pair.ours.send_eof()
    await pair.ours.send_eof()
    assert pair.hears() == b""
    assert pair.far.recv(100) == b""
    sent = pair.says(b"never heard")
    assert pair.ours.receive_now() == sent
    await pair.ours.aclose()
    with pytest.raises(Gone):
        pair.ours.send_now(b"more")
    await pair.ours.send_eof()


@pytest.mark.parametrize("size", [1, 16_384, 16_385, 65_536, 65_537, 300_000])
async def test_long_texts_arrive_whole(pair: Pair, nursery: trio.Nursery, size: int) -> None:
    pair.shakes_hands()
    text = bytes(range(256)) * (size // 256 + 1)
    text = text[:size]
    rest = text[pair.ours.send_now(text) :]
    heard = pair.hears()
    while rest:
        rest = rest[await pair.ours.send(rest) :]
        heard += pair.hears()
    assert heard + pair.hears() == text


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is closed when the test is over."""
    with ExitStack() as stack:
        yield stack


async def test_what_the_network_has_not_taken_does_not_count_as_sent(
    tmp_path: Path, stack: ExitStack, nursery: trio.Nursery
) -> None:
    pair = Pair(tmp_path, buffer=8192)
    stack.callback(pair.close)
    pair.shakes_hands()
    sent = quiet = 0
    while quiet < 20:  # the network moves what it has taken on when it likes, and then takes more
        more = pair.ours.send_now(FLOOD[sent:])
        sent, quiet = sent + more, 0 if more else quiet + 1
        await trio.sleep(0.005)
    assert 0 < sent < len(FLOOD)
    assert pair.ours.owes
    ends: list[int] = []

    @nursery.start_soon
    async def send() -> None:
        ends.append(await pair.ours.send(FLOOD[sent:]))

    await wait_all_tasks_blocked()
    assert not ends
    heard = 0
    with trio.fail_after(60):
        while not ends:
            heard += len(pair.hears())
            await trio.lowlevel.checkpoint()
    assert ends[0] > 0
    while more := len(pair.hears()):
        heard += more
    assert heard <= sent + ends[0] + 16_384, "at most a record is ahead of what counts"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(["send", "read"]), st.integers(1, 200_000)), max_size=12))
def test_nothing_is_lost_or_counted_before_it_left(tmp_path: Path, steps: list[tuple[str, int]]) -> None:
    """As the outbox does it: what was not taken is the beginning of what is sent next."""
    pair = Pair(tmp_path, buffer=16_384)
    try:
        pair.shakes_hands()
        text = bytes(range(251)) * 10_000
        sent, heard = 0, b""
        for what, size in steps:
            if what == "send":
                sent += pair.ours.send_now(text[sent : sent + max(size, 131_072)])
            else:
                heard += pair.hears()
        deadline = monotonic() + 60
        while pair.ours.owes and monotonic() < deadline:
            heard += pair.hears()
            sent += pair.ours.send_now(text[sent : sent + 131_072])
        while len(heard) < sent and monotonic() < deadline:
            heard += pair.hears()
        heard += pair.hears()
        assert not pair.ours.owes
        assert heard == text[:sent]
    finally:
        pair.close()


async def test_a_peer_that_does_not_read_what_tls_answers_is_gone(pair: Pair) -> None:
    pair.shakes_hands()
    pair.ours._unsent = bytes(MAX_OWED + len(FLOOD))  # more than the network may find room for after all
    while pair.wire.send_now(FLOOD):
        pass
    with pytest.raises(Gone, match="does not read what TLS answers"):
        pair.ours._answer()


async def test_nobody_begins_a_handshake_anew(tmp_path: Path) -> None:
    """The client cannot ask for it in Python; the setting that refuses it is there, and 1.2 works with it."""
    pair = Pair(tmp_path, version=ssl.TLSVersion.TLSv1_2)
    pair.shakes_hands()
    pair.says(b"1.2")
    assert pair.ours.receive_now() == b"1.2"
    assert server_context(Authority(tmp_path).issue(), None, None).options & ssl.OP_NO_RENEGOTIATION
    pair.close()
