"""What a lost server left open is closed, once."""

from pathlib import Path

import pytest

from tests.journal.endless import EndlessLife, judge
from tests.journal.servers import (
    MASTER,
    NOON_US,
    TYPE,
    JournalServer,
    ask,
    begun,
    described,
    record,
    tamper,
)
from ugs.broker.past import PastChampionship
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.continuing_games import SERVER_LOST
from ugs.journal.database import DATABASE
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader

LIVES = (1, 40, 7, 150, 23)
"""How many results each life of a server keeps at least, before it is killed."""


def leaves_open(directory: Path) -> None:
    """A server ends in the middle of a championship game, as if it had been killed."""
    with JournalServer(directory) as server:
        for entry in begun("ann", "ben"):
            server.ledger("cup", entry)
        server.logs_in(1, "ann")
        server.plays("whole", "ann", "ben")
        server.begins("half", "ann", "ben", "cat", championship="cup", fixture=4)
        server.moves("half", 3)
        server.happens("half", EntryKind.LEFT, 2, text=str(Cause.TIMEOUT))
        server.begins("bare", "ben", "ann")
    tamper(
        directory,
        "UPDATE run SET ended_us = NULL, in_order = 0",
        "DELETE FROM part WHERE game = (SELECT id FROM game WHERE game_id = 'bare')",
    )


def test_unfinished_games_are_void_through_the_fault_of_the_server(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    before = record(tmp_path, "half")
    with JournalServer(tmp_path) as server:
        after = server.record("half")
        assert after.entries[:-1] == before.entries
        last, verdict = after.entries[-2:]
        assert (verdict.kind, verdict.text) == (EntryKind.VERDICT, f"{SERVER_LOST}: its master had no restore")
        assert (verdict.wall_us, verdict.mono_us) == (last.wall_us, last.mono_us)
        seats = (SeatResult("ann", Outcome.VOID), SeatResult("ben", Outcome.VOID))
        assert after.result == GameResult(
            "half",
            TYPE,
            MASTER,
            (*seats, SeatResult("cat", Outcome.VOID, Cause.TIMEOUT)),
            Verdict(Cause.SERVER_LOST, None, by_server=True),
            3,
            (before.began_us - NOON_US) / 1e6,
            last.mono_us / 1e6,
            "cup",
            4,
        )
        with Reader(tmp_path) as reader:
            (summary,) = reader.games(championship="cup")
        assert summary.ended_us == last.wall_us


def test_a_game_of_which_nothing_but_the_beginning_is_there_ended_when_it_began(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    with JournalServer(tmp_path) as server:
        bare = server.record("bare")
    assert described(bare.entries) == ["verdict"]
    assert bare.entries[0].wall_us == bare.began_us
    assert bare.result is not None
    assert bare.result.began_at == bare.result.ended_at


def test_the_championship_is_told_to_play_the_game_again(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    with JournalServer(tmp_path) as server:
        data = {"game": "half", "fixture": 4, "again": True, "server": True}
        ledger = [*begun("ann", "ben"), LedgerEntry(What.VOID, data)]
        assert server.journal.past.championships == [PastChampionship("cup", TYPE, ledger)]
        (rows,) = server.journal.past.standings.values()
        assert sorted(row.played for row in rows) == [1, 1]


def test_lives_and_logins_without_end_get_one(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    JournalServer(tmp_path).journal.close()
    assert ask(tmp_path, "SELECT reason, ended_us >= began_us FROM login") == [("server lost", 1)]
    assert ask(tmp_path, "SELECT in_order, ended_us >= began_us FROM run") == [(0, 1), (1, 1)]


def test_what_was_closed_is_not_closed_again(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    JournalServer(tmp_path).journal.close()
    first = [record(tmp_path, name) for name in ("whole", "half", "bare")]
    JournalServer(tmp_path).journal.close()
    assert [record(tmp_path, name) for name in ("whole", "half", "bare")] == first
    assert ask(tmp_path, "SELECT count(*) FROM championship_log") == [(3,)]


def test_a_game_of_a_life_that_ended_in_order_is_closed_too(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.begins("half")
    with JournalServer(tmp_path) as server:
        result = server.record("half").result
        assert result is not None
        assert result.verdict.cause is Cause.SERVER_LOST


def test_damage_is_found_after_a_server_was_lost(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    tamper(tmp_path, "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'login_who'")
    with pytest.raises(JournalError, match=f"{DATABASE}: damaged"):
        JournalServer(tmp_path)


def test_pages_written_over_are_damage(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    pages = (tmp_path / DATABASE).read_bytes()
    (tmp_path / DATABASE).write_bytes(pages[:4096] + b"\xa5" * (len(pages) - 4096))
    with pytest.raises(JournalError, match=f"{DATABASE}: damaged"):
        JournalServer(tmp_path)


def test_an_entry_that_cannot_be_read_is_damage(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    tamper(tmp_path, "UPDATE part SET body = x'00'")
    with pytest.raises(JournalError, match=r"damaged: no entry begins at byte 0"):
        JournalServer(tmp_path)


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    leaves_open(tmp_path)
    tamper(tmp_path, "DROP TABLE part")
    with pytest.raises(JournalError, match="no such table: part"):
        JournalServer(tmp_path)


def test_a_server_killed_at_any_moment_has_lost_no_result_that_was_kept(tmp_path: Path) -> None:
    kept: list[str] = []
    for life, results in enumerate(LIVES):
        with EndlessLife(tmp_path, life) as server:
            server.plays(results)
            kept += server.is_killed()
    judge(tmp_path, kept, len(LIVES))
