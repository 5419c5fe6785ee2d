"""How a command fails."""

import pytest

from ugs.commands.failure import FAILED, WRONG_USAGE, failure


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
