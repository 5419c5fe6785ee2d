"""The command ``ugs config``."""

import typer

from ugs.config import written_out


def config() -> None:
    """Print a configuration file with every setting, its default and what it does.

    Example:

        ugs config > my.toml
    """
    typer.echo(written_out(), nl=False)
