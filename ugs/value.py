"""Values: the data that crosses from one room of the house to another compares by content and is never changed."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

import msgspec

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Make a dataclass that is frozen for the type checker only.

    At run time its fields can be set: making a frozen dataclass takes three times as long.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


class Light(msgspec.Struct, frozen=True, gc=False):
    """The base of the few values that are made for every message which is relayed, six of them each time.

    To make one takes a third to half as long as to make a dataclass. The collector of cycles does not look at it: so
    none may lead back to itself.
    """
