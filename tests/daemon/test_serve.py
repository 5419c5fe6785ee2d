"""A whole server in this process: what it tells when, signals, and the order in which it stops.

Real sockets and signals, so the clock is real, too; waiting is for things that happen at once.
"""

import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs
from structlog.typing import EventDict

from tests.daemon.shell import GO, Far, Shell, turn
from tests.daemon.toy_gateway import Client, Closed
from ugs import gateway
from ugs.admin import SOCKET_NAME
from ugs.config import parse
from ugs.daemon import serve as module
from ugs.daemon.journal.bridge import JournalBridge
from ugs.daemon.processes.process import stop_signals
from ugs.daemon.random_ids import new_game_id
from ugs.daemon.serve import open_admin_socket, serve, start_shell
from ugs.gateway import GatewayError, GatewaySettings, settings_of
from ugs.wire.messages import BeginGame, Error, GameMasterLogin, LoginResponse, PlayerLogin, ServerShutdown

Opens = Callable[..., Shell]

BOUND_S = 120.0
OPEN = {"listen": "127.0.0.1:0"}


@pytest.fixture(autouse=True)
def _process_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server does to its whole process is not done to the process of the tests."""
    monkeypatch.setattr(module, "spare_the_collector", lambda: None)
    monkeypatch.setattr(module, "share_the_interpreter", lambda: None)
    monkeypatch.setattr(module, "allow_many_connections", lambda: None)


class Served:
    """A server that listens."""

    def __init__(self, address: str, stopped: trio.Event, ready: Path) -> None:
        self.host, _, port = address.rpartition(":")
        self.port = int(port)
        self.stopped = stopped
        self.ready = ready
        self.game_id = ""

    async def dials(self) -> Far:
        """A peer connects."""
        return Far(await trio.open_tcp_stream(self.host, self.port))

    async def player(self, nick: str) -> Far:
        """A player who has logged in."""
        far = await self.dials()
        await far.says(PlayerLogin(nick, GO))
        assert await far.hears() == LoginResponse()
        return far

    async def table(self) -> Sequence[Far]:
        """A master and two players in a game."""
        master = await self.dials()
        await master.says(GameMasterLogin("m", GO, "2", "2"))
        assert await master.hears() == LoginResponse()
        ann, bob = await self.player("ann"), await self.player("bob")
        begun = await master.hears()
        assert isinstance(begun, BeginGame)
        self.game_id = begun.game_id
        await master.says(turn("ann", self.game_id))
        await ann.hears()
        await bob.hears()
        return master, ann, bob


@asynccontextmanager
async def serving(tmp_path: Path, **settings: object) -> AsyncIterator[Served]:
    """Run a server on a free port; the test has to stop it."""
    ready = tmp_path / "ready.json"
    config = parse({"port": 0, **settings}, "test", settings_of)
    stopped = trio.Event()

    async def run() -> None:
        await serve(config, ready)
        stopped.set()

    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            while not ready.exists():  # noqa: ASYNC110  (the file is what tells us, as it tells everybody)
                await trio.sleep(0.001)
            yield Served(json.loads(ready.read_text())["game"], stopped, ready)
            await stopped.wait()
    assert not ready.exists()


def signal_ourselves(number: signal.Signals = signal.SIGTERM) -> None:
    os.kill(os.getpid(), number)


def events(lines: Sequence[EventDict]) -> list[str]:
    return [line["event"] for line in lines]


@pytest.fixture(autouse=True)
def _hangups_heeded() -> Iterator[None]:
    """The tests themselves may run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def test_a_hangup_is_left_ignored_where_it_was() -> None:
    assert signal.SIGHUP in stop_signals()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert stop_signals() == (signal.SIGTERM, signal.SIGINT)
    assert signal.SIGHUP in stop_signals(reads_again=True), "it does not stop then, but reads"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    with capture_logs() as lines:
        async with serving(tmp_path) as server:
            master, ann, bob = await server.table()
            signal_ourselves(number)
            for player in (ann, bob):
                assert isinstance(await player.hears(), Error), "game void"
            for peer in (master, ann, bob):
                assert await peer.hears() == ServerShutdown()
                assert await peer.hears() is None
                await peer.hangs_up()
    told = [event for event in events(lines) if event in ("listening", "asked to stop", "shutting down", "stopped")]
    assert told == ["listening", "asked to stop", "shutting down", "stopped"]
    assert next(line["pid"] for line in lines if line["event"] == "listening") == os.getpid()


async def test_who_does_not_hang_up_is_waited_for_only_a_moment(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await server.player("ann")
        signal_ourselves()
        assert await ann.hears() == ServerShutdown()
        await server.stopped.wait()
        await ann.hangs_up()


async def fed(server: Served) -> Far:
    """A player who reads nothing, with more waiting for it than any network takes."""
    master, ann, bob = await server.table()
    assert isinstance(ann.stream, trio.SocketStream)
    ann.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    state = turn("bob", server.game_id, b"<gameState>%b</gameState>" % (b"x" * 1_000_000))
    for _ in range(10):
        await master.says(state)
        assert await bob.hears() == state
    await master.hangs_up()
    await bob.hangs_up()
    return ann


async def test_the_goodbye_takes_no_longer_than_its_setting(tmp_path: Path) -> None:
    """A peer who reads nothing keeps its last words in the outbox; they are given up."""
    async with serving(tmp_path, goodbye_s=0.1, write_timeout_s=1000, max_outbox_bytes=100_000_000) as server:
        ann = await fed(server)
        start = trio.current_time()
        signal_ourselves()
        await server.stopped.wait()
        assert trio.current_time() - start >= 0.1
        await ann.hangs_up()


async def test_a_second_signal_cuts_the_goodbye_short(tmp_path: Path) -> None:
    async with serving(tmp_path, goodbye_s=1000, write_timeout_s=1000, max_outbox_bytes=100_000_000) as server:
        ann = await fed(server)
        signal_ourselves()
        with trio.move_on_after(0.1):
            await server.stopped.wait()
        assert not server.stopped.is_set()
        signal_ourselves()
        await server.stopped.wait()
        await ann.hangs_up()


async def test_the_file_that_cannot_be_written_is_named_before_anybody_is_served(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot write the ready file"):
        await serve(parse({"port": 0}, "test"), tmp_path)


async def test_the_socket_for_people_makes_its_directory_where_the_journal_is_in_a_database(tmp_path: Path) -> None:
    directory = tmp_path / "servers" / "a"
    config = parse({"port": 0, "data_dir": str(directory), "journal_url": "postgresql://nowhere/ugs"}, "test")
    async with trio.open_nursery() as nursery:
        nothing_kept = JournalBridge(parse({}, "test"))  # there is no database here
        shell = await start_shell(config, nursery, nothing_kept, None, ())
        await open_admin_socket(shell, nursery)
        assert (directory / SOCKET_NAME).is_socket()
        assert directory.stat().st_mode & 0o777 == 0o700
        nursery.cancel_scope.cancel()


async def test_the_socket_for_people_may_have_a_directory_of_its_own_where_nothing_is_kept(tmp_path: Path) -> None:
    directory = tmp_path / "servers" / "a"
    config = parse({"port": 0, "admin_dir": str(directory)}, "test")
    async with trio.open_nursery() as nursery:
        shell = await start_shell(config, nursery, JournalBridge(config), None, ())
        await open_admin_socket(shell, nursery)
        assert os.listdir(directory) == [SOCKET_NAME]
        assert directory.stat().st_mode & 0o777 == 0o700
        nursery.cancel_scope.cancel()


async def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1 port {port}: .*in use"):
            await serve(parse({"port": port}, "test"), tmp_path / "ready.json")
    assert os.listdir(tmp_path) == []


async def test_the_service_manager_hears_of_the_beginning_and_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(BOUND_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        async with serving(tmp_path):
            assert manager.recv(100) == b"READY=1"
            signal_ourselves()
        assert manager.recv(100) == b"STOPPING=1"


def test_game_ids_are_unguessable_short_and_plain() -> None:
    ids = {new_game_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(game_id) == 22 and game_id.isascii() and game_id[0].isalnum() for game_id in ids)


# A gateway.


@pytest.fixture
def _toy_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy gateway is what is found."""
    toy = EntryPoint("toy", "tests.daemon.toy_gateway:Toy", gateway.GROUP)
    monkeypatch.setattr(gateway, "entry_points", lambda group: [toy] if group == toy.group else [])


@pytest.mark.usefixtures("_toy_installed")
async def test_clients_of_a_gateway_are_served_and_told_of_the_end(tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with serving(tmp_path, gateways={"toy": OPEN}) as server:
            url: str = json.loads(server.ready.read_text())["gateways"]["toy"]
            host, _, port = url.removeprefix("ws://").removesuffix("/").partition(":")
            client = await Client(await trio.open_tcp_stream(host, int(port))).shakes_hands()
            unready = await trio.open_tcp_stream(host, int(port))
            await client.says("login ann", "echo hello")
            assert [await client.hears() for _ in range(3)] == ["loginResponse", "championsList", "hello"]
            signal_ourselves()
            assert [await client.hears() for _ in range(2)] == ["serverShutdown", "farewell"]
            assert await client.hears() == Closed(1001, "the server stops")
            await client.answers_close()
            await client.stream.aclose()
            await unready.aclose()
    assert url == next(line["gateways"]["toy"] for line in lines if line["event"] == "listening")
    assert not [line for line in lines if line["log_level"] == "error"]


@pytest.mark.usefixtures("_toy_installed")
async def test_clients_who_do_not_close_hold_the_end_up_only_a_moment(tmp_path: Path) -> None:
    async with serving(tmp_path, gateways={"toy": {**OPEN, "close_s": 0.2}}, goodbye_s=60) as server:
        _, _, port = json.loads(server.ready.read_text())["gateways"]["toy"].rstrip("/").rpartition(":")
        client = await Client(await trio.open_tcp_stream("127.0.0.1", int(port))).shakes_hands()
        signal_ourselves()
        await server.stopped.wait()
        await client.stream.aclose()


@pytest.mark.usefixtures("_toy_installed")
async def test_a_port_in_use_for_a_gateway_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = parse({"port": 0, "gateways": {"toy": {"listen": f"127.0.0.1:{port}"}}}, "test", settings_of)
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1 port {port}: .*in use"):
            await serve(config, tmp_path / "ready.json")
    assert os.listdir(tmp_path) == []


async def test_several_gateways_listen_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toys = [EntryPoint(name, "tests.daemon.toy_gateway:Toy", gateway.GROUP) for name in ("one", "other")]
    monkeypatch.setattr(gateway, "entry_points", lambda group: toys)
    async with serving(tmp_path, gateways={toy.name: OPEN for toy in toys}) as server:
        urls = json.loads(server.ready.read_text())["gateways"]
        for name in ("one", "other"):
            _, _, port = urls[name].rstrip("/").rpartition(":")
            client = await Client(await trio.open_tcp_stream("127.0.0.1", int(port))).shakes_hands()
            await client.says(f"login {name}", f"echo {name}")
            assert [await client.hears() for _ in range(3)] == ["loginResponse", "championsList", name]
            await client.stream.aclose()
        signal_ourselves()


@pytest.mark.usefixtures("_toy_installed")
async def test_a_gateway_without_an_address_stays_closed(tmp_path: Path) -> None:
    async with serving(tmp_path, gateways={"toy": {"ping_s": 3}}) as server:
        assert "gateways" not in json.loads(server.ready.read_text())
        signal_ourselves()


async def test_a_gateway_that_has_been_removed_since_the_settings_were_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = parse({"port": 0, "gateways": {"toy": OPEN}}, "test", lambda name: GatewaySettings)
    monkeypatch.setattr(gateway, "entry_points", lambda group: [])
    with pytest.raises(GatewayError, match=r"gateways\.toy: no gateway of this name is installed"):
        await serve(config, tmp_path / "ready.json")
    assert os.listdir(tmp_path) == []
