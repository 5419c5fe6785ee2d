"""A journal is moved as a whole."""

from pathlib import Path

from tests.commands.line import ugs
from tests.journal.servers import JournalServer
from ugs.journal.reader import Reader


def test_a_journal_is_copied_and_what_is_there_is_left_alone(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    with JournalServer(old) as server:
        server.plays("g1")
    done = ugs("journal", "copy", str(old), str(new))
    assert (done.exit_code, done.stdout.endswith("rows copied and compared\n")) == (0, True)
    with Reader(new) as reader:
        assert [game.game_id for game in reader.games()] == ["g1"]
    again = ugs("journal", "copy", str(old), str(new))
    assert again.exit_code == 1
    assert "there is a journal already" in again.stderr


def test_help_has_no_word_of_the_program_in_it() -> None:
    text = ugs("journal", "copy", "--help").stdout
    assert ("place" in text, text.lower().count("<dir|url>")) == (False, 2)


def test_a_journal_is_backed_up_in_one_line(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
        done = ugs("journal", "backup", str(tmp_path / "backup"), "--data-dir", str(tmp_path / "data"))
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'backup'}: 1 result and 0 tokens, every row as it was\n")
    again = ugs("journal", "backup", str(tmp_path / "backup"), "--data-dir", str(tmp_path / "data"))
    assert (again.exit_code, again.stderr.count("\n")) == (1, 1)


def test_a_database_is_backed_up_by_its_own_programs(tmp_path: Path) -> None:
    done = ugs("journal", "backup", str(tmp_path / "backup"), "--data-dir", "postgresql://ugs@db.example/ugs")
    assert done.exit_code == 2
    assert "ugs example cluster.md" in done.stderr
    assert not (tmp_path / "backup").exists()
