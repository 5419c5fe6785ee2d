"""Values with some of their fields changed, as :func:`dataclasses.replace` makes them, but faster.

A game is followed by making thousands of positions out of each other.
"""

from collections.abc import Callable, Hashable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Return the value with these fields changed. Its class is a dataclass with at least two fields, all of which it
    takes in their order. Raises TypeError for a field that it does not have."""
    kind: type[Any] = type(value)
    places, all_of = _fields_of(cast(Hashable, kind))
    parts = list(all_of(value))
    for name, part in changes.items():
        place = places.get(name)
        if place is None:
            raise TypeError(f"{type(value).__name__} has no field {name}")
        parts[place] = part
    replaced: T = kind(*parts)
    return replaced


@cache
def _fields_of(kind: Any) -> tuple[dict[str, int], Callable[[Any], tuple[Any, ...]]]:
    names = [field.name for field in fields(kind)]
    return {name: place for place, name in enumerate(names)}, attrgetter(*names)
