"""How a command fails: one line on standard error, and an exit code."""

from typing import Final

import typer

from ugs.printable import safe_lines

FAILED: Final = 1
"""Exit code of a command that was right and did not work."""
WRONG_USAGE: Final = 2
"""Exit code of a command line that is wrong; typer's own errors have it too."""


def failure(command: str, why: object, code: int = FAILED) -> typer.Exit:
    """Print on standard error why a command such as ``ugs watch`` fails; returns the exception to raise."""
    typer.echo(f"{command}: {safe_lines(str(why))}", err=True)
    return typer.Exit(code)
