"""The command ``ugs config``."""

import typer

from ugs.commands.failure import failure
from ugs.config_text import written_out
from ugs.gateway import GatewayError, all_settings


def config() -> None:
    """Print a configuration file with every setting, its default and what it does.

    Example:

        ugs config > my.toml
    """
    try:
        typer.echo(written_out(all_settings()), nl=False)
    except GatewayError as error:
        raise failure("ugs config", error) from None
