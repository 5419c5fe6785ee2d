"""When writing fails, for real causes: what is reported, what is lost, what is written when it works again."""

import resource
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import cast

import pytest

from tests.journal.ends import Ends
from tests.journal.servers import BOUND_S, JournalServer, Reports, ask, begun, described, tamper, void, won
from ugs.broker.effects import (
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal import step_collector
from ugs.journal.batch import Batch
from ugs.journal.committed import Committed
from ugs.journal.database import DATABASE, connect
from ugs.journal.pruning import Pruner
from ugs.journal.recovery import recover
from ugs.journal.row_writer import RowWriter
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.writer import Callbacks, Writer

AWAY = "ALTER TABLE part RENAME TO hidden"
HERE = "ALTER TABLE hidden RENAME TO part"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[JournalServer]:
    """A server whose journal works."""
    with JournalServer(tmp_path) as server:
        server.plays("before")
        yield server


def loses(server: JournalServer) -> None:
    """An SQL table is removed, and a game ends at that moment."""
    tamper(server.directory, AWAY)
    server.begins("half", "ann", "ben")
    server.moves("half")
    server.ends(won("half"))
    server.journal.flush()
    assert "no such table: part" in server.reports.wait_for("lost")


def test_a_failure_is_reported_once_and_later_results_are_written_when_it_works_again(
    server: JournalServer,
) -> None:
    loses(server)
    server.journal.accept_loss()
    server.ends(void("half", Cause.JOURNAL_LOST))
    server.ledger("cup", begun("ann", "ben")[0])
    server.logs_in(7, "cat")
    server.journal.flush()
    tamper(server.directory, HERE)
    server.reports.wait_for("back")
    assert server.reports.told == ["kept half"]
    assert server.record("half").result == void("half", Cause.JOURNAL_LOST)
    assert server.record("half").entries == ()
    assert ask(server.directory, "SELECT what FROM championship_log") == [("planned",)]
    assert ask(server.directory, "SELECT who FROM login") == [("cat",)]
    assert ask(server.directory, "SELECT losses FROM run") == [(1,)]


def test_games_that_begin_afterwards_are_whole_and_names_are_right(server: JournalServer) -> None:
    loses(server)
    server.journal.accept_loss()
    tamper(server.directory, HERE)
    server.reports.wait_for("back")
    server.moves("half")
    result = server.plays("after", "dan", "ben", "eve")
    record = server.record("after")
    assert (record.result, record.seats) == (result, ("dan", "ben", "eve"))
    assert described(record.entries) == ["begin", "state", "move", "state", "move", "over", "verdict"]
    assert ask(server.directory, "SELECT game_id FROM game ORDER BY id") == [("before",), ("after",)]


def test_until_the_broker_knows_of_the_loss_nothing_it_records_counts(server: JournalServer) -> None:
    loses(server)
    server.ends(won("half"))
    server.logs_in(7, "cat")
    server.journal.record(RecordLogout(7, "logout"), 1, 1)
    server.begins("unheard")
    server.moves("unheard")
    server.journal.flush()
    tamper(server.directory, HERE)
    server.journal.accept_loss()
    server.reports.wait_for("back")
    assert ask(server.directory, "SELECT game_id FROM game") == [("before",)]
    assert ask(server.directory, "SELECT * FROM login") == []
    assert server.journal.pending_bytes == 0


def test_void_games_are_kept_over_a_loss_of_which_nobody_knew(server: JournalServer) -> None:
    """Their players have been told, and the broker has forgotten them."""
    for game_id in ("early", "taken", "unheard"):
        server.begins(game_id, "ann", "ben")
    server.journal.flush()
    server.plays("between")
    tamper(server.directory, AWAY)
    server.begins("young", "dan", "eve")
    for game_id in ("early", "taken"):
        server.ends(void(game_id, Cause.MASTER_LOST))
    server.ends(void("young", Cause.NO_BEGINNING, "dan", "eve"))
    server.journal.flush()
    server.reports.wait_for("lost")
    server.ends(void("unheard", Cause.MASTER_LOST))
    server.journal.flush()
    tamper(server.directory, HERE)
    server.journal.accept_loss()
    server.reports.wait_for("back")
    assert set(ask(server.directory, "SELECT game_id, cause FROM game JOIN result ON game = game.id")) == {
        ("before", "left"),
        ("between", "left"),
        ("early", "master lost"),
        ("taken", "master lost"),
        ("young", "no beginning"),
        ("unheard", "master lost"),
    }


def test_a_journal_closed_while_lost_writes_what_it_can(server: JournalServer) -> None:
    loses(server)
    server.journal.accept_loss()
    server.ends(void("half", Cause.JOURNAL_LOST))
    tamper(server.directory, HERE)
    server.journal.close()
    assert server.record("half").result == void("half", Cause.JOURNAL_LOST)
    assert ask(server.directory, "SELECT in_order FROM run") == [(1,)]


def test_a_journal_that_stays_lost_can_be_closed_and_the_next_server_sees_that(tmp_path: Path) -> None:
    for heard in (True, False):
        with JournalServer(tmp_path / str(heard), retry_s=BOUND_S) as server:
            server.plays("before")
            loses(server)
            if heard:
                server.journal.accept_loss()
                server.ends(void("half", Cause.JOURNAL_LOST))
        assert ask(server.directory, "SELECT in_order, ended_us FROM run") == [(0, None)]


def test_a_loss_at_the_very_end_is_told_too(server: JournalServer) -> None:
    server.begins("last")
    tamper(server.directory, AWAY)
    server.journal.close()
    assert "no such table" in server.reports.wait_for("lost")


def test_a_run_that_cannot_be_ended_is_told(server: JournalServer) -> None:
    tamper(server.directory, "ALTER TABLE run RENAME TO gone")
    server.journal.close()
    assert "no such table: run" in server.reports.wait_for("lost")


def test_a_removed_journal_is_lost_and_not_written_into_the_deleted_file(server: JournalServer) -> None:
    files = [path for path in server.directory.iterdir() if path.name.startswith(DATABASE)]
    aside = server.directory / "aside"
    aside.mkdir()
    for path in files:
        path.rename(aside / path.name)
    server.begins("g")
    server.journal.flush()
    assert "No such file" in server.reports.wait_for("lost")
    server.journal.accept_loss()
    for path in files:
        (aside / path.name).rename(path)
    server.reports.wait_for("back")
    server.plays("after")


def test_another_journal_in_its_place_is_noticed(server: JournalServer) -> None:
    other = server.directory / "other"
    other.mkdir()
    connect(other).close()
    (other / DATABASE).replace(server.directory / DATABASE)
    server.begins("g")
    server.journal.flush()
    assert "has been removed or replaced" in server.reports.wait_for("lost")


def test_something_that_cannot_be_written_at_all_is_a_loss(server: JournalServer) -> None:
    options = cast(Mapping[str, str], {"what": object()})
    server.journal.record(RecordBegin("g1", "chess", "m", ("ann", "ben"), options), 1, 1)
    server.journal.flush()
    assert "not JSON serializable" in server.reports.wait_for("lost")
    server.journal.accept_loss()
    server.reports.wait_for("back")
    server.plays("after")


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        for number in range(200):
            server.begins(f"g{number}", f"nick {number}", "ben")
            server.moves(f"g{number}", 40)
    size = (tmp_path / DATABASE).stat().st_size
    with JournalServer(tmp_path) as server:
        with (tmp_path / DATABASE).open("r+b") as file:
            file.seek(4096)
            file.write(b"\xa5" * (size - 4096))
        server.begins("h1", "somebody", "new")
        server.journal.flush()
        told = server.reports.wait_for("lost")
    assert "malformed" in told or "damaged" in told


def test_a_file_that_may_not_grow_is_told_and_comes_back(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with JournalServer(tmp_path) as server:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
            server.begins("big")
            for number in range(100):
                server.happens("big", EntryKind.STATE, 0, body=Random(number).randbytes(10_000))
            server.journal.flush()
            server.reports.wait_for("lost")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        server.journal.accept_loss()
        server.reports.wait_for("back")
        server.plays("after")


class FullDisk:
    """A writer whose database has a limited number of pages, as on a full disk."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.pages = 1_000_000
        self.reports = Reports()
        db = connect(directory)
        committed = Committed(directory)
        run = recover(db, directory, committed, version="1", pid=1).run
        db.close()
        self.ends = Ends()
        callbacks = Callbacks(self.reports.kept, self.reports.lost, self.reports.back)
        self.writer = Writer(self.ends.taker, directory, self.connect, committed, run, "1", callbacks, Pruner(), 0.01)

    def connect(self) -> SqliteDatabase:
        """As usual, but with the limit."""
        db = connect(self.directory, create=False)
        db.execute(f"PRAGMA max_page_count = {self.pages}")
        return db


def test_a_full_disk_is_told_and_when_there_is_room_again_all_results_since_are_kept(tmp_path: Path) -> None:
    disk = FullDisk(tmp_path)
    disk.pages = 60
    ends = disk.ends
    disk.writer.start()
    ends.collector.begin(RecordBegin("g", "chess", "m", ("ann", "ben")), 1, 1)
    for number in range(100):
        ends.collector.entry(RecordEntry("g", EntryKind.STATE, 0, 3, "", Random(number).randbytes(10_000)), 1, 1)
    ends.collector.flush()
    assert "full" in disk.reports.wait_for("lost")
    ends.collector.accept_loss()
    ends.collector.result(RecordResult(void("g", Cause.JOURNAL_LOST)), 2, ())
    ends.collector.flush()
    for number in range(400):
        ends.collector.log_in(RecordLogin(number, "player", "n" * 1000, "chess", "here"), 1)
        ends.collector.flush()
    assert disk.reports.told == []
    disk.pages = 1_000_000
    disk.reports.wait_for("back")
    assert disk.reports.told == ["kept g"]
    ends.collector.end()
    disk.writer.join()
    assert ask(tmp_path, "SELECT cause FROM result") == [("journal lost",)]
    assert ask(tmp_path, "SELECT count(*) FROM login") == [(400,)]


def test_a_writer_that_cannot_open_the_database_tells_it(tmp_path: Path) -> None:
    disk = FullDisk(tmp_path)
    (tmp_path / DATABASE).unlink()
    disk.writer.start()
    disk.ends.collector.log_in(RecordLogin(1, "player", "ann", "chess", "here"), 1)
    disk.ends.collector.flush()
    assert "there is no journal here" in disk.reports.wait_for("lost")
    disk.ends.collector.end()
    disk.writer.join()


def test_a_ledger_is_kept_over_a_loss(server: JournalServer) -> None:
    for entry in begun("ann", "ben"):
        server.ledger("cup", entry)
    loses(server)
    server.ledger("cup", LedgerEntry(What.PAUSED))
    server.journal.accept_loss()
    tamper(server.directory, HERE)
    server.reports.wait_for("back")
    entered = [what for (what,) in ask(server.directory, "SELECT what FROM championship_log ORDER BY id")]
    assert entered == [*(entry.what for entry in begun("ann", "ben")), "paused"]


def test_sessions_are_kept_over_a_loss_and_none_that_is_over_comes_back(server: JournalServer) -> None:
    for nick in ("ann", "ben", "cat"):
        server.session(nick)
    server.plays("g")
    server.session_over("ann")
    dan = server.session("dan")
    loses(server)
    server.session_over("ben")
    server.journal.flush()
    server.journal.accept_loss()
    cat = server.session("cat", pooled=False)
    server.journal.flush()
    tamper(server.directory, HERE)
    server.reports.wait_for("back")
    server.journal.close()
    with JournalServer(server.directory) as later:
        assert later.journal.past.sessions == (cat, dan)


def test_what_is_written_twice_because_a_commit_was_in_doubt_is_there_once(tmp_path: Path) -> None:
    ends = Ends()
    ends.collector.log_in(RecordLogin(1, "player", "ann", "chess", "here"), 1)
    ends.collector.championship(RecordChampionship("cup", "chess", LedgerEntry(What.PAUSED)), 1)
    ends.collector.result(RecordResult(void("g1", Cause.JOURNAL_LOST)), 1, ())
    for pooled in (True, False):
        ends.collector.session(RecordSession("s1", "d1", "ann", "chess", (), pooled), 1)
        ends.collector.session(RecordSession("s2", "d2", "ben", "chess", (), pooled), 1)
    ends.collector.session(RecordSessionOver("s2"), 1)
    ends.collector.flush()
    batch = ends.taker.take_now()
    db = connect(tmp_path)
    run = recover(db, tmp_path, Committed(tmp_path), version="1", pid=1).run
    for _ in range(2):
        RowWriter(db, run, "1").write(batch)
    db.close()
    for table in ("login", "championship_log", "game", "result", "session"):
        assert ask(tmp_path, f"SELECT count(*) FROM {table}") == [(1,)], table
    assert ask(tmp_path, "SELECT session, pooled FROM session") == [("s1", 0)]


def test_a_ledger_entry_that_is_no_json_is_refused_at_once(server: JournalServer) -> None:
    with pytest.raises(TypeError):
        server.ledger("cup", LedgerEntry(What.PAUSED, {"what": object()}))
    server.plays("after")


def test_nothing_grows_without_bound_while_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_collector, "MAX_WHILE_LOST", 3)
    ends = Ends()
    ends.taker.lose(Batch())
    recordings: list[Callable[[int], None]] = [
        lambda n: ends.collector.result(RecordResult(void(f"g{n}", Cause.JOURNAL_LOST)), 1, ()),
        lambda n: ends.collector.log_in(RecordLogin(n, "player", "ann", "chess", "here"), 1),
        lambda n: ends.collector.log_out(RecordLogout(n, "gone"), 1),
        lambda _: ends.collector.championship(RecordChampionship("cup", "chess", LedgerEntry(What.PAUSED)), 1),
        lambda n: ends.collector.session(RecordSessionOver(f"s{n}"), 1),
        lambda n: ends.collector.begin(RecordBegin(f"g{n}", "chess", "m", ("ann", "ben")), 1, 1),
        lambda n: ends.collector.entry(RecordEntry(f"g{n}", EntryKind.STATE, body=b"x" * 100), 1, 1),
    ]
    for most in (3, 3):  # ledgers and sessions only, then of everything
        for number in range(10):
            for record in recordings:
                record(number)
        ends.collector.flush()
        batch = ends.taker.take_now()
        assert len(batch) == most
        ends.collector.accept_loss()
    ends.taker.put_back(batch)
    assert ends.handover.pending_bytes > 0
    ends.collector.result(RecordResult(void("one more", Cause.JOURNAL_LOST)), 1, ())
    ends.collector.flush()
    assert ends.taker.take_now() == batch


def test_a_bug_in_the_thread_is_a_loss_and_not_its_silent_end(
    server: JournalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the thread results would wait for ever, and nobody would be told."""
    writer = server.journal._writer
    step, failures = writer._step, 2

    def fails() -> None:
        nonlocal failures
        if failures:
            failures -= 1
            raise ZeroDivisionError("of ours")
        step()

    monkeypatch.setattr(writer, "_step", fails)
    server.begins("g")
    server.journal.flush()
    assert "of ours" in server.reports.wait_for("lost")
    server.journal.accept_loss()
    server.reports.wait_for("back")
    server.plays("after")
