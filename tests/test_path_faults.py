"""What is wrong with a path."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from tests.journal.strangers import another_user, directory_for_all
from ugs.path_faults import directory_fault, is_of_files, path_fault, reason_of


def refusal(path: Path, *, make: bool = False) -> OSError:
    """How the system refuses to open a file, or to make a directory."""
    act = path.mkdir if make else path.read_bytes
    with pytest.raises(OSError, match=r"\d") as found:
        act()
    return found.value


def test_where_something_may_be_nothing_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    for name in ("", "new", "new/below", "nowhere"):
        assert path_fault(str(tmp_path / name)) == ""
    assert directory_fault(str(tmp_path / "new" / "below")) == ""


def test_what_is_wrong_is_told_of_the_part_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert path_fault("").startswith("is empty")
    assert path_fault("a\0b").startswith("holds a NUL")
    assert path_fault(str(tmp_path / "file" / "a" / "b")) == f"{tmp_path / 'file'} is a file, not a directory"
    assert path_fault(str(tmp_path / "circle" / "a")) == "its links lead in a circle"
    assert path_fault("x" * 256) == "a name in it is longer than file systems take"


def test_a_directory_is_told_from_what_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert directory_fault(str(tmp_path / "file")) == "is a file, not a directory"
    assert directory_fault("/dev/null") == "is no directory"
    assert directory_fault(str(tmp_path / "nowhere")) == "is a link to what does not exist"
    assert directory_fault("").startswith("is empty")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_folder_that_may_not_be_searched_is_named() -> None:
    with directory_for_all() as directory:
        closed = directory / "closed"
        closed.mkdir(0o700)
        with another_user():
            assert path_fault(str(closed / "a" / "b")) == f"this user may not look into {closed}"
            assert reason_of(refusal(closed / "a")) == "Permission denied"


def test_a_refusal_of_the_system_is_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert reason_of(refusal(tmp_path / "file", make=True)) == "there is a file already"
    assert reason_of(refusal(tmp_path / "nowhere", make=True)) == "is a link to what does not exist"
    assert reason_of(refusal(tmp_path, make=True)) == "File exists"
    assert reason_of(FileExistsError(errno.EEXIST, "File exists", "/dev/null")) == "File exists"
    assert reason_of(refusal(tmp_path / "file" / "a")) == f"{tmp_path / 'file'} is a file, not a directory"
    assert reason_of(refusal(tmp_path / "circle")) == "its links lead in a circle"
    assert reason_of(refusal(tmp_path / ("x" * 256))) == "a name in it is longer than file systems take"
    assert reason_of(OSError("in words")) == "in words"
    assert reason_of(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    assert reason_of(OSError(errno.ENOTDIR, "Not a directory", "gone/away")) == "Not a directory"
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(OSError, match=r"levels") as caught:
        os.open(tmp_path / "link", os.O_RDONLY | os.O_NOFOLLOW)
    assert reason_of(caught.value) == "is a link, and none is followed here"


def test_errors_of_connections_and_programs_are_not_of_files() -> None:
    assert is_of_files(PermissionError(errno.EACCES, "Permission denied", "a"))
    assert is_of_files(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_of_files(ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"))
    assert not is_of_files(BrokenPipeError(errno.EPIPE, "Broken pipe"))


def test_of_a_folder_that_could_not_be_copied_the_first_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(shutil.Error) as caught:
        shutil.copytree(tmp_path / "from", tmp_path / "to")
    assert reason_of(caught.value) == f"{tmp_path / 'from' / 'gone'}: No such file or directory"
