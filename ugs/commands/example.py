"""The command ``ugs example``: files that come with ugs, so that they are there without a checkout, too."""

import shutil
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.path_faults import reason_of
from ugs.printable import meant

FOLDERS: Final = ("examples", "conf", "docs", "schemas", "schemas/games", "schemas/messages", ".")
"""Where the files are: in a package below ``ugs/_data``, in a checkout at its top."""
TITLES: Final = {
    ".": "manual",
    "schemas": "protocol",
    "schemas/games": "payloads of the games",
    "schemas/messages": "messages",
}
"""What the list calls folders that have another name for people."""
NAMES: Final = {("examples", "README.md"): "examples.md", ("schemas", "README.md"): "protocol.md"}
"""Files that are called otherwise here, since several have one name."""
AT_THE_TOP: Final = ("README.md", "CHANGELOG.md")
"""Files of the top folder that are shown."""
ELSEWHERE: Final = ("CONTRIBUTING.md", "LICENSE", ".github/", "docs/decisions/", "docs/pictures/")
"""Files and folders that pages link to and that do not come with ugs."""
PACKAGES: Final = ("packages", "tests/packages")
"""Where whole packages to copy are: below ``ugs/_data``, or in a checkout."""
GAMES: Final = "ugs.games"
"""The entry points of games, whose folders may be copied, too."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]


def files(package: Path = _PACKAGE) -> dict[str, Path]:
    """The files by their names. Where one name stands twice, the folder that is named first has it."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for name, path in _in_folder(folder, package).items():
            found.setdefault(name, path)
    return found


def by_path(package: Path = _PACKAGE) -> dict[str, Path]:
    """The files by their paths, as the manual writes them: ``docs/first-bot.md``."""
    return {
        f"{folder}/{path.name}": path
        for folder in FOLDERS
        if folder != "."
        for path in _in_folder(folder, package).values()
    }


def folders(package: Path = _PACKAGE) -> dict[str, Path]:
    """The folders that can be copied, by their names: whole packages, and the games that are installed."""
    found: dict[str, Path] = {}
    for place in (package / "_data" / PACKAGES[0], package.parent / PACKAGES[1]):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if path.is_dir():
                found.setdefault(path.name, path)
    for point in sorted(entry_points(group=GAMES), key=lambda point: point.name):
        spec = find_spec(point.module)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        if places and Path(places[0]) not in found.values():
            found.setdefault(point.name, Path(places[0]))
    return found


def names(incomplete: str = "") -> list[str]:
    """The names that begin so, for the completion of a shell."""
    return [name for name in (*files(), *folders()) if name.startswith(incomplete)]


def example(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The file or folder; none: list them.", autocompletion=names)
    ] = "",
    directory: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", file_okay=False, help="Where a folder is copied to; it must not exist yet."),
    ] = None,
) -> None:
    """Print a file that comes with ugs, or copy a folder: a player or a game to begin with, a page of the manual, an
    XML schema of the protocol or of a game's moves and states.

    Paths as in the manual, docs/first-bot.md, do, too.

    Examples:

        ugs example

        ugs example session_player.py > mybot.py

        ugs example protocol.md | less

        ugs example tic-tac-toe.xsd

        ugs example ugs-nim my-game
    """
    known, copied = files(), folders()
    if not name:
        for folder in FOLDERS:
            typer.echo(f"{TITLES.get(folder, folder)}: {', '.join(_in_folder(folder))}")
        typer.echo(f"folders to copy (ugs example NAME DIR): {', '.join(copied)}")
    elif (file := known.get(name) or by_path().get(name.removeprefix("./"))) is not None:
        if directory is not None:
            why = f"{name} is a file, which is printed: ugs example {name} > FILE"
            raise typer.BadParameter(why, param_hint="DIR")
        typer.echo(file.read_text(encoding="utf-8"), nl=False)
    elif name in copied:
        _copy(copied[name], directory or Path(name))
    elif name.removeprefix("./").startswith(ELSEWHERE):
        why = f"{name} is in a checkout only; a running server shows the manual behind a link at the foot of its pages"
        raise failure("ugs example", why, WRONG_USAGE)
    else:
        near = meant(name, (*known, *copied, *(by_path() if "/" in name else ())))
        raise failure("ugs example", f"there is no file {name!r}{near}; `ugs example` lists them", WRONG_USAGE)


def _in_folder(folder: str, package: Path = _PACKAGE) -> dict[str, Path]:
    places = (package / "_data" / folder, package.parent / folder)
    # Above an installed package is no checkout but site-packages: all files have to be there.
    place = next((place for place in places if place.is_dir() and (folder != "." or _has_all(place))), None)
    return {
        NAMES.get((folder, path.name), path.name): path
        for path in (sorted(place.iterdir()) if place else ())
        if path.is_file() and (folder != "." or path.name in AT_THE_TOP)
    }


def _has_all(place: Path) -> bool:
    return all((place / name).is_file() for name in AT_THE_TOP)


def _copy(folder: Path, directory: Path) -> None:
    """Copy a folder. Raises typer.Exit."""
    try:
        shutil.copytree(folder, directory, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info"))
    except OSError as error:
        raise failure("ugs example", f"{directory}: {reason_of(error)}") from None
    typer.echo(f"{directory}: {sum(path.is_file() for path in directory.rglob('*'))} files")
