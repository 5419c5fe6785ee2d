"""What can be read of a damaged journal is saved, and what is lost is told."""

import errno
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.journal.damaging import WAL, Content, cut, flipped, leaves, starts
from tests.journal.servers import JournalServer, ask, won
from tests.journal.test_database import of_version_1
from tests.profile import sized
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.journal.checksums import part_checksum
from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE
from ugs.journal.entries import write_entries
from ugs.journal.journal_error import JournalError
from ugs.journal.packing import last_part, unpack
from ugs.journal.reader import Reader
from ugs.journal.repair import rescue as subject
from ugs.journal.repair.rescue import Rescued, lines, rescue
from ugs.journal.write_ahead import NAMES
from ugs.record.game import GameRecord


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Content]]:
    """Journals of a killed server and of one that ended in order, and what they hold."""
    room = tmp_path_factory.mktemp("journals")
    leaves(room / "killed", 12, in_wal=6)
    shutil.copytree(room / "killed", room / "stopped")
    starts(room / "stopped")
    found = []
    for name in ("killed", "stopped"):
        shutil.copytree(room / name, room / "once")
        found.append((room / name, starts(room / "once")))
        shutil.rmtree(room / "once")
    return found


@pytest.fixture
def stopped(journals: list[tuple[Path, Content]], tmp_path: Path) -> Path:
    """A journal in one file, to be damaged."""
    return Path(shutil.copytree(journals[1][0], tmp_path / "data"))


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def rescued(source: Path) -> tuple[Path, Rescued]:
    """Rescue a journal, which stays as it was; the new directory and the report."""
    before = files(source)
    target = source.parent / "rescued"
    found = rescue(source, target)
    assert files(source) == before
    assert not [path for path in target.iterdir() if path.name.startswith("old-")]
    return target, found


def games_of(directory: Path) -> list[GameRecord]:
    """All games that can be read."""
    with Reader(directory) as reader:
        return [reader.record(game.game_id) for game in reader.games()]


@settings(max_examples=sized(quick=25, deep=3000), deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 1))
def test_what_is_saved_is_true_and_what_is_said_to_be_whole_is_whole(
    journals: list[tuple[Path, Content]], tmp_path_factory: pytest.TempPathFactory, seed: int, which: int
) -> None:
    chance = random.Random(seed)
    whole, content = journals[which]
    room = tmp_path_factory.mktemp("damaged")
    directory = Path(shutil.copytree(whole, room / "data"))
    path = chance.choice([directory / name for name in (DATABASE, WAL) if files(directory).get(name)])
    done = chance.choice((flipped, flipped, cut))(path, chance)
    target, report = rescued(directory)
    if report.whole:
        assert starts(target) == content, done
    else:
        assert report.damage, done
        JournalServer(target).journal.close()
        results = {result.game_id: result for result in content.results}
        with Reader(target) as reader:
            for result in reader.results():
                renamed = any(name in str(result) for name in report.names)
                assert renamed or result.verdict.cause is Cause.SERVER_LOST or results[result.game_id] == result
    shutil.rmtree(room)


def test_a_journal_that_is_not_damaged_is_saved_whole(journals: list[tuple[Path, Content]], tmp_path: Path) -> None:
    for number, (whole, content) in enumerate(journals):
        target = tmp_path / str(number)
        report = rescue(whole, target)
        assert (report.whole, report.damage) == (True, [])
        assert starts(target) == content
        assert list(lines(report, target))[-1] == "everything was saved"


def test_of_a_database_that_is_gone_its_log_is_saved(journals: list[tuple[Path, Content]], tmp_path: Path) -> None:
    whole, _ = journals[0]
    source = tmp_path / "gone"
    shutil.copytree(whole, source)
    assert (source / f"{DATABASE}-wal").stat().st_size > 0
    (source / DATABASE).unlink()
    target, said = rescued(source)
    assert games_of(target)
    assert not (source / DATABASE).exists(), "the old one is not changed"
    assert said.damage


def test_it_says_when_nothing_proves_that_the_last_results_are_there(
    journals: list[tuple[Path, Content]], tmp_path: Path
) -> None:
    source = Path(shutil.copytree(journals[0][0], tmp_path / "copied"))
    (source / COMMITTED).unlink()
    target, said = rescued(source)
    (line,) = (line for line in lines(said, target) if line.startswith("damaged: "))
    assert line == f"damaged: {source / COMMITTED} is missing: nothing proves that the last results are there"


def test_a_result_that_is_lost_costs_its_game_and_no_other(stopped: Path, journals: list[tuple[Path, Content]]) -> None:
    with closing(sqlite3.connect(stopped / DATABASE)) as db, db:
        db.execute("UPDATE result SET moves = moves + 1 WHERE game = (SELECT id FROM game WHERE game_id = 'g1')")
    target, report = rescued(stopped)
    assert not report.whole
    assert report.lost_games == ["g1"]
    kept = [result for result in journals[1][1].results if result.game_id not in report.lost_games]
    with Reader(target) as reader:
        open_play = [result for result in kept if not result.championship]
        assert list(reader.results()) == open_play
    with JournalServer(target) as server:
        (rows,) = server.journal.past.standings.values()
        assert sum(row.won for row in rows) == len(open_play)
        assert server.journal.past.games == ()
    told = list(lines(report, target))
    assert "lost: games without their seats or their result: g1" in told
    assert "void: running games that cannot go on: goes on" in told
    assert told[-1] == "not everything was saved"


def test_tree_schema_and_header_are_not_needed(stopped: Path, journals: list[tuple[Path, Content]]) -> None:
    data = bytearray((stopped / DATABASE).read_bytes())
    data[16:100] = b"\xa5" * 84
    for page in range(len(data) // 4096):
        if data[page * 4096] == 5:
            data[page * 4096 + 8 : page * 4096 + 20] = bytes(12)
    (stopped / DATABASE).write_bytes(data)
    target, report = rescued(stopped)
    with Reader(target) as reader:
        results = [*reader.results(), *reader.results(championship="cup")]
    assert results == journals[1][1].results
    assert report.lost_games == []


def test_a_name_that_is_lost_costs_no_game(stopped: Path, journals: list[tuple[Path, Content]]) -> None:
    with closing(sqlite3.connect(stopped / DATABASE)) as db, db:
        ((number,),) = db.execute("UPDATE player SET name = 'amn' WHERE name = 'ann' RETURNING id").fetchall()
    target, report = rescued(stopped)
    assert report.names == [f"lost-player-{number}"]
    with Reader(target) as reader:
        results = list(reader.results())
    assert len(results) == sum(not result.championship for result in journals[1][1].results)
    assert f"renamed: names that are lost: lost-player-{number}" in lines(report, target)


def test_a_damaged_frame_of_the_log_is_one_page_and_not_the_rest(
    journals: list[tuple[Path, Content]], tmp_path: Path
) -> None:
    whole, content = journals[0]
    directory = Path(shutil.copytree(whole, tmp_path / "data"))
    data = bytearray((directory / WAL).read_bytes())
    data[32 + 16] ^= 1
    (directory / WAL).write_bytes(data)
    target, report = rescued(directory)
    assert "frame 1 (byte 32) fails its checksum" in report.damage[0]
    assert report.whole, "only the checksum of the frame was damaged"
    assert starts(target) == content


def test_moves_that_are_lost_are_told(stopped: Path) -> None:
    (body,) = ask(stopped, "SELECT body FROM packed ORDER BY length(body) DESC")[0]
    assert isinstance(body, bytes)
    data = bytearray((stopped / DATABASE).read_bytes())
    place = data.index(body[:60])
    data[place + 50] ^= 1
    (stopped / DATABASE).write_bytes(data)
    target, report = rescued(stopped)
    assert len(report.incomplete) == 1
    assert report.lost_games == []
    assert "damaged" in "".join(report.damage)
    assert any(
        line.startswith("incomplete: games that count, but some of whose moves are lost: ")
        for line in lines(report, target)
    )


def test_of_what_is_packed_in_pieces_all_or_nothing_is_saved(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("small")
        server.begins("large")
        server.happens("large", EntryKind.MOVE, 0, body=random.Random(1).randbytes(5000))
        server.ends(won("large", moves=1))
        server.journal.flush()
        server.settles()
    ((body,),) = ask(tmp_path / "data", "SELECT body FROM packed WHERE id = 3")
    assert isinstance(body, bytes)
    data = (tmp_path / "data" / DATABASE).read_bytes()
    (tmp_path / "data" / DATABASE).write_bytes(data.replace(body, bytes(len(body))))
    target, report = rescued(tmp_path / "data")
    assert report.incomplete == ["large"]
    assert report.lost_games == []
    JournalServer(target).journal.close()
    with Reader(target) as reader:
        assert reader.record("large").entries == ()
        assert reader.record("large").result == won("large", moves=1)
        assert len(reader.record("small").entries) == 7


def test_parts_that_were_deleted_when_they_were_packed_do_not_come_back(stopped: Path) -> None:
    with closing(sqlite3.connect(stopped / DATABASE)) as db, db:
        ((game, beginning),) = db.execute("SELECT game, body FROM packed WHERE game <> 1 ORDER BY id LIMIT 1")
        old = write_entries(unpack([beginning]))
        part = 0
        assert part < last_part(beginning)
        db.execute(
            "INSERT INTO part (id, game, body, crc) VALUES (?, ?, ?, ?)",
            (part, game, old, part_checksum(part, game, old)),
        )
        db.execute("UPDATE player SET name = 'x' WHERE id = 2")  # something is damaged
    before = {game.game_id: game for game in games_of(stopped)}
    target, _ = rescued(stopped)
    again = {game.game_id: game for game in games_of(target)}
    assert sum(len(again[game].entries) < len(before[game].entries) for game in again) == 1


def test_records_of_the_write_ahead_files_are_saved_but_for_the_damaged_ones(
    journals: list[tuple[Path, Content]], tmp_path: Path
) -> None:
    directory = Path(shutil.copytree(journals[0][0], tmp_path / "data"))
    name = next(name for name in NAMES if (directory / name).stat().st_size)
    data = bytearray((directory / name).read_bytes())
    data[-3] ^= 1
    (directory / name).write_bytes(data)
    target, report = rescued(directory)
    assert report.lost == 1
    assert f"{directory / name}: the record at byte" in report.damage[-1]
    assert 0 < (target / name).stat().st_size < len(data)


def test_a_journal_without_checksums_is_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    of_version_1(tmp_path / "data")
    target, report = rescued(tmp_path / "data")
    assert report.whole
    assert report.saved["games"] == 2
    with Reader(target) as reader:
        assert [result.game_id for result in reader.results()] == ["g1"]


def test_a_damaged_journal_without_checksums_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    of_version_1(tmp_path / "data")
    data = (tmp_path / "data" / DATABASE).read_bytes()
    (tmp_path / "data" / DATABASE).write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    with pytest.raises(JournalError, match="of version 1, which had no checksums"):
        rescue(tmp_path / "data", tmp_path / "rescued")


def test_what_is_in_the_way_is_named(stopped: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal here"):
        rescue(tmp_path, tmp_path / "new")
    with pytest.raises(JournalError, match="must be a new or an empty directory"):
        rescue(stopped, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="must be a new or an empty directory"):
        rescue(stopped, tmp_path / "file")
    with JournalServer(stopped), pytest.raises(JournalError, match="in use by another process"):
        rescue(stopped, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_transactions_that_are_nowhere_are_lost(stopped: Path) -> None:
    (stopped / COMMITTED).write_bytes(
        b"00000000000000009999 " + b"%08x\n" % __import__("zlib").crc32(b"00000000000000009999")
    )
    _, report = rescued(stopped)
    assert not report.whole
    assert any("of 9999 transactions the last" in text for text in report.damage)


@pytest.mark.parametrize("there", [True, False])
def test_a_rescue_that_fails_leaves_the_new_directory_as_it_was(
    stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    new = tmp_path / "new"
    if there:
        new.mkdir()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(subject, "_rescue", full)
    with pytest.raises(JournalError, match=r"new/journal\.sqlite: cannot be used: database or disk is full"):
        rescue(stopped, new)

    def copies(source: Path, copy: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(source), None, str(copy))

    monkeypatch.setattr(shutil, "copyfile", copies)
    with pytest.raises(JournalError, match=r"new/old-.*/journal\.sqlite: No space left on device"):
        rescue(stopped, new)
    assert (new.exists(), list(new.iterdir()) if there else []) == (there, [])
    monkeypatch.undo()
    assert rescue(stopped, new).whole
