"""The command ``ugs check``, without a program."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.check.suites import SUITES

PAGE = (Path(__file__).parents[2] / "docs" / "check.md").read_text(encoding="utf-8")
BOT = ("check", "bot", "--game", "tic-tac-toe")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (BOT, "give -- CMD... or --listen HOST:PORT, one of them"),
        ((*BOT, "--listen", "127.0.0.1:0", "--", "true"), "give -- CMD... or --listen HOST:PORT, one of them"),
        ((*BOT, "--listen", "here"), "--listen 'here': not HOST:PORT"),
        ((*BOT, "--only", "chess/*", "--", "true"), "--only chess/*: no such case"),
        (("check", "bot", "--game", "ludo", "--", "true"), "game 'ludo': unknown"),
        (("check", "bot", "--game", "ludo", "--", "true"), "a game led by a program of yours: --master"),
        (("check", "bot", "--", "true"), "give --game NAME, or --master"),
        (("check", "bot", "--master", "./mine", "--", "true"), "--master './mine': allowed: a command with {address}"),
        (("check", "master", "kalah"), "'kalah': there is no such program; a game type follows --game-type"),
        (("check", "master"), "give -- CMD... or --listen HOST:PORT, one of them"),
        (("check", "cases", "spectator"), "spectator"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(line: tuple[str, ...], words: str) -> None:
    result = ugs(*line)
    assert result.exit_code == 2, result.output
    assert words in result.output


@pytest.mark.parametrize("side", SUITES)
def test_the_page_has_the_tables_as_they_are_printed(side: str) -> None:
    result = ugs("check", "cases", side)
    assert result.exit_code == 0
    assert result.output in PAGE
