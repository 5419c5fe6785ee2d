"""The options of ``ugs why``."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.why.records import over
from ugs.journal.importing import store


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal that knows one game, g1 of ann and bob."""
    assert store(tmp_path, over())
    return tmp_path


def test_the_data_directory_may_be_in_the_environment(data_dir: Path) -> None:
    assert ugs("why", "g1", environment={"UGS_DATA_DIR": str(data_dir)}).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give NAME or --server, one of them"),
        (("ann", "--server"), "give NAME or --server, one of them"),
        (("anne",), "ugs why: 'anne': no player, game master, game or championship of this name; there is ann"),
        (("g1", "--last", "-1"), "--last"),
        (("g1", "--format", "xml"), "--format"),
    ],
)
def test_wrong_usage_is_exit_code_2(data_dir: Path, arguments: tuple[str, ...], words: str) -> None:
    result = ugs("why", *arguments, "--data-dir", data_dir)
    assert result.exit_code == 2
    assert words in result.stderr


def test_no_data_directory_and_none_that_holds_a_journal_are_exit_code_2(tmp_path: Path) -> None:
    assert ugs("why", "ann", environment={"UGS_DATA_DIR": ""}).exit_code == 2
    result = ugs("why", "ann", "--data-dir", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert result.stderr.startswith("ugs why: ")
    assert result.stderr.count("\n") == 1
