"""The options of the commands ``ugs record``."""

from pathlib import Path

import pytest
from typer.testing import Result

from tests.commands.line import ugs


def run(*arguments: str | Path) -> Result:
    return ugs("record", *arguments)


def test_without_a_journal_there_is_nothing_to_list(tmp_path: Path) -> None:
    result = run("list", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ugs record list: {tmp_path}: there is no journal here")
    assert run("list").exit_code == 2


def test_the_commands_explain_themselves() -> None:
    for command in ("list", "show", "export", "import"):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert f"ugs record {command}" in result.stdout.partition("Example")[2], "an example to copy"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export",), "either games or --all"),
        (("export", "g1", "--all"), "either games or --all"),
        (("export", "g1", "--nick", "ann"), "choose among --all"),
        (("show", "g1", "--public", "--viewer", "ann"), "--public shows the public view"),
        (("list", "--limit", "0"), "--limit"),
        (("list", "--format", "xml"), "--format"),
        (("import",), "FILE..."),
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
