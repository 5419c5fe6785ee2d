"""Who reads the journal of a killed server finds all that it has told; under a living one nothing is changed."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.journal.servers import BOUND_S, JournalServer, ask, killed, tamper
from ugs.journal import open_journal, owed_rows
from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE, open_database
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import DirectoryLock
from ugs.journal.open_journal import open_to_read
from ugs.journal.reader import Reader


@pytest.fixture
def dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory of a server that was killed under load, after three results."""
    monkeypatch.setattr(owed_rows, "OWED_S", BOUND_S)
    with JournalServer(tmp_path / "data") as server:
        server.plays("g0")
        server.settles()
        server.is_under_load()
        server.plays("g1")
        server.plays("g2")
        yield killed(server, tmp_path / "dead")


def results(directory: Path) -> list[str]:
    """The games whose results a reader finds."""
    with Reader(directory) as reader:
        return [result.game_id for result in reader.results()]


def owed(directory: Path) -> list[tuple[object, ...]]:
    """The batches whose rows are missing."""
    return ask(directory, "SELECT id FROM redo")


def test_a_reader_of_a_killed_server_finds_what_was_told(dead: Path) -> None:
    assert len(owed(dead)) == 2
    before = ask(dead, "SELECT transactions FROM committed")[0][0]
    assert results(dead) == ["g0", "g1", "g2"]
    assert owed(dead) == []
    assert ask(dead, "SELECT transactions FROM committed") == [(before + 1,)]  # type: ignore[operator]
    assert int((dead / COMMITTED).read_bytes()[:20]) == before + 1  # type: ignore[operator]
    with JournalServer(dead) as server:
        assert server.journal.gaps == []
        assert results(dead) == ["g0", "g1", "g2"]
        server.plays("g3")
    assert results(dead) == ["g0", "g1", "g2", "g3"]


def test_many_readers_may_come_at_once(dead: Path) -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(results(dead))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(BOUND_S)
    assert found == [["g0", "g1", "g2"]] * 4


def test_a_journal_that_a_server_holds_is_only_read(dead: Path) -> None:
    lock = DirectoryLock(dead)
    assert results(dead) == ["g0"]
    assert len(owed(dead)) == 2
    lock.release()


def test_a_server_that_starts_meanwhile_has_the_last_word(dead: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the lock after the reader has looked, and before the reader's transaction."""
    locks: list[DirectoryLock] = []
    monkeypatch.setattr(open_journal, "check", lambda directory: locks.append(DirectoryLock(directory)))
    before = ask(dead, "SELECT transactions FROM committed")
    open_to_read(dead).close()
    assert (len(owed(dead)), ask(dead, "SELECT transactions FROM committed")) == (2, before)
    locks[0].release()


def test_that_transactions_are_missing_is_not_covered_up(dead: Path) -> None:
    path = dead / COMMITTED
    known = int(path.read_bytes()[:20])
    shutil.copy(dead / DATABASE, dead / "copy")
    tamper(dead, f"UPDATE committed SET transactions = {known - 1}")
    with pytest.raises(JournalError, match=f"of {known} transactions the last 1 are lost"):
        open_to_read(dead)
    assert len(owed(dead)) == 2


def test_a_missing_file_stays_missing_so_that_the_next_server_finds_that(dead: Path) -> None:
    (dead / COMMITTED).unlink()
    assert results(dead) == ["g0", "g1", "g2"]
    with JournalServer(dead) as server:
        assert [gap.partition(":")[0] for gap in server.journal.gaps] == ["committed is missing"]


def test_where_nothing_can_be_written_the_reader_learns_why(dead: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_journal, "open_database", lambda path, _mode: open_database(path, "ro"))
    with pytest.raises(JournalError, match=r"was killed.*readonly database\): start a server on it"):
        open_to_read(dead)
    monkeypatch.undo()
    assert results(dead) == ["g0", "g1", "g2"]


def test_a_newer_program_leaves_an_older_journal_to_its_server(dead: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_journal, "MIGRATIONS", {99: ()})
    with pytest.raises(JournalError, match="it is of version 9"):
        open_to_read(dead)
    assert len(owed(dead)) == 2


def test_a_batch_that_cannot_be_read_is_damage(dead: Path) -> None:
    tamper(dead, "UPDATE redo SET body = x'ff'")
    with pytest.raises(JournalError, match=r"damaged: table redo, row \d+: .*`ugs record rescue"):
        open_to_read(dead)
    with pytest.raises(JournalError, match=r"damaged: table redo, row \d+: "):
        JournalServer(dead)


def test_a_transaction_that_was_cut_off_was_never_told(dead: Path) -> None:
    """As a power cut does it: the last bytes are missing, or zeros."""
    path = dead / f"{DATABASE}-wal"
    data = path.read_bytes()
    (dead / COMMITTED).unlink()  # it was not synchronised either
    for number, lost in enumerate((data[:-100], data[:-100] + bytes(100))):
        copy = Path(shutil.copytree(dead, dead.parent / f"cut {number}"))
        (copy / path.name).write_bytes(lost)
        assert results(copy) == ["g0", "g1"]


def test_a_reader_waits_for_a_game_whose_rows_are_owed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owed_rows, "OWED_S", 0.05)
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        server.is_under_load()
        assert server.record(server.plays("g1").game_id).result is not None
        server.plays("g2")
        assert reader.head("g2") is not None
        server.plays("g3")
        latest = reader.latest("g3", 100, 10_000)
        assert latest is not None
        assert latest[0].result is not None
        with suppress(sqlite3.Error), closing(open_to_read(tmp_path)) as db:
            assert db.execute("SELECT count(*) FROM redo").fetchone() == (0,)
