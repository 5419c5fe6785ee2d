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
