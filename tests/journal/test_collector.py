"""Steps that are handed over whole, and how long the writer waits for them."""

import threading

import pytest

from tests.journal.keeping import BOUND_S, won
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult
from ugs.broker.record import EntryKind
from ugs.journal import collector as collecting
from ugs.journal.batch import Batch
from ugs.journal.collector import Collector
from ugs.journal.entries import read_entries

MOVE = RecordEntry("g", EntryKind.MOVE, 0, body=b"<move/>")


class Taking(threading.Thread):
    """A writer's thread that takes once."""

    def __init__(self, collector: Collector, idle_s: float | None = None) -> None:
        super().__init__(daemon=True)
        self.taken = Batch()
        self._collector = collector
        self._idle_s = idle_s
        self.start()

    def run(self) -> None:
        """Take."""
        self.taken = self._collector.take(self._idle_s)

    def ended(self) -> Batch:
        """What it took."""
        self.join(BOUND_S)
        assert not self.is_alive()
        return self.taken


@pytest.fixture
def collector() -> Collector:
    """One with a game that runs."""
    collector = Collector(1, 1, 1)
    collector.begin(RecordBegin("g", "chess", "m", ("ann", "ben")), 1, 1)
    collector.flush()
    assert len(collector.take_now().begun) == 1
    collector.done()
    return collector


def test_a_step_is_taken_whole_or_not_at_all(collector: Collector) -> None:
    for _ in range(50):
        taking = Taking(collector)
        for number in range(20):
            collector.entry(MOVE, number, number)
        collector.flush()
        (part,) = taking.ended().parts
        assert [entry.wall_us for entry in read_entries(b"".join(part.entries))] == list(range(20))


def test_entries_linger_for_others_until_somebody_waits(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "LINGER_S", BOUND_S * 10)
    taking = Taking(collector)
    for number in range(3):
        collector.entry(MOVE, number, number)
        collector.flush()
    collector.result(RecordResult(won("g")), 1, ())
    collector.flush()
    batch = taking.ended()
    assert len(batch.ended) == 1
    assert sum(len(part.entries) for part in batch.parts) == 3


def test_entries_do_not_linger_for_ever(collector: Collector) -> None:
    collector.entry(MOVE, 1, 1)
    collector.flush()
    assert len(Taking(collector).ended()) == 1


def test_the_end_is_waited_for_by_nobody(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "LINGER_S", BOUND_S * 10)
    lingering = Taking(collector)
    collector.entry(MOVE, 1, 1)
    collector.end()
    assert len(lingering.ended()) == 1
    assert not Taking(collector).ended()
    collector.pause(BOUND_S * 10)
    assert collector.ended


def test_after_some_time_without_anything_the_writer_looks_around(collector: Collector) -> None:
    assert not Taking(collector, 0.0).ended()


def test_pending_bytes_are_what_is_not_yet_on_disk(collector: Collector) -> None:
    assert collector.pending_bytes == 0
    collector.entry(MOVE, 1, 1)
    collector.flush()
    pending = collector.pending_bytes
    assert pending > len(MOVE.body)
    collector.take_now()
    assert collector.pending_bytes == pending
    collector.done()
    assert collector.pending_bytes == 0


def test_what_could_not_be_written_comes_before_what_came_meanwhile(collector: Collector) -> None:
    collector.result(RecordResult(won("g")), 1, ())
    collector.flush()
    first = collector.take_now()
    collector.result(RecordResult(won("h")), 2, ())
    collector.flush()
    collector.put_back(first)
    assert [ended.result.game_id for ended in collector.take_now().ended] == ["g", "h"]


def test_flushing_nothing_does_nothing(collector: Collector) -> None:
    collector.flush()
    collector.flush()
    assert not collector.take_now()
