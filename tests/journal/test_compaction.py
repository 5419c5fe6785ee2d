"""Finished games are packed, whatever happens meanwhile."""

import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from tests.journal.damaging import starts
from tests.journal.servers import BOUND_S, NOON_US, JournalServer, ask, begun, described, record, tamper, won
from tests.profile import sized
from ugs.broker.values.record import EntryKind
from ugs.journal import compaction, packing_pace, sqlite_connection, waiting
from ugs.journal.batch_taker import BatchTaker
from ugs.journal.checksums import part_checksum
from ugs.journal.committed import Committed
from ugs.journal.compaction import Compactor
from ugs.journal.database import DATABASE, connect
from ugs.journal.importing import store
from ugs.journal.journal_error import JournalError
from ugs.journal.pruning import DAY_US, Pruner
from ugs.journal.reader import Reader
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.record.game import GameRecord


@pytest.fixture
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal as a server leaves it that had no time for packing: three games in many parts, and one that runs."""
    directory = tmp_path / "data"
    with monkeypatch.context() as patch:
        patch.setattr(Compactor, "step", lambda _: None)
        patch.setattr(waiting, "HELD_S", 0.0)
        with JournalServer(directory) as server:
            server.ledger("cup", begun("ann", "ben")[0])
            for nick in ("ann", "ben"):
                server.session(nick)
            server.begins("runs", seed="secret")
            for _ in range(4):
                for game in ("g0", "g1", "g2"):
                    if not _:
                        server.begins(game)
                    server.moves(game, 3)
                server.moves("runs")
                server.plays(f"short {_}", moves=0)  # everything before is written
            for game in ("g0", "g1", "g2"):
                server.ends(won(game, moves=12))
            server.journal.flush()
            server.reports.wait_for("kept g2")
    assert ask(directory, "SELECT count(*) FROM part WHERE game = 2") == [(5,)]
    return directory


def all_games(directory: Path) -> dict[str, GameRecord]:
    """What readers find."""
    with Reader(directory) as reader:
        return {game.game_id: reader.record(game.game_id) for game in reader.games()}


def slices(directory: Path) -> Iterator[SqliteDatabase]:
    """Pack everything; yields the connection after each slice."""
    committed = Committed(directory)
    with closing(connect(directory)) as db:
        compactor = Compactor(db, committed)
        while compactor.busy:
            compactor.step()
            yield db
    committed.close()


def finish(compactor: Compactor) -> None:
    """Let it do all there is to do."""
    while compactor.busy:
        compactor.step()


def pack_all(directory: Path) -> int:
    """Pack everything; returns the number of slices."""
    return sum(1 for _ in slices(directory))


def test_packed_games_are_read_as_before(unpacked: Path) -> None:
    before = all_games(unpacked)
    pack_all(unpacked)
    assert all_games(unpacked) == before
    assert ask(unpacked, "SELECT DISTINCT game FROM part") == [(1,)]
    assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(2,)]
    assert ask(unpacked, "SELECT count(*) > 1 FROM part WHERE game = 1") == [(1,)], "it runs"
    starts(unpacked)  # all checksums are right


def test_a_server_packs_by_itself_what_it_and_others_have_written(unpacked: Path) -> None:
    before = all_games(unpacked)
    with JournalServer(unpacked) as server:
        server.plays("new", moves=5)
        server.settles()
        assert ask(unpacked, "SELECT count(*) FROM result WHERE entries = 1") == [(0,)]
        after = all_games(unpacked)
        assert described(after.pop("new").entries) == ["begin", *["state", "move"] * 5, "over", "verdict"]
        assert after == before
        server.moves("runs")
        server.ends(won("runs"))
        server.journal.flush()
        server.reports.wait_for("kept runs")
        server.settles()
        assert len(server.record("runs").entries) == len(before["runs"].entries) + 4
    assert ask(unpacked, "SELECT count(*) FROM part") == [(0,)]


def test_under_load_a_server_packs_no_more_than_its_share(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing_pace, "SHARE", 1e-9)
    monkeypatch.setattr(packing_pace, "QUIET_S", 10 * BOUND_S)
    monkeypatch.setattr(BatchTaker, "busy", True)
    with JournalServer(unpacked) as server:
        server.plays("one")
        server.plays("two")
        with pytest.raises(AssertionError):
            server.settles_within(0.2)
        monkeypatch.setattr(packing_pace, "QUIET_S", 0.0)
        server.plays("three")
        server.settles()
    assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(2,)]


def test_a_server_killed_at_any_slice_has_lost_nothing(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "BYTES_AT_ONCE", 600)
    monkeypatch.setattr(compaction, "ENTRIES_PER_SLICE", 5)
    before = starts(Path(shutil.copytree(unpacked, unpacked.parent / "once")))
    for number, _ in enumerate(slices(unpacked)):
        left = Path(shutil.copytree(unpacked, unpacked.parent / f"killed-{number}"))
        assert starts(left) == before
        shutil.rmtree(left)
    assert number > 15


@pytest.mark.parametrize(
    ("module", "statement"), [(compaction, "STILL_THERE"), (sqlite_connection, "DELETE"), (compaction, "PACKED")]
)
def test_a_transaction_that_fails_leaves_all_as_it_was_and_is_tried_again(
    unpacked: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, statement: str
) -> None:
    before = all_games(unpacked)
    with closing(connect(unpacked)) as db:
        compactor = Compactor(db, Committed(unpacked))
        with monkeypatch.context() as patch:
            patch.setattr(module, statement, "DELETE FROM nowhere WHERE id = ?")
            with pytest.raises(sqlite3.Error, match="nowhere"):
                finish(compactor)
        assert all_games(unpacked) == before
        assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(1,)]
        finish(compactor)
    assert all_games(unpacked) == before
    assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(2,)]


def test_a_large_game_becomes_several_parts_in_order(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "BYTES_AT_ONCE", 300)
    before = all_games(unpacked)
    pack_all(unpacked)
    assert all_games(unpacked) == before
    assert ask(unpacked, "SELECT count(*) FROM part WHERE game = 2") == [(0,)]
    assert ask(unpacked, "SELECT count(*) FROM packed WHERE game = 2 AND substr(body, 1, 1) = x'01'") == [(5,)]


def test_what_is_pruned_meanwhile_costs_no_other_game_its_entries(
    unpacked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "ENTRIES_PER_SLICE", 1)
    running = record(unpacked, "runs")
    committed = Committed(unpacked)
    others = ask(unpacked, "SELECT id FROM part WHERE game <> 1 ORDER BY id DESC")
    for number, db in enumerate(slices(unpacked)):
        if number == 60:  # two games have been read
            assert Pruner(keep_days=1).step(db, committed, NOON_US + 90 * DAY_US)
            parts = db.execute("SELECT id, game, body FROM part ORDER BY id DESC").fetchall()
            assert {game for _, game, _ in parts} == {1}
            for (gone,), (part, _, _) in zip(others, parts, strict=False):
                db.execute("UPDATE part SET id = ? WHERE id = ?", (gone, part))
            assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(0,)]
    seal_parts(unpacked)
    assert described(record(unpacked, "runs").entries) == described(running.entries)
    assert all(not game.entries for game_id, game in all_games(unpacked).items() if game_id != "runs")


def test_a_damaged_part_gets_no_new_checksum(unpacked: Path) -> None:
    with closing(sqlite3.connect(unpacked / DATABASE)) as db:
        db.execute("UPDATE part SET body = CAST(body || x'00' AS BLOB) WHERE game = 2")
        db.commit()
    pack_all(unpacked)
    assert ask(unpacked, "SELECT count(*) FROM part WHERE game = 2") == [(5,)]
    assert ask(unpacked, "SELECT game FROM result WHERE entries = 1") == [(2,)]
    with pytest.raises(JournalError, match="fails its checksum"):
        record(unpacked, "g0")
    with pytest.raises(JournalError, match="table part"):
        JournalServer(unpacked)


def test_what_cannot_be_read_stays_as_it_is(unpacked: Path) -> None:
    tamper(unpacked, "UPDATE part SET body = x'00' WHERE game = 2")
    body = ask(unpacked, "SELECT body FROM part WHERE game = 2")
    seal_parts(unpacked)
    pack_all(unpacked)
    assert ask(unpacked, "SELECT body FROM part WHERE game = 2") == body


def seal_parts(directory: Path) -> None:
    """Give all parts right checksums."""
    with closing(sqlite3.connect(directory / DATABASE)) as db:
        for part, game, body in db.execute("SELECT id, game, body FROM part").fetchall():
            db.execute("UPDATE part SET crc = ? WHERE id = ?", (part_checksum(part, game, body), part))
        db.commit()


def test_numbers_of_more_than_64_bits_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JournalServer(tmp_path) as server:
        server.begins("wide")
        server.happens("wide", EntryKind.STATE, 0, audience=1 << 70)
        server.ends(won("wide"))
        server.journal.flush()
        server.reports.wait_for("kept wide")
        server.settles()
        assert server.record("wide").entries[1].audience == 1 << 70
    assert ask(tmp_path, "SELECT entries FROM result") == [(2,)]


def test_a_version_whose_tables_are_the_same_is_read_as_it_is(unpacked: Path) -> None:
    before = all_games(unpacked)
    tamper(unpacked, "DROP TABLE refused", "PRAGMA user_version = 5")
    assert all_games(unpacked) == before


def test_a_version_without_packing_is_packed_by_the_next_server(unpacked: Path) -> None:
    before = all_games(unpacked)
    tamper(unpacked, "DROP INDEX result_to_pack", "DROP TABLE packed", "DROP TABLE refused", "PRAGMA user_version = 4")
    with pytest.raises(JournalError, match="of version 4, this program reads version 8"):
        Reader(unpacked)
    with JournalServer(unpacked) as server:
        server.settles()
    assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(2,)]
    assert all_games(unpacked) == before


def test_short_games_take_a_tenth_of_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Like games of tic-tac-toe between bots: moves differ, times have jitter, and each transaction wrote a few."""
    chance = random.Random(4)
    with monkeypatch.context() as patch:
        patch.setattr(Compactor, "step", lambda _: None)
        patch.setattr(waiting, "HELD_S", 0.01)  # the test waits for each transaction
        with JournalServer(tmp_path) as server:
            games = [f"{chance.getrandbits(64):x}" for _ in range(sized(quick=100, deep=950))]
            for game in games:
                server.begins(game)
            for number in range(165):
                for game in games:
                    body = b'<%%b><tic x="%d" y="%d"/></%%b>' % (chance.randrange(20), chance.randrange(20))
                    server.now_us += chance.randrange(300)
                    server.happens(game, EntryKind.MOVE, number % 2, body=body.replace(b"%b", b"move"))
                    server.now_us += chance.randrange(300)
                    server.happens(game, EntryKind.STATE, number % 2, body=body.replace(b"%b", b"gameState"))
                server.journal.flush()
                while server.journal.pending_bytes:
                    time.sleep(0.001)
            for game in games:
                server.ends(won(game))
            server.journal.flush()
            server.reports.wait_for(f"kept {games[-1]}")
    (tmp_path / "empty").mkdir()
    size = (tmp_path / DATABASE).stat().st_size
    before = all_games(tmp_path)
    pack_all(tmp_path)
    with closing(connect(tmp_path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connect(tmp_path / "empty").close()
    empty = (tmp_path / "empty" / DATABASE).stat().st_size
    print("RATIO", size / (tmp_path / DATABASE).stat().st_size, empty)
    assert (tmp_path / DATABASE).stat().st_size - empty < (size - empty) / 10
    assert all_games(tmp_path) == before


def test_a_failure_to_pack_costs_nobody_anything(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_connection, "DELETE", "DELETE FROM nowhere WHERE id = ?")
    with JournalServer(unpacked) as server:
        for number in range(3):
            server.plays(f"later {number}")
        assert server.reports.told == []
    assert ask(unpacked, "SELECT DISTINCT entries FROM result") == [(1,)]


def test_imported_games_are_packed(unpacked: Path, tmp_path: Path) -> None:
    game = record(unpacked, "g1")
    store(tmp_path / "other", game)
    assert ask(tmp_path / "other", "SELECT entries, count(*) FROM result JOIN packed USING (game)") == [(2, 1)]
    assert ask(tmp_path / "other", "SELECT count(*) FROM part") == [(0,)]
    assert record(tmp_path / "other", "g1") == game
