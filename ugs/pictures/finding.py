"""Finds the renderers of installed games.

A game declares its renderer where it declares everything else: what an entry point of the group ``ugs.games`` leads to
has a ``game_type`` and, if the game can be drawn, ``pictures``. Nothing else of it is looked at.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final

import structlog

from ugs.pictures.contract import Renderer

GROUP: Final = "ugs.games"


def find_renderers(points: Iterable[EntryPoint] | None = None) -> Mapping[str, Renderer]:
    """Return the renderers by game type. ``points`` are the entry points, by default those of all installed packages.

    A package that cannot be loaded is logged and disturbs no other one. Of two for one game type, the first by the name
    of its entry point counts.
    """
    found: dict[str, Renderer] = {}
    for point in sorted(entry_points(group=GROUP) if points is None else points, key=lambda point: point.name):
        try:
            game = point.load()
            game_type, renderer = str(game.game_type), getattr(game, "pictures", None)
        except Exception as error:  # the code behind an entry point is foreign and may do anything
            structlog.get_logger("ugs.pictures").warning(
                "no pictures of a game", game=point.name, why=f"{type(error).__name__}: {error}"
            )
            continue
        if callable(renderer):
            found.setdefault(game_type, renderer)
    return MappingProxyType(found)


def of_game(name: str) -> Mapping[str, Renderer]:
    """Return the renderers, by game type, of the game whose entry point is called ``name``. Loads no other game."""
    return find_renderers(entry_points(group=GROUP, name=name))


@cache
def installed() -> Mapping[str, Renderer]:
    """Return the renderers of all installed packages, looked for once."""
    return find_renderers()
