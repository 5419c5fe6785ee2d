"""Journals are copied whole, or not at all."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journal.postgresql.database_server import JournalUrl
from tests.journal.servers import JournalServer, begun
from ugs.broker.values.identity import Role
from ugs.journal import copying
from ugs.journal.copying import copy_journal
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.tokens import FILE, IdentitiesError, NewRow, add, listed
from ugs.places import Place


def fill(place: Place) -> None:
    """A life with games, one of them running, a championship, a session and a token."""
    with JournalServer(place) as server:
        for number in range(3):
            server.plays(f"g{number}", "ann", f"ben {number}")
        for entry in begun("ann", "ben"):
            server.ledger("cup", entry)
        server.session("ann")
        server.session("ben")
        server.begins("runs", seed="secret")
        server.moves("runs", 2)
        server.settles()
    add(place, [NewRow(Role.PLAYER, "ann", "digest", why="asked")], "me", 7)


def content(place: Place) -> list[object]:
    """What readers see of it."""
    with Reader(place) as reader:
        records = [reader.record(game.game_id) for game in reader.games()]
        return [records, list(reader.results()), reader.championships(), reader.runs(), listed(place)]


def test_there_and_back_it_is_the_same_and_running_games_go_on(tmp_path: Path, url: JournalUrl) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    fill(old)
    rows = copy_journal(old, url)
    assert copy_journal(url, new) == rows > 30
    assert content(old) == content(url) == content(new)
    for place in (url, new):
        with JournalServer(place) as server:
            assert [game.begin.game_id for game in server.journal.past.games] == ["runs"]


def test_what_is_there_is_not_mixed_with_a_copy(tmp_path: Path) -> None:
    fill(tmp_path / "old")
    with JournalServer(tmp_path / "new") as server:
        server.plays("other")
    before = content(tmp_path / "new")
    with pytest.raises(JournalError, match="there is a journal already"):
        copy_journal(tmp_path / "old", tmp_path / "new")
    assert content(tmp_path / "new") == before


def test_a_row_that_is_not_what_was_copied_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "old")
    monkeypatch.setattr(copying, "_write", lambda db, table, rows: None)
    with pytest.raises(JournalError, match="row 1 of table run is not what was copied"):
        copy_journal(tmp_path / "old", tmp_path / "new")
    assert os.listdir(tmp_path) == ["old"]


def test_a_refused_copy_makes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "old"
    with pytest.raises(JournalError, match="misspelt: there is no journal here"):
        copy_journal(tmp_path / "misspelt", tmp_path / "new")
    with JournalServer(old) as server:
        server.plays("g1")
        shutil.copytree(old, tmp_path / "lost")
        with pytest.raises(JournalError, match="in use"):
            copy_journal(old, tmp_path / "new")
    with pytest.raises(JournalError, match="its last server was lost"):
        copy_journal(tmp_path / "lost", tmp_path / "new")
    assert sorted(os.listdir(tmp_path)) == ["lost", "old"]


def test_a_copy_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "old")
    new = tmp_path / "new"
    new.mkdir()
    (new / "notes").touch()
    add(new, [NewRow(Role.PLAYER, "ben", "digest", why="asked")], "me", 7)
    with pytest.raises(IdentitiesError, match="there is a list of tokens already"):
        copy_journal(tmp_path / "old", new)
    assert sorted(os.listdir(new)) == ["notes", FILE]
    (new / FILE).unlink()
    monkeypatch.setattr(copying, "_write", lambda db, table, rows: None)
    with pytest.raises(JournalError, match="is not what was copied"):
        copy_journal(tmp_path / "old", new / "in" / "it")
    with pytest.raises(JournalError, match="is not what was copied"):
        copy_journal(tmp_path / "old", new)
    assert os.listdir(new) == ["notes"]
    monkeypatch.undo()
    copy_journal(tmp_path / "old", new)
    assert content(tmp_path / "old") == content(new)


def test_a_database_without_a_journal_stays_so(tmp_path: Path, url: JournalUrl) -> None:
    with pytest.raises(JournalError, match="there is no journal in this database"):
        copy_journal(url, tmp_path / "new")
    with pytest.raises(JournalError, match="there is no journal in this database"):
        Reader(url)
    assert not os.listdir(tmp_path)


def test_a_journal_in_a_directory_needs_no_driver() -> None:
    program = "import sys, ugs.journal.journal, ugs.journal.reader, ugs.journal.copying, ugs.commands.serve_run\n"
    program += "assert not {'psycopg', 'psycopg_binary'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
