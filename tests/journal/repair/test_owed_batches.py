"""Of batches whose rows are owed, a rescue writes the rows, once, and one that is damaged costs no other."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.journal.servers import BOUND_S, JournalServer, ask, killed, tamper
from ugs.broker.values.record import EntryKind
from ugs.journal import owed_rows
from ugs.journal.checksums import redo_checksum
from ugs.journal.database import DATABASE
from ugs.journal.reader import Reader
from ugs.journal.repair.rescue import Rescued, rescue


@pytest.fixture
def dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory of a server that was killed under load, after three results."""
    monkeypatch.setattr(owed_rows, "OWED_S", BOUND_S)
    with JournalServer(tmp_path / "data") as server:
        server.session("ann")
        server.plays("g0")
        server.settles()
        server.is_under_load()
        server.plays("g1", "ann", "ben", moves=9)
        server.session("ben")
        server.plays("g2", "cat", "dan")
        yield killed(server, tmp_path / "dead")


def rescued(dead: Path) -> tuple[list[str], Rescued]:
    """The games whose results are saved, and the account."""
    target = dead.parent / "rescued"
    account = rescue(dead, target)
    with Reader(target) as reader:
        games = [result.game_id for result in reader.results()]
        for game_id in games:
            kinds = [entry.kind for entry in reader.record(game_id).entries]
            assert (kinds.count(EntryKind.BEGIN), kinds.count(EntryKind.VERDICT)) == (1, 1)
    assert ask(target, "SELECT count(*) FROM redo") == [(0,)]
    return games, account


def test_the_rows_of_whole_batches_are_saved(dead: Path) -> None:
    games, account = rescued(dead)
    assert (games, account.whole, account.saved["sessions"]) == (["g0", "g1", "g2"], True, 2)


def test_a_damaged_batch_is_told_and_costs_no_other(dead: Path) -> None:
    with closing(sqlite3.connect(dead / DATABASE)) as db, db:
        db.execute("UPDATE redo SET body = x'00' WHERE id = (SELECT min(id) FROM redo)")
    games, account = rescued(dead)
    assert (games, account.lost) == (["g0", "g2"], 1)
    assert "is damaged" in account.damage[-1]


def test_a_batch_that_cannot_be_read_is_told_and_costs_no_other(dead: Path) -> None:
    tamper(dead, "UPDATE redo SET body = x'ff' WHERE id = (SELECT min(id) FROM redo)")
    games, account = rescued(dead)
    assert (games, account.lost) == (["g0", "g2"], 1)
    assert "its rows cannot be written" in account.damage[-1]


def test_rows_that_stand_in_the_way_cost_no_other_batch(dead: Path) -> None:
    """One batch fails in the middle, after its first inserts."""
    tamper(
        dead,
        "INSERT INTO seat (game, seat, player, crc) VALUES ((SELECT max(id) FROM game) + 1, 1, 1, 0)",
    )
    games, account = rescued(dead)
    assert games == ["g0", "g2"]
    assert "UNIQUE constraint failed: seat.game" in " ".join(account.damage)


def test_a_batch_whose_rows_are_written_is_not_written_again(dead: Path) -> None:
    """It was deleted, and its page is found again."""
    kept = ask(dead, "SELECT id, body FROM redo ORDER BY id")
    with Reader(dead) as reader:
        assert len(list(reader.results())) == 3
    with closing(sqlite3.connect(dead / DATABASE)) as db, db:
        for number, body in kept:
            assert isinstance(number, int)
            assert isinstance(body, bytes)
            db.execute("INSERT INTO redo VALUES (?, ?, ?)", (number, body, redo_checksum(number, body)))
    games, account = rescued(dead)
    assert (games, account.whole, account.incomplete) == (["g0", "g1", "g2"], True, [])
