"""A connection by itself: what its host hears when the network has taken everything."""

import itertools
from collections.abc import Callable, Sequence

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import Pipe
from ugs.broker.events import Timer, TimerKind
from ugs.config import Config
from ugs.daemon.connections import outbox
from ugs.daemon.connections.backlog import MIN_SHARED_BYTES, Unsent
from ugs.daemon.connections.connection import Connection, ConnectionHost, Heir
from ugs.daemon.connections.outbox import Outbox, Patience
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.network.transport import CHUNK, Transport
from ugs.wire.framing import Framer

ONE, OTHER = Timer(TimerKind.GAME, "g1"), Timer(TimerKind.GAME, "g2")


class FakeHost:
    """Keeps what it hears of its one connection."""

    def __init__(self, tasks: trio.Nursery, patience: Patience) -> None:
        self.tasks = tasks
        self.patience = patience
        self.unsent = Unsent()
        self.closings = trio.Lock()
        self.timers: list[list[Timer]] = []
        self.on_handed: Callable[[], None] = lambda: None
        self.reasons: list[str] = []
        self.has_ended = False

    async def read(self, connection: Connection) -> None:
        await trio.sleep_forever()

    def handed(self, connection: Connection, timers: Sequence[Timer], now: float) -> None:
        self.timers.append(list(timers))
        react, self.on_handed = self.on_handed, lambda: None
        react()

    def lost(self, connection: Connection, reason: str, *, unread: bool = False, bug: bool = False) -> None:
        assert (unread, bug) == (reason.startswith("does not read"), reason.startswith("bug"))
        self.reasons.append(reason)

    async def pass_on(self, transport: Transport, heir: Heir) -> None:
        await heir(transport)

    def ended(self, connection: Connection) -> None:
        self.has_ended = True


class Line:
    """A connection whose network takes ``room`` bytes."""

    def __init__(self, nursery: trio.Nursery, room: float = 100, patience: Patience | None = None) -> None:
        self.pipe = Pipe(room)
        self.host = FakeHost(nursery, patience or Patience(1000, 10))
        host: ConnectionHost = self.host
        self.connection = Connection(1, self.pipe, Framer(), host, Rates(Config.read({})).meter("", 0))
        nursery.start_soon(self.connection.run)

    def sends(self, data: bytes, timer: Timer | None = None) -> None:
        """Put something into the batch; a timer waits until it has gone out."""
        assert self.connection.outbox.put(data) is None
        if timer is not None:
            self.connection.start_after_sending(timer)

    def flushes(self) -> str | None:
        """Send the batch; why the peer has to be dropped."""
        return self.connection.outbox.flush(trio.current_time())


async def test_timers_start_when_the_network_has_taken_everything(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = Line(nursery, room=3)
    line.sends(b"12345", ONE)
    assert line.flushes() is None
    assert (line.host.timers, line.connection.outbox.empty) == ([], False)
    line.pipe.makes_room()
    await wait_all_tasks_blocked()
    assert (line.host.timers, line.connection.outbox.empty) == ([[ONE]], True)
    line.connection.drop()


async def test_what_the_host_sends_when_it_hears_of_that_has_its_own_timers(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = Line(nursery)
    line.sends(b"1", ONE)
    line.host.on_handed = lambda: line.sends(b"2", OTHER)
    line.flushes()
    assert line.host.timers == [[ONE]]
    line.flushes()
    assert line.host.timers == [[ONE], [OTHER]]
    assert line.pipe.written == b"12"
    line.connection.drop()


async def test_a_host_may_close_it_when_it_hears_of_that(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    line = Line(nursery)

    def says_good_bye() -> None:
        line.sends(b"2")
        line.connection.close()

    line.sends(b"1", ONE)
    line.host.on_handed = says_good_bye
    line.flushes()
    await wait_all_tasks_blocked()
    assert (line.pipe.written, line.pipe.ended) == (b"1", False), "there is more to be sent"
    line.flushes()
    await wait_all_tasks_blocked()
    assert (line.pipe.written, line.pipe.ended) == (b"12", True)
    await trio.sleep(5)
    assert line.host.has_ended
    assert line.host.reasons == [], "the broker has closed it, and knows"


async def test_a_peer_for_which_too_much_waits_is_to_be_dropped(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = Line(nursery, room=0, patience=Patience(10, 5))
    line.sends(b"1234567890")
    assert line.flushes() is None
    line.sends(b"1")
    assert line.flushes() == "does not read: more than 10 bytes wait for it"
    line.connection.drop()


async def test_a_peer_that_takes_no_byte_for_too_long_is_lost(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    line = Line(nursery, room=0, patience=Patience(10, 5))
    line.sends(b"1")
    assert line.flushes() is None
    await trio.sleep(4.9)
    assert line.host.reasons == []
    await trio.sleep(0.2)
    assert line.host.reasons == ["does not read: took no byte in 5 s"]
    assert line.host.has_ended


async def test_nothing_is_queued_beyond_the_limit(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    line = Line(nursery, room=0, patience=Patience(10, 5))
    box = line.connection.outbox
    assert [box.put(b"123456") for _ in range(2)] == [None, None], "the limit is looked at before"
    assert box.put(b"1") == "does not read: more than 10 bytes wait for it"
    assert (box.batch, box.batch_bytes) == ([b"123456"] * 2, 12)
    line.connection.drop()


async def test_what_waits_is_counted_for_all_until_it_is_sent_or_thrown_away(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    line = Line(nursery, room=2)
    unsent = line.host.unsent
    line.sends(b"12345")
    assert unsent.bytes == 0
    line.flushes()
    await wait_all_tasks_blocked()
    assert (unsent.bytes, line.connection.outbox.backlog_bytes) == (5, 3), "the document is kept until its end is taken"
    line.pipe.makes_room(1)
    await wait_all_tasks_blocked()
    assert (unsent.bytes, line.connection.outbox.backlog_bytes) == (5, 2)
    line.sends(b"6")
    line.flushes()
    assert (unsent.bytes, line.connection.outbox.backlog_bytes) == (6, 3)
    line.connection.drop()
    assert unsent.bytes == 0
    line.pipe.makes_room()
    await wait_all_tasks_blocked()
    assert (unsent.bytes, line.connection.outbox.backlog_bytes) == (0, 0)


async def test_a_large_document_for_many_takes_its_memory_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    unsent, document = Unsent(), bytes(MIN_SHARED_BYTES)
    pipes = [Pipe(number) for number in range(4)]
    host = FakeHost(nursery, Patience(1_000_000, 10))
    outboxes = [
        Outbox(
            pipe,
            nursery,
            host.patience,
            unsent,
            lambda _now: None,
            lambda why, _: host.reasons.append(why),
            lambda _: None,
        )
        for pipe in pipes
    ]
    for one in outboxes:
        one.put(document)
        one.flush(0.0)
    assert unsent.bytes == len(document)
    assert [one.backlog_bytes for one in outboxes] == [len(document) - number for number in range(4)]
    assert [one.held_bytes for one in outboxes] == [len(document) // 4] * 4
    outboxes[0].clear()
    pipes[1].makes_room()
    await wait_all_tasks_blocked()
    assert pipes[1].written == document
    assert (unsent.bytes, outboxes[2].held_bytes) == (len(document), len(document) // 2)
    for one in outboxes[2:]:
        one.clear()
    assert unsent.bytes == 0


@pytest.mark.parametrize("room", [0, 1, 7, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
async def test_documents_of_any_size_arrive_in_order(
    nursery: trio.Nursery, autojump_clock: MockClock, room: int
) -> None:
    line = Line(nursery, room=room, patience=Patience(10_000_000, 10))
    documents = [bytes([65 + number]) * size for number, size in enumerate((3, 2 * CHUNK + 5, 1, CHUNK, CHUNK - 2, 9))]
    for document in documents[:3]:
        line.sends(document)
    line.flushes()
    for document in documents[3:]:
        line.sends(document)
        line.flushes()
    while not line.connection.outbox.empty:
        line.pipe.makes_room(CHUNK // 2 + 1)
        await wait_all_tasks_blocked()
    assert line.pipe.written == b"".join(documents)
    assert (line.host.unsent.bytes, line.connection.outbox.backlog_bytes) == (0, 0)
    assert max(map(len, line.pipe.writes[len(documents) :]), default=0) <= CHUNK, "no large piece is copied to be sent"
    line.connection.drop()


async def test_one_that_is_crowded_says_when_it_is_no_longer(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CROWDED_BYTES", 10)
    line = Line(nursery, room=0)
    box, unsent = line.connection.outbox, line.host.unsent
    calls: list[str] = []
    line.sends(b"1234567890")
    assert (box.crowded, unsent.crowded) == (False, 0)
    line.sends(b"1")
    assert (box.crowded, unsent.crowded) == (True, 1)
    box.when_relieved(lambda: calls.append("a"))
    box.when_relieved(lambda: calls.append("b"))
    assert line.flushes() is None
    assert (box.crowded, calls) == (True, [])
    line.pipe.makes_room(1)
    await wait_all_tasks_blocked()
    assert (box.crowded, unsent.crowded, calls) == (False, 0, ["a", "b"])
    line.sends(b"2" * 11)
    assert unsent.crowded == 1
    line.connection.drop()
    assert (box.crowded, unsent.crowded, calls) == (False, 0, ["a", "b"]), "each is called once"


async def test_what_goes_out_at_once_crowds_only_for_a_moment(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CROWDED_BYTES", 10)
    line = Line(nursery)
    line.sends(b"1" * 11)
    assert line.host.unsent.crowded == 1
    assert line.flushes() is None
    assert line.host.unsent.crowded == 0
    line.connection.drop()


async def test_nobody_waits_for_a_peer_that_is_gone(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "CROWDED_BYTES", 10)
    line = Line(nursery, room=0)
    calls: list[str] = []
    line.sends(b"1" * 11)
    line.connection.outbox.when_relieved(lambda: calls.append("gone"))
    assert line.flushes() is None
    await wait_all_tasks_blocked()
    line.pipe.hangs_up()
    await wait_all_tasks_blocked()
    assert calls == ["gone"]
    line.connection.drop()


async def test_connections_that_end_at_once_are_closed_one_in_each_pass_of_the_loop(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    closings = trio.Lock()
    lines = [Line(nursery) for _ in range(20)]
    for line in lines:
        line.host.closings = closings
    await wait_all_tasks_blocked()
    for line in lines:
        line.connection.drop()
    closed = [0]
    while closed[-1] < len(lines):
        await trio.lowlevel.checkpoint()
        closed.append(sum(line.pipe.is_closed() for line in lines))
    assert max(after - before for before, after in itertools.pairwise(closed)) <= 2  # one, and one with its last step


async def test_a_connection_is_closed_when_the_server_ends(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        line = Line(nursery)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert line.pipe.is_closed()
    assert line.host.has_ended
