"""Commands that are listed first and loaded when they are asked for; help that keeps its angle brackets."""

from collections.abc import Callable
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.commands.line import ENVIRONMENT
from ugs.commands.lazy import LazyGroup, add_listed

HERE = "tests.commands.test_lazy"


def convert(
    file: Annotated[str, typer.Argument(help="A <file>; `<other>` stays.")],
    into: Annotated[str, typer.Option(help="Not <move> nor `<gameState>`; \\<this>, <https://example.org>.")] = "",
) -> None:
    """Convert a <move>, or `<gameState>`.

    For 1 < 2 and <b>bold</b>.

        convert <file>
    """
    typer.echo(f"{file} into {into or 'nothing'}")


tools = typer.Typer(help="Tools for <all>.", no_args_is_help=True)


@tools.command()
def turn() -> None:
    """Turn <it>."""
    typer.echo("turned")


@tools.command("break")
def break_() -> None:
    """Break <it>."""


@pytest.fixture
def app() -> typer.Typer:
    """An application with two commands that can be loaded, and two that cannot."""
    app = typer.Typer(cls=LazyGroup, rich_markup_mode="markdown")
    app.callback()(lambda: None)
    add_listed(app, "convert", f"{HERE}:convert", "Convert a <move>, or `<gameState>`.")
    add_listed(app, "tools", f"{HERE}:tools", "Tools for <all>.", panel="Many")
    add_listed(app, "gone", "no_such_package.at_all:command", "It is gone.")
    add_listed(app, "odd", f"{HERE}:HERE", "It is no command.", hidden=True)
    return app


Run = Callable[..., Result]


@pytest.fixture
def run(app: typer.Typer) -> Run:
    """Runs a command line."""
    return lambda *words: CliRunner().invoke(app, words, prog_name="app", env=ENVIRONMENT)


def words(result: Result) -> str:
    """What is shown, without lines around and between."""
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.replace("│", " ").split())


def test_commands_are_listed_with_one_line_of_help(run: Run) -> None:
    shown = words(run("--help"))
    assert "convert Convert a <move>, or <gameState>." in shown
    assert "tools Tools for <all>." in shown
    assert "─ Many ─" in shown
    assert "gone It is gone." in shown
    assert "odd" not in shown


def test_a_command_is_loaded_and_run(run: Run) -> None:
    assert run("convert", "x", "--into", "y").stdout == "x into y\n"
    assert run("tools", "turn").stdout == "turned\n"
    assert run("convert").exit_code == 2


def test_angle_brackets_stay_in_every_text_of_help(run: Run) -> None:
    shown = words(run("convert", "--help"))
    assert "Convert a <move>, or <gameState>. For 1 < 2 and <b>bold</b>. convert <file>" in shown
    assert "A <file>; <other> stays." in shown
    assert "Not <move> nor <gameState>;" in shown
    assert "<this>, <https://example.org>." in shown


def test_angle_brackets_stay_in_the_help_of_a_group(run: Run) -> None:
    shown = words(run("tools", "--help"))
    assert "Tools for <all>." in shown
    assert "turn Turn <it>." in shown
    assert "break Break <it>." in shown
    assert "Turn <it>." in words(run("tools", "turn", "--help"))


def test_what_cannot_be_loaded_is_named_when_it_is_asked_for(run: Run) -> None:
    result = run("gone")
    assert result.exit_code == 1
    complaint = "app: the command gone (no_such_package.at_all:command) cannot be loaded: No module named "
    assert result.stderr.startswith(complaint)
    assert result.stderr.count("\n") == 1
    assert run("odd").stderr.startswith(f"app: the command odd ({HERE}:HERE) cannot be loaded: ")


def test_a_shell_that_asks_what_follows_is_told_nothing_of_what_cannot_be_loaded(app: typer.Typer) -> None:
    env = {**ENVIRONMENT, "_APP_COMPLETE": "complete_bash", "COMP_WORDS": "app gone --in", "COMP_CWORD": "2"}
    result = CliRunner().invoke(app, [], prog_name="app", env=env)
    assert (result.exit_code, result.output.strip()) == (0, "")
