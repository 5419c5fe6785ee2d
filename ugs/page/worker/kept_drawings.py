"""Games that an earlier copy of the site has drawn into the same directory: they are not drawn again.

A game that has ended stays as it is, so most of the next copy is there already. What was drawn counts as long as the
record, a correction of its result, the settings and the code that draws are the same. What the page of the game shows
is kept in :data:`FOLDER`.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

import ugs
from ugs.page.contract import SiteSettings
from ugs.page.played import PlayedGame
from ugs.pictures.installed_renderers import installed

FOLDER: Final = ".drawn"
"""In the directory of the copy: a file for each game."""
NOT_CODE: Final = "__pycache__"


def origin_of(settings: SiteSettings, record_file: bytes) -> str:
    """All that the files of a game are made from, as a digest. ``record_file`` is its record as a file, which has a
    correction of its result in it."""
    parts = (record_file, repr(settings).encode(), code_digest())
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()


def keep(directory: Path, stem: str, origin: str, model: PlayedGame, script: str) -> None:
    """Keep what the page of a drawn game shows. ``script`` is the file with its positions; empty: there is none. Raises
    OSError."""
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.json").write_bytes(msgspec.json.encode({"origin": origin, "script": script, "model": model}))


def kept(directory: Path, stem: str, origin: str) -> tuple[PlayedGame, str] | None:
    """What the page of a game shows, and the file with its positions; None where it has to be drawn."""
    try:
        found = json.loads((directory / FOLDER / f"{stem}.json").read_bytes())
        if found["origin"] != origin or (found["script"] and not (directory / found["script"]).is_file()):
            return None
        return msgspec.convert(found["model"], PlayedGame), str(found["script"])
    except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError):  # that file is not ours
        return None


@cache  # the same as long as the process lives: it has loaded that code
def code_digest() -> bytes:
    """The code of the page and of all pictures, as a digest of the paths, sizes and times of its files."""
    tops = {name for renderer in installed().values() if (name := _top_of(renderer))}
    folders = {Path(ugs.__file__).parent, *(Path(file).parent for top in tops if (file := _file_of(top)))}
    return sha256(repr([stamp for folder in sorted(folders) for stamp in _stamps(folder)]).encode()).digest()


def _top_of(renderer: object) -> str:
    return str(getattr(renderer, "__module__", "")).partition(".")[0]


def _file_of(package: str) -> str | None:
    return getattr(sys.modules.get(package), "__file__", None)


def _stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    for path in sorted(folder.rglob("*")):
        if NOT_CODE not in path.parts and path.is_file():
            found = path.stat()
            yield str(path), found.st_size, found.st_mtime_ns
