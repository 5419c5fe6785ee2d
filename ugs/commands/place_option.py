"""Where commands take a journal: the option of all that read one, and arguments. It is a data directory, or the address
of a database."""

from typing import Any, Final

import typer

from ugs.commands.path_type import named_fault
from ugs.places import Place, is_url, place_of

KIND: Final = "DIR|URL"
"""How help calls a place."""


def place_option(what: str) -> Any:
    """Return the option with this help; its value is a :data:`ugs.places.Place`."""
    names = ("--data-dir", "--journal")
    text = f"{what}, or the URL of its database."
    return typer.Option(*names, envvar="UGS_DATA_DIR", metavar=KIND, parser=named_place, help=text)


def place_argument(metavar: str, what: str) -> Any:
    """Return the argument with this name and this help; its value is a :data:`ugs.places.Place`."""

    def place(text: str) -> Place:
        return named_place(text)

    # Help shows the name of the parser behind an argument.
    place.__name__ = KIND
    return typer.Argument(metavar=metavar, parser=place, help=what)


def named_place(text: str) -> Place:
    """The place; ends the command where there can be none."""
    fault = "" if is_url(text) else named_fault(text, directory=True)
    if fault:
        raise typer.BadParameter(fault)
    return place_of(text)
