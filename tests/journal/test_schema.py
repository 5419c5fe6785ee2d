"""Opening databases: new ones, older ones, newer ones, and such as are none of ours."""

import sqlite3
from pathlib import Path

import pytest

from tests.journal.keeping import Keeper, ask, tamper
from ugs.journal import schema
from ugs.journal.schema import APPLICATION_ID, DATABASE, MIGRATIONS, VERSION_1, JournalError, connect

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
        assert [pragma(db, name) for name in ("application_id", "user_version")] == [APPLICATION_ID, max(MIGRATIONS)]
    finally:
        db.close()


def test_an_older_journal_is_brought_up_to_date_with_all_that_is_in_it(tmp_path: Path) -> None:
    with Keeper(tmp_path) as keeper:
        keeper.plays("g1", "ann", "ben")
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
    with pytest.raises(JournalError, match=r"of version 1, this program reads version 2: a server"):
        connect(tmp_path, readonly=True, migrations=LATER)
    assert ask(tmp_path, "PRAGMA user_version") == [(1,)]


@pytest.mark.parametrize("readonly", [True, False])
def test_a_newer_journal_is_refused(tmp_path: Path, readonly: bool) -> None:
    connect(tmp_path, migrations=LATER).close()
    with pytest.raises(JournalError, match="of version 2, this program knows versions up to 1: it is too old"):
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
    with pytest.raises(JournalError, match="damaged, or no journal"):
        connect(tmp_path)


def test_without_a_file_there_is_nothing_to_read(tmp_path: Path) -> None:
    for readonly in (True, False):
        with pytest.raises(JournalError, match="there is no journal here"):
            connect(tmp_path, readonly=readonly, create=False)
    assert not (tmp_path / DATABASE).exists()
    (tmp_path / DATABASE).touch()
    with pytest.raises(JournalError, match="no journal in here yet"):
        connect(tmp_path, readonly=True)


def test_a_reader_can_change_nothing(tmp_path: Path) -> None:
    connect(tmp_path).close()
    db = connect(tmp_path, readonly=True)
    try:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM game")
    finally:
        db.close()


def test_a_directory_with_marks_of_its_own_in_the_name_is_no_matter(tmp_path: Path) -> None:
    strange = tmp_path / "100% sure? #1 é"
    strange.mkdir()
    connect(strange).close()
    assert (strange / DATABASE).is_file()


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "OLDEST_SQLITE", (99, 1, 0))
    with pytest.raises(JournalError, match=r"SQLite 99\.1\.0 or newer is needed"):
        connect(tmp_path)


def test_no_statement_of_the_first_version_names_a_table_twice() -> None:
    created = [statement.split()[2] for statement in VERSION_1]
    assert len(set(created)) == len(created)
