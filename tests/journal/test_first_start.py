"""Who is killed while it makes its files for the first time can always be started again."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.journal.servers import JournalServer
from tests.profile import sized
from ugs.broker.values.identity import Role
from ugs.journal import tokens
from ugs.journal.database import DATABASE, NEW
from ugs.journal.reader import Reader
from ugs.journal.tokens import NewRow

LIMITS = sized(
    quick=[0, 1, 30, 511, 512, 513, 1024, 2048, 4096, 4608, 8192, 16384, 32768, 100_000, 135_000, 140_000, 200_000],
    deep=[*range(0, 6000, 100), *range(0, 200_000, 512)],
)
"""Bytes at which a file is cut and its process killed. The last lets all be made."""
KILLS = sized(quick=2, deep=60)
WITHIN_S = 0.15
"""A first start takes about a third of this on a machine with nothing else to do."""


def killed(kind: str, room: Path, limits: Sequence[str]) -> list[Path]:
    """The directories of first starts that were killed."""
    command = [sys.executable, "-m", "tests.journal.first_starts", kind, str(room), *limits]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert {os.waitstatus_to_exitcode(int(status)) for status in found} <= {-signal.SIGXFSZ, -signal.SIGKILL}
    return [room / limit for limit in limits]


def refused(directories: Sequence[Path]) -> dict[str, str]:
    """Those in which no server can be started, and why."""
    found = {}
    for directory in directories:
        try:
            server = JournalServer(directory)
            server.journal.close()
            assert not server.journal.gaps
            with Reader(directory) as reader:
                assert list(reader.games()) == []
        except Exception as error:
            found[directory.name] = str(error)
    return found


def test_a_journal_that_is_killed_at_any_write_of_its_first_start_can_be_opened(tmp_path: Path) -> None:
    directories = killed("journal", tmp_path, [str(limit) for limit in LIMITS])
    assert [(one / DATABASE).exists() for one in directories[:10]] == [False] * 10
    assert (directories[-1] / DATABASE).exists()
    assert refused(directories) == {}
    assert not any((one / NEW).exists() for one in directories)


def test_a_journal_that_is_killed_at_any_moment_of_its_first_start_can_be_opened(tmp_path: Path) -> None:
    chance = Random(1)
    directories = killed("journal", tmp_path, [f"{chance.uniform(0, WITHIN_S):.6f}s" for _ in range(KILLS)])
    assert refused(directories) == {}


def test_what_earlier_servers_have_left_is_mended(tmp_path: Path) -> None:
    """They wrote into the database under its own name."""
    directories = killed("in_place", tmp_path, [str(limit) for limit in range(0, 5200, sized(quick=300, deep=100))])
    assert any((one / f"{DATABASE}-journal").exists() for one in directories)
    assert refused(directories) == {}


def test_a_list_of_tokens_that_is_killed_at_any_write_of_its_making_can_be_used(tmp_path: Path) -> None:
    for directory in killed(
        "tokens", tmp_path, [str(limit) for limit in range(0, 20_000, sized(quick=2000, deep=256))]
    ):
        rows = tokens.rows(directory)
        assert [row.name for row in rows] in ([], ["ann"])
        tokens.add(directory, [NewRow(Role.PLAYER, "bob", "digest")], "organiser", 0)
        assert tokens.rows(directory)[-1].name == "bob"


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_the_database_is_for_its_owner_before_it_has_its_name(mode: int, tmp_path: Path) -> None:
    before = os.umask(0o777 & ~mode)
    try:
        server = JournalServer(tmp_path / "data")
        server.journal.close()
    finally:
        os.umask(before)
    assert (tmp_path / "data" / DATABASE).stat().st_mode & 0o777 == 0o600
