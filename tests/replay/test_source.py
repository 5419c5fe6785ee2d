"""Finding the game to be replayed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.record.samples import tic_tac_toe
from ugs.journal.importing import store
from ugs.journal.journal_error import JournalError
from ugs.record import jsonl, ugsg
from ugs.record.validation import RecordError
from ugs.replay.source import NotReplayable, find

GAME = tic_tac_toe(game_id="abc1")


def test_a_file_of_either_format_whatever_it_is_called(tmp_path: Path) -> None:
    for name, text in (("game.ugsg", ugsg.write(GAME)), ("game", jsonl.write(GAME))):
        (tmp_path / name).write_bytes(text)
        assert find(str(tmp_path / name), None) == GAME


def test_the_beginning_of_an_id_in_a_journal(tmp_path: Path) -> None:
    store(tmp_path, GAME)
    assert find("ab", tmp_path) == GAME
    with pytest.raises(JournalError, match="no such game"):
        find("x", tmp_path)


def test_what_cannot_be_played_again_is_refused(tmp_path: Path) -> None:
    two = tmp_path / "two.ugsg"
    two.write_bytes(ugsg.write(GAME) + b"\n" + ugsg.write(GAME))
    bare = tmp_path / "bare.ugsg"
    bare.write_bytes(ugsg.write(replace(GAME, entries=())))
    for game, words in (
        (str(two), "it holds 2 games; a file with one is needed"),
        (str(bare), "only its result has been kept"),
        ("abc1", "there is no such file, and a game of a journal needs --data-dir"),
    ):
        with pytest.raises(NotReplayable, match=words):
            find(game, None)
    with pytest.raises(RecordError, match="cannot be read"):
        find(str(tmp_path / "missing.ugsg"), tmp_path)
