"""Accepting connections, on real sockets of the loopback interface; waiting is bounded and, in fact, never done."""

import errno
import os
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from tests.daemon.shell import GO, Far, Shell
from ugs.daemon.network import listening
from ugs.daemon.network.listening import Doorkeeper, address_text, open_listeners
from ugs.wire.messages import Error, LoginResponse, PlayerLogin

Opens = Callable[..., Shell]
BOUND_S = 120.0
"""Seconds after which a test that hangs is ended."""


class Faulty(socket.socket):
    """A listening socket of which some accepts fail."""

    faults: Iterator[int] = iter(())
    """The error numbers of the next accepts; after these they succeed."""

    def accept(self) -> tuple[socket.socket, object]:
        fault = next(self.faults, None)
        if fault is not None:
            raise OSError(fault, os.strerror(fault))
        return super().accept()


class House:
    """A listening shell, and the connections to it, which are closed at the end."""

    def __init__(self, shell: Shell, listener: socket.socket, stack: ExitStack) -> None:
        self.shell = shell
        self._port: int = listener.getsockname()[1]
        self._stack = stack

    def dials(self, source: str = "127.0.0.1") -> Far:
        """A client connects. The network accepts it by itself; the server has not let it in yet."""
        sock = socket.create_connection(("127.0.0.1", self._port), timeout=BOUND_S, source_address=(source, 0))
        self._stack.callback(sock.close)
        address = address_text(sock.getsockname())
        sock.setblocking(False)
        return Far(trio.SocketStream(trio.socket.from_stdlib_socket(sock)), address=address)

    def dials_and_resets(self) -> None:
        """A client connects, and closes at once."""
        with socket.create_connection(("127.0.0.1", self._port), timeout=BOUND_S) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@asynccontextmanager
async def listens(opens: Opens, faults: Sequence[int] = (), **settings: object) -> AsyncIterator[House]:
    """A listening server; the first accepts fail with these error numbers."""
    with ExitStack() as stack, trio.fail_after(BOUND_S):
        shell = opens(**settings)
        (plain,) = await open_listeners("127.0.0.1", 0)
        listener = stack.enter_context(Faulty(fileno=plain.detach()))
        listener.setblocking(False)
        listener.faults = iter(faults)
        async with trio.open_nursery() as doors:
            doors.start_soon(Doorkeeper(shell.config, shell.tasks, shell.peers).welcome, listener)
            yield House(shell, listener, stack)
            doors.cancel_scope.cancel()


async def lets_in(far: Far) -> bool:
    """Whether this peer may log in; if not, it is told why and closed."""
    await far.says(PlayerLogin(str(id(far)), GO))
    answer = await far.hears()
    if isinstance(answer, Error):
        with suppress(trio.BrokenResourceError):  # the login arrived after the door was shut
            assert await far.hears() is None
    return answer == LoginResponse()


async def test_peers_are_let_in_with_their_address(opens: Opens) -> None:
    with capture_logs() as lines:
        async with listens(opens) as house:
            far = house.dials()
            assert await lets_in(far)
            (line,) = [line for line in lines if line["event"] == "connected"]
            assert line["address"] == far.address


async def test_those_who_come_all_at_once_are_counted_one_by_one(opens: Opens) -> None:
    async with listens(opens, max_connections=3) as house:
        fars = [house.dials() for _ in range(8)]
        assert [await lets_in(far) for far in fars] == [True] * 3 + [False] * 5
        assert house.shell.peers.count() == 3


async def test_there_is_room_again_when_a_client_has_left(opens: Opens) -> None:
    async with listens(opens, max_connections=1) as house:
        first = house.dials()
        assert await lets_in(first)
        second = house.dials()
        error = await second.hears()
        assert isinstance(error, Error)
        assert error.text == "the server is full"
        await first.hangs_up()
        while house.shell.peers.count():
            await trio.lowlevel.checkpoint()
        assert await lets_in(house.dials())


async def test_one_address_gets_only_so_many_connections(opens: Opens) -> None:
    async with listens(opens, max_connections_per_ip=2) as house:
        first, second, third, other = house.dials(), house.dials(), house.dials(), house.dials(source="127.0.0.2")
        assert [await lets_in(far) for far in (first, second, other)] == [True] * 3
        error = await third.hears()
        assert isinstance(error, Error)
        assert error.text == "too many connections from your address"
        await first.hangs_up()
        while house.shell.peers.count() > 2:
            await trio.lowlevel.checkpoint()
        assert await lets_in(house.dials())


async def test_who_is_turned_away_and_has_gone_already_does_no_harm(opens: Opens) -> None:
    async with listens(opens, max_connections=1) as house:
        assert await lets_in(house.dials())
        for _ in range(10):
            house.dials_and_resets()
        await wait_all_tasks_blocked()
        with capture_logs() as lines:
            assert not await lets_in(house.dials())
        assert [line["event"] for line in lines] == ["turned away"]


async def test_who_has_gone_before_it_was_let_in_does_no_harm(opens: Opens) -> None:
    async with listens(opens) as house:
        for _ in range(10):
            house.dials_and_resets()
        assert await lets_in(house.dials())
        while house.shell.peers.count() > 1:
            await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("fault", [errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM])
async def test_a_shortage_is_waited_out(opens: Opens, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(trio, "sleep", sleep)
    with capture_logs() as lines:
        async with listens(opens, faults=[fault] * 3) as house:
            assert await lets_in(house.dials())
    assert waits == [listening.RETRY_S] * 3
    complaints = [line for line in lines if line["event"] == "cannot accept"]
    assert [line["reason"] for line in complaints] == [os.strerror(fault)] * 3


@pytest.mark.parametrize("fault", [errno.ECONNABORTED, errno.EPROTO, errno.ENETUNREACH, errno.EHOSTDOWN])
async def test_an_accept_that_fails_for_one_peer_is_no_matter_for_the_next(opens: Opens, fault: int) -> None:
    async with listens(opens, faults=[fault] * 3) as house:
        assert await lets_in(house.dials())


async def test_a_listening_socket_that_is_broken_is_an_error(opens: Opens) -> None:
    async def dial() -> None:
        async with listens(opens, faults=[errno.ENOTSOCK]) as house:
            house.dials()
            await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as caught:
        await dial()
    assert caught.group_contains(OSError, match="non-socket")


async def test_a_port_in_use_is_named(nursery: trio.Nursery) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"cannot listen on 127\.0\.0\.1 port {port}: .*in use"):
            await open_listeners("127.0.0.1", port)


async def test_a_host_that_is_nobody_is_named() -> None:
    with pytest.raises(OSError, match=r"cannot listen on 192\.0\.2\.1 port 0: "):
        await open_listeners("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["x" * 64, "a..b", "x" * 100_000])
async def test_a_host_that_cannot_be_is_named_in_short(host: str) -> None:
    with pytest.raises(OSError, match="port 0: no host can be called so") as caught:
        await open_listeners(host, 0)
    assert len(str(caught.value)) < 400


def test_addresses_are_written_as_people_do() -> None:
    assert address_text(("127.0.0.1", 4747)) == "127.0.0.1:4747"
    assert address_text(("::1", 4747, 0, 0)) == "[::1]:4747"
