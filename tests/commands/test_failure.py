"""How a command fails."""

import pytest

from tests.commands.line import ugs
from ugs.commands.failure import FAILED, MAX_LINE, WRONG_USAGE, failure


def test_it_is_said_on_standard_error_with_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure("ugs watch", "it is over").exit_code == FAILED
    assert capsys.readouterr() == ("", "ugs watch: it is over\n")


def test_wrong_usage_has_a_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure("ugs serve", ValueError("port = 0"), WRONG_USAGE).exit_code == WRONG_USAGE
    assert capsys.readouterr().err == "ugs serve: port = 0\n"


def test_what_others_said_is_safe_for_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    failure("ugs replay", "it said:\n  \x1b[2J\u202e")
    assert capsys.readouterr().err == "ugs replay: it said:\n  \\u{1b}[2J\\u{202e}\n"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileExistsError(17, "File exists", "/dev/null"), "/dev/null: File exists"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (OSError("all attempts failed"), "all attempts failed"),
    ],
)
def test_an_error_of_the_system_is_written_without_its_number(
    error: OSError, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    failure("ugs x", error)
    assert capsys.readouterr().err == f"ugs x: {words}\n"


def test_a_long_argument_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    failure("ugs x", f"first {'y' * 100_000} last\nsecond")
    line, second = capsys.readouterr().err.splitlines()
    assert len(line) < 2 * MAX_LINE
    assert (line[:13], line[-5:], second) == ("ugs x: first ", " last", "second")


def test_a_wrong_word_on_the_line_is_cut() -> None:
    for words in (["y" * 100_000], ["record", "y" * 100_000], ["record", "list", "--" + "y" * 100_000]):
        done = ugs(*words)
        assert (done.exit_code, len(done.output) < 10 * MAX_LINE) == (2, True)
