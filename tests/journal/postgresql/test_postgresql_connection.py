"""A database that takes what comes and does not answer."""

import psycopg
import pytest

from tests.journal.postgresql.database_server import DatabaseServer
from tests.journal.servers import JournalServer, won
from ugs.journal.postgresql import fencing, postgresql_store
from ugs.journal.postgresql.postgresql_connection import Silent, connected
from ugs.places import DatabaseUrl

SOON_S = 0.5


def test_a_connection_to_a_database_that_hangs_is_given_up(own_database: DatabaseServer) -> None:
    db = connected(own_database.journal(), SOON_S)
    with own_database.hangs(), pytest.raises(Silent, match="has not answered"):
        db.execute("SELECT 1")
    assert db.closed


def test_pipelined_statements_are_given_up_as_well(own_database: DatabaseServer) -> None:
    db = connected(own_database.journal(), SOON_S)
    with own_database.hangs(), pytest.raises(psycopg.OperationalError), db.pipeline():
        db.execute("SELECT 1")
    assert db.closed


def test_each_answer_has_the_time_for_itself(own_database: DatabaseServer) -> None:
    with connected(own_database.journal(), SOON_S) as db:
        for _ in range(4):
            assert db.execute("SELECT 1 FROM pg_sleep(0.2)").fetchone() == (1,)


@pytest.mark.parametrize("is_idle", [False, True])
def test_with_moves_kept_a_server_ends_that_the_database_lets_hang(
    own_database: DatabaseServer, monkeypatch: pytest.MonkeyPatch, is_idle: bool
) -> None:
    """No time-out of the network sees it: the database's system acknowledges everything."""
    monkeypatch.setattr(postgresql_store, "PATIENCE_S", SOON_S)
    monkeypatch.setattr(fencing.FencedTransactions, "patience_s", SOON_S)
    monkeypatch.setattr(fencing.FencedTransactions, "beat_s", 0.05)
    monkeypatch.setattr(fencing, "BEAT_S", 0.05)
    url = DatabaseUrl(f"{own_database.journal().text}&connect_timeout=2")
    with JournalServer(url, keep="moves") as server:
        server.plays("g1")
        server.settles()
        with own_database.hangs():
            if not is_idle:
                server.begins("g2")
                server.journal.flush()
            server.reports.wait_for("gone")
    assert [report for report in server.reports.told if report.startswith("lost")] == []


def test_with_results_kept_they_wait_as_long_as_the_database_hangs(
    own_database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = DatabaseUrl(f"{own_database.journal().text}&connect_timeout=2")
    monkeypatch.setattr(postgresql_store, "PATIENCE_S", SOON_S)
    monkeypatch.setattr(fencing.FencedTransactions, "patience_s", SOON_S)
    with JournalServer(url, keep="results") as server:
        server.plays("g0")
        server.settles()
        with own_database.hangs():
            server.begins("g1")
            server.ends(won("g1"))
            server.journal.flush()
            with pytest.raises(psycopg.OperationalError):  # for as long as others need to give up
                connected(url)
            assert server.reports.told == []
        server.reports.wait_for("kept g1")
