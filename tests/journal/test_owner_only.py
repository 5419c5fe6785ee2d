"""A data directory is for its owner only."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.servers import JournalServer
from ugs.journal.database import DATABASE
from ugs.journal.database_contract import Exposed
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, DirectoryLock, refuse_if_held
from ugs.journal.owner_only import FILES, make_private
from ugs.journal.tokens import FILES as TOKENS


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
