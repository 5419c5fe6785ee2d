"""A whole position as an XML element, for readers who have missed what led to it.

The form follows from the fields of the position: what has fields of its own is an element inside, named after the
field; everything else is an attribute. Lists of words have blanks between them, numbers by name are ``Ogre:21``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.kit.rules import Unreadable
from game_masters.titan.forms import spelling
from game_masters.titan.position import (
    Battle,
    CarryOver,
    Engagement,
    Fall,
    Fighter,
    Legion,
    Offer,
    Player,
    Position,
    Settings,
    Talks,
)

TAG: Final = "board"
_LEFT_OUT: Final = frozenset({"asked"})
"""Fields that are in the status."""
_WITHIN: Final = frozenset({Talks})
"""Parts without an element of their own: their fields are written among those of what they belong to."""
_NOTHING: Final = "-"
"""A list without entries, where None means something else."""


class _Field(NamedTuple):
    name: str
    spelling: str
    type: Any
    optional: bool
    """Whether None is allowed."""
    default: Any
    """What a missing attribute or element stands for."""


def _fields(kind: type[Any]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    found = []
    for field in fields(kind):
        if field.name not in _LEFT_OUT:
            default = field.default_factory() if field.default_factory is not MISSING else field.default
            hint = hints[field.name]
            plain = _without_none(hint)
            found.append(_Field(field.name, spelling(field.name), plain, plain is not hint, default))
    return tuple(found)


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (one for one in get_args(hint) if one is not NoneType)
    return hint


_FORMS: Final = {
    kind: _fields(kind)
    for kind in (Position, Settings, Player, Legion, Engagement, Talks, Offer, Fall, Battle, Fighter, CarryOver)
}


# --- writing ----------------------------------------------------------------------------------------------------------


def write(position: Position) -> str:
    """Return a position as an element ``board``."""
    return _written(TAG, position)


def _written(tag: str, value: Any) -> str:
    attributes, inside = [], []
    for field, content in _contents(value):
        # Left out, and put back when it is read.
        if field.default is not MISSING and content == field.default:
            continue
        if is_dataclass(content):
            inside.append(_written(field.spelling, content))
        elif _holds_parts(field.type):
            parts = content.values() if isinstance(content, Mapping) else content
            inside += [_written(field.spelling, part) for part in parts]
        else:
            attributes.append(f" {field.spelling}={quoteattr(_text(content))}")
    head = f"<{tag}{''.join(attributes)}"
    return f"{head}>{''.join(inside)}</{tag}>" if inside else f"{head}/>"


def _contents(value: Any) -> Iterator[tuple[_Field, Any]]:
    """Yield the fields that are written for a value, with what they hold."""
    for field in _FORMS[type(value)]:
        content = getattr(value, field.name)
        if field.type in _WITHIN:
            yield from _contents(content)
        else:
            yield field, content


def _holds_parts(hint: Any) -> bool:
    """Return whether a type is a list of values, or values by name, that have fields of their own."""
    return any(is_dataclass(one) for one in get_args(hint))


def _text(value: Any) -> str:
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return " ".join(f"{name}:{number}" for name, number in value.items())
    if isinstance(value, tuple):
        return " ".join(":".join(one) if isinstance(one, tuple) else str(one) for one in value)
    return str(value)


# --- reading ----------------------------------------------------------------------------------------------------------


def read(element: Element) -> Position:
    """Return the position in an element ``board``. Raises Unreadable."""
    try:
        position = _read(element, Position)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise Unreadable(f"element {TAG}: {type(error).__name__}: {error}") from error
    assert isinstance(position, Position)
    return position


def _read(element: Element, kind: type[Any]) -> Any:
    values = {}
    for field in _FORMS[kind]:
        if field.type in _WITHIN:
            content = _read(element, field.type)
        elif is_dataclass(field.type):
            found = element.find(field.spelling)
            content = _read(found, field.type) if found is not None else field.default  # type: ignore[arg-type]
        elif _holds_parts(field.type):
            content = _read_parts(element, field)
        elif field.spelling in element.attrib:
            text = element.attrib[field.spelling]
            content = None if field.optional and text == _NOTHING else _value(text, field.type)
        else:
            content = field.default
        if content is MISSING:
            raise ValueError(f"element {element.tag}: {field.spelling} is missing")
        values[field.name] = content
    return kind(**values)


def _read_parts(element: Element, field: _Field) -> Any:
    found = element.findall(field.spelling)
    kind = next(one for one in get_args(field.type) if is_dataclass(one))
    parts = [_read(one, kind) for one in found]  # type: ignore[arg-type]
    if kind is Legion:
        return {legion.marker: legion for legion in parts}
    return tuple(parts)


def _value(text: str, hint: Any) -> Any:
    if hint is bool:
        return text == "true"
    if isinstance(hint, type) and issubclass(hint, StrEnum | int | str):
        return hint(text)
    if get_origin(hint) is tuple:
        part = get_args(hint)[0]
        if get_origin(part) is tuple:
            return tuple(tuple(word.split(":")) for word in text.split())
        return tuple(part(word) for word in text.split())
    pairs = (word.rsplit(":", 1) for word in text.split())
    return {name: int(number) for name, number in pairs}
