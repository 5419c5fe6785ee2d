"""Steps are handed over as a whole; how long the writer waits for them."""

import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.journal.ends import Ends
from tests.journal.servers import BOUND_S, won
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult
from ugs.broker.values.record import EntryKind
from ugs.journal import batch_taker, thread_handover, waiting
from ugs.journal.batch import Batch
from ugs.journal.entries import read_entries
from ugs.journal.write_ahead import WriteAhead, read_write_ahead

MOVE = RecordEntry("g", EntryKind.MOVE, 0, body=b"<move/>")


class Taking(threading.Thread):
    """A writer's thread that takes one batch."""

    def __init__(self, ends: Ends, idle_s: float | None = None) -> None:
        super().__init__(daemon=True)
        self.taken = Batch()
        self._ends = ends
        self._idle_s = idle_s
        self.start()

    def run(self) -> None:
        """Take one batch."""
        self.taken = self._ends.taker.take(self._idle_s)

    def ended(self) -> Batch:
        """Wait for the thread; returns the batch."""
        self.join(BOUND_S)
        assert not self.is_alive()
        return self.taken


@pytest.fixture
def ends() -> Ends:
    """A hand-over with one running game."""
    ends = Ends()
    ends.collector.begin(RecordBegin("g", "chess", "m", ("ann", "ben")), 1, 1)
    ends.collector.flush()
    assert len(ends.taker.take_now().begun) == 1
    ends.taker.done()
    return ends


def put_load_on(ends: Ends) -> None:
    """Let so many entries be written that no machine is too slow to take them for load."""
    ends.collector.flush()
    ends.taker.take_now()
    for number in range(5000):
        ends.collector.entry(MOVE, number, number)
    ends.collector.flush()
    ends.taker.take_now()
    ends.taker.done()


def test_a_step_is_taken_whole_or_not_at_all(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "HELD_S", 0.0)
    for _ in range(50):
        taking = Taking(ends)
        for number in range(20):
            ends.collector.entry(MOVE, number, number)
        ends.collector.flush()
        (part,) = taking.ended().parts
        assert [entry.wall_us for entry in read_entries(b"".join(part.entries))] == list(range(20))


def test_entries_linger_for_others_until_somebody_waits(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_taker, "LINGER_S", BOUND_S * 10)
    put_load_on(ends)
    taking = Taking(ends)
    for number in range(3):
        ends.collector.entry(MOVE, number, number)
        ends.collector.flush()
    ends.collector.result(RecordResult(won("g")), 1, ())
    ends.collector.flush()
    batch = taking.ended()
    assert len(batch.ended) == 1
    assert sum(len(part.entries) for part in batch.parts) == 3


def test_entries_do_not_linger_for_ever(ends: Ends) -> None:
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.flush()
    assert len(Taking(ends).ended()) == 1


def test_the_end_interrupts_every_wait(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_taker, "LINGER_S", BOUND_S * 10)
    put_load_on(ends)
    lingering = Taking(ends)
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.end()
    assert len(lingering.ended()) == 1
    assert not Taking(ends).ended()
    ends.taker.pause(BOUND_S * 10)
    assert ends.taker.ended


def test_an_idle_writer_gets_an_empty_batch_after_its_time_limit(ends: Ends) -> None:
    assert not Taking(ends, 0.0).ended()


def test_pending_bytes_are_what_is_not_yet_on_disk(ends: Ends) -> None:
    assert ends.handover.pending_bytes == 0
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.flush()
    pending = ends.handover.pending_bytes
    assert pending > len(MOVE.body)
    ends.taker.take_now()
    assert ends.handover.pending_bytes == pending
    ends.taker.done()
    assert ends.handover.pending_bytes == 0


def test_what_could_not_be_written_comes_before_what_came_meanwhile(ends: Ends) -> None:
    ends.collector.result(RecordResult(won("g")), 1, ())
    ends.collector.flush()
    first = ends.taker.take_now()
    ends.collector.result(RecordResult(won("h")), 2, ())
    ends.collector.flush()
    ends.taker.put_back(first)
    assert [ended.result.game_id for ended in ends.taker.take_now().ended] == ["g", "h"]


def test_flushing_nothing_does_nothing(ends: Ends) -> None:
    ends.collector.flush()
    ends.collector.flush()
    assert not ends.taker.take_now()


def test_how_long_the_oldest_has_waited(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(thread_handover, "monotonic", lambda: now)
    assert ends.handover.lag_s == 0
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.flush()
    now = 103.0
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.flush()
    assert ends.handover.lag_s == 3, "that of the oldest"
    batch = ends.taker.take_now()
    now = 104.0
    assert ends.handover.lag_s == 4, "also while it is being written"
    ends.taker.put_back(batch)
    now = 105.0
    assert ends.handover.lag_s == 5, "and when that failed"
    ends.taker.take_now()
    ends.taker.done()
    assert ends.handover.lag_s == 0


class UnderLoad:
    """Two running games under load, of which only one can outlive the server."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.write_ahead = WriteAhead(directory)
        self.ends = Ends(write_ahead=self.write_ahead)
        for game, seed in (("g", ""), ("lasting", "seed")):
            self.ends.collector.begin(RecordBegin(game, "chess", "m", ("ann", "ben"), seed=seed), 1, 1)
        put_load_on(self.ends)

    def moves(self, *games: str) -> None:
        """A step with a move in each of these."""
        for game in games:
            self.ends.collector.entry(RecordEntry(game, EntryKind.MOVE, 0, body=b"<move/>"), 1, 1)
        self.ends.collector.flush()

    def ends_game(self, game: str) -> None:
        """A step with a result."""
        self.ends.collector.result(RecordResult(won(game)), 1, ())
        self.ends.collector.flush()

    def takes(self) -> dict[int, int]:
        """The writer takes a batch and writes it: by game the entries in it."""
        batch = self.ends.taker.take(0.0)
        self.ends.taker.done()
        return {part.row: len(part.entries) for part in batch.parts}

    def write_ahead_has(self) -> int:
        """How many entries a killed server would find of the game that can outlive it."""
        return len(read_write_ahead(self.directory).get("lasting", ()))


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UnderLoad]:
    """A hand-over whose entries wait for ever, if it is not for another reason."""
    monkeypatch.setattr(waiting, "HELD_S", BOUND_S * 10)
    loaded = UnderLoad(tmp_path)
    yield loaded
    loaded.write_ahead.close()


def test_under_load_entries_of_running_games_wait_and_results_do_not(loaded: UnderLoad) -> None:
    loaded.moves("g", "lasting")
    assert loaded.takes() == {}
    loaded.moves("g", "lasting")
    loaded.ends_game("g")
    assert loaded.takes() == {1: 2}, "all entries of a game are written with its result"
    loaded.ends_game("lasting")
    assert loaded.takes() == {2: 2}
    assert loaded.ends.handover.pending_bytes == 0


def test_what_waits_is_pending(loaded: UnderLoad, monkeypatch: pytest.MonkeyPatch) -> None:
    now = monotonic() + 100
    monkeypatch.setattr(thread_handover, "monotonic", lambda: now)
    loaded.moves("g")
    pending = loaded.ends.handover.pending_bytes
    assert pending > 0
    now += 3
    assert loaded.takes() == {}
    assert loaded.ends.handover.pending_bytes == pending
    assert loaded.ends.handover.lag_s == pytest.approx(3)


def test_after_its_time_what_waited_is_taken_though_nothing_is_added(
    loaded: UnderLoad, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded.moves("g")
    assert loaded.takes() == {}
    assert not loaded.ends.taker.has_content, "finished games can be packed meanwhile"
    monkeypatch.setattr(waiting, "HELD_S", 0.0)
    assert loaded.takes() == {1: 1}


def test_at_the_end_nothing_waits(loaded: UnderLoad) -> None:
    loaded.moves("g")
    loaded.ends.collector.end()
    assert loaded.takes() == {1: 1}


def test_what_waits_can_be_recovered_after_the_end_of_the_process(loaded: UnderLoad) -> None:
    loaded.moves("lasting")
    assert loaded.takes() == {}
    loaded.moves("g", "lasting")
    loaded.ends_game("g")
    assert loaded.takes() == {1: 1}
    assert loaded.write_ahead_has() == 2
    loaded.ends.collector.end()
    assert loaded.takes() == {2: 2}
    assert loaded.write_ahead_has() == 0


def test_when_the_journal_is_lost_what_waits_is_dropped(loaded: UnderLoad) -> None:
    loaded.moves("g", "lasting")
    batch = loaded.ends.taker.take(0.0)
    loaded.ends.taker.lose(batch)
    loaded.ends.collector.accept_loss()
    loaded.ends.taker.resume()
    loaded.moves("g")
    assert loaded.ends.handover.pending_bytes == 0
    assert not loaded.ends.taker.take_now()
