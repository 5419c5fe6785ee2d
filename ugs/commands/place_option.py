"""Where commands take a journal: the option of all that read one, and arguments. It is a data directory, or the address
of a database."""

from typing import Any, Final

import typer

from ugs.places import Place, place_of

KIND: Final = "DIR|URL"
"""How help calls a place."""


def place_option(what: str) -> Any:
    """Return the option with this help; its value is a :data:`ugs.places.Place`."""
    names = ("--data-dir", "--journal")
    text = f"{what}, or the URL of its database."
    return typer.Option(*names, envvar="UGS_DATA_DIR", metavar=KIND, parser=place_of, help=text)


def place_argument(metavar: str, what: str) -> Any:
    """Return the argument with this name and this help; its value is a :data:`ugs.places.Place`."""

    def place(text: str) -> Place:
        return place_of(text)

    # Help shows the name of the parser behind an argument.
    place.__name__ = KIND
    return typer.Argument(metavar=metavar, parser=place, help=what)
