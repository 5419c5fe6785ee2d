"""Where commands draw: standard output, with what a renderer fails at on standard error."""

from rich.console import Console

from ugs.log import configure_logging
from ugs.pictures import terminal


def canvas() -> Console:
    """Return standard output for pictures. From now on, log lines of at least a warning go to standard error."""
    configure_logging("warning")
    return terminal.console()
