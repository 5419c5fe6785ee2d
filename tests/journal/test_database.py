"""Opening databases: new, older, newer, and those of other programs."""

import re
import sqlite3
from pathlib import Path

import pytest

from tests.journal.servers import JournalServer, ask, tamper
from tests.record.samples import tic_tac_toe
from ugs.broker.past import Past
from ugs.broker.values.standings import Row
from ugs.broker.verdict import Cause
from ugs.journal import database
from ugs.journal.database import APPLICATION_ID, DATABASE, connect
from ugs.journal.entries import write_entries
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.schema_versions import MIGRATIONS, VERSION_1

NEXT = max(MIGRATIONS) + 1
LATER = {**MIGRATIONS, NEXT: ("ALTER TABLE player ADD COLUMN land TEXT NOT NULL DEFAULT 'unknown'",)}


def pragma(db: sqlite3.Connection, name: str) -> object:
    """The value of a setting."""
    (value,) = db.execute(f"PRAGMA {name}").fetchone()
    return value


def test_a_new_journal_is_on_disk_at_every_commit_and_can_shrink(tmp_path: Path) -> None:
    db = connect(tmp_path)
    try:
        assert [pragma(db, name) for name in ("journal_mode", "synchronous", "auto_vacuum")] == ["wal", 2, 2]
        assert pragma(db, "temp_store") == 2
        assert [pragma(db, name) for name in ("application_id", "user_version")] == [APPLICATION_ID, max(MIGRATIONS)]
    finally:
        db.close()


def test_an_older_journal_is_brought_up_to_date_with_all_that_is_in_it(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
    connect(tmp_path, migrations=LATER).close()
    assert ask(tmp_path, "SELECT name, land FROM player ORDER BY id") == [("ann", "unknown"), ("ben", "unknown")]
    assert ask(tmp_path, "PRAGMA user_version") == [(NEXT,)]


def test_a_new_journal_goes_through_all_steps(tmp_path: Path) -> None:
    connect(tmp_path, migrations=LATER).close()
    assert ask(tmp_path, "SELECT land FROM player") == []


def test_a_step_that_fails_leaves_the_old_version(tmp_path: Path) -> None:
    connect(tmp_path).close()
    wrong = {**LATER, NEXT: (*LATER[NEXT], "CREATE TABLE player (id INTEGER)")}
    with pytest.raises(JournalError, match="already exists"):
        connect(tmp_path, migrations=wrong)
    assert ask(tmp_path, "PRAGMA user_version") == [(max(MIGRATIONS),)]
    with pytest.raises(sqlite3.OperationalError, match="land"):
        ask(tmp_path, "SELECT land FROM player")


def test_an_older_journal_is_not_changed_by_a_reader(tmp_path: Path) -> None:
    connect(tmp_path).close()
    with pytest.raises(JournalError, match=rf"of version {NEXT - 1}, this program reads version {NEXT}: start a "):
        connect(tmp_path, readonly=True, migrations=LATER)
    assert ask(tmp_path, "PRAGMA user_version") == [(NEXT - 1,)]


@pytest.mark.parametrize("readonly", [True, False])
def test_a_newer_journal_is_refused(tmp_path: Path, readonly: bool) -> None:
    connect(tmp_path, migrations=LATER).close()
    with pytest.raises(
        JournalError, match=f"of version {NEXT}, this program knows versions up to {NEXT - 1}: it is too old"
    ):
        connect(tmp_path, readonly=readonly)


@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize("mark", ["CREATE TABLE sheep (id)", "PRAGMA application_id = 7", "PRAGMA user_version = 3"])
def test_the_database_of_something_else_is_left_alone(tmp_path: Path, mark: str, readonly: bool) -> None:
    tamper(tmp_path, mark)
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(JournalError, match="not a journal of ugs"):
        connect(tmp_path, readonly=readonly)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all " * 100)
    with pytest.raises(JournalError, match="damaged: file is not a database"):
        connect(tmp_path)


def test_without_a_file_there_is_nothing_to_read(tmp_path: Path) -> None:
    for readonly in (True, False):
        with pytest.raises(JournalError, match="there is no journal here"):
            connect(tmp_path, readonly=readonly, create=False)
    assert not (tmp_path / DATABASE).exists()
    (tmp_path / DATABASE).touch()
    with pytest.raises(JournalError, match="no journal in here yet"):
        connect(tmp_path, readonly=True)


def test_a_journal_in_a_directory_below_is_named(tmp_path: Path) -> None:
    """As a match keeps it."""
    (tmp_path / "m1" / "server").mkdir(parents=True)
    connect(tmp_path / "m1" / "server").close()
    with pytest.raises(JournalError, match=f"; there is one in {re.escape(str(tmp_path / 'm1' / 'server'))}$"):
        connect(tmp_path / "m1", readonly=True)


def test_a_reader_can_change_nothing(tmp_path: Path) -> None:
    connect(tmp_path).close()
    db = connect(tmp_path, readonly=True)
    try:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM game")
    finally:
        db.close()


def test_a_directory_may_have_special_characters_in_its_name(tmp_path: Path) -> None:
    strange = tmp_path / "100% sure? #1 é"
    strange.mkdir()
    connect(strange).close()
    assert (strange / DATABASE).is_file()


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "OLDEST_SQLITE", (99, 1, 0))
    with pytest.raises(JournalError, match=r"SQLite 99\.1\.0 or newer is needed"):
        connect(tmp_path)


def test_no_statement_of_the_first_version_names_a_table_twice() -> None:
    created = [statement.split()[2] for statement in VERSION_1]
    assert len(set(created)) == len(created)


def of_version_1(directory: Path) -> None:
    """A journal as the first version wrote it: a finished game of ann and bob, and one that was cut off."""
    db = connect(directory, migrations={1: VERSION_1})
    game = tic_tac_toe()
    for statement in (
        "INSERT INTO run VALUES (1, '0.1', 7, 5, NULL, 0, 0)",
        "INSERT INTO game_type VALUES (1, 'chess')",
        "INSERT INTO player VALUES (1, 'ann'), (2, 'bob')",
        "INSERT INTO master VALUES (1, 'm')",
        "INSERT INTO game VALUES (1, 'g1', 1, 1, 1, '0.1', 1000, 10, '{\"a\": \"b\"}', '', 0)",
        "INSERT INTO game VALUES (2, 'g2', 1, 1, 1, '0.1', 2000, 20, '{}', '', 0)",
        "INSERT INTO seat VALUES (1, 0, 1, 'won', NULL), (1, 1, 2, 'lost', NULL)",
        "INSERT INTO seat VALUES (2, 0, 1, NULL, NULL), (2, 1, 2, NULL, NULL)",
        "INSERT INTO result VALUES (1, 1, 'finished', NULL, 0, 0, 9, '0.5', '1.5', 1500, '[1, 2, 3]', 1)",
    ):
        db.execute(statement)
    db.execute("INSERT INTO part VALUES (1, 1, ?)", (write_entries(game.entries),))
    db.close()


def test_a_journal_of_the_first_version_goes_on_with_all_that_is_in_it(tmp_path: Path) -> None:
    of_version_1(tmp_path)
    with pytest.raises(JournalError, match="of version 1"):
        Reader(tmp_path)
    with JournalServer(tmp_path) as server:
        assert server.journal.past == Past(
            {"chess": [Row("ann", 1, 0), Row("bob", 0, 1)]}, {"chess": {"ann": {0: 2}, "bob": {1: 2}}}, []
        )
        first, second = server.record("g1"), server.record("g2")
        server.session("ann")
        server.plays("g3", "ann", "bob")
    assert first.entries == tic_tac_toe().entries
    assert (first.options, first.seats, first.round_trips_us) == ({"a": "b"}, ("ann", "bob"), (1, 2, 3))
    assert (first.seats_total, first.seed, first.counts, first.table) == (0, "", True, {})
    assert second.result is not None
    assert second.result.verdict.cause is Cause.SERVER_LOST
    with JournalServer(tmp_path) as server:
        assert [session.nick for session in server.journal.past.sessions] == ["ann"]
