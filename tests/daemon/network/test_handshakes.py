"""Peers on their way in: those who shake hands, and those who do anything else. Real sockets and a real clock; what
takes long is told to be short, and nothing waits but for what happens."""

import gc
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs
from structlog.typing import EventDict

from tests.certificates import NAME, Authority
from tests.daemon.shell import GO, Far, Shell
from ugs.daemon.memory.memory_account import RECORD_BYTES, MemoryPlace
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.listening import Doorkeeper, address_text, open_listeners
from ugs.tls import TlsError
from ugs.tls_settings import TlsSettings
from ugs.wire.messages import Error, LoginResponse, PlayerLogin

Opens = Callable[..., Shell]
BOUND_S = 120.0


class House:
    """A server that speaks TLS, and those who come."""

    def __init__(self, shell: Shell, authority: Authority, port: int, stack: ExitStack) -> None:
        self.shell = shell
        self.authority = authority
        self.handshakes = shell.handshakes
        self._port = port
        self._stack = stack

    def dials(self) -> Far:
        """A peer connects, and speaks no TLS by itself."""
        sock = socket.create_connection(("127.0.0.1", self._port), timeout=BOUND_S)
        self._stack.callback(sock.close)
        sock.setblocking(False)
        return Far(trio.SocketStream(trio.socket.from_stdlib_socket(sock)), address=address_text(sock.getsockname()))

    async def comes(self, context: ssl.SSLContext | None = None) -> Far:
        """A peer that shakes hands. Raises trio.BrokenResourceError."""
        far = self.dials()
        secure = trio.SSLStream(
            far.stream, context or self.authority.trusts(), server_hostname=NAME, https_compatible=True
        )
        await secure.do_handshake()
        far.stream = secure  # type: ignore[assignment]  # it is closed as a whole
        return far

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Let the server work until then."""
        while not is_so():
            await trio.lowlevel.checkpoint()


@asynccontextmanager
async def listens(opens: Opens, directory: Path, max_connections: int = 100, **tls: object) -> AsyncIterator[House]:
    """A listening server with a certificate and these settings of TLS."""
    authority = Authority(directory)
    settings = {"certificate": str(authority.issue()), **tls}
    with ExitStack() as stack, trio.fail_after(BOUND_S):
        shell = opens(tls=settings, max_connections=max_connections)
        shell.handshakes.certificates = Certificates(shell.config.tls)
        (listener,) = await open_listeners("127.0.0.1", 0)
        stack.callback(listener.close)
        async with trio.open_nursery() as doors:
            doorkeeper = Doorkeeper(shell.config, shell.tasks, shell.peers, None, shell.handshakes)
            doors.start_soon(doorkeeper.welcome, listener)
            yield House(shell, authority, listener.getsockname()[1], stack)
            doors.cancel_scope.cancel()


async def logs_in(far: Far, nick: str = "ann") -> None:
    await far.says(PlayerLogin(nick, GO))
    assert await far.hears() == LoginResponse()


def failures(lines: list[EventDict]) -> list[object]:
    return [line["reason"] for line in lines if line["event"] == "no TLS handshake"]


async def test_a_player_logs_in_over_tls(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path) as house:
        await logs_in(await house.comes())
        assert house.shell.peers.count() == 1
        assert (house.handshakes.counts["done"], len(house.handshakes)) == (1, 0)


async def test_nobody_knows_of_a_peer_before_its_handshake_is_done(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path) as house:
        far = house.dials()
        await far.says(b"\x16\x03\x01")
        await house.until(lambda: len(house.handshakes) == 1)
        assert house.shell.peers.count() == 0
        await far.hangs_up()
        await house.until(lambda: not len(house.handshakes))


async def test_what_tls_keeps_for_lines_and_handshakes_is_in_the_account(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path) as house:
        ann, stranger = await house.comes(), house.dials()
        await stranger.says(b"\x16\x03\x01")
        await house.until(lambda: (house.handshakes.lines, len(house.handshakes)) == (2, 1))
        await house.shell.memory.account.look()
        assert house.shell.memory.account.latest.number[MemoryPlace.TLS] == 2
        assert house.shell.memory.account.latest.bytes[MemoryPlace.TLS] == 2 * RECORD_BYTES[MemoryPlace.TLS]
        await stranger.hangs_up()
        await ann.hangs_up()
        await house.until(lambda: gc.collect() >= 0 and house.handshakes.lines == 0)


async def test_who_speaks_no_tls_is_told_so_in_plain_words(opens: Opens, tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with listens(opens, tmp_path) as house:
            far = house.dials()
            await far.says(PlayerLogin("ann", GO))
            assert await far.hears() == Error("this port speaks TLS only")
            assert await far.hears() is None
    assert [line["reason"] for line in lines if line["event"] == "turned away"] == ["this port speaks TLS only"]
    assert house.handshakes.counts["no TLS"] == 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"\x16\x03\x01\x00\x05garbage and more", ""),
        (b"\x16<message/>" * 100, "the other side speaks no TLS"),
        (b"\x16\xff\xff\xff\xff" + bytes(100), ""),
    ],
)
async def test_garbage_costs_its_own_line(opens: Opens, tmp_path: Path, said: bytes, reason: str) -> None:
    with capture_logs() as lines:
        async with listens(opens, tmp_path) as house:
            far = house.dials()
            await far.says(said)
            await house.until(lambda: house.handshakes.counts["failed"] == 1)
            await logs_in(await house.comes())
    (failure,) = failures(lines)
    assert failure
    assert reason in str(failure)


async def test_half_a_handshake_has_its_time(opens: Opens, tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with listens(opens, tmp_path, handshake_timeout_s=0.05) as house:
            silent, slow = house.dials(), house.dials()
            await slow.says(b"\x16\x03")
            await house.until(lambda: house.handshakes.counts["failed"] == 2)
            for far in (silent, slow):
                assert await far.document() is None
    assert failures(lines)[0] == "not done within 0.05 s"


async def test_where_too_many_are_at_it_the_oldest_goes(opens: Opens, tmp_path: Path) -> None:
    for limit in ({"max_handshakes": 10}, {"max_handshakes_per_ip": 5}):
        with capture_logs() as lines:
            async with listens(opens, tmp_path, handshake_timeout_s=1000, **limit) as house:
                most = max(limit.values())
                silent = []
                for number in range(most):
                    silent.append(house.dials())
                    await house.until(lambda number=number: len(house.handshakes) == number + 1)  # type: ignore[misc]
                await logs_in(await house.comes())
                assert await silent[0].document() is None
                assert len(house.handshakes) == most - 1
        assert failures(lines) == ["too many at a time"]


async def test_more_than_so_many_in_a_second_have_to_wait(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path, max_handshakes_per_second_per_ip=1) as house:
        overruns = house.shell.fairness.rates.overruns
        for _ in range(int(house.shell.config.rate_burst_s)):
            await house.comes()
        while house.shell.fairness.rates.overruns == overruns:  # one more, unless the handshakes have taken seconds
            house.dials()
            await trio.sleep(0.01)


async def test_failures_fill_no_log(opens: Opens, tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with listens(opens, tmp_path) as house:
            for _ in range(50):
                await house.dials().says(b"\x16" + bytes(9))
            await house.until(lambda: house.handshakes.counts["failed"] == 50)
    assert 1 <= len(failures(lines)) < 25


async def test_players_may_have_to_show_a_certificate(opens: Opens, tmp_path: Path) -> None:
    (tmp_path / "students").mkdir()
    students = Authority(tmp_path / "students")
    async with listens(opens, tmp_path, client_ca=str(students.file)) as house:
        known = house.authority.trusts()
        known.load_cert_chain(students.issue("ann.pem", "ann"))
        await logs_in(await house.comes(known))
        with capture_logs() as lines:
            far = await house.comes()
            with pytest.raises(trio.BrokenResourceError):
                await far.hears()
            await house.until(lambda: house.handshakes.counts["failed"] == 1)
        assert failures(lines) == ["it shows no certificate"]


async def test_a_full_house_says_so_over_tls(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path, max_connections=1) as house:
        await logs_in(await house.comes())
        other = await house.comes()
        assert await other.hears() == Error("the server is full")


async def test_a_certificate_is_read_again_and_lines_stay(opens: Opens, tmp_path: Path) -> None:
    async with listens(opens, tmp_path) as house:
        certificates = house.handshakes.certificates
        assert certificates is not None
        first = await house.comes()
        before = certificates.valid_s
        (tmp_path / "new").mkdir()
        new = Authority(tmp_path / "new")
        new.issue("server.pem").replace(tmp_path / "server.pem")
        certificates.read_again()
        assert certificates.valid_s == pytest.approx(before, abs=60)
        with pytest.raises(trio.BrokenResourceError):
            await house.comes()
        second = await house.comes(new.trusts())
        await logs_in(first, "ann")
        await logs_in(second, "bob")
        with capture_logs() as lines:
            (tmp_path / "server.pem").write_text("no certificate")
            assert "server.pem: cannot be used" in certificates.read_again()
        assert [line["event"] for line in lines] == ["certificate not changed"]
        await logs_in(await house.comes(new.trusts()), "cy")


def test_a_certificate_that_expires_soon_is_worth_a_warning(tmp_path: Path) -> None:
    settings = TlsSettings.read({"certificate": str(Authority(tmp_path).issue())})
    with capture_logs() as lines:
        valid = Certificates(settings, lambda: 0.0).valid_s
        soon = Certificates(settings, lambda: valid - 86_400)
        over = Certificates(settings, lambda: valid + 1)
    assert (soon.valid_s, over.valid_s) == (86_400, -1)
    assert [line["log_level"] for line in lines] == ["info", "warning", "warning"]
    assert [("hint" in line) for line in lines] == [False, False, True]


def test_a_certificate_that_cannot_be_used_stops_the_start(tmp_path: Path) -> None:
    settings = TlsSettings.read({"certificate": str(tmp_path / "none.pem")})
    with pytest.raises(TlsError, match=r"^\[tls\]: .*none\.pem: cannot be read"):
        Certificates(settings)
