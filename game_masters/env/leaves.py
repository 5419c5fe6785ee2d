"""The values in a view or a move, as texts, each with the way that leads to it.

Views are immutable values that compare by content, so what they hold can be walked without knowing the game: fields of
dataclasses and named tuples, elements, keys. ``View(width=3, stones=(Cell(x=0, y=2),))`` has the leaves ``width=3``,
``stones.0.x=0`` and ``stones.0.y=2``.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from zlib import crc32

MAX_LEAVES = 20_000
"""A view with more values than this is cut off there: a step must not take seconds."""


def leaves(value: object) -> Iterator[bytes]:
    """Yield the leaves of a value, at most :data:`MAX_LEAVES`; the same for equal values."""
    for number, leaf in enumerate(_walk("", value)):
        if number == MAX_LEAVES:
            return
        yield leaf


def number_of(value: object) -> int:
    """Return a number of 32 bits that depends on the content of a value alone, and is the same in every process."""
    number = crc32(type(value).__name__.encode())
    for leaf in leaves(value):
        number = crc32(leaf, number)
    return number


def _walk(path: str, value: object) -> Iterator[bytes]:
    match value:
        case Enum():
            yield f"{path}={value.name}".encode()
        case None | bool() | int() | float() | str() | bytes():
            yield f"{path}={value!s}".encode()
        case Mapping():
            for key, inner in value.items():
                yield from _walk(f"{path}.{key}", inner)
        case Set():
            # Sets may have another order in each process.
            yield from sorted(leaf for inner in value for leaf in _walk(path, inner))
        case tuple() if hasattr(value, "_fields"):
            for name, inner in zip(value._fields, value, strict=True):
                yield from _walk(f"{path}.{name}", inner)
        case tuple() | list():
            for place, inner in enumerate(value):
                yield from _walk(f"{path}.{place}", inner)
        case _ if is_dataclass(value):
            for one in fields(value):
                # What does not count for equality must not make equal views differ.
                if one.compare:
                    yield from _walk(f"{path}.{one.name}", getattr(value, one.name))
        case _:
            yield f"{path}={value!s}".encode()
