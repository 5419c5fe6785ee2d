"""How a dataclass is written as an element: a list of parts, each for one field, read in both directions.

The messages of v4 are few and hot, so the codec has a hand-written pair of functions for each. The extensions are
many and cool: for them :func:`reader`, :func:`writer` and :func:`shape_of` make all three from one list of parts.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from ugs.wire.element import Element
from ugs.wire.escaping import written_text, written_value
from ugs.wire.shapes import Attribute, Shape

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """What may stand in an attribute, and how it becomes a value and a text again."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    allowed: re.Pattern[str] | None = None
    expected: str = ""


def _seconds(number: float) -> str:
    """At most six digits after the point, none of them a superfluous zero, and never an exponent."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


TEXT = Kind(str, str)
FLAG = Kind(lambda text: text == "yes", lambda flag: "yes" if flag else "no", re.compile("yes|no"), '"yes" or "no"')
NUMBER = Kind(int, str, re.compile("[0-9]{1,18}"), "a whole number from 0, with at most 18 digits")
INTEGER = Kind(int, str, re.compile("-?[0-9]{1,18}"), "a whole number with at most 18 digits")
SECONDS = Kind(float, _seconds, re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?"), "a number of at least 0, such as 30 or 0.5")
BALANCE = Kind(float, _seconds, re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,12})?"), "a number such as 30 or -0.5")


def word(choices: type[Enum]) -> Kind:
    """One of the values of an enumeration."""
    values = [member.value for member in choices]
    allowed = re.compile("|".join(map(re.escape, values)))
    return Kind(
        choices, lambda member: str(member.value), allowed, "one of " + ", ".join(f'"{value}"' for value in values)
    )


class _Required:
    """The default of an attribute that has none."""


REQUIRED = _Required()


@dataclass(frozen=True, slots=True)
class Attr:
    """A field that is an attribute of the element itself. One with a default is left out where it has that value."""

    field: str
    name: str
    kind: Kind = TEXT
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Value:
    """A field that is the one attribute of a child: ``<gameId id="…"/>``."""

    field: str
    element: str
    name: str
    kind: Kind = TEXT
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Values:
    """A field that is a tuple of such children, none or any number."""

    field: str
    element: str
    name: str
    kind: Kind = TEXT


@dataclass(frozen=True, slots=True)
class Text:
    """A field that is the text of a child; with a default the child may be missing."""

    field: str
    element: str
    default: object = REQUIRED


@dataclass(frozen=True, slots=True)
class Content:
    """A field that is the text of the element itself."""

    field: str


@dataclass(frozen=True, slots=True)
class Payload:
    """A field that is the bytes of a child which belongs to the game; empty where it may be missing and is."""

    field: str
    element: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """Several fields that are parts of one child: ``<session token="…" nick="…"/>``."""

    element: str
    parts: "tuple[Part, ...]"
    optional: bool = False
    """Whether the child may be missing; its fields are then those of an element without anything in it, so all of
    them need defaults."""


@dataclass(frozen=True, slots=True)
class One:
    """A field that is a child with a dataclass of its own."""

    field: str
    item: "Bound"


@dataclass(frozen=True, slots=True)
class Many:
    """A field that is a tuple of children with dataclasses of their own. Several kinds may stand in any order.

    With ``within`` they stand in a child of that name, which is missing when there are none of them.
    """

    field: str
    items: "tuple[Bound, ...]"
    within: str = ""


Part: TypeAlias = Attr | Value | Values | Text | Content | Payload | Inside | One | Many


@dataclass(frozen=True, slots=True)
class Bound:
    """A dataclass and the element that it is written as."""

    cls: type[Any]
    element: str
    parts: tuple[Part, ...]


# --- shapes: what may be there ------------------------------------------------------------------------------------


def shape_of(bound: Bound, *, least: int = 1, most: int | None = 1) -> Shape:
    """The shape of a bound element. Whatever it does not name is ignored in it."""
    return _shape(bound.element, bound.parts, least, most)


def _shape(name: str, parts: Sequence[Part], least: int = 1, most: int | None = 1) -> Shape:
    attributes = {part.name: _attribute(part) for part in parts if isinstance(part, Attr)}
    children = {shape.name: shape for part in parts for shape in _children(part)}
    text = any(isinstance(part, Content) for part in parts)
    return Shape(name, attributes, children, least, most, text=text, lenient=True)


def _attribute(part: "Attr | Value | Values") -> Attribute:
    required = isinstance(part, Values) or part.default is REQUIRED
    return Attribute(part.name, required, part.kind.allowed, part.kind.expected)


def _children(part: Part) -> Iterator[Shape]:
    match part:
        case Value(element=element, default=default):
            alone = Attribute(part.name, True, part.kind.allowed, part.kind.expected)
            yield Shape(element, {part.name: alone}, {}, int(default is REQUIRED), lenient=True)
        case Values(element=element):
            yield Shape(element, {part.name: _attribute(part)}, {}, 0, None, lenient=True)
        case Text(element=element, default=default):
            yield Shape(element, {}, {}, int(default is REQUIRED), text=True, lenient=True)
        case Payload(element=element, optional=optional):
            yield Shape(element, {}, {}, int(not optional), payload=True)
        case Inside(element=element, parts=parts, optional=optional):
            yield _shape(element, parts, int(not optional))
        case One(item=item):
            yield shape_of(item)
        case Many(items=items, within=within):
            shapes = [shape_of(item, least=0, most=None) for item in items]
            if within:
                yield Shape(within, {}, {shape.name: shape for shape in shapes}, 0, lenient=True)
            else:
                yield from shapes


# --- reading ------------------------------------------------------------------------------------------------------


def read(bound: Bound, element: Element) -> Any:
    """The value that an element of the right shape is written for."""
    fields: dict[str, object] = {}
    for part in bound.parts:
        _read_part(part, element, fields)
    return bound.cls(**fields)


def _read_part(part: Part, element: Element, fields: dict[str, object]) -> None:
    match part:
        case Attr():
            fields[part.field] = _read_value(part, element)
        case Value():
            child = element.first(part.element)
            fields[part.field] = part.default if child is None else _read_value(part, child)
        case Values():
            children = element.all(part.element)
            fields[part.field] = tuple([part.kind.read(child.attributes[part.name]) for child in children])
        case Text():
            child = element.first(part.element)
            fields[part.field] = part.default if child is None else child.text
        case Content():
            fields[part.field] = element.text
        case Payload():
            child = element.first(part.element)
            fields[part.field] = b"" if child is None else child.raw
        case Inside():
            child = element.first(part.element) or Element(part.element)
            for inner in part.parts:
                _read_part(inner, child, fields)
        case One():
            fields[part.field] = read(part.item, element[part.item.element])
        case Many():
            parent = element if not part.within else element.first(part.within)
            children = [] if parent is None else parent.children
            bounds = {item.element: item for item in part.items}
            fields[part.field] = tuple([read(bounds[child.name], child) for child in children if child.name in bounds])


def _read_value(part: Attr | Value, element: Element) -> object:
    text = element.attributes.get(part.name)
    return part.default if text is None else part.kind.read(text)


# --- writing ------------------------------------------------------------------------------------------------------


def write(bound: Bound, value: object, more: Mapping[str, str] | None = None) -> bytes:
    """The element for a value; ``more`` are attributes that go before its own. Raises ValueError for text that XML
    cannot hold, and for a payload that is not the element it should be."""
    attributes = [b'%b="%b"' % (name.encode(), written_value(text)) for name, text in (more or {}).items()]
    return _element(bound.element, bound.parts, value, attributes)


def _element(name: str, parts: Sequence[Part], value: object, attributes: list[bytes]) -> bytes:
    attributes = attributes + [_written(part, getattr(value, part.field)) for part in parts if isinstance(part, Attr)]
    head = b" ".join([name.encode(), *(attribute for attribute in attributes if attribute)])
    content = b"".join([_write_part(part, value) for part in parts])
    return b"<%b>%b</%b>" % (head, content, name.encode()) if content else b"<%b/>" % head


def _written(part: Attr | Value | Values, value: object) -> bytes:
    if not isinstance(part, Values) and part.default is not REQUIRED and value == part.default:
        return b""
    text = part.kind.write(value)
    if part.kind.allowed is not None and not part.kind.allowed.fullmatch(text):
        raise ValueError(f"{part.field} is {text!r}, not {part.kind.expected}")
    return part.name.encode() + b'="' + written_value(text) + b'"'


def _write_part(part: Part, value: object) -> bytes:
    match part:
        case Value():
            attribute = _written(part, getattr(value, part.field))
            return b"<%b %b/>" % (part.element.encode(), attribute) if attribute else b""
        case Values():
            element = part.element.encode()
            return b"".join([b"<%b %b/>" % (element, _written(part, one)) for one in getattr(value, part.field)])
        case Text():
            text = getattr(value, part.field)
            if text == part.default:
                return b""
            return b"<%b>%b</%b>" % (part.element.encode(), written_text(text), part.element.encode())
        case Content():
            return written_text(getattr(value, part.field))
        case Payload():
            raw: bytes = getattr(value, part.field)
            if not raw.startswith(b"<" + part.element.encode()) and not (part.optional and not raw):
                raise ValueError(f"the payload does not begin with <{part.element}")
            return raw
        case Inside():
            written = _element(part.element, part.parts, value, [])
            return b"" if part.optional and written == b"<%b/>" % part.element.encode() else written
        case One():
            return write(part.item, getattr(value, part.field))
        case Many():
            bounds = {item.cls: item for item in part.items}
            inner = b"".join([write(bounds[type(one)], one) for one in getattr(value, part.field)])
            within = part.within.encode()
            return b"<%b>%b</%b>" % (within, inner, within) if part.within and inner else inner
        case _:
            return b""
