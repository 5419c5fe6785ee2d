"""A server that hangs keeps its connection, and loses its lock to the one that stands by."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest

from tests.journal.postgresql.database_server import JournalUrl
from tests.journal.servers import BOUND_S, JournalServer
from ugs.journal.postgresql import hung_holder
from ugs.journal.postgresql.fencing import WriterLock
from ugs.journal.postgresql.hung_holder import HUNG_S, HolderWatch
from ugs.journal.reader import Reader


class Rows:
    """A database in which the holder was last seen at these moments, one for each look."""

    def __init__(self, moments: Sequence[int]) -> None:
        self._moments = iter(moments)
        self.ended: list[Any] = []

    def execute(self, query: str, parameters: Any) -> "Rows":
        if query == hung_holder.END:
            self.ended.append(parameters)
        return self

    def fetchone(self) -> tuple[Any, ...]:
        return (True,) if self.ended else (7, "began", next(self._moments))


def looks(moments: Sequence[int], step_s: float, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Whose connections are ended by a standby that looks each ``step_s``."""
    clock = count(1000.0, step_s)
    monkeypatch.setattr(hung_holder, "monotonic", lambda: next(clock))
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
    monkeypatch.setattr(hung_holder, "HUNG_S", 0.3)
    standby = WriterLock(url)
    with ThreadPoolExecutor(1) as threads, JournalServer(url) as old:
        store: Any = old.journal._store
        old.plays("g1")
        with pytest.MonkeyPatch.context() as hangs:
            hangs.setattr(store.transactions._lock, "held", lambda: True)
            try:
                assert not standby.take()
                threads.submit(standby.wait).result(BOUND_S)
            finally:
                standby.release()
        assert standby.holder.ended == 1
        with JournalServer(url) as new:
            new.plays("g2")
            old.reports.wait_for("gone")
    with Reader(url) as reader:
        assert [result.game_id for result in reader.results()] == ["g1", "g2"]
