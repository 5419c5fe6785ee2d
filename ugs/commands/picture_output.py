"""Where commands draw: standard output, with what a renderer fails at on standard error."""

from typing import TypeAlias

from rich.console import Console

from ugs.log import configure_logging
from ugs.pictures import terminal
from ugs.pictures.terminal import show as show

Canvas: TypeAlias = Console
"""What pictures are drawn on."""


def canvas() -> Console:
    """Return standard output for pictures. From now on, log lines of at least a warning go to standard error."""
    configure_logging("warning")
    return terminal.console()
