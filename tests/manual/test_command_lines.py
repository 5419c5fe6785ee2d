"""Command lines in the manual name commands and options that there are."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.manual.commands import CommandHelp, every_command

TOP = Path(__file__).parents[2]
PAGES = sorted([TOP / "README.md", *(TOP / "docs").glob("*.md"), TOP / "schemas" / "README.md"])
EVERY = every_command()
UNLISTED = frozenset({"--help", "--connect_to"})
"""Options of any command, and other names of options."""


def lines(page: Path) -> Iterator[str]:
    """What a page gives to be typed: code in a sentence, and lines of shell."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield from re.findall(r"^\s*(ugs .*)", block.replace("\\\n", " "), re.MULTILINE)
    sentences = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    yield from (" ".join(code.split()) for code in re.findall(r"`(ugs [^`]*)`", sentences))


def unknown(line: str) -> list[str]:
    """The options on a line that its command does not have; those of a program that it starts do not count."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:  # half a command
        words = line.split()
    if "--" in words:
        words = words[: words.index("--")]
    command: CommandHelp = EVERY
    for word in words[1:]:
        below = next((one for one in command.below if one.words[-1] == word), None)
        if below is None:
            break
        command = below
    if command is EVERY:
        return []
    known = {name for option, _ in command.options for name in re.findall(r"--[\w-]+", option)} | UNLISTED
    wanted = [word.partition("=")[0].rstrip(",…") for word in words if re.match(r"--[a-z]", word)]
    return [name for name in wanted if name not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_options_that_there_are(page: Path) -> None:
    assert [(line, wrong) for line in lines(page) if (wrong := unknown(line))] == []


def test_a_bot_is_checked_in_a_game() -> None:
    found = [line for page in PAGES for line in lines(page) if line.startswith("ugs check bot ") and " -- " in line]
    assert found
    assert [line for line in found if "--game" not in line and "--master" not in line] == []


def test_a_wrong_option_is_found() -> None:
    assert unknown("ugs games --all --short") == ["--short"]
    assert unknown("ugs check bot --game go -- ./mybot --fast") == []
