"""No path, however odd, ends a command with a traceback: all of them are looked at in one place."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.main import get_command
from typer.models import TyperPath
from typer.testing import CliRunner

from tests.commands.line import ENVIRONMENT, ugs
from tests.journal.strangers import another_user, directory_for_all
from ugs.commands.app import application
from ugs.commands.lazy import LazyGroup, ListedCommand, add_listed
from ugs.commands.path_type import NamedPath, named_fault

HERE: Final = "tests.commands.test_path_type"
MANY: Final = 60
"""There are at least so many paths on command lines."""


def all_paths() -> Iterator[tuple[tuple[str, ...], bool]]:
    """The words before each path that any command takes, and whether it is the place of a journal."""
    yield from _paths_of(get_command(application()), ())


def _paths_of(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], bool]]:
    if isinstance(command, ListedCommand):
        command = command.load()
    for name, below in getattr(command, "commands", {}).items():
        yield from _paths_of(below, (*words, name))
    before: list[str] = []
    for parameter in command.params:
        place = (parameter.metavar or "") == "DIR|URL" or "DIR|URL" in getattr(parameter.type, "name", "")
        if isinstance(parameter.type, TyperPath) or place:
            given = before if parameter.param_type_name == "argument" else [parameter.opts[0]]
            yield (*words, *given), place
        if parameter.param_type_name == "argument":
            before.append(".")


PATHS: Final = list(all_paths())


def text_of(words: tuple[str, ...], path: str) -> str:
    """What a command says of a path; it must be refused before anything is done."""
    done = ugs(*words, path)
    assert (done.exit_code, type(done.exception)) == (2, SystemExit), done.output
    assert "Traceback" not in done.output
    return " ".join(done.stderr.replace("│", " ").split())


def test_all_commands_with_paths_are_found() -> None:
    assert len(PATHS) > MANY
    assert {("doctor", "--data-dir"), ("journal", "copy", "."), ("bot", "--log")} <= {words for words, _ in PATHS}


@pytest.mark.parametrize(("words", "place"), PATHS, ids=[" ".join(words) for words, _ in PATHS])
def test_no_command_takes_a_path_where_nothing_can_be(words: tuple[str, ...], place: bool, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert "is empty: name a path" in text_of(words, "")
    assert "is longer than file systems take" in text_of(words, "x" * 300)
    assert "is longer than file systems take" in text_of(words, "x/" * 5_000)
    assert "file is a file, not a directory" in text_of(words, str(tmp_path / "file" / "below"))
    assert "its links lead in a circle" in text_of(words, str(tmp_path / "circle"))
    if place:
        assert "is a file, not a directory" in text_of(words, str(tmp_path / "file"))
        assert "is no address of a journal" in text_of(words, "mysql://me:s3cret@x/y").replace("s3cret", "shown")
        assert "is no address of a journal" in text_of(words, "postgresql:")
    assert os.listdir(tmp_path) != []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize(("words", "place"), PATHS, ids=[" ".join(words) for words, _ in PATHS])
def test_no_command_fails_at_a_folder_that_this_user_may_not_search(words: tuple[str, ...], place: bool) -> None:
    with directory_for_all() as directory:
        (directory / "closed").mkdir(0o700)
        with another_user():
            assert "this user may not look into" in text_of(words, str(directory / "closed" / "below"))


def test_what_may_be_there_is_left_to_the_command(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert named_fault(str(tmp_path / "new"), directory=True) == ""
    assert named_fault(str(tmp_path), directory=True) == ""
    assert named_fault(str(tmp_path / "nowhere"), directory=False) == ""
    assert named_fault("a:b", directory=True) == ""
    assert named_fault("file:///x", directory=False) == ""


def test_a_directory_is_wanted_where_only_one_will_do(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert named_fault("/dev/null", directory=True) == "/dev/null: is no directory"
    assert named_fault(str(tmp_path / "nowhere"), directory=True).endswith("is a link to what does not exist")
    assert named_fault("file:///x", directory=True).startswith("file:///x: is no address of a journal")


def test_what_is_shown_of_a_path_is_short_and_safe() -> None:
    assert len(named_fault("x" * 100_000, directory=True)) < 400
    assert "\x1b" not in named_fault("\x1b" * 300, directory=True)
    assert "\x1b" not in named_fault("a\0\x1b", directory=False)


def refused() -> None:
    """The system refuses a file in the middle of a command."""
    raise OSError(errno.EACCES, "Permission denied", "some/file")


def full() -> None:
    """The disk is full, in a task of a command."""
    raise ExceptionGroup("tasks", [OSError(errno.ENOSPC, "No space left on device")])


def broken() -> None:
    """A fault of the program itself."""
    raise OSError("no file is named")


@pytest.mark.parametrize(
    ("name", "text"),
    [("refused", "app refused: some/file: Permission denied\n"), ("full", "app full: No space left on device\n")],
)
def test_a_file_that_is_refused_later_is_named_in_one_line(name: str, text: str) -> None:
    app = typer.Typer(cls=LazyGroup)
    app.callback()(lambda: None)
    add_listed(app, name, f"{HERE}:{name}", "Fail.")
    done = CliRunner().invoke(app, [name], prog_name="app", env=ENVIRONMENT)
    assert (done.exit_code, done.stderr) == (1, text)


def test_faults_of_the_program_keep_their_traceback() -> None:
    app = typer.Typer(cls=LazyGroup)
    app.callback()(lambda: None)
    add_listed(app, "broken", f"{HERE}:broken", "Fail.")
    assert type(CliRunner().invoke(app, ["broken"], env=ENVIRONMENT).exception) is OSError


def test_the_type_is_still_one_of_paths() -> None:
    like = TyperPath(exists=True, file_okay=False, path_type=Path)
    assert vars(NamedPath(like)) == vars(like)
