"""Folders that are thrown away, also those of programs that were killed."""

import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ugs import unkept_folders
from ugs.unkept_folders import unkept_folder

HOLDS = """
import signal
from ugs.unkept_folders import unkept_folder

with unkept_folder("ugs-trial") as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").touch()
    print(folder, flush=True)
    signal.pause()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_program_has_left_the_next_one_removes(place: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(place)}
    holding = subprocess.Popen([sys.executable, "-c", HOLDS], stdout=subprocess.PIPE, text=True, env=environment)
    with holding as holder:
        assert holder.stdout is not None
        theirs = Path(holder.stdout.readline().strip())
        with unkept_folder("ugs-trial") as ours:
            assert (theirs / "deep" / "file").exists()
            assert {ours, theirs} == set(place.iterdir())
        holder.kill()
        holder.wait()
    assert set(place.iterdir()) == {theirs}
    with unkept_folder("ugs-trial") as ours:
        assert set(place.iterdir()) == {ours}
    assert not list(place.iterdir())


def test_folders_that_people_have_made_stay(place: Path) -> None:
    folders = [
        place / name
        for name in ("ugs-trial-results", "ugs-trial-abcdefgh", "ugs-trial-results-unkept", "ugs-other-abcdefgh-unkept")
    ]
    for folder in folders:
        folder.mkdir()
    elsewhere = place / "ugs-trial-abcdefgi-unkept"
    elsewhere.symlink_to(folders[0])
    (place / "ugs-trial-abcdefgj-unkept").touch()
    before = set(place.iterdir())
    with unkept_folder("ugs-trial"):
        pass
    assert set(place.iterdir()) == before


def test_folders_of_other_users_stay(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = place / "ugs-trial-abcdefgh-unkept"
    theirs.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: theirs.stat().st_uid + 1)
    with unkept_folder("ugs-trial"):
        pass
    assert theirs.exists()


@pytest.mark.parametrize("moment", ["open", "flock"])
def test_a_folder_that_is_taken_for_abandoned_before_it_is_locked_is_made_again(
    moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    module = {"open": os, "flock": fcntl}[moment]
    as_before = getattr(module, moment)

    def removed_first(*arguments: object) -> object:
        if len(made) == 1 and Path(made[0]).exists():
            Path(made[0]).rmdir()
        return as_before(*arguments)

    def make(prefix: str, suffix: str) -> str:
        made.append(tempfile.mkdtemp(prefix=prefix, suffix=suffix))
        return made[-1]

    monkeypatch.setattr(unkept_folders, "mkdtemp", make)
    monkeypatch.setattr(module, moment, removed_first)
    with unkept_folder("ugs-trial") as folder:
        assert [str(folder)] == made[1:]
        assert folder.exists()


def test_where_a_file_system_has_no_locks_nothing_is_taken_for_abandoned(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError("no locks available")

    left = place / "ugs-trial-abcdefgh-unkept"
    left.mkdir()
    monkeypatch.setattr(fcntl, "flock", no_locks)
    with unkept_folder("ugs-trial") as folder:
        assert set(place.iterdir()) == {left, folder}
    assert set(place.iterdir()) == {left}
