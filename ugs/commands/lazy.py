"""Commands that are named at once and loaded when they are asked for.

``ugs --help`` lists some thirty commands, and each of them imports a good part of the system. So an application knows
of a command its name, one line of help and where it is; :class:`LazyGroup` loads the one that is on the line.
"""

import inspect
import pkgutil
import re
from typing import Any, ClassVar, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_group

from ugs.commands.failure import failure, short_lines
from ugs.commands.path_type import look_at_paths
from ugs.distributions import what_to_install
from ugs.path_faults import is_of_files
from ugs.printable import safe

MARKUP: Literal["markdown"] = "markdown"
"""How texts of help are written."""

BEGIN = "Begin here"
LOOK_ON = "Watch games, and find out why"
BETTER = "Is my bot right, is it better?"
RUN = "Run a server"
PLAY = "Play and lead games"
"""What commands are for, in the order of ``ugs --help``; packages beside ``ugs`` add to these or have their own."""

_CODE = re.compile(r"(`[^`]*`|^ {4}.*$)", re.MULTILINE)
"""What markdown shows as it is: a span between backticks, and an indented line."""


class NotLoaded(Exception):
    """A command is listed but cannot be loaded; the text names it and the reason."""


class ListedCommand(TyperCommand):
    """A command known only by name and help; :meth:`load` makes the whole command of it."""

    target: ClassVar[str]
    """``package.module:name`` of a function (a command) or of a ``typer.Typer`` (a group of commands)."""

    def load(self) -> TyperCommand | TyperGroup:
        """The whole command, under the name of this one. Raises :class:`NotLoaded`."""
        assert self.name is not None
        shelf = typer.Typer(rich_markup_mode=MARKUP, callback=lambda: None)
        try:
            found = pkgutil.resolve_name(self.target)
            if isinstance(found, typer.Typer):
                shelf.add_typer(found, name=self.name)
            else:
                shelf.command(self.name)(found)
            command = get_group(shelf).commands[self.name]
        except ImportError as error:
            install = what_to_install(error)
            # A part of ours may be in a distribution that is not installed (ugs/distributions.py).
            own = (error.name or "").startswith("ugs.")
            lacking = "is not installed" if own else f"needs {error.name}"
            why = f"{self.name} {lacking}: {install}" if install else self._cannot(error)
            raise NotLoaded(why) from error
        except Exception as error:  # any error in a module, of this package or of another one
            raise NotLoaded(self._cannot(error)) from error
        assert isinstance(command, TyperCommand | TyperGroup)
        keep_brackets(command)
        look_at_paths(command)
        return command

    def _cannot(self, error: Exception) -> str:
        return f"the command {self.name} ({self.target}) cannot be loaded: {error}"


class LazyGroup(TyperGroup):
    """Commands, some of them only :class:`ListedCommand`: these are loaded when they are on the command line."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        keep_brackets(self)

    def invoke(self, ctx: Any) -> Any:
        """Run the command on the line. If it finds that a package is missing, print how to get it, and end the program
        with exit code 1; so, too, where the system refuses a file, and the command itself does not say why."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            install = what_to_install(error)
            if not install:
                raise
            typer.echo(f"{ctx.command_path} {ctx.invoked_subcommand}: needs {error.name}: {install}", err=True)
            raise typer.Exit(1) from error
        except (OSError, BaseExceptionGroup) as error:
            refused = _refused_file(error)
            if refused is None:
                raise
            raise failure(f"{ctx.command_path} {ctx.invoked_subcommand}", refused) from error
        except TyperException as error:
            error.message = short_lines(error.message)
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words of the line. Raises TyperException, whose text is short however long they are."""
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            error.message = short_lines(error.message)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command on the line, loaded; one that cannot be loaded is reported and ends the program with exit code
        1."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, ListedCommand):
            try:
                command = command.load()
            except NotLoaded as error:
                if ctx.resilient_parsing:  # a shell asks what could follow; nothing is known
                    return name, command, rest
                typer.echo(f"{ctx.command_path}: {safe(str(error))}", err=True)
                raise typer.Exit(1) from error
        return name, command, rest


def add_listed(
    app: typer.Typer, name: str, where: str, help: str, *, panel: str | None = None, hidden: bool = False
) -> None:
    """Add a command to an application of the class :class:`LazyGroup`, without loading it.

    ``where`` is ``package.module:name``; ``help`` is the first paragraph of the help that the command has itself.
    """

    class Here(ListedCommand):
        target = where

    app.command(name, cls=Here, help=help, rich_help_panel=panel, hidden=hidden)(_not_loaded_yet)


def _refused_file(error: BaseException) -> OSError | None:
    """The first of errors that are all about files; None for any other error, whose traceback is needed."""
    if isinstance(error, BaseExceptionGroup):
        found = [_refused_file(one) for one in error.exceptions]
        return found[0] if all(found) else None
    return error if isinstance(error, OSError) and is_of_files(error) else None


def _not_loaded_yet() -> None:
    """Stands where the function of a listed command will be."""
    raise AssertionError("a listed command is loaded before it runs")


def keep_brackets(command: Any) -> None:
    """Let everything in angle brackets stay in the help of a command and of all commands below it.

    Markdown takes ``<move>`` for HTML, and a terminal shows none of that.
    """
    for text in (command, *command.params):
        for attribute in ("help", "short_help"):
            if getattr(text, attribute, None):
                setattr(text, attribute, _kept(getattr(text, attribute)))
    for below in getattr(command, "commands", {}).values():
        keep_brackets(below)


def _kept(text: str) -> str:
    """A text of help with a backslash before each ``<`` that is not inside code."""
    first, gap, rest = text.partition("\n\n")
    # typer handles all after the first paragraph separately, and takes its common indent away: examples may not be code
    # for it although they are indented here.
    return _escaped(first) + gap + _escaped(inspect.cleandoc(rest))


def _escaped(text: str) -> str:
    # Every second part is code, which stays as it is.
    parts = _CODE.split(text)
    parts[::2] = [re.sub(r"(?<!\\)<", r"\\<", part) for part in parts[::2]]
    return "".join(parts)
