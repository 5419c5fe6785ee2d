"""The option of all commands that read a journal: a data directory, or the address of a database."""

from typing import Any

import typer

from ugs.places import place_of


def place_option(what: str) -> Any:
    """Return the option with this help; its value is a :data:`ugs.places.Place`."""
    names = ("--data-dir", "--journal")
    text = f"{what}, or the URL of its database."
    return typer.Option(*names, envvar="UGS_DATA_DIR", metavar="DIR|URL", parser=place_of, help=text)
