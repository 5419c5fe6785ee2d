"""The commands ``ugs admin …``: what they ask of a server."""

from pathlib import Path

import pytest
from typer.testing import Result

from tests.answering import answering
from tests.commands.line import ugs
from ugs.broker.questions import Act, ActKind


def run(*arguments: str | Path) -> Result:
    return ugs("admin", *arguments)


def test_a_nick_is_forgotten(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True, "game_types": ["go", "chess"]}) as server:
        result = run("forget", "a&\x1b", "--why", "burnt", "--data-dir", tmp_path)
        run("forget", "ann", "--type", "go", "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "a&\\u{1b} is forgotten in the standings of go, chess\n")
    one, two = server.asked
    assert isinstance(one, Act)
    assert isinstance(two, Act)
    assert (one.kind, one.subject, one.why, one.game_type) == (ActKind.FORGET, "a&\x1b", "burnt", "")
    assert one.who, "the server knows who asks"
    assert two.game_type == "go"


def test_a_refusal_is_told_in_one_line(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": False, "error": "'ann' is here"}):
        result = run("forget", "ann", "--why", "burnt", "--data-dir", tmp_path)
    assert (result.exit_code, result.stderr) == (1, "ugs admin: 'ann' is here\n")


def test_without_a_server_nothing_can_be_done(tmp_path: Path) -> None:
    result = run("forget", "ann", "--why", "burnt", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith("ugs admin: no server runs on ")
    assert result.stderr.endswith("; an act needs a running server\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("forget", "ann", "--why", " "), "--why is empty: the journal keeps a reason with the act"),
        (("forget", "ann"), "--why"),
        (("forget", "--why", "burnt"), "NICK"),
    ],
)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert words in result.stderr
