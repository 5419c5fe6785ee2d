"""The entry of each game in ``games.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

Allowed: TypeAlias = range | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game, as far as OpenSpiel does not describe it."""

    options: Mapping[str, Allowed] = field(default_factory=dict)
    """Parameters that players may choose, with what is allowed."""
    players: range | None = None
    fixed: Mapping[str, int | str] = field(default_factory=dict)
    """Parameters with other defaults than those of OpenSpiel."""
    board: Mapping[str, object] = field(default_factory=dict)
    """How its board is printed, for pictures; empty where it is no board of fields."""
    open_plays: bool = False
    """Whether all see what is played, in a game of imperfect information."""


@cache
def rows() -> Mapping[str, GameRow]:
    """Return the rows of all games that have one, by the names of OpenSpiel."""
    text = Path(__file__).with_name("games.toml").read_text(encoding="utf-8")
    return {name: _row(table) for name, table in tomllib.loads(text).items()}


def row(name: str) -> GameRow:
    """Return the row of a game; an empty one if it has none."""
    return rows().get(name, GameRow())


def _row(table: Mapping[str, object]) -> GameRow:
    options, players, board = table.get("options", {}), table.get("players"), table.get("board", {})
    assert isinstance(options, dict)
    assert isinstance(board, dict)
    fixed = table.get("fixed", {})
    assert isinstance(fixed, dict)
    return GameRow(
        {name: _allowed(values) for name, values in options.items()},
        _range(players) if isinstance(players, list) else None,
        fixed,
        board,
        table.get("open") == "plays",
    )


def _allowed(values: list[object]) -> Allowed:
    return tuple(map(str, values)) if isinstance(values[0], str) else _range(values)


def _range(values: list[object]) -> range:
    least, most = (int(str(value)) for value in values)
    return range(least, most + 1)
