"""Commands that read a journal take a directory or the address of a database."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.journal.servers import JournalServer


@pytest.mark.parametrize("option", ["--data-dir", "--journal"])
def test_a_directory_is_named_by_either(tmp_path: Path, option: str) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1")
    assert "g1" in ugs("record", "list", option, str(tmp_path)).stdout


def test_a_database_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    done = ugs("record", "list", "--journal", f"postgresql://me:s3cret@/ugs?host={tmp_path}")
    assert done.exit_code == 1
    assert f"postgresql://me:***@/ugs?host={tmp_path}: cannot be used" in done.stderr
    assert "s3cret" not in done.stderr
