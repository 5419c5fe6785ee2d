"""A batch that is written whole is read back as it was, by later versions too."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from tests.journal.servers import TYPE, ask, void, won
from ugs.broker.effects import (
    RecordBegin,
    RecordChampionship,
    RecordLogin,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.broker.verdict import Cause
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal import redo
from ugs.journal.batch import (
    Batch,
    BegunGame,
    EndedGame,
    EntriesPart,
    LedgerAddition,
    LoggedIn,
    LoggedOut,
    SessionChange,
)
from ugs.journal.checksums import CHECKED
from ugs.journal.committed import Committed
from ugs.journal.database import connect
from ugs.journal.redo import read_whole, settle, wait_for_rows, write_owed_rows, write_whole
from ugs.journal.row_writer import RowWriter

SEED_GAME = RecordBegin(
    "g1", TYPE, "m é", ("ann", "ben"), {"board": "9×9"}, "cup", 3, 5, "seed", False, {"name": "a table"}
)


def everything() -> Batch:
    """A batch with all that there is, except acts."""
    entry = LedgerEntry(What.RESULT, {"game": "g1", "outcomes": {"ann": "won"}}, "root", "it rained")
    return Batch(
        begun=[BegunGame(1, SEED_GAME, 10, 20), BegunGame(2, RecordBegin("g2", TYPE, "m", ()), 11, 21)],
        parts=[EntriesPart(1, [b"one", b"\0two\xff"]), EntriesPart(1, [b"three"])],
        ended=[
            EndedGame(1, False, won("g1", "ann", "ben"), 12, (1, 2, 3)),
            EndedGame(3, True, void("g3", Cause.JOURNAL_LOST), 13, ()),
        ],
        logged_in=[
            LoggedIn(1, RecordLogin(7, "player", "ann", TYPE, "192.0.2.1:4711", "", "bot 7"), 14),
            LoggedIn(2, RecordLogin(8, "master", "m", TYPE, "192.0.2.1:4712", "2 to 4"), 15),
        ],
        logged_out=[LoggedOut(1, "logout", 16)],
        ledger=[LedgerAddition(1, RecordChampionship("cup", TYPE, entry), 17, '{"game": "g1"}')],
        sessions=[
            SessionChange(RecordSession("s1", "d1", "ann", TYPE, ("session", "state"), True, 0.5), 1_000_000),
            SessionChange(RecordSession("s2", "d2", "ben", TYPE, (), False), 1_000_000),
            SessionChange(RecordSessionOver("s2"), 1_000_000),
        ],
    )


def rows_of(directory: Path) -> dict[str, Any]:
    """All rows of a journal."""
    return {table: ask(directory, f"SELECT * FROM {table}") for table in CHECKED if table != "committed"}


def test_the_rows_of_a_batch_are_the_same_by_a_detour(tmp_path: Path) -> None:
    at_once, later = tmp_path / "at once", tmp_path / "later"
    for directory in (at_once, later):
        directory.mkdir()
        with closing(connect(directory)) as db:
            if directory == at_once:
                RowWriter(db, 5, "1.2").write(everything())
            else:
                add(db, directory, everything())
                settle(db, Committed(directory))
    assert rows_of(later) == rows_of(at_once)
    assert ask(later, "SELECT count(*) FROM result") == [(2,)]


def add(db: Any, directory: Path, batch: Batch, run: int = 5) -> None:
    """Write a batch whole."""
    Committed(directory).add_redo(db, write_whole(run, "1.2", batch))


def test_a_batch_of_the_first_version_that_wrote_any_is_read() -> None:
    """Its server may have been killed, and a later one goes on."""
    body = bytes.fromhex(FIRST)
    assert read_whole(body) == read_whole(write_whole(5, "1.2", everything()))


@pytest.mark.parametrize("options", [{"what": object()}, {"what": 1}, {"what": "\ud800"}])
def test_what_could_not_be_read_back_is_refused(options: dict[str, str]) -> None:
    batch = Batch(begun=[BegunGame(1, RecordBegin("g1", TYPE, "m", (), options), 1, 1)])
    with pytest.raises((ValueError, TypeError)):
        write_whole(1, "1", batch)
    with pytest.raises((ValueError, TypeError)):
        write_whole(1, "1", Batch(ended=[EndedGame(1, False, cast(Any, RecordResult), 1, ())]))


def test_each_batch_is_a_transaction_that_is_counted(tmp_path: Path) -> None:
    with closing(connect(tmp_path)) as db:
        committed = Committed(tmp_path)
        for number in range(3):
            committed.add_redo(db, b"%d" % number)
        with committed.transaction(db):
            pass
        assert ask(tmp_path, "SELECT id, body FROM redo") == [(1, b"0"), (2, b"1"), (3, b"2")]
        assert ask(tmp_path, "SELECT transactions FROM committed") == [(4,)]
        assert (tmp_path / "committed").read_bytes()[:20] == b"%020d" % 4


def test_a_batch_that_cannot_be_written_is_not_counted(tmp_path: Path) -> None:
    with closing(connect(tmp_path)) as db:
        committed = Committed(tmp_path)
        db.execute("PRAGMA query_only = ON")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            committed.add_redo(db, b"1")
        db.execute("PRAGMA query_only = OFF")
        committed.add_redo(db, b"2")
    assert ask(tmp_path, "SELECT id FROM redo") == ask(tmp_path, "SELECT transactions FROM committed") == [(1,)]


def test_a_batch_that_is_no_batch_is_named(tmp_path: Path) -> None:
    with closing(connect(tmp_path)) as db:
        Committed(tmp_path).add_redo(db, b"\xff")
        with pytest.raises(ValueError, match="table redo, row 1: "):
            write_owed_rows(db)


def test_two_results_of_a_game_that_begins_with_them(tmp_path: Path) -> None:
    """It is void after all, as the broker decides when its result is on its way."""
    batch = Batch(
        begun=[BegunGame(1, SEED_GAME, 1, 1)],
        ended=[
            EndedGame(1, False, won("g1", "ann", "ben"), 2, ()),
            EndedGame(2, True, void("g1", Cause.JOURNAL_LOST), 3, ()),
        ],
    )
    with closing(connect(tmp_path)) as db:
        RowWriter(db, 1, "1").write(batch)
    assert ask(tmp_path, "SELECT id, game_id FROM game") == [(1, "g1")]
    assert ask(tmp_path, "SELECT game, cause FROM result") == [(1, "journal lost")]


def waits(db: Any, monkeypatch: pytest.MonkeyPatch, *meanwhile: Callable[[], object]) -> bool:
    """Wait for rows; these things happen while it sleeps."""
    steps = iter(meanwhile)
    monkeypatch.setattr(redo, "sleep", lambda _seconds: next(steps)())
    return wait_for_rows(db)


def test_a_reader_waits_for_the_rows_that_are_owed_now_and_for_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(connect(tmp_path)) as db, closing(connect(tmp_path, readonly=True)) as reads:
        committed = Committed(tmp_path)
        assert not waits(reads, monkeypatch)
        committed.add_redo(db, b"1")
        assert waits(
            reads,
            monkeypatch,
            lambda: committed.add_redo(db, b"2"),
            lambda: db.execute("DELETE FROM redo"),
        )
        committed.add_redo(db, b"3")

        def next_one() -> None:
            db.execute("DELETE FROM redo")
            committed.add_redo(db, b"4")

        assert waits(reads, monkeypatch, next_one)
        monkeypatch.setattr(redo, "MAX_WAIT_S", 0.0)
        assert not waits(reads, monkeypatch)


FIRST = (
    "9905a3312e329294018ba767616d655f6964a26731a967616d655f74797065a56368657373a66d6173746572a46d20c3a9a5"
    "736561747392a3616e6ea362656ea76f7074696f6e7381a5626f617264a439c39739ac6368616d70696f6e73686970a36375"
    "70a76669787475726503ab73656174735f746f74616c05a473656564a473656564a6636f756e7473c2a57461626c6581a46e"
    "616d65a761207461626c650a1494028ba767616d655f6964a26732a967616d655f74797065a56368657373a66d6173746572"
    "a16da5736561747390a76f7074696f6e7380ac6368616d70696f6e73686970a0a76669787475726500ab73656174735f746f"
    "74616c00a473656564a0a6636f756e7473c3a57461626c65800b15929201c4086f6e650074776fff9201c405746872656592"
    "9501c28aa767616d655f6964a26731a967616d655f74797065a56368657373a66d6173746572a772656665726565a5736561"
    "74739284a46e69636ba3616e6ea76f7574636f6d65a3776f6ea9646570617274757265c0a7726566757365640084a46e6963"
    "6ba362656ea76f7574636f6d65a46c6f7374a9646570617274757265a46c656674a77265667573656400a776657264696374"
    "83a56361757365a46c656674a763756c70726974a362656ea962795f736572766572c2a56d6f76657302a8626567616e5f61"
    "74cb3fb999999999999aa8656e6465645f6174cb3fd3333333333334ac6368616d70696f6e73686970a0a766697874757265"
    "000c930102039503c38aa767616d655f6964a26733a967616d655f74797065a56368657373a66d6173746572a77265666572"
    "6565a573656174739284a46e69636ba3616e6ea76f7574636f6d65a4766f6964a9646570617274757265c0a7726566757365"
    "640084a46e69636ba362656ea76f7574636f6d65a4766f6964a9646570617274757265c0a77265667573656400a776657264"
    "69637483a56361757365ac6a6f75726e616c206c6f7374a763756c70726974c0a962795f736572766572c2a56d6f76657301"
    "a8626567616e5f6174cb3fe0000000000000a8656e6465645f6174cb3ff8000000000000ac6368616d70696f6e73686970a0"
    "a766697874757265000d9092930187a4636f6e6e07a4726f6c65a6706c61796572a46e616d65a3616e6ea967616d655f7479"
    "7065a56368657373a761646472657373ae3139322e302e322e313a34373131a7706c6179657273a0a776657273696f6ea562"
    "6f7420370e930287a4636f6e6e08a4726f6c65a66d6173746572a46e616d65a16da967616d655f74797065a56368657373a7"
    "61646472657373ae3139322e302e322e313a34373132a7706c6179657273a63220746f2034a776657273696f6ea00f919301"
    "a66c6f676f757410919801a3637570a56368657373a6726573756c74a4726f6f74a96974207261696e656411ae7b2267616d"
    "65223a20226731227d939387a773657373696f6ea27331a6646967657374a26431a46e69636ba3616e6ea967616d655f7479"
    "7065a56368657373a866616d696c69657392a773657373696f6ea57374617465a6706f6f6c6564c3a668656c645f73cb3fe0"
    "000000000000a0ce000f42409387a773657373696f6ea27332a6646967657374a26432a46e69636ba362656ea967616d655f"
    "74797065a56368657373a866616d696c69657390a6706f6f6c6564c2a668656c645f73cb0000000000000000a0ce000f4240"
    "93c0a27332ce000f4240"
)
"""What :func:`everything` was written as."""
