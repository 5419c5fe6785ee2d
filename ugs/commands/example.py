"""The command ``ugs example``: files that come with ugs, so that they are there without a checkout, too."""

from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import failure
from ugs.printable import meant

FOLDERS: Final = ("examples", "conf", "docs")
"""Where the files are: in a package below ``ugs/_data``, in a checkout at its top."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]


def files(package: Path = _PACKAGE) -> dict[str, Path]:
    """The files by their names. Where one name stands twice, the folder that is named first has it."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        places = (package / "_data" / folder, package.parent / folder)
        place = next((place for place in places if place.is_dir()), None)
        for path in sorted(place.iterdir()) if place else ():
            if path.is_file():
                found.setdefault(path.name, path)
    return found


def names(incomplete: str = "") -> list[str]:
    """The names that begin so, for the completion of a shell."""
    return [name for name in files() if name.startswith(incomplete)]


def example(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The file to print; none: list them.", autocompletion=names)
    ] = "",
) -> None:
    """Print a file that comes with ugs: a player to begin with, a systemd unit, a page of the manual.

    Examples:

        ugs example

        ugs example player.py > mybot.py

        ugs example ugs.service
    """
    known = files()
    if not name:
        for folder in FOLDERS:
            typer.echo(f"{folder}: {', '.join(name for name, path in known.items() if path.parent.name == folder)}")
    elif name in known:
        typer.echo(known[name].read_text(encoding="utf-8"), nl=False)
    else:
        raise failure("ugs example", f"there is no file {name!r}{meant(name, known)}; `ugs example` lists them")
