"""Finds the game to be replayed."""

from pathlib import Path

from ugs.journal.reader import Reader
from ugs.places import Place
from ugs.record.files import read_file
from ugs.record.game import GameRecord

SUFFIXES = (".ugsg", ".jsonl")


class NotReplayable(Exception):
    """There is no such game, or it cannot be replayed. The text is for people."""


def find(game: str, data_dir: Place | None) -> GameRecord:
    """The game in the file ``game``, or in the journal of ``data_dir`` by its id or the beginning of its id.

    Raises NotReplayable when there is not exactly one game, or only its result has been kept; RecordError or
    JournalError when the file or the journal cannot be read.
    """
    path = Path(game)
    # By its name, too: of a file that is missing the error should be about the file.
    if path.suffix in SUFFIXES or path.is_file():
        games = list(read_file(path))
        if len(games) != 1:
            raise NotReplayable(f"{path}: it holds {len(games)} games; a file with one is needed")
        record = games[0]
    elif data_dir is None:
        why = "is no file" if path.exists() else "there is no such file"
        raise NotReplayable(f"{game}: {why}, and a game of a journal needs --data-dir")
    else:
        with Reader(data_dir) as reader:
            record = reader.record(game)
    if not record.entries:
        raise NotReplayable(f"game {record.game_id!r}: only its result has been kept, there is nothing to replay")
    return record
