"""Messages as text of a log and as XML, one to one: what is written and read back is equal."""

import re
from dataclasses import Field, fields
from functools import lru_cache
from typing import Any, Final, NamedTuple

from game_masters.catan.message.element import Element, quoted
from game_masters.catan.message.forms import Form, Malformed
from game_masters.catan.message.message import Message, Null, Other, Unread
from game_masters.catan.message.messages import MESSAGES

_NAME: Final = re.compile(r"SOC[A-Za-z0-9]{1,60}")
_GAME: Final = re.compile(r"(?:.*\|)?game=([^|]*)")


class _Layout(NamedTuple):
    """How a class is written: its name on the wire, and its fields in order."""

    name: str
    fields: tuple[tuple[str, str, Form], ...]
    attributes: frozenset[str]
    children: frozenset[str]


_LAYOUTS: dict[type[Message], _Layout] = {}
"""Filled as they are needed."""


def _layout(kind: type[Message]) -> _Layout:
    layout = _LAYOUTS.get(kind)
    return _LAYOUTS.setdefault(kind, _layout_of(kind)) if layout is None else layout


def _layout_of(kind: type[Message]) -> _Layout:
    found: tuple[Field[Any], ...] = fields(kind)
    forms = tuple((one.name, one.metadata["label"], one.metadata["form"]) for one in found)
    attributes = [form.attributes(label) for _, label, form in forms]
    children = [form.children(label) for _, label, form in forms]
    return _Layout(f"SOC{kind.__name__}", forms, frozenset().union(*attributes), frozenset().union(*children))


def to_text(message: Message, game: str) -> str:
    """Return the text of a message of a game, as in a log."""
    if isinstance(message, Null):
        return "null"
    if isinstance(message, Other):
        return f"{message.name}:{message.body}"
    layout = _layout(type(message))
    tokens = [f"game={game}"] if message.LABELLED else []
    for name, label, form in layout.fields:
        tokens += form.tokens(label, getattr(message, name))
    return f"{layout.name}:{'|'.join(tokens)}"


def from_text(text: str) -> tuple[Message, str]:
    """Return the message in a text, and the game that it names, empty if it names none. Raises Malformed."""
    if text == "null":
        return Null(), ""
    name, colon, body = text.partition(":")
    if not colon or not _NAME.fullmatch(name):
        raise Malformed(f"{text[:60]!r} is no message")
    kind = MESSAGES.get(name)
    if kind is None:
        return _kept(name, body)
    # The last first: taking from the end of a list is cheap, and forms only look at the next one.
    tokens = body.split("|")[::-1]
    game = ""
    if kind.LABELLED:
        if not tokens[-1].startswith("game="):
            raise Malformed(f"{name}: the game is missing")
        game = tokens.pop()[5:]
    try:
        values = {attribute: form.taken(label, tokens) for attribute, label, form in _layout(kind).fields}
    except Malformed as why:
        raise Malformed(f"{name}: {why}") from why
    if tokens:
        raise Malformed(f"{name}: unexpected {tokens[-1][:40]!r}")
    return kind(**values), game


def kept_text(text: str) -> tuple[Message, str]:
    """Return the message in a text as it stands, and the game that it names: for texts that :func:`from_text`
    does not understand. Raises Malformed for a text that has no name."""
    name, colon, body = text.partition(":")
    if not colon or not _NAME.fullmatch(name):
        raise Malformed(f"{text[:60]!r} is no message")
    return _kept(name, body)


def _kept(name: str, body: str) -> tuple[Message, str]:
    match = _GAME.match(body)
    return Other(name, body), match[1] if match else ""


@lru_cache(maxsize=4096)  # each view of a game has the same messages
def to_xml(message: Message) -> str:
    """Return the element of a message."""
    if isinstance(message, Null):
        return "<null/>"
    if isinstance(message, Other):
        return f"<{message.name} body={quoted(message.body)}/>"
    if isinstance(message, Unread):
        return f"<unread line={quoted(message.line)}/>"
    layout = _layout(type(message))
    attributes, inside = "", ""
    for name, label, form in layout.fields:
        attribute, child = form.xml(label, getattr(message, name))
        attributes += attribute
        inside += child
    return f"<{layout.name}{attributes}>{inside}</{layout.name}>" if inside else f"<{layout.name}{attributes}/>"


def kept_xml(element: Element) -> Message:
    """Return the message in an element that keeps one as it stands: what :func:`kept_text` gives. Raises Malformed."""
    if element.tag == "unread" and set(element.attrib) == {"line"}:
        return Unread(element.attrib["line"])
    if not _NAME.fullmatch(element.tag) or set(element.attrib) != {"body"} or len(element):
        raise Malformed(f"{element.tag[:60]} is no message")
    return Other(element.tag, element.attrib["body"])


def from_xml(element: Element) -> Message:
    """Return the message in an element. Raises Malformed."""
    name = element.tag
    kind = MESSAGES.get(name)
    if kind is None:
        if name == "null":
            return Null()
        return kept_xml(element)
    layout = _layout(kind)
    strange = (element.attrib.keys() - layout.attributes - {"game"}) or {
        child.tag for child in element if child.tag not in layout.children
    }
    if strange or (element.text and element.text.strip()):
        what = ", ".join(sorted(strange)) or "a text"
        raise Malformed(f"element {name}: {what} does not belong here")
    try:
        return kind(**{attribute: form.read(label, element) for attribute, label, form in layout.fields})
    except Malformed as why:
        raise Malformed(f"element {name}: {why}") from why
