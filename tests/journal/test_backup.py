"""A backup is taken while the server goes on, holds every result, and is nothing or whole."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from subprocess import run
from threading import Thread

import pytest

from tests.journal.servers import JournalServer
from ugs.broker.values.identity import Role
from ugs.broker.verdict import Cause
from ugs.journal import backup
from ugs.journal.backup import BackedUp, back_up
from ugs.journal.committed import COMMITTED, UNFINISHED, prove, transactions_known
from ugs.journal.database import DATABASE, connect
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.repair.checking import check
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.token_file import FILE as TOKENS
from ugs.journal.tokens import NewRow, add, rows


def modes(directory: Path) -> set[int]:
    """The permissions of a directory and of all in it."""
    return {path.stat().st_mode & 0o077 for path in (directory, *directory.iterdir())}


def test_it_is_taken_while_the_server_writes_and_a_server_starts_on_it(tmp_path: Path) -> None:
    source, target = tmp_path / "data", tmp_path / "backup" / "monday"
    with JournalServer(source) as server:
        add(source, [NewRow(Role.PLAYER, "ann", "digest")], "eve", 1)
        server.plays("g1")
        server.begins("runs", "ann", "ben")
        server.moves("runs", 3)
        server.journal.flush()
        server.settles()
        writing = Thread(target=lambda: [server.plays(f"more {number}") for number in range(20)])
        writing.start()
        done = back_up(source, target)
        writing.join()
    assert done.tokens == 1
    assert 1 <= done.results <= 21
    assert {path.name for path in target.iterdir()} == {DATABASE, TOKENS, COMMITTED, "lock"}
    assert modes(target) == {0}
    assert [row.name for row in rows(target)] == ["ann"]
    with JournalServer(target):
        pass
    with Reader(target) as reader:
        verdicts = {game.game_id: game.verdict for game in reader.games()}
    assert "g1" in verdicts
    verdict = verdicts["runs"]
    assert verdict is not None
    assert verdict.cause is Cause.SERVER_LOST


def test_a_place_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("dear")
    with pytest.raises(JournalError, match="not empty: each backup has a directory of its own"):
        back_up(tmp_path / "data", tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter"]
    (tmp_path / "empty").mkdir()
    assert back_up(tmp_path / "data", tmp_path / "empty") == BackedUp(1, 0)


def test_of_a_damaged_journal_nothing_stays(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as db, db:
        db.execute("UPDATE seat SET outcome = 'x'")
    with pytest.raises(JournalError, match="its content fails its checksum"):
        back_up(tmp_path / "data", tmp_path / "new" / "backup")
    assert not (tmp_path / "new").exists()


def test_without_a_journal_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal here"):
        back_up(tmp_path, tmp_path / "backup")
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_tokens_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "data" / TOKENS).symlink_to("/etc/passwd")
    with pytest.raises(JournalError, match=TOKENS):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_what_another_process_has_backed_up_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = tmp_path / "data", tmp_path / "backup"
    with JournalServer(source) as server:
        server.plays("g1")

    def after_another_one(directory: Path, *, readonly: bool) -> SqliteDatabase:
        monkeypatch.undo()
        back_up(source, target)
        return connect(directory, readonly=readonly)

    monkeypatch.setattr(backup, "connect", after_another_one)
    with pytest.raises(JournalError, match="not empty: another process has filled it"):
        back_up(source, target)
    with Reader(target) as reader:
        assert [game.game_id for game in reader.games()] == ["g1"]


@pytest.mark.parametrize("copied", [0, 1])
def test_no_server_starts_on_one_that_was_interrupted(tmp_path: Path, copied: int) -> None:
    source, target = tmp_path / "data", tmp_path / "backup"
    with JournalServer(source) as server:
        server.plays("g1")
    add(source, [NewRow(Role.PLAYER, "ann", "digest")], "eve", 1)
    killed = f"""
import os
from pathlib import Path
from ugs.journal import backup
copy, copies = backup._copy, []
def dies(source, target):
    if len(copies) == {copied}:
        os._exit(9)
    copies.append(target)
    copy(source, target)
backup._copy = dies
backup.back_up(Path({str(source)!r}), Path({str(target)!r}))
"""
    assert run([sys.executable, "-c", killed], check=False).returncode == 9
    with pytest.raises(JournalError, match="a backup that was interrupted: take another one"), JournalServer(target):
        pass


def test_nor_is_a_backup_of_an_interrupted_one_a_whole_one(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    back_up(tmp_path / "data", tmp_path / "part")
    (tmp_path / "part" / COMMITTED).write_bytes(UNFINISHED)
    with pytest.raises(JournalError, match="part: a backup that was interrupted"):
        back_up(tmp_path / "part", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_a_start_on_it_misses_nothing(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
        server.settles()
        back_up(tmp_path / "data", tmp_path / "running")
    back_up(tmp_path / "data", tmp_path / "ended")
    for name in ("running", "ended"):
        with JournalServer(tmp_path / name) as server:
            assert server.journal.gaps == []
            server.plays("g2")
        check(tmp_path / name)


def test_a_backup_of_a_copy_that_proves_nothing_proves_nothing(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "data" / COMMITTED).unlink()
    back_up(tmp_path / "data", tmp_path / "backup")
    with JournalServer(tmp_path / "backup") as server:
        (gap,) = server.journal.gaps
    assert "nothing proves that the last results are in the journal" in gap


def test_a_journal_that_has_lost_transactions_is_not_backed_up_as_a_whole_one(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    known = transactions_known(tmp_path / "data")
    assert known is not None
    prove(tmp_path / "data", known + 2)
    with pytest.raises(JournalError, match=f"damaged: of {known + 2} transactions the last 2 are lost"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_a_journal_without_the_row_that_counts_them_is_damaged(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as db, db:
        db.execute("DELETE FROM committed")
    with pytest.raises(JournalError, match="table committed: its row is missing"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_a_count_that_is_written_just_then_is_read_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    path = tmp_path / "data" / COMMITTED
    whole = path.read_bytes()
    path.write_bytes(whole[:12] + b"9" + whole[13:])

    def written_meanwhile(directory: Path) -> int | None:
        try:
            return transactions_known(directory)
        finally:
            path.write_bytes(whole)

    monkeypatch.setattr(backup, "transactions_known", written_meanwhile)
    assert back_up(tmp_path / "data", tmp_path / "backup").results == 1


def test_a_pipe_in_place_of_the_number_of_transactions_is_not_waited_for(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "data" / COMMITTED).unlink()
    os.mkfifo(tmp_path / "data" / COMMITTED)
    with pytest.raises(JournalError, match="is no regular file"):
        back_up(tmp_path / "data", tmp_path / "backup")


def test_a_link_in_place_of_the_tokens_is_no_list_without_any(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "data" / TOKENS).symlink_to("nowhere")
    with pytest.raises(JournalError, match="is a link"):
        back_up(tmp_path / "data", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()
