"""What zsh and fish are answered in the middle of ``--game=``."""

import pytest

from ugs.commands.option_completion import complete, option_of

LINE = "_TYPER_COMPLETE_ARGS"
SHELL = "_UGS_COMPLETE"


@pytest.mark.parametrize(
    ("line", "shell", "option"),
    [
        ("ugs check bot --game=tic", "complete_zsh", "--game="),
        ("ugs check bot --game=", "complete_fish", "--game="),
        ("ugs check bot --game=openspiel:tic_", "complete_zsh", "--game="),
        ("ugs check bot --game=tic", "complete_bash", ""),
        ("ugs check bot --game=tic ", "complete_zsh", ""),
        ("ugs check bot --game tic", "complete_zsh", ""),
        ("ugs match tic-tac-toe --bot a=b", "complete_fish", ""),
        ("ugs match --$(rm x)=b", "complete_zsh", ""),
        ("", "complete_zsh", ""),
    ],
)
def test_the_option_of_the_last_word(line: str, shell: str, option: str) -> None:
    assert option_of({LINE: line, SHELL: shell}) == option


@pytest.mark.parametrize(
    ("shell", "found", "answered"),
    [
        ("complete_fish", "chess\tby FIDE\ngo\n", "--game=chess\tby FIDE\n--game=go\n"),
        (
            "complete_zsh",
            "_arguments '*: :((\"chess\"))'\n",
            "compset -P '--game='; _arguments '*: :((\"chess\"))'\n\n",
        ),
        ("complete_zsh", "\n", "\n\n"),
        ("complete_fish", "", "\n"),
    ],
)
def test_what_is_proposed_is_the_whole_word(
    shell: str, found: str, answered: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> None:
        print(found, end="")
        raise SystemExit(0)

    with pytest.raises(SystemExit):
        complete({LINE: "ugs check bot --game=c", SHELL: shell}, run)
    assert capsys.readouterr().out == answered
