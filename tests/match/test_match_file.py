"""What is kept of a match, so that it can go on."""

import errno
import fcntl
import io
from pathlib import Path

import pytest

from ugs.broker.verdict import Cause, Outcome
from ugs.match.match_file import NAME, MatchFile
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.planner import PlannedGame
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame

WANTED = MatchSettings.read({"game": "g", "bots": {"a": "x", "b": "y"}})
FIRST, SECOND = PlannedGame(1, ("a", "b"), 1, 2, 3, "final"), PlannedGame(2, ("b", "a"), 1)
RESULT = ScoredGame(
    FIRST, "g1", {"a": Outcome.WON, "b": Outcome.LOST}, Cause.TIMEOUT, "b", "too late", 7, {"b": "time-outs"}
)


def begun(directory: Path) -> None:
    kept = MatchFile(directory, WANTED, resume=False)
    kept.begins(FIRST, "g1")
    kept.begins(SECOND, "g2")
    kept.ended(RESULT)
    kept.close()


def test_results_and_games_without_one_are_read_again(tmp_path: Path) -> None:
    begun(tmp_path)
    kept = MatchFile(tmp_path, WANTED, resume=True)
    assert (kept.results, kept.begun) == ({1: RESULT}, {2: (SECOND, "g2")})
    kept.close()


def test_half_a_line_is_taken_for_none_and_spoils_nothing_behind_it(tmp_path: Path) -> None:
    begun(tmp_path)
    with (tmp_path / NAME).open("a", encoding="utf-8") as file:
        file.write('{"result": {"pla')
    kept = MatchFile(tmp_path, WANTED, resume=True)
    kept.begins(SECOND, "g3")
    kept.close()
    again = MatchFile(tmp_path, WANTED, resume=True)
    assert (again.results, again.begun) == ({1: RESULT}, {2: (SECOND, "g3")})
    again.close()


def test_a_match_is_played_by_one_process(tmp_path: Path) -> None:
    kept = MatchFile(tmp_path, WANTED, resume=False)
    for resume in (False, True):
        with pytest.raises(MatchFailed, match=f"^{tmp_path}: this match is being played, by another process$"):
            MatchFile(tmp_path, WANTED, resume=resume)
    kept.close()
    kept.close()
    MatchFile(tmp_path, WANTED, resume=True).close()


def test_without_locks_a_match_is_played_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    MatchFile(tmp_path, WANTED, resume=False).close()


def test_a_match_goes_on_only_where_it_is_the_same(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch, match="holds no match to go on with"):
        MatchFile(tmp_path, WANTED, resume=True)
    assert not list(tmp_path.iterdir())
    begun(tmp_path)
    with pytest.raises(WrongMatch, match="go on with --resume, or take another --data-dir"):
        MatchFile(tmp_path, WANTED, resume=False)
    with pytest.raises(WrongMatch, match="--resume: games was 100 and is 7 now"):
        MatchFile(tmp_path, WANTED.but(games=7), resume=True)
    MatchFile(tmp_path, WANTED.but(concurrency=9, output="json"), resume=True).close()


def test_what_cannot_be_written_ends_the_match_and_it_goes_on_behind_it(tmp_path: Path) -> None:
    kept = MatchFile(tmp_path, WANTED, resume=False)
    kept.begins(FIRST, "g1")

    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    kept._file.close()
    kept._file = Full()
    with pytest.raises(MatchFailed, match=f"^{kept.path}: cannot be written: No space left on device$"):
        kept.ended(RESULT)
    kept.close()
    again = MatchFile(tmp_path, WANTED, resume=True)
    assert again.begun == {1: (FIRST, "g1")}
    again.close()
