"""Steps are handed over as a whole; how long the writer waits for them."""

import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.journal.servers import BOUND_S, won
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult
from ugs.broker.values.record import EntryKind
from ugs.journal import waiting, write_queue
from ugs.journal.batch import Batch
from ugs.journal.entries import read_entries
from ugs.journal.write_ahead import WriteAhead, read_write_ahead
from ugs.journal.write_queue import WriteQueue

MOVE = RecordEntry("g", EntryKind.MOVE, 0, body=b"<move/>")


class Taking(threading.Thread):
    """A writer's thread that takes one batch."""

    def __init__(self, queue: WriteQueue, idle_s: float | None = None) -> None:
        super().__init__(daemon=True)
        self.taken = Batch()
        self._queue = queue
        self._idle_s = idle_s
        self.start()

    def run(self) -> None:
        """Take one batch."""
        self.taken = self._queue.take(self._idle_s)

    def ended(self) -> Batch:
        """Wait for the thread; returns the batch."""
        self.join(BOUND_S)
        assert not self.is_alive()
        return self.taken


@pytest.fixture
def queue() -> WriteQueue:
    """A queue with one running game."""
    queue = WriteQueue(1, 1, 1)
    queue.begin(RecordBegin("g", "chess", "m", ("ann", "ben")), 1, 1)
    queue.flush()
    assert len(queue.take_now().begun) == 1
    queue.done()
    return queue


def put_load_on(queue: WriteQueue) -> None:
    """Let so many entries be written that no machine is too slow to take them for load."""
    queue.flush()
    queue.take_now()
    for number in range(5000):
        queue.entry(MOVE, number, number)
    queue.flush()
    queue.take_now()
    queue.done()


def test_a_step_is_taken_whole_or_not_at_all(queue: WriteQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "HELD_S", 0.0)
    for _ in range(50):
        taking = Taking(queue)
        for number in range(20):
            queue.entry(MOVE, number, number)
        queue.flush()
        (part,) = taking.ended().parts
        assert [entry.wall_us for entry in read_entries(b"".join(part.entries))] == list(range(20))


def test_entries_linger_for_others_until_somebody_waits(queue: WriteQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "LINGER_S", BOUND_S * 10)
    put_load_on(queue)
    taking = Taking(queue)
    for number in range(3):
        queue.entry(MOVE, number, number)
        queue.flush()
    queue.result(RecordResult(won("g")), 1, ())
    queue.flush()
    batch = taking.ended()
    assert len(batch.ended) == 1
    assert sum(len(part.entries) for part in batch.parts) == 3


def test_entries_do_not_linger_for_ever(queue: WriteQueue) -> None:
    queue.entry(MOVE, 1, 1)
    queue.flush()
    assert len(Taking(queue).ended()) == 1


def test_the_end_interrupts_every_wait(queue: WriteQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "LINGER_S", BOUND_S * 10)
    put_load_on(queue)
    lingering = Taking(queue)
    queue.entry(MOVE, 1, 1)
    queue.end()
    assert len(lingering.ended()) == 1
    assert not Taking(queue).ended()
    queue.pause(BOUND_S * 10)
    assert queue.ended


def test_an_idle_writer_gets_an_empty_batch_after_its_time_limit(queue: WriteQueue) -> None:
    assert not Taking(queue, 0.0).ended()


def test_pending_bytes_are_what_is_not_yet_on_disk(queue: WriteQueue) -> None:
    assert queue.pending_bytes == 0
    queue.entry(MOVE, 1, 1)
    queue.flush()
    pending = queue.pending_bytes
    assert pending > len(MOVE.body)
    queue.take_now()
    assert queue.pending_bytes == pending
    queue.done()
    assert queue.pending_bytes == 0


def test_what_could_not_be_written_comes_before_what_came_meanwhile(queue: WriteQueue) -> None:
    queue.result(RecordResult(won("g")), 1, ())
    queue.flush()
    first = queue.take_now()
    queue.result(RecordResult(won("h")), 2, ())
    queue.flush()
    queue.put_back(first)
    assert [ended.result.game_id for ended in queue.take_now().ended] == ["g", "h"]


def test_flushing_nothing_does_nothing(queue: WriteQueue) -> None:
    queue.flush()
    queue.flush()
    assert not queue.take_now()


def test_how_long_the_oldest_has_waited(queue: WriteQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(write_queue, "monotonic", lambda: now)
    assert queue.lag_s == 0
    queue.entry(MOVE, 1, 1)
    queue.flush()
    now = 103.0
    queue.entry(MOVE, 1, 1)
    queue.flush()
    assert queue.lag_s == 3, "that of the oldest"
    batch = queue.take_now()
    now = 104.0
    assert queue.lag_s == 4, "also while it is being written"
    queue.put_back(batch)
    now = 105.0
    assert queue.lag_s == 5, "and when that failed"
    queue.take_now()
    queue.done()
    assert queue.lag_s == 0


class UnderLoad:
    """Two running games under load, of which only one can outlive the server."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.write_ahead = WriteAhead(directory)
        self.queue = WriteQueue(1, 1, 1, write_ahead=self.write_ahead)
        for game, seed in (("g", ""), ("lasting", "seed")):
            self.queue.begin(RecordBegin(game, "chess", "m", ("ann", "ben"), seed=seed), 1, 1)
        put_load_on(self.queue)

    def moves(self, *games: str) -> None:
        """A step with a move in each of these."""
        for game in games:
            self.queue.entry(RecordEntry(game, EntryKind.MOVE, 0, body=b"<move/>"), 1, 1)
        self.queue.flush()

    def ends(self, game: str) -> None:
        """A step with a result."""
        self.queue.result(RecordResult(won(game)), 1, ())
        self.queue.flush()

    def takes(self) -> dict[int, int]:
        """The writer takes a batch and writes it: by game the entries in it."""
        batch = self.queue.take(0.0)
        self.queue.done()
        return {part.row: len(part.entries) for part in batch.parts}

    def write_ahead_has(self) -> int:
        """How many entries a killed server would find of the game that can outlive it."""
        return len(read_write_ahead(self.directory).get("lasting", ()))


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UnderLoad]:
    """A queue whose entries wait for ever, if it is not for another reason."""
    monkeypatch.setattr(waiting, "HELD_S", BOUND_S * 10)
    loaded = UnderLoad(tmp_path)
    yield loaded
    loaded.write_ahead.close()


def test_under_load_entries_of_running_games_wait_and_results_do_not(loaded: UnderLoad) -> None:
    loaded.moves("g", "lasting")
    assert loaded.takes() == {}
    loaded.moves("g", "lasting")
    loaded.ends("g")
    assert loaded.takes() == {1: 2}, "all entries of a game are written with its result"
    loaded.ends("lasting")
    assert loaded.takes() == {2: 2}
    assert loaded.queue.pending_bytes == 0


def test_what_waits_is_pending(loaded: UnderLoad, monkeypatch: pytest.MonkeyPatch) -> None:
    now = monotonic() + 100
    monkeypatch.setattr(write_queue, "monotonic", lambda: now)
    loaded.moves("g")
    pending = loaded.queue.pending_bytes
    assert pending > 0
    now += 3
    assert loaded.takes() == {}
    assert loaded.queue.pending_bytes == pending
    assert loaded.queue.lag_s == pytest.approx(3)


def test_after_its_time_what_waited_is_taken_though_nothing_is_added(
    loaded: UnderLoad, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded.moves("g")
    assert loaded.takes() == {}
    assert not loaded.queue.has_content, "finished games can be packed meanwhile"
    monkeypatch.setattr(waiting, "HELD_S", 0.0)
    assert loaded.takes() == {1: 1}


def test_at_the_end_nothing_waits(loaded: UnderLoad) -> None:
    loaded.moves("g")
    loaded.queue.end()
    assert loaded.takes() == {1: 1}


def test_what_waits_can_be_recovered_after_the_end_of_the_process(loaded: UnderLoad) -> None:
    loaded.moves("lasting")
    assert loaded.takes() == {}
    loaded.moves("g", "lasting")
    loaded.ends("g")
    assert loaded.takes() == {1: 1}
    assert loaded.write_ahead_has() == 2
    loaded.queue.end()
    assert loaded.takes() == {2: 2}
    assert loaded.write_ahead_has() == 0


def test_when_the_journal_is_lost_what_waits_is_dropped(loaded: UnderLoad) -> None:
    loaded.moves("g", "lasting")
    batch = loaded.queue.take(0.0)
    loaded.queue.lose(batch)
    loaded.queue.accept_loss()
    loaded.queue.resume()
    loaded.moves("g")
    assert loaded.queue.pending_bytes == 0
    assert not loaded.queue.take_now()
