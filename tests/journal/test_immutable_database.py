"""Reading a journal without the right to write."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journal.servers import JournalServer
from tests.journal.strangers import directory_for_all, only_reading
from ugs.broker.values.identity import Role
from ugs.journal.database import DATABASE, connect
from ugs.journal.immutable_database import is_only_to_read
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.token_file import FILE
from ugs.journal.tokens import IdentitiesError, NewRow, add, listed


@pytest.fixture(name="data")
def _data() -> Iterator[Path]:
    """A data directory whose server has stopped in order."""
    with directory_for_all() as room:
        with JournalServer(room / "data") as server:
            server.plays("g1", "ann", "ben")
        yield room / "data"


def games(data: Path) -> list[str]:
    """The ids of all games."""
    with Reader(data) as reader:
        return [game.game_id for game in reader.games()]


def killed(data: Path) -> Path:
    """A copy of the directory as a kill leaves it."""
    with JournalServer(data) as server:
        server.plays("g2", "ann", "ben")
        return server.killed(data.with_name("killed"))


def test_the_journal_of_a_stopped_server_is_read_without_the_right_to_write(data: Path) -> None:
    before = sorted(os.listdir(data))
    with only_reading(data):
        assert games(data) == ["g1"]
    assert sorted(os.listdir(data)) == before


def test_an_empty_log_left_there_holds_nothing(data: Path) -> None:
    (data / f"{DATABASE}-wal").touch()
    with only_reading(data):
        assert games(data) == ["g1"]


def test_no_files_are_left_that_the_next_server_cannot_use(data: Path) -> None:
    with only_reading(data):
        before = sorted(os.listdir(data))
    data.chmod(0o777)
    (data / DATABASE).chmod(0o444)
    with only_reading():
        assert games(data) == ["g1"]
    assert sorted(os.listdir(data)) == before


def test_what_a_killed_server_has_left_in_the_log_is_read_where_sqlite_can(data: Path) -> None:
    copy = killed(data)
    with only_reading(copy):
        assert games(copy) == ["g2", "g1"]


def test_a_log_that_cannot_be_read_is_named_with_the_remedy(data: Path) -> None:
    copy = killed(data)
    (copy / f"{DATABASE}-shm").unlink()
    with (
        only_reading(copy),
        pytest.raises(JournalError, match=r"is in journal.sqlite-wal, .* copy the whole"),
    ):
        games(copy)
    assert games(copy) == ["g2", "g1"], "its owner reads all"


def test_a_server_that_starts_meanwhile_is_noticed(data: Path) -> None:
    with only_reading(data):
        reader = Reader(data)
    with JournalServer(data) as server:
        server.plays("g2", "ann", "ben")
        with pytest.raises(JournalError, match="a server has started on it while it was read"):
            list(reader.games())
    reader.close()


def test_one_who_may_write_reads_while_a_server_starts(data: Path) -> None:
    assert not is_only_to_read(data / DATABASE)
    db = connect(data, readonly=True)
    with JournalServer(data) as server:
        server.plays("g2", "ann", "ben")
        assert db.execute("SELECT count(*) FROM game").fetchone() == (2,)
    db.close()


def test_the_directory_of_another_user_is_refused_in_words(data: Path) -> None:
    (data / FILE).touch()
    data.chmod(0o000)
    with only_reading():
        with pytest.raises(JournalError, match="data: cannot be used: Permission denied"):
            Reader(data)
        with pytest.raises(IdentitiesError, match=r"the list of tokens cannot be used: .*Permission denied"):
            listed(data)
    data.chmod(0o700)


@pytest.mark.parametrize("killed_early", [False, True])
def test_tokens_are_listed_without_the_right_to_write(data: Path, killed_early: bool) -> None:
    if killed_early:
        (data / FILE).touch()
    else:
        add(data, [NewRow(Role.PLAYER, "ann", "hash")], "root", 1)
    with only_reading(data):
        assert [one.name for one in listed(data)] == ([] if killed_early else ["ann"])
