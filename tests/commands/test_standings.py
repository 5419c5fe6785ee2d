"""The options of ``ugs standings``."""

import pytest
from typer.testing import Result

from tests.commands.line import ugs


def run(*arguments: str) -> Result:
    return ugs("standings", *arguments)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "ugs standings: give --data-dir or --connect, one of them\n"),
        (["--data-dir", "x", "--connect", "http://x"], "ugs standings: give --data-dir or --connect, one of them\n"),
        (["kalah"], "ugs standings: give --data-dir or --connect, one of them\n"),
        (["kalah", "--game-type", "nim"], "ugs standings: two game types: 'kalah', and --game-type 'nim'\n"),
        (["--data-dir", "/nowhere/at/all"], "no journal"),
        (["--connect", "localhost:x"], "e.g. http://127.0.0.1:8080"),
        (["--data-dir", "x", "--format", "xml"], "'table', 'json', 'csv', 'markdown', 'html'"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stdout == ""


def test_the_help_has_examples() -> None:
    done = run("--help")
    assert done.exit_code == 0
    assert "ugs standings --data-dir data" in done.stdout
