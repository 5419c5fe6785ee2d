"""Peers that a door hands over to a home on its machine: real sockets, and whose the peer is when something fails."""

import os
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.certificates import NAME, Authority
from tests.cluster.nodes import RunningNode, running
from tests.cluster.test_login_router import hears, logged_in
from tests.daemon.shell import GO, Far
from ugs.cluster import home_socket, local_line
from ugs.cluster.hand_over import HAND_OVER_S, HEAD, MAX_SENT, TAKEN, YOURS, NotHandedOver, PeersLeaving
from ugs.cluster.home_turns import MAX_AT_ONCE, no_answer
from ugs.cluster.introduction import DoorIntroduction, HomeIntroduction
from ugs.cluster.known_homes import SeenNode
from ugs.cluster.local_line import LocalLine, connected, path_here, shared_path
from ugs.cluster.node_lines import read_line, receive_some, send_whole
from ugs.cluster.node_port import PATIENCE_S
from ugs.daemon.network.transport import Gone, SocketTransport
from ugs.wire.messages import GameMasterLogin, PlayerLogin

SECRET = "the secret of all"
OURS, THEIRS = "0" * 32, "f" * 32
BOUND_S = 60.0
AWAY = "192.0.2.7:7"
NO_ANSWER = no_answer(HAND_OVER_S)


class Client:
    """A peer: its own end of a TCP connection, and the one that a door has."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.own = socket.create_connection(listener.getsockname(), timeout=BOUND_S)
            accepted, _ = listener.accept()
        self.at_door = SocketTransport(accepted, AWAY)

    async def is_closed(self) -> bool:
        """Whether its connection has ended; waits for what it is sent."""
        with suppress(ConnectionResetError):
            return await trio.to_thread.run_sync(self.own.recv, 1) == b""
        return True


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    with found.own:
        yield found
        found.at_door._socket.close()


class Home:
    """A node that the test speaks for."""

    def __init__(self, folder: Path) -> None:
        self.seen = SeenNode("b", 2, "127.0.0.1:1", 0.0, str(folder / "node.sock"))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.seen.socket)
        self.listener.listen()
        self.listener.setblocking(False)
        self.accepted: list[LocalLine] = []

    async def accepts(self) -> LocalLine:
        """A door has connected."""
        await trio.lowlevel.wait_readable(self.listener)
        self.accepted.append(LocalLine(self.listener.accept()[0]))
        return self.accepted[-1]

    async def is_introduced(self, secret: str = SECRET) -> LocalLine:
        """A door has connected, and was answered."""
        line = await self.accepts()
        greeting, _ = await read_line(line)
        await send_whole(line, HomeIntroduction("b", secret, THEIRS).answer(greeting), BOUND_S)
        return line

    async def is_given(self) -> tuple[LocalLine, bytes]:
        """A door has handed a peer over: its line, and what the peer has sent."""
        line = await self.is_introduced()
        _, more = await read_line(line)
        while len(more) < HEAD.size or len(more) < HEAD.size + HEAD.unpack_from(more)[0]:
            more += await receive_some(line)
        return line, more[HEAD.size :]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    found = Home(tmp_path)
    yield found
    found.listener.close()
    for line in found.accepted:
        await line.aclose()


async def hand_over(home: Home, client: Client, sent: bytes = b"<login/>") -> str:
    """Let a door hand the client over. Returns why that failed; empty if it has not."""
    try:
        await PeersLeaving().hand_over(home.seen, SECRET, client.at_door, b"", sent)
    except NotHandedOver as error:
        return str(error)
    return ""


@asynccontextmanager
async def handing_over(home: Home, client: Client, sent: bytes = b"<login/>") -> AsyncIterator[list[str]]:
    """The same, while the block does what the home does; then the list has the reason."""
    reasons: list[str] = []

    async def run() -> None:
        reasons.append(await hand_over(home, client, sent))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        yield reasons


# The door.


async def test_a_peer_is_the_homes_with_the_doors_word_and_the_door_keeps_nothing(home: Home, client: Client) -> None:
    async with handing_over(home, client) as reasons:
        line, sent = await home.is_given()
        assert sent == b"<login/>"
        await send_whole(line, TAKEN, BOUND_S)
        assert await read_line(line) == (YOURS, b"")
    assert reasons == [""]
    await client.at_door.aclose()
    taken = line.take_socket()
    assert taken is not None
    with taken:
        taken.sendall(b"welcome")
        assert client.own.recv(100) == b"welcome"
    assert await client.is_closed()


async def test_a_peer_of_a_home_that_dies_before_is_still_the_doors(home: Home, client: Client) -> None:
    async with handing_over(home, client) as reasons:
        line, _ = await home.is_given()
        await line.aclose()
    assert reasons == ["it has hung up"]
    client.at_door.send_now(b"still here")
    assert client.own.recv(100) == b"still here"


async def test_a_home_that_hangs_keeps_no_peer_and_its_copy_keeps_no_line_open(
    home: Home, client: Client, mock_clock: MockClock
) -> None:
    async with handing_over(home, client) as reasons:
        await home.is_introduced()  # the socket waits there to be read
        await wait_all_tasks_blocked()
        mock_clock.jump(HAND_OVER_S)
    assert reasons == [NO_ANSWER]
    client.at_door.send_now(b"?")
    assert client.own.recv(100) == b"?"
    await client.at_door.aclose()
    assert await client.is_closed()


async def test_a_home_that_does_not_read_holds_up_no_one(home: Home, client: Client, mock_clock: MockClock) -> None:
    async with handing_over(home, client, b"x" * MAX_SENT) as reasons:
        await home.is_introduced()
        await wait_all_tasks_blocked()  # others have their turn meanwhile
        mock_clock.jump(HAND_OVER_S)
    assert reasons == [NO_ANSWER]


async def test_more_than_a_peer_may_send_is_not_handed_over(home: Home, client: Client) -> None:
    assert await hand_over(home, client, b"x" * (MAX_SENT + 1)) == "the peer has sent too much"


async def test_only_so_many_are_on_their_way_to_one_home(home: Home, client: Client, mock_clock: MockClock) -> None:
    leaving, reasons = PeersLeaving(), list[str]()

    async def leave() -> None:
        with pytest.raises(NotHandedOver) as caught:
            await leaving.hand_over(home.seen, SECRET, client.at_door, b"", b"")
        reasons.append(str(caught.value))

    async with trio.open_nursery() as nursery:
        for _ in range(MAX_AT_ONCE + 3):
            nursery.start_soon(leave)
        for _ in range(MAX_AT_ONCE):
            await home.accepts()
        await wait_all_tasks_blocked()
        mock_clock.jump(HAND_OVER_S)
    assert reasons == [NO_ANSWER] * (MAX_AT_ONCE + 3)
    with pytest.raises(BlockingIOError):
        home.listener.accept()


async def test_a_stranger_at_the_path_of_a_home_gets_no_socket(home: Home, client: Client) -> None:
    async with handing_over(home, client) as reasons:
        line = await home.is_introduced("another secret")
        with pytest.raises(Gone):
            await read_line(line)
        assert line.take_socket() is None
    assert reasons == ["what listens there does not know the secret of this cluster"]


async def test_another_user_at_the_path_of_a_home_gets_not_even_a_greeting(
    home: Home, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_line, "user_behind", lambda _: 4711)
    assert await hand_over(home, client) == f"user 4711 is at its socket, not {os.geteuid()}"
    line = await home.accepts()
    with pytest.raises(Gone):
        await receive_some(line)


async def test_where_no_one_listens_a_peer_is_relayed_and_the_reason_is_logged_once() -> None:
    with capture_logs() as lines:
        async with running("a", "b", hand_over=True) as (table, nodes):
            table.move(GO, "b")
            for path in ("/nowhere/node.sock", "/nowhere/node.sock", ""):
                table.beat("b", nodes["b"].node.address, 1, path)
                nodes["a"].node.homes = table.read()
                await logged_in(await nodes["a"].dials(), PlayerLogin(f"ann-{len(nodes['b'].names())}", GO))
            assert nodes["a"].node.status.outcomes()["relayed"] == 3
    found = [line["reason"] for line in lines if line["event"] == "relayed, not handed over"]
    assert found == ["[Errno 2] No such file or directory"]


async def test_the_socket_of_a_home_on_another_machine_is_not_looked_for_here() -> None:
    """All machines of a cluster may have the same settings, so the same directories, and another node's socket there:
    that would report a stranger for each peer."""
    with capture_logs() as lines:
        async with running("a", "b", hand_over=True) as (table, nodes):
            path = nodes["a"].node.socket.path
            assert table.homes.nodes["a"].socket == shared_path(path)
            table.move(GO, "b")
            table.beat("b", nodes["b"].node.address, 1, f"another-machine:{path}")
            nodes["a"].node.homes = table.read()
            await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
            status = nodes["a"].node.status
            assert (status.outcomes()["relayed"], status.strangers()) == (1, 0)
    assert [line for line in lines if line["event"] in ("relayed, not handed over", "no node")] == []


def test_where_machines_cannot_be_told_apart_each_path_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_line, "BOOT_ID", Path("/nowhere/boot_id"))
    assert shared_path("/run/node.sock") == ":/run/node.sock"
    assert [path_here(place) for place in (":/a", "/b", "4711:/c", "")] == ["/a", "/b", "/c", ""]


async def test_who_speaks_tls_is_relayed(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with running("a", "b", tls={"certificate": str(authority.issue())}) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        plain = await nodes["a"].dials()
        stream = trio.SSLStream(plain.stream, authority.trusts(), server_hostname=NAME)
        await logged_in(Far(stream), PlayerLogin("ann", GO))  # type: ignore[arg-type]  # it cannot close a half
        outcomes = nodes["a"].node.status.outcomes()
        assert (outcomes["relayed"], outcomes["handed over"]) == (1, 0)


async def test_a_door_that_ends_with_a_peer_on_its_way_ends_its_connection(home: Home) -> None:
    async with running("a") as (table, nodes):
        table.move(GO, "b")
        table.beat("b", home.seen.address, 1, home.seen.socket)
        nodes["a"].node.homes = table.read()
        ann = await nodes["a"].dials()
        await ann.says(PlayerLogin("ann", GO))
        await home.is_given()
        nodes["a"].shell.tasks._nursery.cancel_scope.cancel()  # type: ignore[attr-defined]
        with trio.CancelScope(shield=True), trio.fail_after(BOUND_S):
            assert await ann.document(BOUND_S) is None


# The home.


@asynccontextmanager
async def at_home(**settings: object) -> AsyncIterator[RunningNode]:
    async with running("b", hand_over=True, **settings) as (_, nodes):
        yield nodes["b"]


async def introduced(home: RunningNode) -> tuple[LocalLine, bytes]:
    """A door that the test speaks for has been answered: its line, and what it has to send next."""
    line = connected(home.node.socket.path)
    door = DoorIntroduction("b", SECRET, OURS, AWAY)
    await send_whole(line, door.greeting(), BOUND_S)
    answer, _ = await read_line(line)
    return line, door.proof(answer)


async def is_over(line: LocalLine) -> bool:
    """Whether the home hangs up without a word."""
    try:
        with trio.fail_after(BOUND_S):
            await receive_some(line)
    except Gone:
        return True
    finally:
        await line.aclose()
    return False


async def test_the_socket_of_a_home_is_for_its_user_alone_and_goes_with_it() -> None:
    async with at_home() as home:
        path = Path(home.node.socket.path)
        assert [oct(one.stat().st_mode & 0o777) for one in (path, path.parent)] == ["0o600", "0o700"]
        assert home.node.homes.nodes["b"].socket == shared_path(str(path))
    assert not path.parent.exists()


async def test_with_a_data_directory_it_is_there(tmp_path: Path) -> None:
    async with at_home(admin_dir=str(tmp_path)) as home:
        assert Path(home.node.socket.path) == tmp_path / "node.sock"
    assert os.listdir(tmp_path) == []


async def test_a_node_without_a_folder_for_it_serves_all_the_same(tmp_path: Path) -> None:
    async with at_home(admin_dir=str(tmp_path / "nowhere")) as home:
        assert home.node.socket.path == home.node.homes.nodes["b"].socket == ""
        await logged_in(await home.dials(), PlayerLogin("ann", GO))


async def test_a_system_without_such_sockets_relays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_socket, "CAN_BE", False)
    async with at_home() as home:
        assert home.node.homes.nodes["b"].socket == ""


async def test_a_home_that_hands_nothing_over_has_no_socket() -> None:
    async with running("b", hand_over=False) as (_, nodes):
        assert nodes["b"].node.homes.nodes["b"].socket == ""


@pytest.mark.parametrize("follows", [b"", HEAD.pack(0, False), HEAD.pack(MAX_SENT + 1, False)])
async def test_who_brings_no_socket_or_too_much_is_hung_up_on(follows: bytes) -> None:
    async with at_home() as home:
        line, proof = await introduced(home)
        await send_whole(line, proof + follows, BOUND_S)
        if not follows:
            await line.send_eof()
        assert await is_over(line)
        assert not home.shell.broker.server.connections


async def test_what_is_no_connection_of_a_peer_is_not_taken() -> None:
    async with at_home() as home:
        read, write = os.pipe()
        near, far = socket.socketpair()
        for file in (read, write, near.fileno()):
            line, proof = await introduced(home)
            socket.send_fds(line._socket, [proof + HEAD.pack(0, False)], [file])
            assert await is_over(line)
        os.close(read)
        os.close(write)
        near.close()
        with far:
            assert far.recv(1) == b"", "the home keeps none"


@pytest.mark.parametrize("word", [b"", b"mine!\n"])
async def test_without_the_doors_word_a_peer_is_not_served(client: Client, word: bytes) -> None:
    async with at_home() as home:
        line, proof = await introduced(home)
        await line.send_with(client.at_door, proof + HEAD.pack(1, False) + b"<", BOUND_S)
        assert (await read_line(line))[0] == TAKEN
        await send_whole(line, word, BOUND_S)
        await line.send_eof()
        assert await is_over(line)
        assert not home.shell.broker.server.connections
        client.at_door.send_now(b"ours")
        assert client.own.recv(100) == b"ours"


async def test_a_door_that_dies_with_its_word_given_leaves_the_peer_at_home(client: Client) -> None:
    async with at_home() as home:
        line, proof = await introduced(home)
        await line.send_with(client.at_door, proof + HEAD.pack(0, False), BOUND_S)
        assert (await read_line(line))[0] == TAKEN
        await send_whole(line, YOURS, BOUND_S)
        await line.aclose()
        client.at_door._socket.close()
        while not home.shell.broker.server.connections:
            await trio.lowlevel.checkpoint()
        (found,) = home.shell.broker.server.connections.values()
        assert found.address == AWAY


async def test_a_door_that_hangs_is_given_up(client: Client, mock_clock: MockClock) -> None:
    async with at_home() as home:
        line, proof = await introduced(home)
        await line.send_with(client.at_door, proof + HEAD.pack(0, False), BOUND_S)
        assert (await read_line(line))[0] == TAKEN
        await wait_all_tasks_blocked()
        mock_clock.jump(PATIENCE_S)
        assert await is_over(line)
        assert not home.shell.broker.server.connections


async def test_a_home_without_room_for_another_file_gets_the_bytes_and_no_socket(client: Client) -> None:
    near, far = socket.socketpair()
    door, home = LocalLine(near), LocalLine(far)
    await door.send_with(client.at_door, b"proof", BOUND_S)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.open("/", os.O_RDONLY)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        received = home.receive_now()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (received, home.take_socket()) == (b"proof", None)
    await door.aclose()
    await home.aclose()


async def test_a_full_home_turns_a_peer_away_that_is_handed_over() -> None:
    async with running("a", "b", max_connections=1, hand_over=True) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        await logged_in(await nodes["b"].dials(), GameMasterLogin("m", GO, "2", "2"))
        ann = await nodes["a"].dials()
        await ann.says(PlayerLogin("ann", GO))
        assert "the server is full" in str(await hears(ann))
        assert await hears(ann) is None
