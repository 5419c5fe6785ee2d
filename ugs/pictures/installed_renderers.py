"""Finds what installed games bring for people: renderers, and what their options are for.

A game declares it where it declares everything else: what an entry point of the group ``ugs.games`` leads to has a
``game_type`` and, if the game can be drawn, ``pictures``. It may have ``options``, each with a ``name`` and an
``explanation``, and ``puzzles`` with a method ``shown``. Nothing else of it is looked at.

The games of a collection are drawn by what the collection gives for their type, which needs no library.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final, TypeVar

import structlog

from ugs.distributions import NotInstalled
from ugs.game_collections import collection_of, in_collection
from ugs.pictures.contract import PuzzleShown, Renderer

GROUP: Final = "ugs.games"

T = TypeVar("T")


def find_renderers(points: Iterable[EntryPoint] | None = None) -> Mapping[str, Renderer]:
    """Return the renderers by game type. ``points`` are the entry points, by default those of all installed packages.

    A package that cannot be loaded disturbs no other one, and is logged unless it only lacks a library. Of two for one
    game type, the first by the name of its entry point counts.
    """
    found = _read(points, lambda game: getattr(game, "pictures", None), "no pictures of a game")
    return MappingProxyType({game_type: renderer for game_type, renderer in found.items() if callable(renderer)})


def find_explanations(points: Iterable[EntryPoint] | None = None) -> Mapping[str, Mapping[str, str]]:
    """Return what the options of each game type are for, in words for people, by their names. ``points`` and packages
    that cannot be loaded as for :func:`find_renderers`."""
    return MappingProxyType(
        _read(
            points,
            lambda game: {str(one.name): str(one.explanation) for one in getattr(game, "options", ())},
            "no explanations of a game",
        )
    )


def find_puzzles(
    points: Iterable[EntryPoint] | None = None,
) -> Mapping[str, Callable[[], Sequence[PuzzleShown]]]:
    """Return what gives the puzzles of each game type that has some. ``points`` and packages that cannot be loaded as
    for :func:`find_renderers`."""
    return MappingProxyType(_read(points, _puzzles_of, "no puzzles of a game"))


def _puzzles_of(game: Any) -> Callable[[], Sequence[PuzzleShown]] | None:
    shown = getattr(getattr(game, "puzzles", None), "shown", None)
    return partial(shown, game) if callable(shown) else None


def _read(points: Iterable[EntryPoint] | None, what: Callable[[Any], T | None], trouble: str) -> dict[str, T]:
    """By game type, what a game declares about itself; None is nothing."""
    found: dict[str, T] = {}
    for point in sorted(entry_points(group=GROUP) if points is None else points, key=lambda point: point.name):
        try:
            game = point.load()
            game_type, field = str(game.game_type), what(game)
        except NotInstalled:
            continue  # most people play other games; for those who do not, :func:`warn_of_missing`
        except Exception as error:  # the code behind an entry point is foreign and may do anything
            why = f"{type(error).__name__}: {error}"
            structlog.get_logger("ugs.pictures").warning(trouble, game=point.name, why=why)
            continue
        if field is not None:
            found.setdefault(game_type, field)
    return found


def of_game(name: str) -> Mapping[str, Renderer]:
    """Return the renderers, by game type, of the game whose entry point is called ``name``. Loads no other game."""
    if in_collection(name):
        renderer = of_collection(name)
        return {} if renderer is None else {name: renderer}
    return find_renderers(entry_points(group=GROUP, name=name))


def of_collection(game_type: str) -> Renderer | None:
    """Return the renderer that an installed collection has for the games of this type; None where there is none."""
    try:
        found = collection_of(game_type)
        renderer = None if found is None else found[0].pictures(found[1])
    except Exception as error:  # a collection is foreign and may do anything
        structlog.get_logger("ugs.pictures").warning("no pictures of a game", game=game_type, why=str(error))
        return None
    return renderer if callable(renderer) else None


@cache
def installed() -> Mapping[str, Renderer]:
    """Return the renderers of all installed packages, looked for once."""
    return find_renderers()


@cache
def warn_of_missing(game_type: str) -> None:
    """Log, once, what to install for pictures of this game type, if the game of this name lacks a library."""
    for point in entry_points(group=GROUP, name=game_type):
        try:
            point.load()
        except NotInstalled as error:
            structlog.get_logger("ugs.pictures").warning("no pictures of a game", game=game_type, why=str(error))
        except Exception:  # logged where the renderers were looked for
            continue


def is_drawn(game_type: str) -> bool:
    """Return whether an installed package, or collection, has a renderer for games of this type."""
    return game_type in installed() or (in_collection(game_type) and of_collection(game_type) is not None)


@cache
def explained() -> Mapping[str, Mapping[str, str]]:
    """Return the explanations of all installed packages, looked for once."""
    return find_explanations()


@cache
def puzzled() -> Mapping[str, Callable[[], Sequence[PuzzleShown]]]:
    """Return what gives the puzzles of all installed packages, looked for once."""
    return find_puzzles()
