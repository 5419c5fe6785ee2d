"""How a command fails: one line on standard error, and an exit code."""

from typing import Final

import typer

from ugs.printable import safe_lines

FAILED: Final = 1
"""Exit code of a command that was right and did not work."""
WRONG_USAGE: Final = 2
"""Exit code of a command line that is wrong; typer's own errors have it too."""


def failure(command: str, why: object, code: int = FAILED) -> typer.Exit:
    """Print on standard error why a command such as ``ugs watch`` fails; returns the exception to raise. An error of
    the system is written as its file and what is wrong with it, without its number."""
    text = _of_system(why) if isinstance(why, OSError) else str(why)
    typer.echo(f"{command}: {safe_lines(text)}", err=True)
    return typer.Exit(code)


def _of_system(error: OSError) -> str:
    if not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
