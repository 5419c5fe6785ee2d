"""The options of ``ugs replay``."""

import pytest

from tests.commands.line import ugs


@pytest.mark.parametrize(
    "options",
    [
        ("--viewer", "ann", "--raw"),
        ("--step", "--master", "x"),
        ("--words", "--raw"),
        ("--words", "--step"),
        ("--words", "--master", "x"),
        ("--viewer", "ann", "--master", "x"),
        ("--raw", "--master", "x"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(options: tuple[str, ...]) -> None:
    assert ugs("replay", "game.ugsg", *options).exit_code == 2


def test_what_is_no_file_is_named_so() -> None:
    assert "/dev/null: is no file" in ugs("replay", "/dev/null").stderr
    assert "/no/such: there is no such file" in ugs("replay", "/no/such").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--master", "a", "--as", "ann", "--", "b"), "--master and --as exclude each other"),
        (("--as", "ann"), "--as NICK and -- CMD... go together"),
        (("--", "b"), "--as NICK and -- CMD... go together"),
        (("--master", "a", "--speed", "2"), "not with --master or --as"),
        (("--as", "ann", "--full", "--", "b"), "not with --master or --as"),
        (("--master", "'a"), "No closing quotation"),
        (("--master", " "), "the command is empty"),
        (("--speed", "-1"), "--speed"),
        (("--timeout", "0"), "--timeout"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...], words: str) -> None:
    result = ugs("replay", "game.ugsg", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_it_explains_itself() -> None:
    result = ugs("replay", "--help")
    assert result.exit_code == 0
    assert "ugs replay game.ugsg --as ann -- ugs bot" in " ".join(result.stdout.split())
