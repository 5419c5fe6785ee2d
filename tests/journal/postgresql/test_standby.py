"""A standby takes the lock when it is free: of a server that hangs, too, and of no other that is still there."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from tests.journal.servers import BOUND_S, JournalServer
from ugs.journal.postgresql import standby
from ugs.journal.postgresql.fencing import WriterLock
from ugs.journal.postgresql.standby import HUNG_S, HolderWatch, wait_for
from ugs.journal.reader import Reader


class Rows:
    """A database in which the holder was last seen at these moments, one for each look."""

    def __init__(self, moments: Sequence[int]) -> None:
        self._moments = iter(moments)
        self.ended: list[Any] = []

    def execute(self, query: str, parameters: Any) -> "Rows":
        if query == standby.END:
            self.ended.append(parameters)
        return self

    def fetchone(self) -> tuple[Any, ...]:
        return (True,) if self.ended else (7, "began", next(self._moments))


def looks(moments: Sequence[int], step_s: float, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Whose connections are ended by a standby that looks each ``step_s``."""
    clock = count(1000.0, step_s)
    monkeypatch.setattr(standby, "monotonic", lambda: next(clock))
    watch, rows = HolderWatch(), Rows(moments)
    for _ in moments:
        watch.look(rows)  # type: ignore[arg-type]
        if rows.ended:
            break
    return rows.ended


def test_a_holder_that_gives_no_sign_of_life_for_long_loses_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks([5] * (int(HUNG_S) + 1), 1.0, monkeypatch) == [(7, "began", 5)]
    assert looks([5] * int(HUNG_S), 1.0, monkeypatch) == []
    assert looks([*[5] * int(HUNG_S), *[6] * int(HUNG_S)], 1.0, monkeypatch) == []


def test_time_in_which_the_standby_or_the_database_stood_still_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks([5, 5, 5], 1000.0, monkeypatch) == []


def test_a_server_that_hangs_is_followed_by_its_standby_and_ends_when_it_goes_on(
    url: JournalUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "HUNG_S", 0.3)
    lock, watch = WriterLock(url), HolderWatch()
    with ThreadPoolExecutor(1) as threads, JournalServer(url) as old:
        store: Any = old.journal._store
        old.plays("g1")
        with pytest.MonkeyPatch.context() as hangs:
            hangs.setattr(store.transactions._lock, "held", lambda: True)
            try:
                assert not lock.take()
                threads.submit(wait_for, lock, watch).result(BOUND_S)
            finally:
                lock.release()
        assert watch.ended == 1
        with JournalServer(url) as new:
            new.plays("g2")
            old.reports.wait_for("gone")
    with Reader(url) as reader:
        assert [result.game_id for result in reader.results()] == ["g1", "g2"]


def test_a_server_that_stands_by_leaves_the_lock_to_its_holder_when_the_database_has_left_both(
    url: JournalUrl, shared_database: DatabaseServer
) -> None:
    lock = WriterLock(url)
    with ThreadPoolExecutor(1) as threads, closing_lock(lock):
        with JournalServer(url) as server:
            assert not lock.take()
            waiting = threads.submit(wait_for, lock, HolderWatch())
            for number in range(3):
                shared_database.cut()
                server.plays(f"g{number}")
            assert not waiting.done()
        waiting.result(BOUND_S)
    with Reader(url) as reader:
        assert [result.game_id for result in reader.results()] == ["g0", "g1", "g2"]


def test_a_server_whose_connection_is_ended_before_that_of_its_standby_keeps_the_lock(
    url: JournalUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that leaves both ends the one connection a moment before the other."""
    free = threading.Event()

    class Watch(HolderWatch):
        def look(self, db: Any) -> bool:
            held = super().look(db)
            if not held:
                free.set()
            return held

    lock, watch = WriterLock(url), Watch()
    monkeypatch.setattr(standby, "FREE_S", BOUND_S)
    with ThreadPoolExecutor(1) as threads, closing_lock(lock):
        with JournalServer(url) as server:
            assert not lock.take()
            waiting = threads.submit(wait_for, lock, watch)
            store: Any = server.journal._store
            of_holder: WriterLock = store.transactions._lock
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(of_holder, "held", lambda: False)
                patch.setattr(of_holder, "take", lambda: False)
                of_holder.hang_up()
                assert free.wait(BOUND_S)
            server.plays("g1")
            assert not waiting.done()
            monkeypatch.undo()
        waiting.result(BOUND_S)
    with Reader(url) as reader:
        assert [result.game_id for result in reader.results()] == ["g1"]


@contextmanager
def closing_lock(lock: WriterLock) -> Iterator[None]:
    """Let others have it at the end."""
    try:
        yield
    finally:
        lock.release()
