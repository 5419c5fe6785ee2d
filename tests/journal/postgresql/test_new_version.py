"""A new version of ugs on the journal of the one before: the old server ends, and the new one goes on."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import psycopg
import pytest

from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from tests.journal.servers import BOUND_S, JournalServer, won
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql import postgresql_schema, postgresql_store
from ugs.journal.postgresql.postgresql_store import PostgresqlStore
from ugs.journal.reader import Reader
from ugs.journal.schema_versions import ADDITIVE, MIGRATIONS

LATEST = max(MIGRATIONS)


def version(url: JournalUrl) -> int:
    """That of the tables."""
    with psycopg.connect(url.text) as db:
        found = db.execute("SELECT version FROM journal_version").fetchone()
        assert found is not None
        return int(found[0])


def take_back(url: JournalUrl) -> None:
    """Make the tables those of the version before, as its server leaves them."""
    assert LATEST in ADDITIVE, "adapt this to the step"
    with psycopg.connect(url.text) as db:
        db.execute("DROP TABLE refused")
        db.execute("UPDATE journal_version SET version = %s", (LATEST - 1,))


@contextmanager
def version_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This program knows no later version than the one before."""
    earlier = {number: steps for number, steps in MIGRATIONS.items() if number < LATEST}
    with monkeypatch.context() as patch:
        for module in (postgresql_schema, postgresql_store):
            patch.setattr(module, "MIGRATIONS", earlier)
        yield


def test_a_running_game_goes_on_at_the_new_version_and_the_old_one_refuses_its_tables(
    url: JournalUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JournalServer(url, keep="moves") as old:
        old.session("ann")
        old.session("ben")
        old.plays("g1")
        old.begins("g2", seed="seed")
        old.moves("g2", 3)
        old.journal.flush()
        old.settles()
    take_back(url)
    with JournalServer(url, keep="moves") as new:
        assert version(url) == LATEST
        assert [game.begin.game_id for game in new.journal.past.games] == ["g2"]
        new.ends(won("g2"))
        new.plays("g3")
    with Reader(url) as reader:
        assert sorted(result.game_id for result in reader.results()) == ["g1", "g2", "g3"]
    with version_before(monkeypatch), pytest.raises(JournalError, match=f"of version {LATEST}, this program knows"):
        JournalServer(url)


def test_a_new_version_that_stands_by_leaves_the_tables_as_they_are_until_the_old_server_has_ended(
    url: JournalUrl, shared_database: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Event()
    with ThreadPoolExecutor(1) as threads:
        with JournalServer(url) as old:
            old.plays("g1")
            with psycopg.connect(url.text) as db:
                db.execute("UPDATE journal_version SET version = %s", (LATEST - 1,))
            standing_by = threads.submit(PostgresqlStore, url, waits=waits.set)
            assert waits.wait(BOUND_S)
            assert version(url) == LATEST - 1
            with psycopg.connect(url.text) as db:
                db.execute("DROP TABLE refused")
        store = standing_by.result(BOUND_S)
    assert version(url) == LATEST
    store.open().close()
    store.close()


def test_an_old_version_that_stood_by_ends_instead_of_serving_later_tables(
    url: JournalUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Event()
    with ThreadPoolExecutor(1) as threads:
        with JournalServer(url):
            with psycopg.connect(url.text) as db:
                db.execute("UPDATE journal_version SET version = %s", (LATEST + 1,))
            monkeypatch.setattr(postgresql_store, "version_of", lambda _db, _name: LATEST)
            standing_by = threads.submit(PostgresqlStore, url, waits=waits.set)
            assert waits.wait(BOUND_S)
            monkeypatch.undo()
        with pytest.raises(JournalError, match="this program knows versions up to"):
            standing_by.result(BOUND_S)
