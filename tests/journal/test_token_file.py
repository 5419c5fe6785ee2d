"""Whose the file with the list of tokens is, and what is not taken for one."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journal.strangers import STRANGER, another_user, directory_for_all
from ugs.broker.values.identity import Role
from ugs.journal.token_file import FILE, FILES, misplaced, of_another_user
from ugs.journal.tokens import IdentitiesError, NewRow, add, listed, rows

NOON_US = 1_900_000_000_000_000
ANN = [NewRow(Role.PLAYER, "ann", "a")]


def reads(directory: Path) -> None:
    """Look at the list."""
    listed(directory)


def writes(directory: Path) -> None:
    """Add to the list."""
    add(directory, ANN, "root", NOON_US)


@pytest.fixture
def foreign() -> Iterator[Path]:
    """A directory of another user, which root works in."""
    if os.geteuid() != 0:
        pytest.fail("only root works in directories of others")
    with directory_for_all() as directory:
        (directory / "a b").mkdir()
        os.chown(directory / "a b", STRANGER, STRANGER)
        yield directory / "a b"


@pytest.mark.parametrize("asks", [reads, writes])
@pytest.mark.parametrize("name", FILES)
def test_a_link_is_not_followed(tmp_path: Path, name: str, asks: Callable[[Path], None]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "secret").write_text("of others")
    for target in (tmp_path / "secret", tmp_path / "gone"):
        (data / name).symlink_to(target)
        with pytest.raises(IdentitiesError, match="is a link, which could lead to any file"):
            asks(data)
        (data / name).unlink()
    assert (tmp_path / "secret").read_text() == "of others"
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("asks", [reads, writes])
def test_only_a_regular_file_without_another_name_is_a_list(tmp_path: Path, asks: Callable[[Path], None]) -> None:
    add(tmp_path, ANN, "root", NOON_US)
    os.link(tmp_path / FILE, tmp_path / "other")
    with pytest.raises(IdentitiesError, match=r"has another name, too \(a hard link\)"):
        asks(tmp_path)
    (tmp_path / FILE).unlink()
    for make in (os.mkfifo, os.mkdir):
        make(tmp_path / FILE)
        with pytest.raises(IdentitiesError, match="is no regular file"):
            asks(tmp_path)
        (os.rmdir if make is os.mkdir else os.unlink)(tmp_path / FILE)
    assert rows(tmp_path) == []


def test_why_it_cannot_be_used_is_written_without_numbers(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IdentitiesError) as refused:
        writes(tmp_path / "file" / "data")
    assert str(refused.value).endswith(f"cannot be used: {tmp_path / 'file'} is a file, not a directory")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_belongs_to_the_owner_of_the_directory(foreign: Path) -> None:
    writes(foreign)
    with another_user():
        writes(foreign)
    assert (misplaced(foreign), of_another_user(foreign / FILE)) == ("", "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_of_a_list_that_belongs_to_another_user_root_is_told_what_helps(foreign: Path) -> None:
    writes(foreign)
    os.chown(foreign / FILE, 0, 0)
    for asks in (reads, writes):
        with another_user(), pytest.raises(IdentitiesError, match=f"as root, `ugs token list --data-dir '{foreign}'`"):
            asks(foreign)
    assert misplaced(foreign).endswith(f"as root: chown -h --reference='{foreign}' '{foreign / FILE}'")
    assert of_another_user(foreign / FILE) == "", "root needs nobody"
    assert [one.name for one in listed(foreign)] == ["ann"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
@pytest.mark.parametrize("what", ["link", "hard link", "text", "empty", "another database", "nothing"])
def test_nobody_is_advised_to_give_away_what_is_no_list(foreign: Path, tmp_path: Path, what: str) -> None:
    path = foreign / FILE
    if what == "link":
        path.symlink_to("/etc/shadow")
    elif what == "hard link":
        writes(foreign)
        os.chown(path, 0, 0)
        os.link(path, foreign / "other")
    elif what == "text":
        path.write_text("root:x:0:0")
    elif what == "empty":
        path.touch()
    elif what == "another database":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE token (secret TEXT)")
        db.close()
    assert misplaced(foreign) == ""
    with another_user():
        assert ("as root" in of_another_user(path)) == (what in ("text", "empty", "another database"))
