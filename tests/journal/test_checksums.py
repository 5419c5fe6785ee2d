"""The checksum of a row, made in Python and in SQL."""

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.journal.checksums import (
    CHECKED,
    content_checksum,
    content_of,
    enable_sealing,
    part_checksum,
    row_checksum,
    seal,
)
from ugs.journal.database import connect
from ugs.journal.schema_versions import MIGRATIONS

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
CELLS = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), TEXTS)


@settings(max_examples=sized(quick=60, deep=1000))
@given(st.lists(CELLS, min_size=5, max_size=5))
def test_python_and_sql_agree(cells: list[int | str | None]) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE seat (game, seat, player, outcome, departure, crc)")
    db.execute("INSERT INTO seat VALUES (?, ?, ?, ?, ?, 0)", cells)
    ((content,),) = db.execute(f"SELECT {content_of('seat')} FROM seat")
    assert content_checksum("seat", content) == row_checksum("seat", cells)
    enable_sealing(db)
    db.execute(seal("seat"))
    assert db.execute("SELECT crc FROM seat").fetchone() == (row_checksum("seat", cells),)
    db.close()


@given(st.integers(1, 2**62), st.integers(0, 2**62), st.binary())
def test_parts_of_any_bytes_have_one_too(row: int, game: int, body: bytes) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE part (id, game, body)")
    db.execute("INSERT INTO part VALUES (?, ?, ?)", (row, game, body))
    ((content,),) = db.execute(f"SELECT {content_of('part')} FROM part")
    assert content_checksum("part", content) == part_checksum(row, game, body)
    db.close()


def test_equal_rows_of_different_tables_differ() -> None:
    assert row_checksum("player", (1, "ann")) != row_checksum("master", (1, "ann"))


def test_every_column_is_covered_or_in_an_index() -> None:
    in_an_index = {"result": {"entries"}}
    with TemporaryDirectory() as name:
        db = connect(Path(name))
        tables = {table for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        assert tables == set(CHECKED)
        for table, covered in CHECKED.items():
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            assert columns == {*covered.split(", "), "crc"} | in_an_index.get(table, set()), table
        db.close()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_without_checksums_gets_them(tmp_path: Path, version: int) -> None:
    older = {number: steps for number, steps in MIGRATIONS.items() if number <= version}
    db = connect(tmp_path, migrations=older)
    db.execute("INSERT INTO player VALUES (1, 'ann')")
    db.execute("INSERT INTO part VALUES (1, 1, x'00ff')")
    db.close()
    db = connect(tmp_path)
    assert db.execute("SELECT crc FROM player").fetchall() == [(row_checksum("player", (1, "ann")),)]
    assert db.execute("SELECT crc FROM part").fetchall() == [(part_checksum(1, 1, b"\0\xff"),)]
    db.close()
