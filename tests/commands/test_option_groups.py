"""Groups of options are plain options for typer, and values for the command."""

import inspect
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from ugs.commands.option_groups import OptionGroup, with_groups

Where = Annotated[str, typer.Option("--where", metavar="PLACE", help="The place.")]
Name = Annotated[str, typer.Argument()]
Needed = Annotated[str, typer.Option()]
Depth = Annotated[int, typer.Option(min=1)]
Loud = Annotated[bool, typer.Option("--loud")]
Last = Annotated[list[str] | None, typer.Option()]


class InnerOptions(OptionGroup):
    """Inside another one."""

    depth: Depth = 1


class OuterOptions(OptionGroup):
    """With and without a default."""

    needed: Needed
    inner: InnerOptions
    loud: Loud = False


def plain(
    *,
    name: Name,
    where: Where = "here",
    needed: Needed,
    depth: Depth = 1,
    loud: Loud = False,
    last: Last = None,
) -> None:
    """Print what it got."""
    typer.echo(f"{name} {where} {needed} {depth} {loud} {last}")


@with_groups
def grouped(
    *,
    name: Name,
    where: Where = "here",
    outer: OuterOptions,
    last: Last = None,
) -> None:
    """Print what it got."""
    typer.echo(f"{name} {where} {outer.needed} {outer.inner.depth} {outer.loud} {last}")


def test_the_options_are_those_without_groups_in_their_order() -> None:
    assert inspect.signature(grouped) == inspect.signature(plain)
    assert grouped.__annotations__ == plain.__annotations__
    assert grouped.__doc__ == plain.__doc__


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "ann",
        "ann --needed a",
        "ann --needed a --depth 3 --loud --last x --last y --where there",
        "ann --needed a --depth 0",
    ],
)
def test_a_line_is_read_as_without_groups(line: str) -> None:
    results = []
    for command in (plain, grouped):
        app = typer.Typer()
        app.command("show")(command)
        results.append(CliRunner().invoke(app, line.split(), env={"COLUMNS": "100", "TERM": "dumb"}))
    assert (results[0].exit_code, results[0].output) == (results[1].exit_code, results[1].output)


def test_a_group_has_the_values_it_is_made_of_and_else_its_defaults() -> None:
    group = OuterOptions(needed="a", inner=InnerOptions())
    assert (group.needed, group.inner.depth, group.loud) == ("a", 1, False)


def test_two_options_of_one_name_are_a_mistake() -> None:
    def twice(*, depth: Depth = 2, inner: InnerOptions) -> None: ...

    with pytest.raises(ValueError, match="duplicate parameter name: 'depth'"):
        with_groups(twice)
