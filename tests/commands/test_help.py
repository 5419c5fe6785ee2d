"""The help of every command shows what its texts say: nothing is taken for markup and lost."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from tests.commands.line import ugs
from ugs.commands.app import application
from ugs.commands.lazy import ListedCommand


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """A command and all below it, loaded, with the words that lead there."""
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below.load() if isinstance(below, ListedCommand) else below, (*path, name))


UGS: Any = get_command(application())
ALL = dict(commands(UGS))
LISTED = [command for command in UGS.commands.values() if isinstance(command, ListedCommand)]


def collapsed(text: str) -> str:
    """A text of help as it is read, without markup for code, lines around it, and line breaks."""
    return " ".join(text.replace("\\<", "<").replace("`", "").replace("│", " ").split())


def texts(command: Any) -> Iterator[str]:
    """All texts of help that a command has itself."""
    yield command.help
    yield from (param.help for param in command.params if param.help and not getattr(param, "hidden", False))


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_text_of_help_is_shown_word_by_word(path: tuple[str, ...]) -> None:
    result = ugs(*path, "--help", environment={"COLUMNS": "1000"})
    assert result.exit_code == 0
    shown = collapsed(result.stdout)
    for text in texts(ALL[path]):
        assert collapsed(text) in shown


def test_what_stands_in_angle_brackets_is_there() -> None:
    shown = collapsed(ugs("validate", "--help").stdout)
    assert "for the <move> or <gameState> inside." in shown


@pytest.mark.parametrize("listed", LISTED, ids=lambda command: command.name)
def test_a_command_is_listed_with_the_beginning_of_its_own_help(listed: ListedCommand) -> None:
    own = listed.load().help
    assert listed.help is not None
    assert own is not None
    assert collapsed(own.partition("\n\n")[0]) == collapsed(listed.help)
