"""Damage is found at the start: either all is as it was, or the journal is refused and left as it is."""

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.journal.damaging import WAL, Content, cut, flipped, leaves, starts
from tests.journal.servers import JournalServer, ask, tamper
from tests.profile import sized
from ugs.journal.checksums import BY_SEAT, CHECKED
from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE
from ugs.journal.journal_error import JournalError
from ugs.journal.repair.checking import check
from ugs.journal.repair.rescue import rescue
from ugs.journal.repair.wal import FRAME, HEADER, WriteAheadLog
from ugs.journal.schema_versions import SEALED
from ugs.journal.write_ahead import NAMES

KILLED, STOPPED = "killed", "stopped"
FRAME_BYTES = FRAME.size + 4096


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Content]]:
    """Journals of a killed server and of one that ended in order, and what they hold."""
    room = tmp_path_factory.mktemp("journals")
    leaves(room / KILLED, 9, in_wal=6)
    shutil.copytree(room / KILLED, room / STOPPED)
    starts(room / STOPPED)
    found = {}
    for name in (KILLED, STOPPED):
        shutil.copytree(room / name, room / "once")
        found[name] = (room / name, starts(room / "once"))
        shutil.rmtree(room / "once")
    return found


@pytest.fixture
def killed(journals: dict[str, tuple[Path, Content]], tmp_path: Path) -> Path:
    """The journal of a killed server, to be damaged."""
    return Path(shutil.copytree(journals[KILLED][0], tmp_path / "data"))


def refused(directory: Path) -> str:
    """The text of a start that is refused, after which the files are as before."""
    before = contents(directory)
    with pytest.raises(JournalError) as refusal:
        JournalServer(directory)
    assert contents(directory) == before
    return str(refusal.value)


def contents(directory: Path) -> dict[str, bytes]:
    """What must not be changed by a refusal."""
    names = (DATABASE, WAL, COMMITTED, *NAMES)
    found = {name: (directory / name).read_bytes() for name in names if (directory / name).exists()}
    return {name: content for name, content in found.items() if content}


@settings(max_examples=sized(quick=60, deep=6000), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([KILLED, STOPPED]))
def test_a_damaged_journal_is_intact_or_refused(
    journals: dict[str, tuple[Path, Content]], tmp_path_factory: pytest.TempPathFactory, seed: int, which: str
) -> None:
    chance = random.Random(seed)
    whole, content = journals[which]
    directory = Path(shutil.copytree(whole, tmp_path_factory.mktemp("damaged") / "data"))
    files = [directory / name for name in contents(directory)]
    path = chance.choice(files)
    damage = chance.choice((flipped, flipped, flipped, cut))
    done = damage(path, chance)
    with suppress(JournalError):
        found = starts(directory)
        if path.name in NAMES and damage is cut:  # the last moves, as after a power cut
            assert found.results == content.results
        else:
            assert found == content, done
    shutil.rmtree(directory.parent)


def test_the_journal_itself_is_read_whole(journals: dict[str, tuple[Path, Content]]) -> None:
    for _, content in journals.values():
        assert len(content.results) == 16
        assert len(content.past.sessions) == 4
        assert [len(game.entries) for game in content.past.games] == [11]


@pytest.mark.parametrize("table", [table for table in CHECKED if table != "committed"])
def test_a_changed_row_is_named(killed: Path, table: str) -> None:
    column = {"seat": "outcome", "session": "digest", "championship_log": "why", "result": "cause"}
    column |= {"part": "body", "packed": "body", "game": "seed", "run": "version", "login": "reason", "act": "why"}
    column |= {"refused": "times"}
    kind = "x'00'" if table in ("part", "packed") else "9" if table == "refused" else "'x'"
    tamper(killed, "INSERT OR IGNORE INTO championship (id, name, game_type) VALUES (1, 'cup', 1)")
    if table == "refused":
        tamper(killed, "INSERT INTO refused (game, seat, times) VALUES (1, 0, 1)")
    key = "game" if table in BY_SEAT else "id"
    with closing(sqlite3.connect(killed / DATABASE)) as db, db:
        first = f"(SELECT min({key}) FROM {table})"
        db.execute(f"UPDATE {table} SET {column.get(table, 'name')} = {kind} WHERE {key} = {first}")
    row = "1, seat 0" if table in BY_SEAT else ask(killed, f"SELECT min(id) FROM {table}")[0][0]
    said = refused(killed)
    assert f"{DATABASE}: damaged: table {table}, row {row}: its content fails its checksum" in said
    assert f"`ugs record rescue --data-dir {killed} NEW_DIR` saves what can be read" in said
    assert "nothing was changed" in said


def test_an_index_that_disagrees_with_its_rows_is_found(killed: Path) -> None:
    change = "UPDATE sqlite_schema SET sql = replace(sql, 'WHERE entries', 'WHERE NOT entries') WHERE name = ?"
    with closing(sqlite3.connect(killed / DATABASE)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(change, ("result_with_entries",))
    assert "result_with_entries" in refused(killed)


def test_a_byte_in_the_log_does_not_cost_the_transactions_behind_it(killed: Path) -> None:
    data = bytearray((killed / WAL).read_bytes())
    data[HEADER.size + 3 * FRAME_BYTES + 100] ^= 1
    (killed / WAL).write_bytes(data)
    said = refused(killed)
    offset = HEADER.size + 3 * FRAME_BYTES
    assert f"{WAL}: damaged: frame 4 (byte {offset}) fails its checksum: of " in said
    assert "are lost" in said


def test_a_missing_log_is_missed(killed: Path) -> None:
    (killed / WAL).unlink()
    assert f"{DATABASE}: damaged: of " in refused(killed)


@pytest.mark.parametrize("left", [b"", b"S"])
def test_a_missing_database_is_missed(killed: Path, left: bytes) -> None:
    (killed / DATABASE).write_bytes(left)
    assert "it is empty or missing, and" in refused(killed)
    (killed / COMMITTED).unlink()
    assert "it is empty or missing, and its write-ahead log is there" in refused(killed)


def test_pages_cut_off_at_the_end_are_missed(killed: Path) -> None:
    starts(killed)
    size = (killed / DATABASE).stat().st_size
    with (killed / DATABASE).open("r+b") as file:
        file.truncate(size - 2 * 4096)
    assert f"{DATABASE}: damaged: " in refused(killed)


def test_a_transaction_that_a_power_cut_has_cut_off_is_no_damage(killed: Path) -> None:
    """What had not been on disk when its COMMIT was under way."""
    log = WriteAheadLog(killed / WAL)
    frames = list(log.frames())
    with (killed / WAL).open("ab") as file:
        file.write(FRAME.pack(7, 0, *log.salt, 1, 2) + b"half a page")
    check(killed)
    with (killed / WAL).open("ab") as file:
        file.write(bytes(FRAME_BYTES - FRAME.size - 11))
    check(killed)
    assert len(list(log.frames())) == len(frames)


@pytest.mark.parametrize("content", [b"", bytes(30), None])
def test_without_the_count_the_log_itself_proves_the_damage(killed: Path, content: bytes | None) -> None:
    """After a power cut, and for journals of versions that did not count."""
    (killed / COMMITTED).unlink()
    if content is not None:
        (killed / COMMITTED).write_bytes(content)
    check(killed)
    data = bytearray((killed / WAL).read_bytes())
    data[HEADER.size + 5000] ^= 1
    (killed / WAL).write_bytes(data)
    assert "frame 2 (byte 4152) fails its checksum, and transactions follow it" in refused(killed)


@pytest.mark.parametrize(
    ("gone", "gaps"),
    [
        ([COMMITTED], ["committed is missing: nothing proves", "committed missing: last moves"]),
        (
            ["tail-b"],
            ["tail-b missing: last moves may be lost, so 1 running game is void and no player has lost: goes on"],
        ),
        ([COMMITTED, *NAMES], ["it holds nothing after 2030-", "committed and tail-a and tail-b missing"]),
    ],
    ids=["count", "last moves", "a copy of the database and its log"],
)
def test_what_missing_files_would_have_proved_is_told_and_no_game_goes_on_from_an_older_position(
    killed: Path, gone: list[str], gaps: list[str]
) -> None:
    for name in gone:
        (killed / name).unlink()
    with JournalServer(killed) as server:
        assert len(server.journal.gaps) == len(gaps)
        for told, gap in zip(server.journal.gaps, gaps, strict=True):
            assert gap in told
        assert server.journal.past.games == ()
        assert ask(killed, "SELECT cause, void, by_server FROM result ORDER BY id DESC LIMIT 1") == [
            ("server lost", 1, 1)
        ]
    with JournalServer(killed) as server:
        assert server.journal.gaps == [], "it is told once"


def test_where_no_game_was_running_the_last_moves_are_not_missed(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
    for name in NAMES:
        (tmp_path / name).unlink()
    with JournalServer(tmp_path) as server:
        assert server.journal.gaps == []


def test_a_new_journal_misses_nothing(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        assert server.journal.gaps == []


def test_a_damaged_version_number_is_refused(killed: Path) -> None:
    starts(killed)
    data = bytearray((killed / DATABASE).read_bytes())
    data[63] = SEALED - 1
    (killed / DATABASE).write_bytes(data)
    assert f"it claims version {SEALED - 1}, but holds what came with version {SEALED}" in refused(killed)
    assert rescue(killed, killed.parent / "rescued").whole


def test_a_damaged_count_is_refused(killed: Path) -> None:
    (killed / COMMITTED).write_bytes(b"123")
    assert f"{COMMITTED}: damaged: it does not hold a number of transactions" in refused(killed)


def test_a_damaged_write_ahead_file_is_refused(killed: Path) -> None:
    path = next(killed / name for name in NAMES if (killed / name).stat().st_size)
    data = bytearray(path.read_bytes())
    data[70] ^= 1
    path.write_bytes(data)
    assert f"{path}: damaged: the record at byte 0 fails its checksum" in refused(killed)


def test_the_check_of_a_directory_without_journal_finds_nothing(tmp_path: Path) -> None:
    check(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_transaction_is_counted(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
        before = ask(tmp_path, "SELECT transactions FROM committed")[0][0]
        server.plays("g2")
        server.settles()  # the file is written after COMMIT, and packing is a transaction of its own
        ((after,),) = ask(tmp_path, "SELECT transactions FROM committed")
        assert isinstance(before, int)
        assert isinstance(after, int)
        assert after > before
        assert (tmp_path / COMMITTED).read_bytes().startswith(b"%020d " % after)
