"""One server per directory."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, DirectoryLock, is_held


def test_a_second_holder_is_told_who_is_the_first(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path)
    with pytest.raises(JournalError, match=rf"in use by another process \(pid {os.getpid()}\)"):
        DirectoryLock(tmp_path)
    lock.release()
    DirectoryLock(tmp_path).release()


def test_a_process_that_dies_releases_the_lock(tmp_path: Path) -> None:
    dying = "import os, sys; from pathlib import Path; from ugs.journal.lock import DirectoryLock\n"
    dying += "lock = DirectoryLock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", dying, str(tmp_path)], check=False).returncode == -9
    assert (tmp_path / LOCK).read_text() != f"{os.getpid()}\n"
    DirectoryLock(tmp_path).release()


def test_a_lock_that_was_removed_meanwhile_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", lambda handle, how: (tmp_path / LOCK).unlink())
    with pytest.raises(JournalError, match="removed by another process: try again"):
        DirectoryLock(tmp_path)


def test_whether_a_directory_is_held_is_seen(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    lock = DirectoryLock(tmp_path)
    assert is_held(tmp_path)
    lock.release()
    assert not is_held(tmp_path)
    (tmp_path / LOCK).unlink()
    (tmp_path / LOCK).symlink_to(tmp_path)
    assert not is_held(tmp_path)


def test_a_missing_directory_is_made(tmp_path: Path) -> None:
    DirectoryLock(tmp_path / "a" / "b").release()
    assert (tmp_path / "a" / "b" / LOCK).is_file()


def test_a_directory_that_cannot_be_made_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"data directory .*file/data: cannot be used: .*is a file, not a directory"):
        DirectoryLock(tmp_path / "file" / "data")
    (tmp_path / LOCK).mkdir()
    with pytest.raises(JournalError, match="lock: is no regular file"):
        DirectoryLock(tmp_path)
