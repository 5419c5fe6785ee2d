"""Which file of the repository belongs to which distribution, and where it lies in its wheel.

Schemas, configuration, manual and examples travel inside the package ``ugs``, where ``ugs example`` and the readers of
schemas find them. Files of the games lie beside those of the server, under the same paths as in a checkout.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from ugs.page.server.manual import KINDS

TOP: Final = Path(__file__).parents[2]
SITEMAP: Final = "sitemap.xml"
"""Says when each page was built, for search engines; a site without an address has no use for it."""
SERVER, GAMES, TOOLS = "ugs", "ugs-games", "ugs-tools"
PARTS: Final = (SERVER, GAMES, TOOLS)
"""What files of the repository belong to. The manual as a site is made of them, and is a distribution of its own:"""
MANUAL: Final = "ugs-docs"
KIT: Final = ("__init__.py", "py.typed", "registry.py", "kit", "commands", "env", "agents")
"""What of ``game_masters`` is no game: what authors and players of any game need."""
OF_TOOLS: Final = (
    "ugs/bench/",
    "ugs/soak/",
    "ugs/commands/bench.py",
    "ugs/commands/bench_run.py",
    "ugs/commands/soak.py",
    "ugs/commands/soak_run.py",
    "docs/benchmark.md",
)
OF_GAMES: Final = ("schemas/games/",)
INSIDE: Final = {
    "schemas/": "ugs/_data/schemas/",
    "conf/": "ugs/_data/conf/",
    "examples/": "ugs/_data/examples/",
    "tests/packages/": "ugs/_data/packages/",
    "docs/": "ugs/_data/docs/",
    "README.md": "ugs/_data/README.md",
    "CHANGELOG.md": "ugs/_data/CHANGELOG.md",
}
"""Where files from outside of the packages go, by the beginning of their paths."""
SITE: Final = "ugs/_data/site/"
"""Where a server finds the manual as a site (:mod:`ugs.page.server.manual`)."""
CODE: Final = ("ugs/", "game_masters/")


def tracked(top: Path = TOP) -> list[str]:
    """The files of the repository, as paths with slashes, sorted."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=top, capture_output=True, text=True, check=True).stdout
    return sorted(path for path in listed.split("\0") if path and (top / path).is_file())


def games_in(paths: Iterable[str]) -> set[str]:
    """The folders of games, by the files of the repository."""
    folders = {
        PurePosixPath(path).parts[1] for path in paths if path.startswith("game_masters/") and path.count("/") > 1
    }
    return folders - set(KIT)


def part_of(path: str, games: set[str]) -> str | None:
    """The distribution that a file belongs to; None for what does not travel: tests, screenshots, files of the
    developers."""
    if not path.startswith((*CODE, *INSIDE)):
        return None
    if path.startswith("docs/") and not path.endswith(".md"):
        return None
    if path.startswith(OF_TOOLS):
        return TOOLS
    if path.startswith(OF_GAMES) or _is_of_a_game(PurePosixPath(path), games):
        return GAMES
    return SERVER


def place_of(path: str) -> str:
    """Where a file lies in its wheel."""
    for beginning, inside in INSIDE.items():
        if path.startswith(beginning):
            return inside + path.removeprefix(beginning)
    return path


def contents(paths: Iterable[str]) -> dict[str, dict[str, str]]:
    """For each distribution, the places in its wheel with the files that go there."""
    paths = list(paths)
    games = games_in(paths)
    found: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    for path in paths:
        part = part_of(path, games)
        if part is not None:
            found[part][place_of(path)] = path
    return found


def contents_of_site(folder: Path) -> dict[str, str]:
    """For the distribution of the manual, the places in its wheel with the files of a built site that go there: those
    that a server shows."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in KINDS)
    return {SITE + path.relative_to(folder).as_posix(): str(path) for path in found if path.name != SITEMAP}


def _is_of_a_game(path: PurePosixPath, games: set[str]) -> bool:
    """Whether it is a file of a game, or a page of the manual about one: ``docs/titan-rules.md`` is about titan."""
    top, *inside = path.parts
    if top == "game_masters":
        return inside[0] not in KIT
    return top == "docs" and path.stem.partition("-")[0] in games
