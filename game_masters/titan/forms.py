"""Messages and requests as XML elements, and back: one form for all of them, made from their fields.

A field is an attribute of the same name in the spelling of the format (``first_marker`` is ``firstMarker``), except for
those that hold creatures, losses, stacks, dice, hexes or options, which are elements inside (:data:`_INSIDE`).
Attributes that may be left out may be empty as well.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, NamedTuple, TypeVar
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable
from game_masters.titan.messages import MESSAGES, Losses, Stack
from game_masters.titan.requests import REQUESTS

MAX_CREATURES: Final = 8
"""Creatures in one list; a legion never has more."""
MAX_CHARACTERS: Final = 64
"""Characters of an attribute that a player sends."""

T = TypeVar("T")


def spelling(field: str) -> str:
    """Return the name of a field in the format."""
    first, *others = field.split("_")
    return first + "".join(word.capitalize() for word in others)


# --- writing ----------------------------------------------------------------------------------------------------------


def creatures_text(creatures: Iterable[str]) -> str:
    """Return a list of creatures, without an element around it."""
    return "".join([f"<creature name={quoteattr(name)}/>" for name in creatures])


def _write_creatures(tag: str, creatures: tuple[str, ...]) -> str:
    return f"<creatures>{creatures_text(creatures)}</creatures>" if creatures else ""


def _write_stack(tag: str, stack: Stack) -> str:
    return f"<{tag} name={quoteattr(stack.name)}>{creatures_text(stack.creatures)}</{tag}>"


def _write_losses(tag: str, losses: tuple[Losses, ...]) -> str:
    return "".join(map(_write_loss, losses))


def _write_loss(loss: Losses) -> str:
    returned = ' returned="true"' if loss.returned else ""
    hexes = f' hexes="{" ".join(loss.hexes)}"' if loss.hexes else ""
    head = f"<losses legion={quoteattr(loss.legion)}{returned}{hexes}"
    return f"{head}>{creatures_text(loss.creatures)}</losses>" if loss.creatures else f"{head}/>"


def _write_words(tag: str, words: tuple[object, ...]) -> str:
    return f"<{tag}>{' '.join(map(str, words))}</{tag}>" if words else f"<{tag}/>"


def _write_options(tag: str, options: tuple[tuple[str, str], ...]) -> str:
    return "".join(f"<option name={quoteattr(name)} value={quoteattr(value)}/>" for name, value in options)


# --- reading ----------------------------------------------------------------------------------------------------------


def _inside(element: Element, tag: str) -> Element | None:
    """Return the only element of this name inside; None if there is none."""
    found = element.findall(tag)
    if len(found) > 1:
        raise Unreadable(f"element {element.tag}: {len(found)} {tag} elements")
    return found[0] if found else None


def read_creatures(element: Element) -> tuple[str, ...]:
    """Return the creatures that an element lists."""
    names = []
    for child in element:
        if child.tag != "creature" or len(child) > 0:
            raise Unreadable(f"element {element.tag}: expected creature elements, not {child.tag[:MAX_CHARACTERS]}")
        names.append(text_of(child, "name"))
    if len(names) > MAX_CREATURES:
        raise Unreadable(f"element {element.tag}: {len(names)} creatures; at most {MAX_CREATURES}")
    return tuple(names)


def _read_creatures(element: Element, tag: str) -> tuple[str, ...] | None:
    found = _inside(element, "creatures")
    return read_creatures(found) if found is not None else None


def _read_stack(element: Element, tag: str) -> Stack | None:
    found = _inside(element, tag)
    return Stack(text_of(found, "name"), read_creatures(found)) if found is not None else None


def _read_losses(element: Element, tag: str) -> tuple[Losses, ...] | None:
    found = element.findall("losses")
    if not found:
        return None
    return tuple(map(_read_loss, found))


def _read_loss(element: Element) -> Losses:
    returned = True if element.get("returned") == "true" else None
    hexes = text_of(element, "hexes") if "hexes" in element.attrib else ""
    return Losses(text_of(element, "legion"), read_creatures(element), returned, tuple(hexes.split()))


def _words_inside(element: Element, tag: str) -> list[str] | None:
    found = _inside(element, tag)
    return (found.text or "").split() if found is not None else None


def _read_hexes(element: Element, tag: str) -> tuple[str, ...] | None:
    words = _words_inside(element, tag)
    return tuple(words) if words is not None else None


def _read_rolls(element: Element, tag: str) -> tuple[int, ...] | None:
    words = _words_inside(element, tag)
    if words is None:
        return None
    if not all(word.isascii() and word.isdigit() for word in words):
        raise Unreadable(f"element {tag}: {' '.join(words)[:MAX_CHARACTERS]!r} are no numbers")
    return tuple(map(int, words))


def _read_options(element: Element, tag: str) -> tuple[tuple[str, str], ...]:
    return tuple((text_of(one, "name"), text_of(one, "value")) for one in element.findall("option"))


def text_of(element: Element, attribute: str) -> str:
    """Return an attribute that must be there."""
    text = element.get(attribute)
    if text is None:
        raise Unreadable(f"element {element.tag}: attribute {attribute} is missing")
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"element {element.tag}, attribute {attribute}: more than {MAX_CHARACTERS} characters")
    return text


def _number(element: Element, attribute: str) -> int:
    number = xml.integer(element, attribute)
    if number < 0:
        raise Unreadable(f"element {element.tag}, attribute {attribute}: {number} is negative")
    return number


def _flag(element: Element, attribute: str) -> bool:
    text = element.get(attribute)
    if text not in ("true", "false"):
        shown = repr(text[:MAX_CHARACTERS]) if text is not None else text
        raise Unreadable(f"element {element.tag}, attribute {attribute}: {shown} is neither true nor false")
    return text == "true"


# --- the form ---------------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """How a field that is an element inside is written and read, and the element's names."""

    write: Callable[[str, Any], str]
    read: Callable[[Element, str], Any]
    tag: str


_INSIDE: Final[Mapping[str, _Part]] = {
    "creatures": _Part(_write_creatures, _read_creatures, "creatures"),
    "attacker": _Part(_write_stack, _read_stack, "attacker"),
    "defender": _Part(_write_stack, _read_stack, "defender"),
    "losses": _Part(_write_losses, _read_losses, "losses"),
    "rolls": _Part(_write_words, _read_rolls, "rolls"),
    "carry_hexes": _Part(_write_words, _read_hexes, "carryHexes"),
    "options": _Part(_write_options, _read_options, "option"),
}
_READ: Final[Mapping[type, Callable[[Element, str], Any]]] = {str: text_of, int: _number, bool: _flag}


class _Field(NamedTuple):
    name: str
    spelling: str
    read: Callable[[Element, str], Any] | None
    """None for what is an element inside."""
    optional: bool
    default: Any


def _fields(kind: type[Any]) -> tuple[_Field, ...]:
    found = []
    for field in fields(kind):
        optional = type(None) in getattr(field.type, "__args__", ()) or field.default is not MISSING
        plain = next((one for one in _READ if one is field.type or one in getattr(field.type, "__args__", ())), None)
        read = None if field.name in _INSIDE else _READ[plain or str]
        default = None if field.default is MISSING else field.default
        found.append(_Field(field.name, spelling(field.name), read, optional, default))
    return tuple(found)


_FORMS: Final = {kind: _fields(kind) for kind in (*MESSAGES.values(), *REQUESTS.values())}


def write(value: Any) -> str:
    """Return a message or request as an element."""
    attributes, inside = [], []
    for field in _FORMS[type(value)]:
        content = getattr(value, field.name)
        if content is None:
            continue
        if field.read is None:
            part = _INSIDE[field.name]
            inside.append(part.write(part.tag, content))
        elif isinstance(content, bool):
            attributes.append(f' {field.spelling}="{"true" if content else "false"}"')
        else:
            attributes.append(f" {field.spelling}={quoteattr(str(content))}")
    tag, content = value.TAG, "".join(inside)
    head = f"<{tag}{''.join(attributes)}"
    return f"{head}>{content}</{tag}>" if content else f"{head}/>"


def read(element: Element, kinds: Mapping[str, type[T]], *, strict: bool) -> T:
    """Return the message or request in an element. ``strict`` refuses attributes and elements that it does not know.

    Raises Unreadable.
    """
    kind = kinds.get(element.tag)
    if kind is None:
        raise Unreadable(f"there is no element {element.tag[:MAX_CHARACTERS]!r} here")
    form = _FORMS[kind]
    if strict:
        _check(element, form)
    values = {}
    for field in form:
        if field.read is None:
            content = _INSIDE[field.name].read(element, _INSIDE[field.name].tag)
            if content is None and not field.optional:
                content = ()
        # An empty attribute counts as left out.
        elif field.optional and not element.get(field.spelling):
            content = None
        else:
            content = field.read(element, field.spelling)
        values[field.name] = field.default if content is None else content
    return kind(**values)


def _check(element: Element, form: tuple[_Field, ...]) -> None:
    known = {field.spelling for field in form if field.read is not None}
    unknown = sorted(set(element.attrib) - known)
    if unknown:
        there = ", ".join(sorted(known)) or "none"
        raise Unreadable(f"element {element.tag}: unknown attribute {unknown[0][:MAX_CHARACTERS]!r}; there are {there}")
    parts = {_INSIDE[field.name].tag for field in form if field.read is None}
    for child in element:
        if child.tag not in parts:
            raise Unreadable(f"element {element.tag}: unexpected element {child.tag[:MAX_CHARACTERS]!r} inside")
