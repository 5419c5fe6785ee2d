"""Many rows are written by few statements."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.journal.servers import TYPE, ask, void, won
from ugs.broker.effects import RecordBegin
from ugs.broker.verdict import Cause
from ugs.journal import row_writer
from ugs.journal.batch import Batch, BegunGame, EndedGame, EntriesPart
from ugs.journal.database import connect
from ugs.journal.row_writer import Insert, RowWriter


def test_many_rows_are_written_as_one_by_one(tmp_path: Path) -> None:
    db = connect(tmp_path)
    rows = [(1, "a"), (2, "é \"'\\ \U0001f600 \n"), (2**62 + 1, "")]
    Insert("player").write(db, rows)
    Insert("master").write(db, [*rows, (4, "nul \0 inside")])
    Insert("game_type").write(db, rows[:1])
    Insert("game_type").write(db, [])
    db.close()
    assert ask(tmp_path, "SELECT id, name FROM player ORDER BY id") == rows
    assert ask(tmp_path, "SELECT id, name FROM master ORDER BY id") == [*rows[:2], (4, "nul \0 inside"), rows[2]]
    assert ask(tmp_path, "SELECT id, name FROM game_type") == rows[:1]


def test_bodies_too_large_for_one_statement_take_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_writer, "MAX_AT_ONCE", 10)
    db = connect(tmp_path)
    bodies = [b"", b"123", b"4567890", b"x", b"more than fit at once", b"\0\xff", b""]
    RowWriter(db, None, "1").parts(list(enumerate(bodies)))
    db.close()
    assert ask(tmp_path, "SELECT game, body FROM part ORDER BY id") == list(enumerate(bodies))


def test_names_are_entered_once_however_many_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_writer, "MAX_NAMES", 2)
    db = connect(tmp_path)
    rows = RowWriter(db, None, "1")
    for number in range(6):
        nicks = (f"nick {number % 3}", f"nick {(number + 1) % 3}")
        rows.game(number + 1, RecordBegin(f"g{number}", "chess", "m", nicks), 1, 1)
    db.close()
    assert ask(tmp_path, "SELECT name FROM player ORDER BY name") == [("nick 0",), ("nick 1",), ("nick 2",)]
    assert ask(tmp_path, "SELECT count(*) FROM seat") == [(12,)]


def test_batches_are_joined_in_order() -> None:
    first, second = Batch(parts=[EntriesPart(1, [b"a"])]), Batch(parts=[EntriesPart(1, [b"b"])])
    second.begun.append(BegunGame(2, RecordBegin("g", "chess", "m", ()), 1, 1))
    assert not Batch()
    first.extend(second)
    assert len(first) == 3
    assert first == Batch(begun=second.begun, parts=[EntriesPart(1, [b"a"]), EntriesPart(1, [b"b"])])


def test_two_results_of_a_game_that_begins_with_them(tmp_path: Path) -> None:
    """It is void after all, as the broker decides when its result is on its way."""
    batch = Batch(
        begun=[BegunGame(1, RecordBegin("g1", TYPE, "m", ("ann", "ben"), {}, "", 0, 0, "", False, {}), 1, 1)],
        ended=[
            EndedGame(1, False, won("g1", "ann", "ben"), 2, ()),
            EndedGame(2, True, void("g1", Cause.JOURNAL_LOST), 3, ()),
        ],
    )
    with closing(connect(tmp_path)) as db:
        RowWriter(db, 1, "1").write(batch)
    assert ask(tmp_path, "SELECT id, game_id FROM game") == [(1, "g1")]
    assert ask(tmp_path, "SELECT game, cause FROM result") == [(1, "journal lost")]


def test_the_results_of_games_that_are_known_need_no_looking_up(tmp_path: Path) -> None:
    db = connect(tmp_path)
    rows = RowWriter(db, None, "1")
    statements: set[str] = set()
    for row in (1, 2, 3):
        rows.write(Batch(begun=[BegunGame(row, RecordBegin(f"g{row}", TYPE, "m", ("ann", "ben")), 1, 1)]))
        if row == 2:
            db.set_trace_callback(lambda text: statements.add(text.split()[0]))
        rows.write(Batch(ended=[EndedGame(row, False, won(f"g{row}"), 1, ())]))
    assert "SELECT" not in statements
    # Another connection, where the last batch comes again since its commit was in doubt.
    RowWriter(db, None, "1").write(Batch(ended=[EndedGame(3, False, won("g3"), 1, ())]))
    db.close()
    assert ask(tmp_path, "SELECT id, game FROM result ORDER BY id") == [(1, 1), (2, 2), (3, 3)]
