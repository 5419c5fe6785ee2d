"""The help of every command, from the commands themselves: as pages of the manual."""

import inspect
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from typer.main import get_command

from ugs.commands.app import application
from ugs.commands.lazy import ListedCommand

KINDS: Final = {
    "str": "TEXT",
    **dict.fromkeys(("int", "int range", "float", "float range"), "NUMBER"),
    "path": "PATH",
}
"""What stands behind an option, by its type."""


class CommandHelp(NamedTuple):
    """A command, and those below it."""

    words: tuple[str, ...]
    """As they stand on a line, ``ugs`` first."""
    text: str
    """What it says of itself."""
    arguments: tuple[tuple[str, str], ...]
    """How each is written, and what it is for."""
    options: tuple[tuple[str, str], ...]
    below: tuple["CommandHelp", ...]


def every_command() -> CommandHelp:
    """The whole command line."""
    return _help(get_command(application()), ("ugs",))


def pages() -> Iterator[tuple[str, str]]:
    """A page for each command of the first level, by name, and one that lists them."""
    top = every_command()
    rows = [f"| [`ugs {one.words[1]}`]({one.words[1]}.md) | {_cell(_first(one.text))} |" for one in top.below]
    yield "index.md", "\n".join(["# Every command\n", "| command | what it does |", "|---|---|", *rows, ""])
    for one in top.below:
        yield f"{one.words[1]}.md", "\n".join(_page(one, 1))


def _help(command: Any, words: tuple[str, ...]) -> CommandHelp:
    if isinstance(command, ListedCommand):
        command = command.load()
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    below = getattr(command, "commands", {})
    return CommandHelp(
        words,
        _unescaped(inspect.cleandoc(command.help or "")),
        tuple(_parameter(param) for param in shown if param.param_type_name == "argument"),
        tuple(_parameter(param) for param in shown if param.param_type_name == "option"),
        tuple(_help(one, (*words, name)) for name, one in sorted(below.items()) if not one.hidden),
    )


def _parameter(param: Any) -> tuple[str, str]:
    """How a parameter is written and what it is for, with its default."""
    metavar = str(param.metavar or "")
    if param.param_type_name == "argument":
        return (metavar or str(param.name).upper()).strip("[]"), _unescaped(param.help or "")
    is_flag = bool(getattr(param, "is_flag", False))
    value = "" if is_flag else f" {metavar or _kind(param)}"
    names = ", ".join([*param.opts, *param.secondary_opts])
    help = _unescaped(param.help or "")
    default = param.default
    if default not in (None, False, "", ()) and not is_flag and not callable(default) and "default:" not in help:
        help += f" Default: {getattr(default, 'value', default)}."
    return names + value.rstrip(), help.strip()


def _kind(param: Any) -> str:
    """What kind of value an option takes, in capitals; choices as they are written."""
    choices = getattr(param.type, "choices", ())
    return "|".join(choices) if choices else KINDS.get(param.type.name, param.type.name.upper())


def _page(one: CommandHelp, level: int) -> Iterator[str]:
    yield f"{'#' * level} {' '.join(one.words)}\n"
    yield one.text + "\n"
    for title, rows in (("argument", one.arguments), ("option", one.options)):
        if rows:
            yield f"| {title} | what it does |\n|---|---|"
            yield from (f"| `{_cell(name)}` | {_cell(text)} |" for name, text in rows)
            yield ""
    for below in one.below:
        yield from _page(below, level + 1)


def _first(text: str) -> str:
    return " ".join(text.partition("\n\n")[0].split())


def _unescaped(text: str) -> str:
    return text.replace("\\<", "<")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;" if "`" not in text else "<")
