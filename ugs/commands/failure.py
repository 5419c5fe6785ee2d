"""How a command fails: one line on standard error, and an exit code."""

from typing import Final

import typer

from ugs.path_faults import reason_of
from ugs.printable import safe_lines, shortened

FAILED: Final = 1
"""Exit code of a command that was right and did not work."""
WRONG_USAGE: Final = 2
"""Exit code of a command line that is wrong; typer's own errors have it too."""
MAX_LINE: Final = 1000
"""Characters of a line that shows why a command fails: arguments may be as long as command lines are."""


def failure(command: str, why: object, code: int = FAILED) -> typer.Exit:
    """Print on standard error why a command such as ``ugs watch`` fails; returns the exception to raise. An error of
    the system is written as its file and what is wrong with it, without its number."""
    text = _of_system(why) if isinstance(why, OSError) else str(why)
    typer.echo(f"{command}: {safe_lines(short_lines(text))}", err=True)
    return typer.Exit(code)


def short_lines(text: str) -> str:
    """A text without the middle of lines that are longer than MAX_LINE."""
    return "\n".join(shortened(line, MAX_LINE) for line in text.split("\n"))


def _of_system(error: OSError) -> str:
    return f"{error.filename}: {reason_of(error)}" if error.filename else reason_of(error)
