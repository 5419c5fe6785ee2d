"""The kits that `ugs new` copies: bots and game masters in several languages, listed in ``examples/kits/kits.toml``."""

import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ugs.toml_files import read_toml

TABLE: Final = "kits.toml"
"""The list of the kits, in the folder where they are."""
BOT: Final = "bot"
MASTER: Final = "master"
GAME: Final = "game"
"""Files that are laid over the package of the example game; no table describes the build, since pip does it."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Kit:
    """A folder to copy, and how a program is made of it."""

    language: str
    folder: Path
    title: str
    also: tuple[str, ...]
    """What people also call the language."""
    tools: tuple[str, ...]
    """Commands that it takes to build and to run the program."""
    probe: tuple[str, ...]
    """A command that fails where a library is missing; empty: it needs none."""
    packages: tuple[str, ...]
    """Where Debian has them."""
    build: tuple[tuple[str, ...], ...]
    """Command lines to run in the folder, one after another."""
    command: tuple[str, ...]
    """The command line of the program in the folder, to be followed by the address and what else it wants."""
    keeps_session: bool
    """Whether a bot keeps the token of its session in a file, and takes its seat again when it was killed."""
    idea: str
    """The file that is for its owner to change."""
    reading: tuple[str, ...]
    """The file of the protocol, and what in it reads documents and escapes texts, as a game master does, too; empty
    where there is a kit of a master."""

    def missing(self) -> tuple[str, ...]:
        """The tools that are not installed here; if all are, the probe where it fails."""
        tools = tuple(tool for tool in self.tools if shutil.which(tool) is None)
        if tools or not self.probe:
            return tools
        found = subprocess.run(self.probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return () if found.returncode == 0 else (shlex.join(self.probe),)


def kits_folder(package: Path = _PACKAGE) -> Path:
    """Where the kits are: inside the package, or at the top of a checkout."""
    inside = package / "_data" / "examples" / "kits"
    return inside if inside.is_dir() else package.parent / "examples" / "kits"


def kits_of(side: str, package: Path = _PACKAGE) -> dict[str, Kit]:
    """All kits of a side, BOT or MASTER, by their languages, as the table lists them."""
    folder = kits_folder(package)
    table = read_toml(folder / TABLE, RuntimeError)[side]
    return {language: _kit(language, folder / side / language, entry) for language, entry in table.items()}


def another_game(package: Path = _PACKAGE) -> tuple[str, ...]:
    """Options of a bot for some games of another type than that of its file."""
    return tuple(read_toml(kits_folder(package) / TABLE, RuntimeError)["another_game"])


def kit_called(name: str, kits: Iterable[Kit]) -> Kit | None:
    """The kit of a language, by any of its names; case does not count."""
    wanted = name.casefold()
    return next((kit for kit in kits if wanted in (kit.language, *kit.also)), None)


def _kit(language: str, folder: Path, entry: Mapping[str, Any]) -> Kit:
    return Kit(
        language=language,
        folder=folder,
        title=entry["title"],
        also=tuple(entry.get("also", ())),
        tools=tuple(entry["tools"]),
        probe=tuple(entry.get("probe", ())),
        packages=tuple(entry["packages"]),
        build=tuple(tuple(line) for line in entry["build"]),
        command=tuple(entry["run"]),
        keeps_session=entry.get("keeps_session", True),
        idea=entry["idea"],
        reading=tuple(entry.get("reading", ())),
    )
