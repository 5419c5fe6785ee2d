"""What the recorder hands to the journal and when, and what follows from a result without a journal."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.journal.servers import void, won
from ugs.broker.effects import RecordEntry, RecordLogout, RecordResult, RecordSession
from ugs.broker.events import Event, ResultKept
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.journal.recorder import MAX_UNWRITTEN_BYTES, WALL_CLOCK_S, Recorder
from ugs.daemon.server_clock import CATCHES_UP_S, ServerClock
from ugs.journal.journal import Journal
from ugs.record.times import MICRO

MOVE, STATE = (RecordEntry("g1", kind) for kind in (EntryKind.MOVE, EntryKind.STATE))
LOGOUT = RecordLogout(1, "has gone")


class FakeJournal:
    """Keeps the times that it is handed, in microseconds."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, int]] = []
        """On the wall, on Trio's clock, and when the peer had been handed the reason."""
        self.records: list[tuple[int, int]] = []
        self.flushes = 0
        self.pending_bytes = 0

    def entry(self, _effect: RecordEntry, wall_us: int, mono_us: int, handed_us: int) -> None:
        self.entries.append((wall_us, mono_us, handed_us))

    def record(self, _effect: Any, wall_us: int, mono_us: int, *, round_trips_us: Sequence[int] = ()) -> None:
        self.records.append((wall_us, mono_us))

    def flush(self) -> None:
        self.flushes += 1


class Desk:
    """A recorder, and what it tells."""

    def __init__(self, journal: FakeJournal | None) -> None:
        self.work = trio.lowlevel.ParkingLot()
        self.following: list[Event] = []
        self.recorder = Recorder(cast(Journal | None, journal), {}, self.following.append, self.work)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets by how many microseconds the clock on the wall is ahead."""

    def is_ahead(offset_us: int) -> None:
        monkeypatch.setattr(WallClock, "look", lambda _self, _now: offset_us)

    is_ahead(1000)
    return is_ahead


@pytest.mark.usefixtures("wall")
async def test_an_entry_tells_when_its_peer_had_been_handed_the_reason() -> None:
    journal = FakeJournal()
    recorder = Desk(journal).recorder
    recorder.entry(MOVE, 1.0)
    recorder.masters_handed(1.5)
    recorder.entry(STATE, 2.0)
    recorder.handed_us["g1"] = 2_250_000
    recorder.entry(MOVE, 3.0)
    recorder.entry(STATE, 4.0)
    assert [handed_us for _, _, handed_us in journal.entries] == [0, 1_500_000, 2_250_000, 0]


async def test_the_clock_on_the_wall_is_read_anew_after_a_while(wall: Callable[[int], None]) -> None:
    journal = FakeJournal()
    recorder = Desk(journal).recorder
    recorder.entry(MOVE, 1.0)
    wall(2000)
    recorder.entry(STATE, 1.0 + WALL_CLOCK_S)
    recorder.record(LOGOUT, 1.1 + WALL_CLOCK_S)
    assert [wall_us - mono_us for wall_us, mono_us, _ in journal.entries] == [1000, 1000]
    assert [wall_us - mono_us for wall_us, mono_us in journal.records] == [2000]


async def test_a_session_began_when_the_clock_on_the_wall_showed_it(autojump_clock: MockClock) -> None:
    """However often it is recorded, and whatever the clock shows now."""
    journal, ahead_s = FakeJournal(), 1_900_000_000.0
    recorder = Desk(journal).recorder
    recorder._wall = WallClock(lambda: int((trio.current_time() + ahead_s) * MICRO))
    began_at = trio.current_time()
    told = round((began_at + ahead_s) * MICRO)
    for jump_s in (0, 7200, -20_000):
        ahead_s += jump_s
        await trio.sleep(10)
        held_s = trio.current_time() - began_at
        recorder.session(RecordSession("s1", "d1", "ann", "go", (), True, held_s), trio.current_time())
        wall_us, _ = journal.records[-1]
        assert abs(wall_us - round(held_s * MICRO) - told) < 10
    Desk(None).recorder.session(RecordSession("s1", "d1", "ann", "go", (), True), trio.current_time())


@pytest.mark.usefixtures("wall")
@pytest.mark.parametrize("way", ["entry", "result", "record"])
async def test_whatever_is_recorded_wakes_the_task_that_writes(way: str, nursery: trio.Nursery) -> None:
    journal = FakeJournal()
    desk = Desk(journal)
    woken = 0

    async def writes() -> None:
        nonlocal woken
        while True:
            await desk.work.park()
            woken += 1

    nursery.start_soon(writes)
    await wait_all_tasks_blocked()
    effect = {"entry": MOVE, "result": RecordResult(void("g1", Cause.SERVER_LOST)), "record": LOGOUT}[way]
    for _ in range(3):
        getattr(desk.recorder, way)(effect, 1.0)
    await wait_all_tasks_blocked()
    assert (woken, desk.recorder.unwritten, journal.flushes) == (1, True, 0)
    desk.recorder.write()
    assert (desk.recorder.unwritten, journal.flushes) == (False, 1)
    nursery.cancel_scope.cancel()


async def test_a_slow_disk_is_behind() -> None:
    journal = FakeJournal()
    recorder = Desk(journal).recorder
    assert not recorder.behind()
    journal.pending_bytes = MAX_UNWRITTEN_BYTES + 1
    assert recorder.behind()
    assert not Desk(None).recorder.behind()


async def test_without_a_journal_a_result_that_counts_is_kept_at_once_and_nothing_is_left_of_the_game() -> None:
    desk = Desk(None)
    desk.recorder.handed_us |= {"g1": 1, "g2": 2}
    desk.recorder.entry(MOVE, 1.0)
    desk.recorder.record(LOGOUT, 1.0)
    desk.recorder.result(RecordResult(won("g1", "ann", "bob")), 1.0)
    desk.recorder.result(RecordResult(void("g2", Cause.SERVER_LOST)), 1.0)
    assert desk.following == [ResultKept("g1")]
    assert desk.recorder.handed_us == {}
    assert not desk.recorder.unwritten


@pytest.mark.usefixtures("wall")
async def test_nothing_is_left_of_a_game_that_ends_before_its_master_was_handed_the_move() -> None:
    recorder = Desk(FakeJournal()).recorder
    recorder.entry(MOVE, 1.0)
    recorder.result(RecordResult(void("g1", Cause.SERVER_LOST)), 1.0)
    recorder.masters_handed(1.5)
    assert recorder.handed_us == {}


class HeldJournal(FakeJournal):
    """One that has to be on disk before anything is sent."""

    durable = True


async def test_the_clock_stands_while_messages_are_held_back_and_each_commit_lets_it_catch_up(
    autojump_clock: MockClock,
) -> None:
    """Also where more is recorded all the time: what counts is how long one commit takes."""
    journal, clock = HeldJournal(), ServerClock()
    recorder = Recorder(cast(Journal, journal), {}, lambda _: None, trio.lowlevel.ParkingLot(), clock=clock)
    assert recorder.lets_go()
    journal.durable = False
    for _ in range(10):
        assert not recorder.lets_go()
        await trio.sleep(CATCHES_UP_S)
        assert clock.stands
        recorder.now_durable()
    assert clock.stood_s == pytest.approx(0)
    await trio.sleep(30)
    journal.durable = True
    recorder.now_durable()
    assert not clock.stands
    assert clock.stood_s == pytest.approx(30 - CATCHES_UP_S)


async def test_the_clock_stands_while_the_disk_is_behind(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    journal, clock = HeldJournal(), ServerClock()
    recorder = Recorder(cast(Journal, journal), {}, lambda _: None, trio.lowlevel.ParkingLot(), clock=clock)
    journal.pending_bytes = MAX_UNWRITTEN_BYTES + 1
    nursery.start_soon(recorder.caught_up)
    await trio.sleep(10)
    assert recorder.lets_go(), "what is written may go out"
    states = [clock.stands]
    journal.pending_bytes = 0
    await trio.sleep(1)
    assert [*states, clock.stands] == [True, False]
    assert clock.stood_s == pytest.approx(10 - CATCHES_UP_S, abs=0.1)
