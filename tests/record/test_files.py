"""Files of records, in either format."""

from pathlib import Path

import pytest

from tests.record.samples import tic_tac_toe
from ugs.record.files import FORMATS, RecordError, read_file, write_all

GAMES = [tic_tac_toe(), tic_tac_toe(game_id="g2")]


@pytest.mark.parametrize("name", FORMATS)
def test_games_are_read_whatever_the_format_and_the_name_of_the_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / "games.txt"
    file.write_bytes(b"\n" + b"".join(write_all(GAMES, name)))
    assert list(read_file(file)) == GAMES


def test_an_empty_file_holds_no_game(tmp_path: Path) -> None:
    file = tmp_path / "empty.ugsg"
    file.write_bytes(b"")
    assert list(read_file(file)) == []


def test_what_is_wrong_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b"{\n")
    for path, words in ((file, f"{file}: line 1: not JSON"), (tmp_path, f"{tmp_path}: cannot be read: Is a directory")):
        with pytest.raises(RecordError) as refused:
            list(read_file(path))
        assert str(refused.value).startswith(words)
