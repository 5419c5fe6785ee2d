"""Under load a result is on disk before its rows are, and neither a failure nor the end of the server loses it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.journal.servers import BOUND_S, TYPE, JournalServer, ask, killed, record, tamper, void, won
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import ActKind
from ugs.broker.verdict import Cause
from ugs.journal import owed_rows
from ugs.journal.batch import Acted, Batch, EndedGame, EntriesPart
from ugs.journal.committed import Committed
from ugs.journal.door import Database
from ugs.journal.owed_rows import MAX_OWED_BYTES, MAX_WHOLE_BYTES, OwedRows
from ugs.journal.reader import Reader

AWAY = "ALTER TABLE part RENAME TO hidden"
HERE = "ALTER TABLE hidden RENAME TO part"
RESULTS = "SELECT g.game_id FROM result AS r JOIN game AS g ON g.id = r.game ORDER BY r.id"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JournalServer]:
    """A server under load, whose rows stay owed."""
    monkeypatch.setattr(owed_rows, "OWED_S", BOUND_S)
    with JournalServer(tmp_path / "data") as server:
        server.is_under_load()
        yield server


def owed(directory: Path) -> int:
    """How many batches are there whose rows are not."""
    ((count,),) = ask(directory, "SELECT count(*) FROM redo")
    assert isinstance(count, int)
    return count


def test_a_result_is_kept_before_its_rows_are_written(server: JournalServer) -> None:
    server.plays("g1")
    server.plays("g2")
    assert owed(server.directory) == 2
    assert ask(server.directory, RESULTS) == []
    assert not server.journal.settled
    assert server.journal.pending_bytes == 0
    server.journal.close()
    assert owed(server.directory) == 0
    assert ask(server.directory, RESULTS) == [("g1",), ("g2",)]
    assert [entry.kind for entry in record(server.directory, "g2").entries][-1] == "verdict"


def test_the_rows_come_soon_although_nothing_else_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owed_rows, "OWED_S", 0.01)
    with JournalServer(tmp_path) as server:
        server.is_under_load()
        server.plays("g1")
        server.settles()
        assert (owed(tmp_path), ask(tmp_path, RESULTS)) == (0, [("g1",)])
        assert ask(tmp_path, "SELECT entries FROM result") == [(2,)]


def test_the_rows_of_what_nobody_waits_for_come_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A login is neither a result nor an entry of a game, for which the writer would wake up."""
    monkeypatch.setattr(owed_rows, "OWED_S", 0.1)
    with JournalServer(tmp_path) as server:
        server.settles()
        server.is_under_load()
        server.logs_in(7, "ann")
        server.journal.flush()
        server.settles()
        assert (owed(tmp_path), ask(tmp_path, "SELECT who FROM login")) == (0, [("ann",)])


def test_without_load_rows_are_written_at_once(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
        assert (owed(tmp_path), ask(tmp_path, RESULTS)) == (0, [("g1",)])


def test_the_results_before_an_act_are_in_their_places_first(server: JournalServer) -> None:
    server.plays("g1", "ann", "eve")
    server.plays("g2", "ann", "eve")
    server.journal.record(RecordAct(ActKind.FORGET, "eve", TYPE, "root", "wrong nick"), server.now_us, 1)
    server.plays("g3", "ann", "eve")
    server.journal.close()
    assert ask(server.directory, "SELECT results_before FROM act") == [(2,)]
    assert ask(server.directory, RESULTS) == [("g1",), ("g2",), ("g3",)]


def test_what_was_told_is_there_after_the_server_was_killed(server: JournalServer, tmp_path: Path) -> None:
    server.session("ann")
    server.session("ben")
    result = server.plays("g1")
    server.begins("goes on", seed="secret")
    server.moves("goes on", 2)
    server.plays("g2")
    server.moves("goes on", 1)
    server.journal.flush()
    with JournalServer(killed(server, tmp_path / "killed")) as later:
        assert later.record("g1").result == result
        assert [session.nick for session in later.journal.past.sessions] == ["ann", "ben"]
        (game,) = later.journal.past.games
        assert (game.begin.game_id, len(game.entries)) == ("goes on", 7)
        assert owed(later.directory) == 0


def test_a_failure_does_not_cost_what_was_told_before(server: JournalServer, tmp_path: Path) -> None:
    result = server.plays("told")
    server.begins("half", "ann", "ben")
    tamper(server.directory, AWAY)
    act = RecordAct(ActKind.PAUSE, "", TYPE, "root", "so that a whole transaction is needed")
    server.journal.record(act, server.now_us, 1)
    server.journal.flush()
    assert "no such table: part" in server.reports.wait_for("lost")
    server.journal.accept_loss()
    server.ends(void("half", Cause.JOURNAL_LOST))
    server.journal.flush()
    dead = killed(server, tmp_path / "killed")
    tamper(dead, HERE)
    with JournalServer(dead) as later:
        assert later.record("told").result == result
    tamper(server.directory, HERE)
    server.reports.wait_for("back")
    assert server.record("told").result == result
    assert server.record("half").result == void("half", Cause.JOURNAL_LOST)
    assert ask(server.directory, "SELECT kind FROM act") == [("pause",)]


def test_a_batch_that_cannot_be_written_whole_is_written_in_rows(
    server: JournalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_self: Committed, _db: Database, _body: bytes) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Committed, "add_redo", fails)
        server.plays("g1")
    assert (owed(server.directory), ask(server.directory, RESULTS)) == (0, [("g1",)])
    server.plays("g2")
    assert (owed(server.directory), ask(server.directory, RESULTS)) == (1, [("g1",)])


def test_whole_or_in_doubt_each_result_is_there_once(
    server: JournalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is on disk, although an error was reported."""
    add_redo = Committed.add_redo

    def fails(self: Committed, db: Database, body: bytes) -> None:
        add_redo(self, db, body)
        raise sqlite3.OperationalError("disk I/O error")

    for game_id in ("g1", "g2"):
        monkeypatch.setattr(Committed, "add_redo", fails)
        server.plays(game_id)
        assert (owed(server.directory), len(ask(server.directory, RESULTS))) == (0, 1 if game_id == "g1" else 3)
        monkeypatch.setattr(Committed, "add_redo", add_redo)
        server.plays(f"{game_id} told")
    server.plays("g3")
    server.journal.close()
    assert ask(server.directory, RESULTS) == [("g1",), ("g1 told",), ("g2",), ("g2 told",), ("g3",)]


def test_a_transaction_in_doubt_that_has_written_the_owed_rows_is_not_repeated(
    server: JournalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    transaction = Committed.transaction
    failures = [sqlite3.OperationalError("disk I/O error")]

    @contextmanager
    def fails(self: Committed, db: Database) -> Iterator[None]:
        with transaction(self, db):
            yield
        if failures:
            raise failures.pop()

    entries = server.plays("g1")
    monkeypatch.setattr(Committed, "transaction", fails)
    server.journal.record(RecordAct(ActKind.PAUSE, "", TYPE, "root", "why not"), server.now_us, 1)
    server.journal.flush()
    server.reports.wait_for("lost")
    server.journal.accept_loss()
    server.reports.wait_for("back")
    assert server.record("g1").result == entries
    server.journal.close()
    assert ask(server.directory, "SELECT count(*) FROM game") == [(1,)]
    assert len(record(server.directory, "g1").entries) == 7


def test_a_server_that_ends_while_nothing_can_be_written_leaves_what_it_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owed_rows, "OWED_S", BOUND_S)
    with JournalServer(tmp_path, retry_s=BOUND_S) as server:
        server.is_under_load()
        result = server.plays("told")
        tamper(tmp_path, AWAY)
    server.reports.wait_for("lost")
    tamper(tmp_path, HERE)
    with Reader(tmp_path) as reader:
        assert list(reader.results()) == [result]


def part(size: int) -> Batch:
    """A batch with so many bytes of entries."""
    return Batch(parts=[EntriesPart(1, [b"x" * size])])


def test_what_is_large_or_an_act_is_written_in_rows_and_not_for_ever_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(owed_rows, "monotonic", lambda: now)
    rows = OwedRows()
    act: Any = None
    ended = Batch(ended=[EndedGame(1, False, won("g"), 1, ())])
    assert not rows.takes(Batch())
    assert not rows.takes(Batch(acts=[Acted(act, 1)]))
    assert not rows.takes(part(MAX_WHOLE_BYTES + 1))
    assert rows.takes(part(MAX_WHOLE_BYTES))
    assert not rows.due
    rows.add(ended, 100)
    assert (rows.due_at, rows.due, rows.takes(ended)) == (now + owed_rows.OWED_S, False, True)
    rows.add(ended, MAX_OWED_BYTES)
    assert (rows.due, rows.takes(ended)) == (True, False)
    assert rows.written()
    rows.add(part(1), 100)
    now += owed_rows.OWED_S
    assert (rows.due, rows.takes(ended)) == (True, False)
    assert not rows.written()
    assert not rows
