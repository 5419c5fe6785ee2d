"""Games from elsewhere."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.journal.servers import JournalServer, record, tamper
from tests.journal.test_entries import ENTRIES
from tests.profile import sized
from ugs.broker.values.standings import Row
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.journal.importing import store
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.record.game import GameRecord

NAMES = st.text(min_size=1, max_size=8)
MICROSECONDS = st.integers(0, 2**60)
SEATS = st.builds(
    SeatResult, NAMES, st.sampled_from(Outcome), st.none() | st.sampled_from(Cause), st.sampled_from((0, 0, 1, 9))
)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Any finished game."""
    result = draw(
        st.builds(
            GameResult,
            NAMES,
            NAMES,
            NAMES,
            st.lists(SEATS, min_size=1, max_size=4).map(tuple),
            st.builds(Verdict, st.sampled_from(Cause), st.none() | NAMES, st.booleans()),
            st.integers(0, 2**40),
            st.floats(0, 1e9),
            st.floats(0, 1e9),
            st.text(max_size=8),
            st.integers(0, 2**40),
        )
    )
    return GameRecord(
        result.game_id,
        result.game_type,
        result.master,
        tuple(seat.nick for seat in result.seats),
        draw(MICROSECONDS),
        draw(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)),
        result.championship,
        result.fixture,
        draw(st.text(max_size=8)),
        draw(st.lists(MICROSECONDS, max_size=4).map(tuple)),
        draw(st.lists(ENTRIES, max_size=3).map(tuple)),
        result,
        draw(st.integers(0, 9)),
        draw(st.text(max_size=8)),
        draw(st.booleans()),
        draw(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)),
    )


@settings(max_examples=sized(quick=15, deep=100))
@given(records())
def test_any_finished_game_is_read_as_it_was_imported(game: GameRecord) -> None:
    with TemporaryDirectory() as directory:
        assert store(Path(directory), game)
        assert record(Path(directory), game.game_id) == game


def played(directory: Path) -> GameRecord:
    """A game that a server recorded in a journal of its own."""
    with JournalServer(directory, version="0.9") as server:
        server.plays("g1", "ann", "ben")
    return record(directory, "g1")


def test_a_game_goes_from_journal_to_journal_unchanged(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    assert store(tmp_path / "there", game)
    assert record(tmp_path / "there", "g1") == game
    with Reader(tmp_path / "here") as here, Reader(tmp_path / "there") as there:
        assert list(there.games()) == list(here.games())
        assert there.runs() == []


def test_a_game_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    game = played(tmp_path)
    assert not store(tmp_path, game)
    assert record(tmp_path, "g1") == game


def test_another_game_of_the_same_id_is_refused(tmp_path: Path) -> None:
    game = played(tmp_path)
    with pytest.raises(JournalError, match="game 'g1': the journal has another game of this id"):
        store(tmp_path, replace(game, server="1.0"))
    assert record(tmp_path, "g1") == game


def test_an_imported_game_counts_for_the_standings_and_games_of_the_server_follow_it(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    store(tmp_path / "there", game)
    with JournalServer(tmp_path / "there") as server:
        assert server.journal.past.standings == {"chess": [Row("ann", 1, 0), Row("ben", 0, 1)]}
        server.plays("g2")
    with Reader(tmp_path / "there") as reader:
        assert [found.game_id for found in reader.games()] == ["g2", "g1"]


def test_an_imported_game_that_does_not_count_is_in_no_standings(tmp_path: Path) -> None:
    store(tmp_path / "there", replace(played(tmp_path / "here"), counts=False))
    with JournalServer(tmp_path / "there") as server, Reader(tmp_path / "there") as reader:
        assert server.journal.past.standings == {}
        assert list(reader.results()) == []
        assert [(game.game_id, game.counts) for game in reader.games()] == [("g1", False)]


def test_nothing_is_imported_while_a_server_is_there(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    with JournalServer(tmp_path / "there"), pytest.raises(JournalError, match="in use by another process"):
        store(tmp_path / "there", game)


def test_what_contradicts_itself_or_has_no_result_is_refused(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    with pytest.raises(JournalError, match="game 'g1': cannot be imported: it has no result"):
        store(tmp_path, replace(game, result=None))
    with pytest.raises(JournalError, match="head and its result contradict each other"):
        store(tmp_path, replace(game, master="somebody"))
    with Reader(tmp_path) as reader:
        assert not list(reader.games())


def test_a_record_that_cannot_be_written_is_refused_and_leaves_no_rows(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    for wrong in (replace(game, began_us=2**70), replace(game, server="\ud800")):
        with pytest.raises(JournalError, match="game 'g1': cannot be imported"):
            store(tmp_path, wrong)
    with Reader(tmp_path) as reader:
        assert list(reader.games()) == []
    assert store(tmp_path, game)


def test_a_damaged_journal_accepts_no_import(tmp_path: Path) -> None:
    game = played(tmp_path / "here")
    store(tmp_path, game)
    tamper(tmp_path, "DROP TABLE part")
    with pytest.raises(JournalError, match="no such table: part"):
        store(tmp_path, replace(game, server="x"))
    tamper(
        tmp_path,
        "CREATE TABLE part (id INTEGER PRIMARY KEY, game, body, crc)",
        "INSERT INTO part VALUES (1, 1, x'00', 0)",
    )
    with pytest.raises(JournalError, match="damaged: no entry begins"):
        store(tmp_path, game)
