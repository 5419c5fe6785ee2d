"""Inserts of one transaction are executed by one statement, with the effect of one statement each."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.journal.servers import ask
from ugs.journal import joined_inserts
from ugs.journal.database import connect
from ugs.journal.row_writer import Insert
from ugs.journal.sqlite_connection import SqliteDatabase

PLAYERS, MASTERS = Insert("player"), Insert("master")
RENAMED = Insert("player", "DO UPDATE SET name = excluded.name, crc = excluded.crc", "id")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(connect(tmp_path)) as connection:
        yield connection


def executed(db: SqliteDatabase) -> set[str]:
    """The beginnings of statements that insert something, from now on."""
    statements: set[str] = set()

    def trace(text: str) -> None:
        if text.startswith("INSERT"):
            statements.add(" ".join(text.split()[:3]))

    db.set_trace_callback(trace)
    return statements


def names(db: SqliteDatabase, table: str) -> list[tuple[int, str]]:
    return list(db.execute(f"SELECT id, name FROM {table} ORDER BY id"))


def test_all_inserts_of_a_transaction_take_one_statement(db: SqliteDatabase) -> None:
    for first in (1, 11):
        statements = executed(db)
        db.execute("BEGIN")
        PLAYERS.write(db, [(first, f"a{first}"), (first + 1, f"b{first}")])
        MASTERS.write(db, [(first, f"m{first}")])
        db.add_bodies("part", [(first, first, b"one", 0), (first + 1, first, b"two \0", 0)])
        db.execute("COMMIT")
        assert statements == {"INSERT INTO temp.joined_0"}
    assert names(db, "player") == [(1, "a1"), (2, "b1"), (11, "a11"), (12, "b11")]
    assert names(db, "master") == [(1, "m1"), (11, "m11")]
    assert list(db.execute("SELECT game, body FROM part ORDER BY id")) == [
        (1, b"one"),
        (1, b"two \0"),
        (11, b"one"),
        (11, b"two \0"),
    ]


def test_a_query_sees_the_inserts_before_it(db: SqliteDatabase) -> None:
    db.execute("BEGIN")
    PLAYERS.write(db, [(1, "ann")])
    assert names(db, "player") == [(1, "ann")]
    RENAMED.write(db, [(1, "ben")])
    PLAYERS.write(db, [(2, "cy")])
    db.executemany("UPDATE player SET name = name || ? WHERE id = 1", [("!",), ("?",)])
    assert names(db, "player") == [(1, "ben!?"), (2, "cy")]
    db.execute("COMMIT")


def test_rows_that_exist_are_changed_as_their_insert_says(db: SqliteDatabase) -> None:
    PLAYERS.write(db, [(1, "ann")])
    db.execute("BEGIN")
    RENAMED.write(db, [(1, "bea"), (2, "cy")])
    MASTERS.write(db, [(1, "m")])
    db.execute("COMMIT")
    assert names(db, "player") == [(1, "bea"), (2, "cy")]


def test_nothing_is_left_of_a_transaction_that_fails(db: SqliteDatabase, tmp_path: Path) -> None:
    for _ in range(2):
        db.execute("BEGIN")
        MASTERS.write(db, [(1, "m")])
        PLAYERS.write(db, [(1, "ann"), (1, "twice")])
        with pytest.raises(db.IntegrityError, match=r"player\.id"):
            db.execute("COMMIT")
        db.execute("ROLLBACK")
        assert names(db, "master") == names(db, "player") == []
    db.execute("BEGIN")
    MASTERS.write(db, [(1, "m")])
    PLAYERS.write(db, [(1, "ann")])
    db.execute("ROLLBACK")
    db.execute("BEGIN")
    MASTERS.write(db, [(2, "n")])
    PLAYERS.write(db, [(2, "ben")])
    db.execute("COMMIT")
    assert ask(tmp_path, "SELECT id FROM master") == ask(tmp_path, "SELECT id FROM player") == [(2,)]


def test_outside_of_a_transaction_nothing_waits(db: SqliteDatabase, tmp_path: Path) -> None:
    PLAYERS.write(db, [(1, "ann")])
    assert ask(tmp_path, "SELECT name FROM player") == [("ann",)]


def test_much_does_not_wait_for_more(db: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_inserts, "MAX_WAITING", 1000)
    statements = executed(db)
    db.execute("BEGIN")
    for row in range(4):
        db.add_bodies("part", [(row, 1, bytes(600), 0)])
        assert not statements
        db.add_bodies("packed", [(row, 1, bytes(600), 0)])
        assert statements == {"INSERT INTO temp.joined_0"}
        statements.clear()
    db.execute("COMMIT")
    assert list(db.execute("SELECT count(*), sum(length(body)) FROM part")) == [(4, 2400)]


def test_combinations_without_a_view_of_their_own_are_executed_one_by_one(
    db: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined_inserts, "MAX_VIEWS", 1)
    db.execute("BEGIN")
    PLAYERS.write(db, [(1, "ann")])
    MASTERS.write(db, [(1, "m")])
    db.execute("COMMIT")
    statements = executed(db)
    db.execute("BEGIN")
    MASTERS.write(db, [(2, "n")])
    PLAYERS.write(db, [(2, "ben")])
    db.execute("COMMIT")
    assert statements == {"INSERT INTO master", "INSERT INTO player"}
    assert (len(names(db, "player")), len(names(db, "master"))) == (2, 2)


def test_what_waited_when_sqlite_rolled_back_by_itself_is_dropped(db: SqliteDatabase) -> None:
    for following in (db.execute, db.executemany):
        db.execute("BEGIN")
        PLAYERS.write(db, [(1, "ann")])
        MASTERS.write(db, [(1, "m")])
        db.rollback()  # as SQLite does where the disk is full: by no statement of ours
        following("UPDATE player SET name = ?", *([("x",)] if following == db.execute else [[("x",)]]))
        assert names(db, "player") == names(db, "master") == []


def test_what_a_savepoint_takes_back_can_be_written_afterwards(db: SqliteDatabase) -> None:
    db.execute("BEGIN")
    PLAYERS.write(db, [(1, "a")])
    MASTERS.write(db, [(1, "m")])
    for number in (2, 3):
        db.execute("SAVEPOINT some")
        PLAYERS.write(db, [(number, f"a{number}")])
        MASTERS.write(db, [(number, f"m{number}")])
        PLAYERS.write(db, [(number + 10, f"b{number}")])
        names(db, "player")
        db.execute("ROLLBACK TO some")
        db.execute("RELEASE some")
    for number in (4, 5):
        PLAYERS.write(db, [(number, f"a{number}")])
        MASTERS.write(db, [(number, f"m{number}")])
        PLAYERS.write(db, [(number + 10, f"b{number}")])
        names(db, "player")
    db.execute("COMMIT")
    assert names(db, "master") == [(1, "m"), (4, "m4"), (5, "m5")]


COUNTED = "UPDATE master SET name = {0} WHERE id = {1}"


def kinds(db: SqliteDatabase) -> set[str]:
    """The first words of all statements from now on, those of triggers included."""
    statements: set[str] = set()
    db.set_trace_callback(lambda text: statements.add(text.split()[0]))
    return statements


def test_a_transaction_of_inserts_is_one_statement(db: SqliteDatabase, tmp_path: Path) -> None:
    MASTERS.write(db, [(1, "m")])
    for first in (1, 11):
        statements = kinds(db)
        db.announce()
        PLAYERS.write(db, [(first, f"a{first}")])
        assert not statements
        db.end_with(COUNTED, (f"m{first}", "1"))
    assert statements <= {"INSERT", "--"}, "no BEGIN and no COMMIT: the view is there already"
    assert ask(tmp_path, "SELECT name FROM master") == [("m11",)]
    assert ask(tmp_path, "SELECT name FROM player ORDER BY id") == [("a1",), ("a11",)]


def test_an_announced_transaction_begins_with_what_cannot_wait(db: SqliteDatabase, tmp_path: Path) -> None:
    MASTERS.write(db, [(1, "m")])
    db.announce()
    PLAYERS.write(db, [(1, "ann")])
    assert names(db, "player") == [(1, "ann")]
    assert ask(tmp_path, "SELECT name FROM player") == [], "not before it has ended"
    db.executemany("UPDATE player SET name = ?", [("ben",)])
    db.end_with(COUNTED, ("n", "1"))
    assert ask(tmp_path, "SELECT name FROM player") == [("ben",)]
    assert ask(tmp_path, "SELECT name FROM master") == [("n",)]


def test_one_statement_that_fails_leaves_nothing(db: SqliteDatabase, tmp_path: Path) -> None:
    MASTERS.write(db, [(1, "m")])
    for number in (1, 2, 3):
        db.announce()
        PLAYERS.write(db, [(1, "ann"), (number, "twice")])
        if number == 1:
            with pytest.raises(db.IntegrityError, match=r"player\.id"):
                db.end_with(COUNTED, ("n", "1"))
            db.undo()
            assert ask(tmp_path, "SELECT name FROM player") == [], "and the transaction is over"
        elif number == 2:
            db.end_with(COUNTED, ("n", "1"))
        else:
            with pytest.raises(db.IntegrityError, match=r"player\.id"):
                db.end_with(COUNTED, ("o", "1"))
            db.undo()
    assert ask(tmp_path, "SELECT name FROM master") == [("n",)]
    assert ask(tmp_path, "SELECT count(*) FROM player") == [(2,)]


def test_an_announced_transaction_can_be_given_up(db: SqliteDatabase, tmp_path: Path) -> None:
    db.announce()
    PLAYERS.write(db, [(1, "ann")])
    db.undo()
    PLAYERS.write(db, [(2, "ben")])
    assert ask(tmp_path, "SELECT name FROM player") == [("ben",)]


def test_much_in_an_announced_transaction_begins_it(db: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_inserts, "MAX_WAITING", 10)
    db.announce()
    PLAYERS.write(db, [(1, "a long name")])
    assert db.in_transaction
    db.undo()
    assert names(db, "player") == []
