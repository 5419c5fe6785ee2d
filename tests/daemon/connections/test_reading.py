"""Reading from many peers: each gets its turn, whatever the others do. Real sockets where the epoll set matters."""

import os
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import perf_counter

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Pipe, Shell, move, turn
from ugs.broker.effects import Send
from ugs.config import Config
from ugs.daemon import intake
from ugs.daemon.connections import reading
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.connection import Connection, Heir
from ugs.daemon.connections.outbox import CROWDED_BYTES, Outbox, Patience
from ugs.daemon.connections.readers import Bell, Readers
from ugs.daemon.connections.reading import LINGER_BYTES, Reading
from ugs.daemon.fairness.fair_queue import SHARE, PeerStanding
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.watchdog import Watchdog
from ugs.daemon.network.transport import SocketTransport, Transport
from ugs.daemon.status.figures import FIGURES
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import Said
from ugs.wire.framing import Framer
from ugs.wire.messages import BeginGame, ChampionsList, Error, GameMasterLogin, LoginResponse, Move, PlayerLogin

Opens = Callable[..., Shell]
BOUND_S = 120.0
"""Seconds of real time after which a test that hangs is ended."""
METER = Rates(Config.read({})).meter("", 0)
TURN = b"x" * SHARE.bytes
"""As much as a peer is heard in one turn of the tests below."""


class FakeHost:
    """The host of the connections of a Reading without a broker. A turn takes what there is, up to ``turn_bytes``."""

    def __init__(self, nursery: trio.Nursery, turn_bytes: int = 1_000_000) -> None:
        self.tasks = nursery
        self.patience = Patience(1000, 10)
        self.unsent = Unsent()
        self.closings = trio.Lock()
        self.handled: list[tuple[int, bytes]] = []
        self.lost_because: dict[int, str] = {}
        self.has_ended: list[int] = []
        self.is_behind = False
        self.on_heard: Callable[[Connection], None] = lambda connection: None
        self._turn_bytes = turn_bytes
        self._kept: dict[int, bytes] = {}
        watchdog = Watchdog(lambda number: "")
        self.weights: dict[int, int] = {}
        self.at_rest: set[int] = set()
        """Connections that are in no game."""
        self.ways: dict[int, Outbox] = {}
        """Whose outbox takes what a connection says in its game."""
        self.passes: list[str] = []
        """What the batches were told of passes."""
        self.readers = Readers()
        self.reading = Reading(
            self.readers,
            self._received,
            self._caught_up,
            watchdog,
            self._standing_of,
            self._way_of,
            self.unsent,
            self,
            nursery,
        )
        self.read = self.reading.read
        nursery.start_soon(self.reading.run)

    def gather(self) -> None:
        self.passes.append("gather")

    def flush(self) -> None:
        self.passes.append("flush")

    async def _caught_up(self) -> None:
        while self.is_behind:  # noqa: ASYNC110  (as the real one)
            await trio.sleep(0.001)

    def _standing_of(self, connection: Connection) -> PeerStanding:
        number = connection.number
        return PeerStanding("192.0.2.1", number not in self.at_rest, self.weights.get(number, 1))

    def _way_of(self, connection: Connection) -> Outbox | None:
        return self.ways.get(connection.number)

    def _received(self, connection: Connection, data: bytes, begun: float) -> float:
        data = self._kept.pop(connection.number, b"") + data
        data, kept = data[: self._turn_bytes], data[self._turn_bytes :]
        connection.leftover = bool(kept)
        if kept:
            self._kept[connection.number] = kept
        self.handled.append((connection.number, data))
        self.on_heard(connection)
        return begun + 0.001

    def handed(self, connection: Connection, timers: object, now: float) -> None:
        raise AssertionError

    def lost(self, connection: Connection, reason: str, *, unread: bool = False, bug: bool = False) -> None:
        assert bug == (reason == "bug in the server")
        self.lost_because[connection.number] = reason

    async def pass_on(self, transport: Transport, heir: Heir) -> None:
        await heir(transport)

    def ended(self, connection: Connection) -> None:
        self.has_ended.append(connection.number)


class Wires:
    """Connections over TCP, and the far ends of their sockets."""

    def __init__(self, host: FakeHost, listener: socket.socket) -> None:
        self.host = host
        self.connections: list[Connection] = []
        self._listener = listener
        self._fars: list[socket.socket] = []

    def dials(self) -> socket.socket:
        far = socket.create_connection(self._listener.getsockname(), timeout=BOUND_S)
        near, _ = self._listener.accept()
        connection = Connection(len(self.connections), SocketTransport(near, "127.0.0.1:1"), Framer(), self.host, METER)
        self.connections.append(connection)
        self._fars.append(far)
        self.host.tasks.start_soon(connection.run)
        return far

    def hang_up(self) -> None:
        for far in self._fars:
            far.close()
        for connection in self.connections:
            connection.drop()


@asynccontextmanager
async def wires(nursery: trio.Nursery, turn_bytes: int = 1_000_000) -> AsyncIterator[Wires]:
    """A Reading, and room for connections over TCP."""
    with socket.create_server(("127.0.0.1", 0)) as listener, trio.fail_after(BOUND_S):
        ours = Wires(FakeHost(nursery, turn_bytes), listener)
        yield ours
        ours.hang_up()
        await until(lambda: len(ours.host.has_ended) == len(ours.connections))


async def until(there: Callable[[], bool]) -> None:
    while not there():  # noqa: ASYNC110  (what is waited for happens in a socket)
        await trio.sleep(0.001)


async def test_all_sockets_are_read(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        fars = [ours.dials() for _ in range(20)]
        for number, far in enumerate(fars):
            far.sendall(b"%d" % number)
        await until(lambda: len(ours.host.handled) == 20)
        assert sorted(ours.host.handled) == [(number, b"%d" % number) for number in range(20)]


async def test_answers_go_out_at_the_end_of_the_pass_in_which_they_were_caused(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        passes = ours.host.passes
        ours.host.on_heard = lambda connection: passes.append("heard")
        for far in [ours.dials() for _ in range(3)]:
            far.sendall(b"x")
        await until(lambda: passes.count("heard") == 3)
        assert re.fullmatch("(gather (heard )*flush )+", " ".join([*passes, ""]))


async def test_more_sockets_than_are_noticed_at_once(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_EVENTS", 2)
    async with wires(nursery) as ours:
        for far in [ours.dials() for _ in range(7)]:
            far.sendall(b"x")
        await until(lambda: len(ours.host.handled) == 7)


async def test_peers_that_say_much_and_one_that_says_little(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=10) as ours:
        busy = [ours.dials() for _ in range(3)]
        calm = ours.dials()
        for far in busy:
            far.sendall(b"x" * 1000)
        calm.sendall(b"hello")
        await until(lambda: len(ours.host.handled) == 301)
        for number in range(3):
            assert b"".join(data for one, data in ours.host.handled if one == number) == b"x" * 1000
        assert [number for number, _ in ours.host.handled].index(3) <= 8


async def test_a_peer_has_as_many_shares_as_its_weight(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=10) as ours:
        ours.host.weights[1] = 10
        for far in (ours.dials(), ours.dials()):
            far.sendall(b"x" * 1000)
        await until(lambda: len(ours.host.handled) == 200)
        numbers = [number for number, _ in ours.host.handled]
        last = len(numbers) - numbers[::-1].index(1)
        assert numbers[:last].count(0) <= 20


async def test_one_who_plays_does_not_wait_for_a_crowd(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=1) as ours:
        crowd = [ours.dials() for _ in range(100)]
        ours.host.at_rest = set(range(100))
        player = ours.dials()
        for far in crowd:
            far.sendall(b"x" * 30)
        await until(lambda: len(ours.host.handled) > 500)
        before = len(ours.host.handled)
        player.sendall(b"y")
        await until(lambda: (100, b"y") in ours.host.handled)
        # Two passes of five turns each may have begun before the byte was there, and one in which it was noticed.
        assert ours.host.handled.index((100, b"y")) - before <= 15
        await until(lambda: len(ours.host.handled) == 3001)


async def test_a_guest_gets_its_turn_whether_or_not_sockets_are_ready(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=1) as ours:
        guest = ours.host.reading.guest("192.0.2.1")
        for _ in range(3):
            await guest.next_turn()
        far = ours.dials()
        far.sendall(b"x" * 100)
        await guest.next_turn()
        await until(lambda: len(ours.host.handled) == 100)
        await guest.next_turn()


async def test_what_is_unheard_is_counted_in_bytes(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        readers = ours.host.readers
        far = ours.dials()
        far.sendall(b"123")
        await until(lambda: ours.host.handled == [(0, b"123")])
        assert readers.unheard(0) == 0
        ours.host.is_behind = True
        far.sendall(b"4567")
        await until(lambda: readers.unheard(0) == 7)
        assert not readers.handled(0, 7)
        ours.host.is_behind = False
        await until(lambda: readers.handled(0, 7))
        assert not readers.handled(0, 8)
        assert readers.unheard(99) == 0
        assert readers.handled(99, 1000), "it has gone"


async def test_nothing_is_read_from_a_peer_whose_turns_lag(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=1) as ours:
        far = ours.dials()
        far.setblocking(False)
        sent = 0

        def floods(connection: Connection) -> None:
            nonlocal sent
            try:
                while True:
                    sent += far.send(TURN)
            except BlockingIOError:
                return

        ours.host.on_heard = floods
        far.send(b"x")
        await until(lambda: len(ours.host.handled) > 1000)
        assert sum(len(data) for _, data in ours.host.handled) < 2 * len(ours.host.handled)
        kept = sum(map(len, ours.host._kept.values()))
        assert kept <= 65_536, "one read of the network"
        ours.host.on_heard = lambda connection: None


async def test_the_end_of_a_peer_comes_after_all_it_has_said(nursery: trio.Nursery) -> None:
    async with wires(nursery, turn_bytes=2) as ours:
        far = ours.dials()
        far.sendall(b"12345")
        far.close()
        await until(lambda: ours.host.has_ended == [0])
        assert ours.host.handled == [(0, b"12"), (0, b"34"), (0, b"5")]
        assert ours.host.lost_because == {0: "closed by the peer"}


async def test_a_connection_that_is_reset_is_lost(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        far = ours.dials()
        await wait_all_tasks_blocked()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        far.close()
        await until(lambda: ours.host.has_ended == [0])
        assert ours.host.lost_because[0].startswith("connection lost: ")


async def test_a_bug_costs_the_peer_that_met_it_and_nobody_else(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        unlucky, other = ours.dials(), ours.dials()

        def fails(connection: Connection) -> None:
            if connection.number == 0:
                raise ZeroDivisionError

        ours.host.on_heard = fails
        with capture_logs() as lines:
            unlucky.sendall(b"x")
            await until(lambda: ours.host.has_ended == [0])
        assert [(line["event"], line["conn"]) for line in lines] == [("bug in the server", 0)]
        assert ours.host.lost_because == {0: "bug in the server"}
        other.sendall(b"y")
        await until(lambda: (1, b"y") in ours.host.handled)


async def test_nobody_is_heard_while_the_disk_is_behind(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        far = ours.dials()
        ours.host.is_behind = True
        far.sendall(b"x")
        await trio.sleep(0.02)
        assert ours.host.handled == []
        ours.host.is_behind = False
        await until(lambda: ours.host.handled == [(0, b"x")])


async def test_a_peer_that_was_told_to_go_is_not_read_without_end(nursery: trio.Nursery) -> None:
    async with wires(nursery) as ours:
        far = ours.dials()
        await wait_all_tasks_blocked()
        far.setblocking(False)
        connection = ours.connections[0]
        connection.closing = True
        for _ in range(2000):
            try:
                far.send(TURN)
            except BlockingIOError:
                if connection.thrown_away > LINGER_BYTES:
                    break
            await trio.lowlevel.checkpoint()
        before = connection.thrown_away
        assert LINGER_BYTES < before <= LINGER_BYTES + 65_536
        await trio.sleep(0.01)
        assert connection.thrown_away == before
        assert ours.host.handled == []


# Players of a game master for which much waits.


CROWD = b"x" * (CROWDED_BYTES + 1)


@asynccontextmanager
async def crowded(
    nursery: trio.Nursery, turn_bytes: int = 1_000_000
) -> AsyncIterator[tuple[Wires, list[socket.socket]]]:
    """Connection 0 is a master for which too much waits. Number 1 is a player of its, number 2 somebody else."""
    async with wires(nursery, turn_bytes) as ours:
        fars = [ours.dials() for _ in range(3)]
        way = ours.connections[0].outbox
        ours.host.patience = Patience(10 * len(CROWD), 10)
        ours.connections[0].outbox = way = Outbox(
            ours.connections[0].transport, nursery, ours.host.patience, ours.host.unsent, print, print, print
        )
        ours.host.ways[1] = way
        assert way.put(CROWD) is None
        yield ours, fars


def relieve(ours: Wires) -> None:
    """The master reads."""
    ours.host.ways[1].clear()


async def test_a_player_is_not_heard_while_its_master_does_not_read(nursery: trio.Nursery) -> None:
    async with crowded(nursery) as (ours, fars):
        for number, far in enumerate(fars):
            far.sendall(b"%d" % number)
        await until(lambda: len(ours.host.handled) == 2)
        fars[2].sendall(b"again")
        await until(lambda: len(ours.host.handled) == 3)
        assert 1 not in dict(ours.host.handled), "whatever happens meanwhile"
        relieve(ours)
        await until(lambda: len(ours.host.handled) == 4)
        assert ours.host.handled[-1] == (1, b"1")
        fars[1].sendall(b"more")
        await until(lambda: len(ours.host.handled) == 5)


async def test_it_says_the_rest_of_what_it_said_afterwards(nursery: trio.Nursery) -> None:
    async with crowded(nursery, turn_bytes=2) as (ours, fars):
        relieve(ours)

        def crowds_again(connection: Connection) -> None:
            if connection.number == 1 and len(ours.host.handled) == 1:
                assert ours.host.ways[1].put(CROWD) is None

        ours.host.on_heard = crowds_again
        fars[1].sendall(b"abcde")
        await until(lambda: len(ours.host.handled) == 1)
        fars[2].sendall(b"2")
        await until(lambda: len(ours.host.handled) == 2)
        assert ours.host.handled == [(1, b"ab"), (2, b"2")]
        relieve(ours)
        await until(lambda: len(ours.host.handled) == 4)
        assert ours.host.handled[2:] == [(1, b"cd"), (1, b"e")]


async def test_one_that_hangs_up_meanwhile_is_heard_out(nursery: trio.Nursery) -> None:
    async with crowded(nursery) as (ours, fars):
        fars[1].sendall(b"1")
        fars[1].close()
        fars[2].sendall(b"2")
        await until(lambda: len(ours.host.handled) == 1)
        assert ours.host.has_ended == []
        relieve(ours)
        await until(lambda: ours.host.has_ended == [1])
        assert ours.host.handled[1:] == [(1, b"1")]


async def test_one_that_is_dropped_meanwhile_does_not_come_back(nursery: trio.Nursery) -> None:
    async with crowded(nursery) as (ours, fars):
        fars[1].sendall(b"1")
        fars[2].sendall(b"2")
        await until(lambda: len(ours.host.handled) == 1)
        ours.connections[1].drop()
        await until(lambda: ours.host.has_ended == [1])
        relieve(ours)
        fars[2].sendall(b"3")
        await until(lambda: len(ours.host.handled) == 2)
        assert 1 not in dict(ours.host.handled)


async def test_what_the_server_has_closed_need_not_wait(nursery: trio.Nursery) -> None:
    async with crowded(nursery) as (ours, fars):
        ours.connections[1].closing = True
        fars[1].sendall(b"1")
        await until(lambda: ours.connections[1].thrown_away == 1)


# With a broker, on memory streams.


async def test_a_flood_of_one_peer_is_interrupted_for_another(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_errors_per_minute=100_000)
    flooding, calm = Pipe(), Pipe()
    for pipe in (flooding, calm):
        shell.attaches(pipe)
    flooding.says(b'<message type="nonsense"/>' * 5000)
    calm.says(PlayerLogin("ann", GO))
    waited = 0
    while not calm.written:
        waited += 1
        await trio.lowlevel.checkpoint()
    assert len(flooding.messages()) < 5000
    assert calm.messages() == [LoginResponse()]
    await wait_all_tasks_blocked()
    assert len(flooding.messages()) == 5000


async def test_what_a_peer_says_is_heard_in_order_in_however_many_turns(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_errors_per_minute=100_000)
    pipe = Pipe()
    shell.attaches(pipe)
    kinds = [b"n%d" % number for number in range(SHARE.documents * 3 + 1)]
    pipe.says(b"".join(b'<message type="%b"/>' % kind for kind in kinds))
    pipe.half_closes()
    await trio.sleep(3)
    errors = [message.text for message in pipe.messages() if isinstance(message, Error)]
    assert len(errors) == len(kinds)
    for kind, text in zip(kinds, errors, strict=True):
        assert f"'{kind.decode()}'" in text
    assert pipe.is_closed()


async def test_one_large_document_is_heard_in_a_turn(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    connection = shell.peers.let_in(Pipe())
    large = b'<message type="nonsense"><!--%b--></message>' % TURN
    shell.status.parts.intake.received(connection, large * 3, perf_counter())
    handled = [len(connection.outbox.batch)]
    while connection.leftover:
        shell.status.parts.intake.received(connection, b"", perf_counter())
        handled.append(len(connection.outbox.batch))
    assert handled == [1, 2, 3]


async def test_a_turn_ends_when_its_time_is_over(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "SHARE", SHARE)
    shell = opens()
    connection = shell.peers.let_in(Pipe())
    begun = perf_counter() - SHARE.seconds
    assert (
        shell.status.parts.intake.received(connection, b'<message type="nonsense"/>' * 3, begun) > begun + SHARE.seconds
    )
    assert (len(connection.outbox.batch), connection.leftover) == (1, True)


async def test_large_moves_wait_for_the_master_and_small_ones_pass(opens: Opens, autojump_clock: MockClock) -> None:
    """A master that reads slowly is not cut off by what players say, and a calm player waits for few of the others."""
    shell = opens(max_outbox_bytes=400_000, move_timeout_s=3)
    slow = Pipe()
    shell.attaches(slow)
    slow.says(GameMasterLogin("m", GO, "2", "2"))
    players = {f"p{number}": Pipe() for number in range(40)}
    for nick, player in players.items():
        shell.attaches(player)
        player.says(PlayerLogin(nick, GO))
    await wait_all_tasks_blocked()
    begins = [message for message in slow.messages() if isinstance(message, BeginGame)]
    for begin in begins:
        slow.says(turn(begin.players[0], begin.game_id))
    await wait_all_tasks_blocked()
    slow.writes.clear()
    slow.blocks()
    large = b"<move>%b</move>" % (b"x" * 100_000)
    for number, begin in enumerate(begins):
        players[begin.players[0]].says(move(begin.game_id, large if number < 19 else b"<move/>"))
    with capture_logs() as lines:
        await trio.sleep(10)
        assert slow.written == b""
        taken: list[bytes] = []
        while len(taken) < 20:
            slow.makes_room(100_000)
            await wait_all_tasks_blocked()
            taken = [message.payload for message in slow.messages() if isinstance(message, Move)]
    assert not slow.is_closed()
    assert not [line for line in lines if line["event"] == "game ended"], "a move that has come in time is not late"
    assert taken.index(b"<move/>") < 5


async def test_what_others_say_is_left_out_where_much_waits(opens: Opens, autojump_clock: MockClock) -> None:
    """Strangers cannot crowd the line of a player that thinks."""
    shell = opens(max_outbox_bytes=65_536)
    connection = shell.peers.let_in(Pipe(room=0))
    to, outbox = (connection.number,), connection.outbox
    for _ in range(100):
        shell.deliveries.send(Send(to, Said("ann", (), "", "x" * 2000)), 0)
        shell.deliveries.send(Send(to, ChampionsList(())), 0)
    assert 16_384 < outbox.waiting_bytes < 16_384 + 3000
    sent = len(outbox.batch)
    shell.deliveries.send(Send(to, Error("x")), 0)
    assert outbox.batch[-1] == DECLARATION + encode(Error("x")), "all else it gets"
    (spared,) = [figure.read(shell.status.parts) for figure in FIGURES if figure.name == "spared_total"]
    assert spared == 200 - sent


def test_a_bell_that_no_one_can_ring_is_closed() -> None:
    bell = Bell()
    file = bell.file
    os.fstat(file)
    del bell
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)
