"""Data that one extension keeps with a peer, a game, a table or the server, under a key of its own.

The core has no field for it and never looks at it: without the extension it is not there.
"""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, cast

T = TypeVar("T")
Extras: TypeAlias = dict["Key[Any]", Any]


class DataHolder(Protocol):
    """Anything that extensions can keep data with."""

    extras: Extras


class Key(Generic[T]):
    """The place of one kind of data. ``make`` gives what is there before anything was kept; ``name`` is for people who
    look at ``extras``."""

    __slots__ = ("_make", "name")

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self.name = name
        self._make = make

    def of(self, holder: DataHolder) -> T:
        """The data kept with ``holder``; made now if there is none."""
        extras = holder.extras
        if self not in extras:
            extras[self] = self._make()
        return cast(T, extras[self])

    def find(self, holder: DataHolder) -> T | None:
        """The data kept with ``holder``, or None."""
        return cast("T | None", holder.extras.get(self))
