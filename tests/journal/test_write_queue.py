"""Steps are handed over as a whole; how long the writer waits for them."""

import threading

import pytest

from tests.journal.servers import BOUND_S, won
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult
from ugs.broker.record import EntryKind
from ugs.journal import write_queue
from ugs.journal.batch import Batch
from ugs.journal.entries import read_entries
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


def test_a_step_is_taken_whole_or_not_at_all(queue: WriteQueue) -> None:
    for _ in range(50):
        taking = Taking(queue)
        for number in range(20):
            queue.entry(MOVE, number, number)
        queue.flush()
        (part,) = taking.ended().parts
        assert [entry.wall_us for entry in read_entries(b"".join(part.entries))] == list(range(20))


def test_entries_linger_for_others_until_somebody_waits(queue: WriteQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "LINGER_S", BOUND_S * 10)
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
