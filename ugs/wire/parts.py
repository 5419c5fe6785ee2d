"""The vocabulary that describes an element: a list of parts, each for one or several fields of a dataclass.

The messages of v4 are few and frequent, so the codec has a hand-written pair of functions for each. The extensions are
many and rare: for them :mod:`ugs.wire.binder` makes shape, reader and writer from one list of parts.
"""

import re
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeAlias

from ugs.value import value
from ugs.wire.shapes import COUNT, COUNT_IN_WORDS


@value
class AttributeKind:
    """What an attribute may contain, and how its text becomes a value and a text again."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    allowed: re.Pattern[str] | None = None
    expected: str = ""


def _seconds(number: float) -> str:
    """Return at most six digits after the point, without trailing zeros, without exponent and never -0."""
    return f"{number:z.6f}".rstrip("0").rstrip(".")


TEXT = AttributeKind(str, str)
FLAG = AttributeKind(
    lambda text: text == "yes", lambda flag: "yes" if flag else "no", re.compile("yes|no"), '"yes" or "no"'
)
NUMBER = AttributeKind(int, str, COUNT, COUNT_IN_WORDS)
INTEGER = AttributeKind(int, str, re.compile("-?[0-9]{1,18}"), "a whole number with at most 18 digits")
# Plain digits, few of them: float() would also take "inf", "nan" and "1_0".
SECONDS = AttributeKind(
    float, _seconds, re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?"), "a number of at least 0, such as 30 or 0.5"
)
BALANCE = AttributeKind(float, _seconds, re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,12})?"), "a number such as 30 or -0.5")


def text(most: int) -> AttributeKind:
    """Return the kind of any text of at most ``most`` characters."""
    # (?s: a reference such as &#10; puts line breaks into attributes.
    return AttributeKind(str, str, re.compile(f"(?s:.{{0,{most}}})"), f"a text of at most {most} characters")


def word(choices: type[Enum]) -> AttributeKind:
    """Return the kind whose values are the members of ``choices``."""
    values = [member.value for member in choices]
    allowed = re.compile("|".join(map(re.escape, values)))
    return AttributeKind(
        choices, lambda member: str(member.value), allowed, "one of " + ", ".join(f'"{value}"' for value in values)
    )


class _Required:
    """Stands for the default of a part that has none."""


REQUIRED = _Required()


@value
class Attr:
    """A field that is an attribute of the element itself. It is left out where the field has the default value."""

    field: str
    name: str
    kind: AttributeKind = TEXT
    default: object = REQUIRED


@value
class Value:
    """A field that is the only attribute of a child: ``<gameId id="…"/>``."""

    field: str
    element: str
    name: str
    kind: AttributeKind = TEXT
    default: object = REQUIRED


@value
class Values:
    """A field that is a tuple of such children, at most ``most`` of them; None: any number."""

    field: str
    element: str
    name: str
    kind: AttributeKind = TEXT
    most: int | None = None


@value
class Text:
    """A field that is the text of a child, of at most ``most`` characters. With a default the child may be missing."""

    field: str
    element: str
    default: object = REQUIRED
    most: int | None = None


@value
class Content:
    """A field that is the text of the element itself. Text beyond ``most`` characters is refused when read and cut when
    written: it is for people."""

    field: str
    most: int | None = None


@value
class Payload:
    """A field that is the bytes of a child that belongs to the game; ``b""`` where an optional child is missing."""

    field: str
    element: str
    optional: bool = False


@value
class Inside:
    """Several fields that are parts of one child: ``<session token="…" nick="…"/>``."""

    element: str
    parts: "tuple[Part, ...]"
    optional: bool = False
    """Whether the child may be missing. Its fields are then read from an empty element, so all of them need
    defaults."""


@value
class One:
    """A field that is a child with its own dataclass."""

    field: str
    item: "Bound"


@value
class Many:
    """A field that is a tuple of children with their own dataclasses. Several kinds may stand in any order.

    With ``within`` they are of one kind and stand in a child of that name, which is missing when there are none. There
    are at most ``most`` of each kind; None: any number.
    """

    field: str
    items: "tuple[Bound, ...]"
    within: str = ""
    most: int | None = None


Part: TypeAlias = Attr | Value | Values | Text | Content | Payload | Inside | One | Many


@value
class Bound:
    """A dataclass and the element that it is written as."""

    cls: type[Any]
    element: str
    parts: tuple[Part, ...]
