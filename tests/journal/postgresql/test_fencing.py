"""One writer, whatever happens to connections, to the database and to other servers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from tests.journal.servers import JournalServer, won
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql import fencing
from ugs.journal.postgresql.fencing import WriterLock
from ugs.journal.postgresql.postgresql_store import create
from ugs.journal.reader import Reader
from ugs.places import DatabaseUrl


def games(url: JournalUrl) -> list[str]:
    """The ids of all results, in order."""
    with Reader(url) as reader:
        return [result.game_id for result in reader.results()]


def test_two_servers_cannot_hold_one_journal(url: JournalUrl) -> None:
    with JournalServer(url) as server:
        with pytest.raises(JournalError, match=r"in use by another server \(.+\); --standby waits"):
            JournalServer(url)
        server.plays("g1")
    with JournalServer(url) as server:
        server.plays("g2")
    assert games(url) == ["g1", "g2"]


def test_cut_connections_cost_nothing_and_write_nothing_twice(url: JournalUrl, shared_database: DatabaseServer) -> None:
    with JournalServer(url) as server:
        for number in range(4):
            server.plays(f"g{number}")
            shared_database.cut()
        server.plays("last")
        assert server.reports.told == []
    assert games(url) == ["g0", "g1", "g2", "g3", "last"]
    with Reader(url) as reader:
        assert [len(reader.record(f"g{number}").entries) for number in range(4)] == [7] * 4
        assert [run.losses for run in reader.runs()] == [0]


def test_who_was_cut_off_while_another_took_over_writes_nothing_more(
    url: JournalUrl, shared_database: DatabaseServer
) -> None:
    with JournalServer(url) as old:
        old.plays("g1")
        with taken_over(old, url, shared_database) as new:
            new.plays("g2")
            old.begins("g3")
            old.ends(won("g3"))
            old.journal.flush()
            old.reports.wait_for("gone")
            assert old.reports.told == []
    assert games(url) == ["g1", "g2"]


def test_an_idle_server_notices_that_another_has_taken_over(
    url: JournalUrl, shared_database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencing.FencedTransactions, "beat_s", 0.02)
    with JournalServer(url) as old:
        old.plays("g1")
        with taken_over(old, url, shared_database):
            old.reports.wait_for("gone")


@pytest.mark.parametrize(("keep", "goes_on"), [("moves", True), ("results", False)])
def test_games_go_on_after_a_lost_server_only_if_it_kept_moves(
    url: JournalUrl, shared_database: DatabaseServer, keep: str, goes_on: bool
) -> None:
    with JournalServer(url, keep=keep) as lost:
        lost.session("ann")
        lost.session("ben")
        lost.begins("g1", seed="seed")
        lost.moves("g1", 3)
        lost.journal.flush()
        lost.settles()
        with taken_over(lost, url, shared_database) as new:
            assert [game.begin.game_id for game in new.journal.past.games] == ["g1"] * goes_on
            lost.journal.close()
            assert lost.reports.told[0].startswith("gone")


def test_with_moves_kept_all_is_on_disk_before_it_is_durable(url: JournalUrl) -> None:
    with JournalServer(url, keep="moves") as server:
        server.begins("g1", seed="seed")
        server.moves("g1", 3)
        server.journal.flush()
        server.settles()
        assert server.journal.durable
        with Reader(url) as reader:
            assert len(reader.record("g1").entries) == 7


@contextmanager
def taken_over(old: JournalServer, url: JournalUrl, database: DatabaseServer) -> Iterator[JournalServer]:
    """Another server has the journal, after the connections of the old one were cut; the old one does not know yet, and
    will not wait for the lock for long."""
    store: Any = old.journal._store
    lock: WriterLock = store.transactions._lock
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fencing, "RETAKE_S", 0.05)
        patch.setattr(lock, "held", lambda: True)
        database.cut()
        new = JournalServer(url)
        patch.setattr(lock, "held", lambda: False)
        with new:
            yield new


def test_a_database_that_cannot_keep_all_texts_is_refused(shared_database: DatabaseServer) -> None:
    shared_database.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
    url = DatabaseUrl(f"postgresql://ugs@/ascii?host={shared_database.folder}")
    with pytest.raises(JournalError, match="its encoding is SQL_ASCII, and UTF8 is needed"):
        JournalServer(url)


def test_servers_that_start_at_once_on_an_empty_database_make_its_tables_once(url: JournalUrl) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(create, [url] * 4)) == [None] * 4
