"""Recording the life of a server, and reading it back."""

import sqlite3
from pathlib import Path

import pytest

from tests.journal.servers import (
    BODY,
    MASTER,
    NOON_US,
    ROUND_TRIPS_US,
    TYPE,
    JournalServer,
    ask,
    begun,
    described,
    void,
    won,
)
from ugs.broker.effects import RecordEntry, RecordLogout
from ugs.broker.past import Past
from ugs.broker.values.record import EntryKind
from ugs.broker.values.standings import Row
from ugs.broker.verdict import Cause
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.database import DATABASE
from ugs.journal.journal_error import JournalError
from ugs.record.game import Entry


def test_a_new_journal_has_no_past(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "new") as server:
        assert server.journal.past == Past({}, {}, [])


def test_a_game_is_found_as_it_was_written(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        result = server.plays("g1", "ann", "bén ☃", moves=1)
        record = server.record("g1")
    assert (record.game_id, record.game_type, record.master, record.server) == ("g1", TYPE, MASTER, "1.2.3")
    assert (record.seats, record.options) == (("ann", "bén ☃"), {"board": "9×9", "text": "a\0b"})
    assert (record.result, record.round_trips_us) == (result, ROUND_TRIPS_US)
    assert record.began_us == NOON_US + 1000
    assert described(record.entries) == ["begin", "state", "move", "over", "verdict"]
    assert record.entries[1] == Entry(EntryKind.STATE, NOON_US + 3000, 3000, 2750, 0, 3, "", BODY)
    assert record.entries[3] == Entry(EntryKind.OVER, NOON_US + 5000, 5000, 4750, None, 3, "0:winner 1:loser")


def test_many_results_at_once_are_kept_in_their_order(tmp_path: Path) -> None:
    games = [f"g{number}" for number in range(50)]
    with JournalServer(tmp_path) as server:
        for game in games:
            server.begins(game, "ann", f"ben {game}")
        for game in reversed(games):
            server.ends(won(game, "ann", f"ben {game}"))
        server.journal.flush()
        server.reports.wait_for("kept g0")
        assert server.reports.told == [f"kept {game}" for game in reversed(games[1:])]
        for game in games:
            assert server.record(game).result == won(game, "ann", f"ben {game}")


def test_the_entries_of_a_game_are_joined_from_any_number_of_transactions(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.begins("long")
        for number in range(5):
            server.moves("long", 2)
            server.plays(f"short {number}", moves=0)
        assert ask(tmp_path, "SELECT count(*) FROM part WHERE game = 1")[0][0] in range(2, 7)
        server.ends(won("long"))
    record = server.record("long")
    assert described(record.entries) == ["begin", *["state", "move"] * 10, "over", "verdict"]
    assert [entry.mono_us for entry in record.entries] == sorted(entry.mono_us for entry in record.entries)


def test_nothing_of_a_step_is_written_before_it_has_ended(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
        server.begins("g2")
        server.ends(won("g2"))
        assert server.journal.pending_bytes == 0, "the writer has nothing to take"
        assert ask(tmp_path, "SELECT game_id FROM game") == [("g1",)]
        server.journal.flush()
        server.reports.wait_for("kept g2")
        assert server.journal.pending_bytes == 0


def test_names_with_a_nul_are_written_like_any_other(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.begins("g1", "ann", "ben", championship="spring\0cup", fixture=1)
        server.begins("g2", "ann", "ben", championship="spring\0cup", fixture=2)
    assert ask(tmp_path, "SELECT championship FROM game") == [("spring\0cup",), ("spring\0cup",)]


def test_entries_of_a_game_that_has_not_begun_are_ignored(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.moves("never begun")
        server.journal.record(RecordEntry("nor this", EntryKind.AWAY), NOON_US, 1)
        server.journal.flush()
        server.plays("g1", moves=0)
    assert ask(tmp_path, "SELECT count(*) FROM game") == [(1,)]
    assert described(server.record("g1").entries) == ["begin", "over", "verdict"]


def test_a_result_without_beginning_is_kept_as_far_as_it_goes(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.ends(won("g1"))
        server.journal.flush()
        server.reports.wait_for("kept g1")
        record = server.record("g1")
    assert (record.seats, record.result, record.entries) == (("ann", "ben"), won("g1"), ())
    assert record.began_us == NOON_US + 2000 - 200_000


def test_the_last_result_of_a_game_is_kept(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
        server.ends(void("g1", Cause.JOURNAL_LOST))
        server.journal.flush()
        server.reports.wait_for("kept g1")
        assert server.record("g1").result == void("g1", Cause.JOURNAL_LOST)


def test_logins_and_the_life_of_the_server_are_written(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.logs_in(1, "ann")
        server.logs_in(2, "ben")
        server.journal.record(RecordLogout(1, "logout"), NOON_US + 9, 9)
        server.journal.record(RecordLogout(3, "never logged in"), NOON_US + 9, 9)
    columns = "who, role, address, version, began_us, ended_us, reason"
    assert ask(tmp_path, f"SELECT {columns} FROM login") == [
        ("ann", "player", "192.0.2.1:4711", "bot 7", NOON_US + 1000, NOON_US + 9, "logout"),
        ("ben", "player", "192.0.2.1:4711", "bot 7", NOON_US + 2000, None, None),
    ]
    assert ask(tmp_path, "SELECT version, in_order, ended_us >= began_us, losses FROM run") == [("1.2.3", 1, 1, 0)]


def test_the_next_server_is_told_standings_seats_and_championships(tmp_path: Path) -> None:
    ledger = [*begun("ann", "ben"), LedgerEntry(What.WITHDRAWN, {"nick": "ben", "struck": True}, "root", "cheated")]
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        server.plays("g2", "ben", "ann")
        server.plays("g3", "ann", "cat")
        server.begins("g4", "dan", "ann")
        server.ends(void("g4", Cause.MASTER_LOST, "dan", "ann"))
        server.plays("g5", "ann", "ben", championship="cup", fixture=1)
        for entry in ledger:
            server.ledger("cup", entry)
    with JournalServer(tmp_path) as server:
        past = server.journal.past
    (rows,) = past.standings.values()
    assert sorted(rows, key=lambda row: row.place) == [Row("ann", 2, 1), Row("ben", 1, 1), Row("cat", 0, 1)]
    assert past.seats == {TYPE: {"ann": {0: 2, 1: 2}, "ben": {0: 1, 1: 1}, "cat": {1: 1}, "dan": {0: 1}}}
    (cup,) = past.championships
    assert (cup.name, cup.game_type, cup.ledger) == ("cup", TYPE, ledger)


def test_a_second_server_on_the_same_directory_is_refused(tmp_path: Path) -> None:
    with JournalServer(tmp_path), pytest.raises(JournalError, match="in use by another process"):
        JournalServer(tmp_path)
    JournalServer(tmp_path).journal.close()


def test_a_journal_that_cannot_be_opened_does_not_hold_the_directory(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database at all " * 100)
    for _ in range(2):
        with pytest.raises(JournalError, match="damaged: it ends within a page"):
            JournalServer(tmp_path)


def test_closing_twice_does_nothing_more(tmp_path: Path) -> None:
    server = JournalServer(tmp_path)
    server.begins("g1")
    server.ends(won("g1"))
    server.journal.close()
    server.journal.close()
    assert not (tmp_path / f"{DATABASE}-wal").exists()
    assert server.record("g1").result == won("g1")


def test_a_ledger_that_cannot_be_read_is_a_damaged_journal(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.ledger("cup", begun("ann", "ben")[0])
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("UPDATE championship_log SET data = 'no JSON'")
    db.commit()
    db.close()
    with pytest.raises(JournalError, match="damaged"):
        JournalServer(tmp_path)
