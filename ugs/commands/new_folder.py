"""Folders that ``ugs new`` writes: copies of kits, and of the example game under a name of its own."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from ugs.commands.example import GAMES, folders
from ugs.loading import entry_points

GAME_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""Names of games that are names of packages as well, after hyphens have become underscores."""
MAX_NAME: Final = 40
"""Characters of the name of a new game: it becomes part of file names."""
KIT_NAME: Final = re.compile(r"\bmy(bot|master)\b")
"""What the program of a kit is called, and files that are called after it."""
TAKEN: Final = frozenset({"lua", "luasocket", "typescript", "ugs"})
"""Names of packages that kits need, so that none of theirs can be called so."""
MODEL: Final = "nim"
"""The game that is copied."""
MODEL_PACKAGE: Final = f"ugs-{MODEL}"
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info", "build", "dist")
"""What is no source."""


class BadName(Exception):
    """A name that a new game cannot have; the text gives the reason."""


def write_copy(source: Path, directory: Path) -> None:
    """Copy a kit into a new folder, whose name its program gets where that is one in all languages. Raises OSError when
    it exists or cannot be written; then nothing is left of it."""
    name = directory.resolve().name.lower()
    with _new_folder(directory):
        shutil.copytree(source, directory, ignore=LEFT_OUT, dirs_exist_ok=True)
        if GAME_NAME.fullmatch(name) and len(name) <= MAX_NAME and name not in TAKEN:
            _rename(directory, partial(_named, name=name))


def _named(text: str, name: str) -> str:
    return KIT_NAME.sub(name, text)


def write_game(directory: Path, name: str, over: Path) -> None:
    """Copy the example game under another name, and the files of ``over`` over it.

    Raises BadName, and OSError when the folder exists or cannot be written; then nothing is left of it.
    """
    _check_name(name)
    with _new_folder(directory):
        for source in (folders()[MODEL_PACKAGE], over):
            shutil.copytree(source, directory, ignore=LEFT_OUT, dirs_exist_ok=True)
        _rename(directory, partial(_renamed, name=name))


def _rename(directory: Path, renamed: Callable[[str], str]) -> None:
    """Put texts and names of files through ``renamed``."""
    for path in sorted(directory.rglob("*"), reverse=True):  # what is inside a folder before the folder
        if path.is_file():
            path.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
        path.rename(path.with_name(renamed(path.name)))


def _check_name(name: str) -> None:
    if not GAME_NAME.fullmatch(name):
        raise BadName(f"{name!r} is no name of a game: small letters, digits and hyphens, a letter first; give --name")
    if len(name) > MAX_NAME:
        raise BadName(f"the name has {len(name)} characters; at most {MAX_NAME} are allowed")
    if any(point.name == name for point in entry_points(group=GAMES)):
        raise BadName(f"there is a game {name!r} already (`ugs games`); give --name")


def _renamed(text: str, name: str) -> str:
    """A text, or the name of a file, with the new game in place of the example."""
    # First, since an underscore belongs to the word: \b finds no nim in ugs_nim.
    text = text.replace(f"ugs_{MODEL}", f"ugs_{name.replace('-', '_')}")
    return re.sub(rf"\b{MODEL}\b", name, text)


@contextmanager
def _new_folder(directory: Path) -> Iterator[None]:
    """Make a folder that has not been there, with those above it, and take it away again when writing into it fails.
    Raises OSError."""
    directory.mkdir(parents=True)
    try:
        yield
    except OSError:
        shutil.rmtree(directory, ignore_errors=True)
        raise
