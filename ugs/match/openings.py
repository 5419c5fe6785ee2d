"""The first positions of games, in the words of their master: the fixtures of `ugs master --fixture`."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

from ugs.championship.plan import MAX_OPENING
from ugs.match.games import InstalledGame
from ugs.match.match_settings import WrongMatch
from ugs.match.planner import PlannedGame
from ugs.toml_files import read_toml

MAX_OPENINGS: Final = 10_000
GROUP: Final = "ugs.openings"
"""Entry points that read files of openings; their names are the endings of the files."""

OpeningReader: TypeAlias = Callable[[str], Iterable[tuple[str, Mapping[str, Any]]]]
"""Reads a text into names and keys of fixtures. Raises ValueError with the place where the text is wrong."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position or a list of moves, under a name for people."""

    name: str
    values: Mapping[str, Any]
    """The keys of the fixture."""


def read_openings(path: Path) -> list[Opening]:
    """The openings in a folder of fixtures (``*.toml``, by name), or in a file with ``[[opening]]`` tables, whose key
    ``name`` is not part of the fixture; or in a file of a format that a game brings. Raises WrongMatch."""
    if (reader := _reader(path)) is not None:
        found = _read(path, reader)
    elif path.is_dir():
        found = [Opening(file.stem, _fixture(file)) for file in sorted(path.glob("*.toml"))]
    else:
        tables = _fixture(path).get("opening")
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise WrongMatch(f"{path}: allowed: [[opening]] tables, each with what a fixture has; or a folder of them")
        found = [
            Opening(str(table.get("name", number)), {key: value for key, value in table.items() if key != "name"})
            for number, table in enumerate(tables, 1)
        ]
    if not 1 <= len(found) <= MAX_OPENINGS:
        raise WrongMatch(f"{path}: {len(found)} openings; allowed: 1 to {MAX_OPENINGS}")
    return found


def _reader(path: Path) -> OpeningReader | None:
    """What reads files with the ending of this one. Raises WrongMatch where it cannot be loaded."""
    for point in entry_points(group=GROUP, name=path.suffix.removeprefix(".").lower()):
        try:
            reader: OpeningReader = point.load()
        except ImportError as error:
            raise WrongMatch(f"{path}: {error}") from error
        return reader
    return None


def _read(path: Path, reader: OpeningReader) -> list[Opening]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
        # One more shows that there are too many.
        return [Opening(name, values) for name, values in islice(reader(text), MAX_OPENINGS + 1)]
    except (OSError, ValueError) as error:
        raise WrongMatch(f"{path}: {error}") from error


def _fixture(path: Path) -> dict[str, Any]:
    return read_toml(path, WrongMatch)


def setup_of(game: InstalledGame, planned: PlannedGame, opening: Opening | None, seed: str) -> str:
    """How a game begins, in the words of its master. All games of a group begin alike and have the same chance. Empty
    where the master decides alone. Raises WrongMatch."""
    if opening is None and (game.fixture is None or not game.chance):
        return ""
    values = {"players": len(planned.bots), **(opening.values if opening is not None else {})}
    if game.chance:
        # An opening may bring a seed of its own.
        values.setdefault("seed", f"{seed} {planned.group}")
    text = written(values)
    if len(text) > MAX_OPENING:
        raise WrongMatch(f"opening {planned.opening}: {len(text)} characters; allowed: {MAX_OPENING}")
    return text


def written(values: Mapping[str, Any]) -> str:
    """A table as TOML. Raises WrongMatch for dates, which no fixture has."""
    try:
        text = "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in values.items())
        # Read back: what a package gives may have no form in TOML.
        tomllib.loads(text)
    except (TypeError, ValueError) as error:
        raise WrongMatch(f"an opening cannot be written: {error}") from None
    return text


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
