"""Journals are copied whole, or not at all."""

import errno
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.journal.postgresql.database_server import JournalUrl
from tests.journal.servers import JournalServer, begun
from tests.journal.strangers import another_user, directory_for_all
from tests.profile import sized
from ugs.broker.values.identity import Role
from ugs.journal import copying, database, sqlite_store
from ugs.journal.committed import Committed
from ugs.journal.copying import copy_journal
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.token_file import FILE
from ugs.journal.tokens import IdentitiesError, NewRow, add, copy_tokens, listed, rows
from ugs.places import Place

STEPS: Final = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod"}
"""Events of Python at which a copy may be killed, beside its statements of SQL."""
MIN_STEPS: Final = 80


def fill(place: Place) -> None:
    """A life with games, one of them running, a championship, a session and a token."""
    with JournalServer(place) as server:
        for number in range(3):
            server.plays(f"g{number}", "ann", f"ben {number}")
        for entry in begun("ann", "ben"):
            server.ledger("cup", entry)
        server.session("ann")
        server.session("ben")
        server.begins("runs", seed="secret")
        server.moves("runs", 2)
        server.settles()
    add(place, [NewRow(Role.PLAYER, "ann", "digest", why="asked")], "me", 7)


def content(place: Place) -> list[object]:
    """What readers see of it."""
    with Reader(place) as reader:
        records = [reader.record(game.game_id) for game in reader.games()]
        return [records, list(reader.results()), reader.championships(), reader.runs(), listed(place)]


def test_there_and_back_it_is_the_same_and_running_games_go_on(tmp_path: Path, url: JournalUrl) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    fill(old)
    rows = copy_journal(old, url)
    assert copy_journal(url, new) == rows > 30
    assert content(old) == content(url) == content(new)
    for place in (url, new):
        with JournalServer(place) as server:
            assert [game.begin.game_id for game in server.journal.past.games] == ["runs"]


def test_what_is_there_is_not_mixed_with_a_copy(tmp_path: Path) -> None:
    fill(tmp_path / "old")
    with JournalServer(tmp_path / "new") as server:
        server.plays("other")
    before = content(tmp_path / "new")
    with pytest.raises(JournalError, match="there is a journal already"):
        copy_journal(tmp_path / "old", tmp_path / "new")
    assert content(tmp_path / "new") == before


def test_a_row_that_is_not_what_was_copied_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "old")
    monkeypatch.setattr(copying, "_write", lambda db, table, rows: None)
    with pytest.raises(JournalError, match="row 1 of table run is not what was copied"):
        copy_journal(tmp_path / "old", tmp_path / "new")
    assert os.listdir(tmp_path) == ["old"]


def test_a_refused_copy_makes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "old"
    with pytest.raises(JournalError, match="misspelt: there is no journal here"):
        copy_journal(tmp_path / "misspelt", tmp_path / "new")
    with JournalServer(old) as server:
        server.plays("g1")
        server.killed(tmp_path / "lost")
        with pytest.raises(JournalError, match="in use"):
            copy_journal(old, tmp_path / "new")
    with pytest.raises(JournalError, match="its last server was lost"):
        copy_journal(tmp_path / "lost", tmp_path / "new")
    assert sorted(os.listdir(tmp_path)) == ["lost", "old"]


def test_a_copy_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "old")
    new = tmp_path / "new"
    new.mkdir()
    (new / "notes").touch()
    add(new, [NewRow(Role.PLAYER, "ben", "digest", why="asked")], "me", 7)
    with pytest.raises(IdentitiesError, match="there is a list of tokens already"):
        copy_journal(tmp_path / "old", new)
    assert sorted(os.listdir(new)) == ["notes", FILE]
    (new / FILE).unlink()
    monkeypatch.setattr(copying, "_write", lambda db, table, rows: None)
    with pytest.raises(JournalError, match="is not what was copied"):
        copy_journal(tmp_path / "old", new / "in" / "it")
    with pytest.raises(JournalError, match="is not what was copied"):
        copy_journal(tmp_path / "old", new)
    assert os.listdir(new) == ["notes"]
    monkeypatch.undo()
    copy_journal(tmp_path / "old", new)
    assert content(tmp_path / "old") == content(new)


def test_it_is_no_matter_when_a_copy_is_killed(tmp_path: Path) -> None:
    old = tmp_path / "old"
    fill(old)
    steps = _killed_at(old, tmp_path / "all", 0)
    assert steps > MIN_STEPS
    for step in {*range(1, steps + 1, sized(quick=steps // 8, deep=1)), *range(steps - 12, steps + 1)}:
        new = tmp_path / str(step)
        assert _killed_at(old, new, step) == step
        if not (new / "journal.sqlite").exists() or not content(new)[0]:
            copy_journal(old, new)
        assert content(new) == content(old), step
        with JournalServer(new) as server:
            assert [game.begin.game_id for game in server.journal.past.games] == ["runs"]


def _killed_at(old: Path, new: Path, step: int) -> int:
    """Copy in a process that is killed at the so many-th file or statement, or not at all with 0; returns how many
    there were."""
    context = multiprocessing.get_context("fork")
    count = context.RawValue("i", 0)
    child = context.Process(target=_copies, args=(old, new, step, count))
    child.start()
    child.join()
    assert child.exitcode == (-signal.SIGKILL if step else 0)
    return int(count.value)


def _copies(old: Path, new: Path, last: int, count: Any) -> None:
    def next_step(*_: object) -> None:
        count.value += 1
        if count.value == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*arguments, **options)
        db.set_trace_callback(next_step)
        return db

    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    vars(sqlite3)["connect"] = traced
    sys.addaudithook(lambda event, _arguments: next_step() if event in STEPS else None)
    copy_journal(old, new)


def test_a_list_that_a_killed_copy_has_left_is_replaced(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    fill(old)
    assert copy_tokens(old, new) == 1
    add(old, [NewRow(Role.PLAYER, "ann", why="lost"), NewRow(Role.PLAYER, "ben", "other")], "me", 8)
    copy_journal(old, new)
    assert content(old) == content(new)
    assert [row.digest for row in rows(new)] == ["", "", "other"]


@pytest.mark.parametrize("how", ["itself", "by a link", "by another path"])
def test_a_journal_is_not_copied_onto_itself(tmp_path: Path, how: str) -> None:
    old = tmp_path / "old"
    fill(old)
    (tmp_path / "link").symlink_to(old)
    other = {"itself": old, "by a link": tmp_path / "link", "by another path": old / ".." / "old"}[how]
    with pytest.raises(JournalError, match="FROM and TO are the same place"):
        copy_journal(old, other)


def test_a_database_is_not_copied_onto_itself_and_is_as_before_when_a_copy_fails(
    tmp_path: Path, url: JournalUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(url)
    with pytest.raises(JournalError, match="FROM and TO are the same place"):
        copy_journal(url, url)
    monkeypatch.setattr(copying, "_write", lambda db, table, rows: None)
    with pytest.raises(JournalError, match="is not what was copied"):
        copy_journal(url, tmp_path / "new")
    with JournalServer(url) as server:
        assert [game.begin.game_id for game in server.journal.past.games] == ["runs"], "its last server ended in order"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_where_the_source_cannot_be_written_it_is_said_what_helps() -> None:
    with directory_for_all() as directory:
        fill(directory / "old")
        (directory / "old").chmod(0o755)
        for path in (directory / "old").iterdir():
            path.chmod(0o644)
        with another_user(), pytest.raises(JournalError, match="copy the directory with its files elsewhere"):
            copy_journal(directory / "old", directory / "new")


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("where", ["the first file", "the database"])
def test_a_full_disk_leaves_nothing_of_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, there: bool
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    fill(old)
    if there:
        new.mkdir()

    def no_file(directory: Path) -> Committed:
        if directory == new:
            raise OSError(errno.ENOSPC, "No space left on device")
        return Committed(directory)

    def no_tables(db: SqliteDatabase, path: Path, *more: Any) -> None:
        if path.parent == new:
            (new / f"{path.name}-journal").touch()
            raise sqlite3.OperationalError("database or disk is full")
        prepare(db, path, *more)

    prepare = database._prepare
    if where == "the first file":
        monkeypatch.setattr(sqlite_store, "Committed", no_file)
    else:
        monkeypatch.setattr(database, "_prepare", no_tables)
    with pytest.raises(JournalError, match=r"cannot be used: .*(space|full)"):
        copy_journal(old, new)
    left = [path.name for path in new.rglob("*")] if new.exists() else None
    assert left in ([["lock"], []] if there else [None])
    monkeypatch.undo()
    copy_journal(old, new)
    assert content(old) == content(new)


def test_a_database_without_a_journal_stays_so(tmp_path: Path, url: JournalUrl) -> None:
    with pytest.raises(JournalError, match="there is no journal in this database"):
        copy_journal(url, tmp_path / "new")
    with pytest.raises(JournalError, match="there is no journal in this database"):
        Reader(url)
    assert not os.listdir(tmp_path)


def test_a_journal_in_a_directory_needs_no_driver() -> None:
    program = "import sys, ugs.journal.journal, ugs.journal.reader, ugs.journal.copying, ugs.commands.serve_run\n"
    program += "assert not {'psycopg', 'psycopg_binary'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
