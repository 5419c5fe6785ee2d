"""Paths on the command line: each is looked at before its command runs.

What is wrong with a path would otherwise show in the middle of a command, at each of them elsewhere.
"""

from typing import Any

from typer.models import TyperPath

from ugs.path_faults import directory_fault, path_fault
from ugs.places import foreign_address
from ugs.printable import safe, shortened


class NamedPath(TyperPath):
    """The type of a path, which refuses one where nothing can be: an empty one, one with a name that is too long, one
    below a file, in a circle of links, or in a folder that this user may not search."""

    def __init__(self, like: TyperPath) -> None:
        super().__init__(
            exists=like.exists,
            file_okay=like.file_okay,
            dir_okay=like.dir_okay,
            writable=like.writable,
            readable=like.readable,
            resolve_path=like.resolve_path,
            allow_dash=like.allow_dash,
            path_type=like.type,
        )

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The path. Raises typer.BadParameter."""
        if isinstance(value, str):
            fault = named_fault(value, directory=not self.file_okay)
            if fault:
                self.fail(fault, param, ctx)
        return super().convert(value, param, ctx)


def named_fault(text: str, *, directory: bool) -> str:
    """Why there can be nothing at this path, or no directory, with the path itself; empty where there may be."""
    if directory and (address := foreign_address(text)):
        return shortened(safe(address))
    fault = directory_fault(text) if directory else path_fault(text)
    return f"{shortened(safe(text))}: {fault}" if text and fault else fault


def look_at_paths(command: Any) -> None:
    """Let a command, and all below it, refuse paths where there can be none."""
    for parameter in command.params:
        if isinstance(parameter.type, TyperPath):
            parameter.type = NamedPath(parameter.type)
    for below in getattr(command, "commands", {}).values():
        look_at_paths(below)
