"""Root follows no link that the owner of a data directory has put there."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journal.servers import JournalServer
from tests.journal.strangers import STRANGER, directory_for_all
from ugs.journal.committed import COMMITTED
from ugs.journal.copying import copy_journal
from ugs.journal.database import DATABASE
from ugs.journal.importing import Import
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, refuse_if_held
from ugs.journal.own_files import strangeness
from ugs.journal.reader import Reader
from ugs.journal.repair.rescue import rescue
from ugs.journal.write_ahead import NAMES


@pytest.fixture
def journal() -> Iterator[Path]:
    """A data directory of another user."""
    with directory_for_all() as directory:
        data = directory / "data"
        with JournalServer(data) as server:
            server.plays("g1")
        for path in (data, *data.iterdir()):
            os.chown(path, STRANGER, STRANGER)
        yield data


def copies(journal: Path) -> None:
    """Copy it."""
    copy_journal(journal, journal.parent / "copy")


def holds(journal: Path) -> None:
    """Write into it."""
    with Import(journal):
        pass


def is_read(journal: Path) -> None:
    """Read it."""
    with Reader(journal):
        pass


def is_rescued(journal: Path) -> None:
    """Save it."""
    rescue(journal, journal.parent / "saved")


ACTS = {copies: (DATABASE, LOCK, COMMITTED, *NAMES), holds: (LOCK, COMMITTED, *NAMES), is_read: (DATABASE,)}
CASES = [(act, name) for act, names in ACTS.items() for name in names] + [(is_rescued, NAMES[0])]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root works in directories of others")
@pytest.mark.parametrize(("act", "name"), CASES, ids=[f"{act.__name__} {name}" for act, name in CASES])
def test_what_a_link_leads_to_is_left_alone(journal: Path, act: Callable[[Path], None], name: str) -> None:
    secret, path = journal.parent / "secret", journal / name
    shutil.copyfile(path, secret)
    before = secret.read_bytes()
    path.unlink()
    path.symlink_to(secret)
    with pytest.raises(JournalError, match=f"{name}: is a link"):
        act(journal)
    path.unlink()
    os.link(secret, path)
    with pytest.raises(JournalError, match=f"{name}: has another name, too"):
        act(journal)
    path.unlink()
    path.symlink_to(journal.parent / "gone")
    with pytest.raises(JournalError):
        act(journal)
    assert secret.read_bytes() == before
    assert not (journal.parent / "gone").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root works in directories of others")
def test_without_links_root_uses_the_journal_of_another_user(journal: Path) -> None:
    for act in (is_read, holds, copies, is_rescued):
        act(journal)


def test_a_database_may_be_elsewhere_in_a_directory_of_ones_own(tmp_path: Path) -> None:
    with JournalServer(tmp_path / "data") as server:
        server.plays("g1")
    (tmp_path / "data" / DATABASE).rename(tmp_path / "moved")
    (tmp_path / "data" / DATABASE).symlink_to(tmp_path / "moved")
    with Reader(tmp_path / "data") as reader:
        assert [game.game_id for game in reader.games()] == ["g1"]


def test_small_files_are_never_links(tmp_path: Path) -> None:
    (tmp_path / LOCK).symlink_to(tmp_path / "gone")
    with pytest.raises(JournalError, match="is a link, and none is followed here"):
        refuse_if_held(tmp_path)
    with pytest.raises(JournalError, match="is a link, and none is followed here"), Import(tmp_path):
        pass


def test_what_is_strange_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert [strangeness(tmp_path / name) for name in ("file", "gone")] == ["", ""]
    assert strangeness(tmp_path / "link").startswith("is a link")
    assert strangeness(tmp_path) == "is no regular file"


@pytest.mark.parametrize("name", [LOCK, DATABASE, COMMITTED, *NAMES])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_no_pipe_is_waited_for(tmp_path: Path, name: str, make: Callable[[Path], None]) -> None:
    make(tmp_path / name)
    for act in (holds, is_read) if name == DATABASE else (holds,):
        with pytest.raises(JournalError, match=f"{name}: is no regular file"):
            act(tmp_path)
