"""Collections: what makes games on demand, by the rest of a name. ``shelf:chess`` is the game ``chess`` of ``shelf``.

A package adds a collection with an entry point of the group ``ugs.collections``: its name is the prefix, and what it
leads to is a :class:`GameCollection`. A library of a hundred games needs no hundred entry points then, and a game with
parameters, ``shelf:hex(board_size=5)``, can be named as well. Loading a collection must not load the library behind it:
pictures are drawn where that library is not installed, and a user of other games must not wait for it.
"""

from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Protocol

GROUP: Final = "ugs.collections"
SEPARATOR: Final = ":"


class NotInCollection(LookupError):
    """A collection has no such game, or cannot make it here. The text is for people: the name, why, and what to do."""


class GameCollection(Protocol):
    """Games that are made when they are asked for. Names are without the prefix.

    A collection may have ``also_called``: a mapping from names to other names that people know these games by.
    """

    def names(self) -> Sequence[str]:
        """The games that can be named without parameters, in order; none where the library is not installed."""

    def game(self, rest: str) -> Any:
        """The game of this name, a value as the entry points of ``ugs.games`` lead to, called PREFIX:REST. Raises
        NotInCollection."""

    def missing(self) -> str:
        """Why no game can be made here, and what to install; empty where games can be made."""

    def pictures(self, rest: str) -> Any:
        """The renderer for a game of this name, or None. It needs no library."""


def in_collection(name: str) -> bool:
    """Whether ``name`` has the form of a game of a collection."""
    return SEPARATOR in name


def find_collections(points: Iterable[EntryPoint] | None = None) -> dict[str, EntryPoint]:
    """The collections of all installed packages by their prefixes, not loaded. ``points`` are for tests."""
    found = entry_points(group=GROUP) if points is None else points
    return {point.name: point for point in sorted(found, key=lambda point: point.name, reverse=True)}


def collection_of(name: str) -> tuple[GameCollection, str] | None:
    """The collection that ``name`` belongs to, and the rest of the name; None where no installed one has this prefix.
    Raises NotInCollection if it cannot be loaded."""
    prefix, separator, rest = name.partition(SEPARATOR)
    point = find_collections().get(prefix) if separator else None
    if point is None:
        return None
    try:
        collection: GameCollection = point.load()
    except Exception as error:  # the code behind an entry point is foreign and may do anything
        raise NotInCollection(f"{name}: {point.value} failed: {type(error).__name__}: {error}") from error
    return collection, rest


def collected(name: str) -> Any | None:
    """The game of a collection with this whole name; None where there is no such collection. Raises NotInCollection."""
    found = collection_of(name)
    if found is None:
        return None
    collection, rest = found
    try:
        return collection.game(rest)
    except NotInCollection:
        raise
    except Exception as error:  # as above
        raise NotInCollection(f"{name}: {type(error).__name__}: {error}") from error


def collected_names(points: Iterable[EntryPoint] | None = None) -> list[str]:
    """The whole names of the games of all collections; of one that fails, none."""
    names: list[str] = []
    for prefix, point in sorted(find_collections(points).items()):
        try:
            names += [f"{prefix}{SEPARATOR}{rest}" for rest in point.load().names()]
        except Exception:  # any error in a package of others: it has no names then
            continue
    return names
