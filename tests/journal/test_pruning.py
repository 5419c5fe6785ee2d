"""Keeping within limits: entries are deleted, results stay."""

import random
from pathlib import Path

import pytest

from tests.journal.servers import NOON_US, JournalServer, ask, record, won
from ugs.broker.effects import RecordLogout
from ugs.broker.values.record import EntryKind
from ugs.journal.committed import Committed
from ugs.journal.database import DATABASE, connect
from ugs.journal.pruning import DAY_US, Pruner
from ugs.journal.reader import Reader

GAMES = 60


def filled(directory: Path) -> None:
    """Games that ended one day apart, each with a login and a payload of several pages, and one that still runs."""
    with JournalServer(directory) as server:
        server.begins("running")
        server.moves("running")
        for number in range(GAMES):
            server.logs_in(number, "ann")
            server.begins(f"g{number}")
            server.happens(f"g{number}", EntryKind.STATE, 0, body=random.Random(number).randbytes(20_000))
            server.ends(won(f"g{number}"))
            server.journal.record(RecordLogout(number, "logout"), server.now_us, 1)
            server.now_us += DAY_US
        server.journal.flush()
        server.reports.wait_for(f"kept g{GAMES - 1}")


def prune(directory: Path, pruner: Pruner, now_us: int) -> int:
    """Prune until there is nothing more to do; returns the number of bytes used then."""
    db = connect(directory)
    try:
        while pruner.step(db, Committed(directory), now_us):
            pass
        (free,) = db.execute("PRAGMA freelist_count").fetchone()
        assert free == 0
        return db.used_bytes()
    finally:
        db.close()


def with_entries(directory: Path) -> list[str]:
    """The games that still have entries."""
    with Reader(directory) as reader:
        return [game.game_id for game in reader.games(newest_first=False) if reader.record(game.game_id).entries]


def test_entries_older_than_keep_days_are_deleted_and_results_are_not(tmp_path: Path) -> None:
    filled(tmp_path)
    size = (tmp_path / DATABASE).stat().st_size
    prune(tmp_path, Pruner(keep_days=10), NOON_US + GAMES * DAY_US)
    kept = [f"g{number}" for number in range(GAMES - 10, GAMES)]
    assert with_entries(tmp_path) == ["running", *kept]
    assert ask(tmp_path, "SELECT count(*) FROM login") == [(10,)]
    with Reader(tmp_path) as reader:
        assert list(reader.results()) == [won(f"g{number}") for number in range(GAMES)]
    assert (tmp_path / DATABASE).stat().st_size < size / 3


def test_the_oldest_entries_go_when_there_are_too_many_bytes(tmp_path: Path) -> None:
    filled(tmp_path)
    used = prune(tmp_path, Pruner(max_bytes=800_000), NOON_US)
    assert 700_000 < used <= 800_000
    assert (tmp_path / DATABASE).stat().st_size == used
    left = with_entries(tmp_path)
    assert left == ["running", *(f"g{number}" for number in range(GAMES - len(left) + 1, GAMES))]
    assert ask(tmp_path, "SELECT count(*) FROM login") == [(GAMES,)]


def test_when_no_entries_are_left_old_logins_are_deleted_and_then_pruning_stops(tmp_path: Path) -> None:
    filled(tmp_path)
    prune(tmp_path, Pruner(max_bytes=1), NOON_US)
    assert with_entries(tmp_path) == ["running"]
    assert ask(tmp_path, "SELECT count(*) FROM login") == [(0,)]
    assert ask(tmp_path, "SELECT count(*) FROM result") == [(GAMES,)]


def test_without_bounds_everything_stays(tmp_path: Path) -> None:
    filled(tmp_path)
    assert not Pruner().bounded
    prune(tmp_path, Pruner(), NOON_US + 1000 * GAMES * DAY_US)
    assert len(with_entries(tmp_path)) == GAMES + 1


@pytest.mark.parametrize("bounds", [(0.5, 0), (0, 1)])
def test_a_server_with_bounds_prunes_by_itself(tmp_path: Path, bounds: tuple[float, int]) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us -= 40 * 365 * DAY_US
        server.plays("old", moves=100)
    days, size = bounds
    with JournalServer(tmp_path, keep_days=days, max_bytes=size) as server:
        for number in range(100):
            server.plays(f"new {number}", moves=0)
            if not record(tmp_path, "old").entries:
                break
        assert server.reports.told == []
        assert record(tmp_path, "old").result == won("old", moves=100)
    assert record(tmp_path, "old").entries == ()


def test_a_server_that_cannot_prune_has_lost_its_journal(tmp_path: Path) -> None:
    filled(tmp_path)
    db = connect(tmp_path)
    db.execute("CREATE TRIGGER guard BEFORE DELETE ON part BEGIN SELECT RAISE(ABORT, 'nothing is deleted'); END")
    db.close()
    with JournalServer(tmp_path, max_bytes=1) as server:
        assert "nothing is deleted" in server.reports.wait_for("lost")


def test_free_pages_are_returned_many_at_a_time(tmp_path: Path) -> None:
    filled(tmp_path)
    db = connect(tmp_path)
    for table in ("part", "packed"):
        db.execute(f"DELETE FROM {table}")
    (before,) = db.execute("PRAGMA freelist_count").fetchone()
    assert before > 250
    assert db.give_back(200)
    assert db.execute("PRAGMA freelist_count").fetchone() == (before - 200,)
    while db.give_back(2000):
        pass
    assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
    db.close()
