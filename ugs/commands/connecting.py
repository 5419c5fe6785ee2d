"""The option ``--connect HOST:PORT`` of commands that talk to a server."""

import typer

from ugs.address import read_address


def server_at(text: str) -> tuple[str, int]:
    """Return host and port that ``--connect`` names. Raises typer.BadParameter when ``text`` is not HOST:PORT."""
    try:
        return read_address(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--connect") from None
