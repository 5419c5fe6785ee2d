"""A data directory is for its owner only."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.servers import JournalServer
from tests.journal.strangers import STRANGER, directory_for_all
from ugs.journal.database import DATABASE
from ugs.journal.database_contract import Exposed
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, DirectoryLock, refuse_if_held
from ugs.journal.owner_only import FILES, make_private
from ugs.journal.token_file import FILES as TOKENS


@pytest.fixture(params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(directory: Path) -> dict[str, int]:
    """The permissions of a directory (named ".") and its files."""
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    return {".": stat.S_IMODE(directory.stat().st_mode), **found}


@pytest.mark.usefixtures("_umask")
def test_whatever_the_umask_is_only_the_owner_can_read(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with JournalServer(data) as server:
        server.plays("g1")
        found = modes(data)
        assert server.journal.exposed == []
    assert found.pop(".") == 0o700
    assert set(found) == set(FILES) - set(TOKENS)
    assert set(found.values()) == {0o600}


def test_wider_permissions_are_taken_back_and_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    JournalServer(data).journal.close()
    (data / "notes.txt").touch(0o644)
    (data / DATABASE).chmod(0o664)
    data.chmod(0o755)
    with JournalServer(data) as server:
        assert server.journal.exposed == [Exposed(data, 0o755, True), Exposed(data / DATABASE, 0o664, True)]
        found = modes(data)
    assert found.pop("notes.txt") & stat.S_IROTH, "not ours"
    assert {mode & 0o077 for mode in found.values()} == {0}


def test_what_belongs_to_somebody_else_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o750)

    def not_permitted(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chmod", not_permitted)
    assert make_private(tmp_path) == [Exposed(tmp_path, 0o750, False)]


def test_a_directory_of_other_things_stays_as_it_is(tmp_path: Path) -> None:
    for name, mode in (("project", 0o755), ("temporary", 0o1777)):
        directory = tmp_path / name
        directory.mkdir()
        (directory / "readme").touch()
        directory.chmod(mode)
        with JournalServer(directory) as server:
            assert server.journal.exposed == [Exposed(directory, mode, False)]
        assert stat.S_IMODE(directory.stat().st_mode) == mode
        assert {mode & 0o077 for name, mode in modes(directory).items() if name in FILES} == {0}
    with JournalServer(tmp_path / "temporary") as server:
        assert server.journal.exposed == [Exposed(tmp_path / "temporary", 0o1777, False)], "also with a journal in it"


def test_an_empty_directory_becomes_one_of_a_journal(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with JournalServer(tmp_path) as server:
        assert server.journal.exposed == [Exposed(tmp_path, 0o755, True)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_a_directory_of_another_user_stays_as_it_is() -> None:
    with directory_for_all() as directory:
        os.chown(directory, STRANGER, STRANGER)
        assert make_private(directory) == [Exposed(directory, 0o755, False)]


def test_a_file_with_another_name_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    (tmp_path / "other").chmod(0o644)
    os.link(tmp_path / "other", tmp_path / LOCK)
    tmp_path.chmod(0o700)
    assert make_private(tmp_path) == [Exposed(tmp_path / LOCK, 0o644, False)]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    elsewhere.chmod(0o644)
    data = tmp_path / "data"
    data.mkdir(0o700)
    (data / LOCK).symlink_to(elsewhere)
    assert make_private(data) == []
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_looking_for_a_holder_changes_nothing(tmp_path: Path) -> None:
    refuse_if_held(tmp_path)
    assert list(tmp_path.iterdir()) == []
    lock = DirectoryLock(tmp_path)
    with pytest.raises(JournalError, match=rf"in use by another process \(pid {os.getpid()}\)"):
        refuse_if_held(tmp_path)
    lock.release()
    refuse_if_held(tmp_path)
    assert (tmp_path / LOCK).read_text() == f"{os.getpid()}\n"
