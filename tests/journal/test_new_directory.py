"""Directories that are as before when filling them fails."""

from pathlib import Path

import pytest

from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, DirectoryLock, is_held
from ugs.journal.new_directory import missing, new_directory, removed_again


def test_it_is_held_and_stays(tmp_path: Path) -> None:
    with new_directory(tmp_path / "a" / "b"):
        assert is_held(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / LOCK).exists()
    assert not is_held(tmp_path / "a" / "b")


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_left_of_one_that_was_not_filled(tmp_path: Path, there: bool) -> None:
    place = tmp_path / "a" / "b"
    if there:
        place.mkdir(parents=True)

    def fills() -> None:
        with new_directory(place):
            (place / "half").touch()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fills()
    assert sorted(tmp_path.rglob("*")) == ([place.parent, place] if there else [])


def test_what_others_put_there_is_kept(tmp_path: Path) -> None:
    def fills() -> None:
        with removed_again(missing(tmp_path / "a")):
            (tmp_path / "a").mkdir()
            (tmp_path / "a" / "notes").touch()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fills()
    assert (tmp_path / "a" / "notes").exists()


def test_one_that_another_process_has_made_and_holds_is_left_alone(tmp_path: Path) -> None:
    held: list[DirectoryLock] = []

    def comes_second() -> None:
        with removed_again(missing(tmp_path / "a")):
            held.append(DirectoryLock(tmp_path / "a"))
            DirectoryLock(tmp_path / "a")

    with pytest.raises(JournalError, match="in use by another process"):
        comes_second()
    assert (tmp_path / "a" / LOCK).exists()
    held[0].release()


def test_one_that_cannot_be_held_is_not_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError), new_directory(tmp_path / "file" / "a"):
        pass
    assert sorted(tmp_path.iterdir()) == [tmp_path / "file"]
