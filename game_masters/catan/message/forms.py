"""How the values in messages are written: as text of a log, and as attributes and elements of XML.

A message is a frozen dataclass; each of its fields has a label and a :class:`Form`. A form writes a value as tokens of
the text, ``label=value`` with ``|`` between, and reads it back from there; an XML element in the same way. Every
failure is a :class:`Malformed`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeAlias

from game_masters.catan.message.bundles import Bundle
from game_masters.catan.message.element import Element, quoted
from game_masters.catan.message.vocabulary import RESOURCE_NAMES

Tokens: TypeAlias = list[str]
"""What is left of a text, the next token last."""

BUNDLE_NAMES: Final = (*RESOURCE_NAMES, "unknown")
_DECIMAL = re.compile(r"-?[0-9]{1,10}")
_HEXADECIMAL = re.compile(r"-?[0-9a-fA-F]{1,6}")
_ELEMENT = re.compile(r"e([0-9]{1,4})=(-?[0-9]{1,10})")


class Malformed(ValueError):
    """A text or an element that is no message. The message describes the error."""


def parsed(parse: Callable[[str], Any], label: str, text: str) -> Any:
    """Return the value that a text stands for. Raises Malformed, which names the label."""
    try:
        return parse(text)
    except Malformed as why:
        raise Malformed(f"{label}: {why}") from None


class Form(ABC):
    """One way to write values of one kind."""

    optional: bool = False

    @abstractmethod
    def tokens(self, label: str, value: Any) -> list[str]:
        """Return the tokens for a value."""

    @abstractmethod
    def taken(self, label: str, tokens: Tokens) -> Any:
        """Take the value from the end of ``tokens``, which are in reverse order. Raises Malformed."""

    @abstractmethod
    def xml(self, label: str, value: Any) -> tuple[str, str]:
        """Return attributes, each with a blank before it, and child elements."""

    @abstractmethod
    def read(self, label: str, element: Element) -> Any:
        """Return the value that stands in an element. Raises Malformed."""

    def children(self, label: str) -> frozenset[str]:
        """Return the names of the child elements that it writes."""
        return frozenset()

    def attributes(self, label: str) -> frozenset[str]:
        """Return the names of the attributes that it writes."""
        return frozenset({label})


@dataclass(frozen=True)
class One(Form):
    """A value that is one token ``label=value`` and one attribute."""

    write: Callable[[Any], str]
    parse: Callable[[str], Any]
    write_attribute: Callable[[Any], str] | None = None
    parse_attribute: Callable[[str], Any] | None = None
    optional: bool = False
    bare: bool = False
    """The text has no label."""

    def tokens(self, label: str, value: Any) -> list[str]:
        if value is None:
            return []
        return [self.write(value) if self.bare else f"{label}={self.write(value)}"]

    def taken(self, label: str, tokens: Tokens) -> Any:
        start = "" if self.bare else f"{label}="
        if not tokens or not tokens[-1].startswith(start):
            if self.optional:
                return None
            raise Malformed(f"{label} is missing")
        return parsed(self.parse, label, tokens.pop()[len(start) :])

    def xml(self, label: str, value: Any) -> tuple[str, str]:
        if value is None:
            return "", ""
        return f" {label}={quoted((self.write_attribute or self.write)(value))}", ""

    def read(self, label: str, element: Element) -> Any:
        text = element.attrib.get(label)
        if text is None:
            if self.optional:
                return None
            raise Malformed(f"attribute {label} is missing")
        return parsed(self.parse_attribute or self.parse, label, text)


class Last(One):
    """A text, which takes all that is left."""

    def taken(self, label: str, tokens: Tokens) -> Any:
        # A text may have the sign between tokens in it and is therefore put together again.
        text = "|".join(reversed(tokens))
        tokens.clear()
        if not text and self.optional:
            return None
        if not text.startswith(f"{label}="):
            raise Malformed(f"{label} is missing")
        return self.parse(text[len(label) + 1 :])


@dataclass(frozen=True)
class Resources(Form):
    """A bundle: ``give=clay=1|ore=0|...|unknown=0``; in XML a child element with six attributes."""

    optional: bool = False

    def tokens(self, label: str, value: Bundle | None) -> list[str]:
        if value is None:
            return []
        names = (f"{label}={BUNDLE_NAMES[0]}", *BUNDLE_NAMES[1:])
        return [f"{name}={count}" for name, count in zip(names, value, strict=True)]

    def taken(self, label: str, tokens: Tokens) -> Bundle | None:
        if not tokens or not tokens[-1].startswith(f"{label}="):
            if self.optional:
                return None
            raise Malformed(f"{label} is missing")
        counts = []
        for name in (f"{label}={BUNDLE_NAMES[0]}", *BUNDLE_NAMES[1:]):
            token = tokens.pop() if tokens else ""
            if not token.startswith(f"{name}="):
                raise Malformed(f"{label}: {name} is missing")
            counts.append(parsed(decimal, name, token[len(name) + 1 :]))
        return _bundle(counts)

    def xml(self, label: str, value: Bundle | None) -> tuple[str, str]:
        if value is None:
            return "", ""
        counts = " ".join(f'{name}="{count}"' for name, count in zip(BUNDLE_NAMES, value, strict=True))
        return "", f"<{label} {counts}/>"

    def read(self, label: str, element: Element) -> Bundle | None:
        found = element.findall(label)
        if not found and self.optional:
            return None
        if len(found) != 1 or len(found[0]):
            raise Malformed(f"expected one empty element {label}")
        if not set(found[0].attrib) <= set(BUNDLE_NAMES):
            strange = ", ".join(sorted(found[0].attrib.keys() - set(BUNDLE_NAMES)))
            raise Malformed(f"{label}: {strange[:40]} does not belong here")
        attributes = found[0].attrib
        return _bundle([parsed(decimal, f"{label} {name}", attributes.get(name, "0")) for name in BUNDLE_NAMES])

    def children(self, label: str) -> frozenset[str]:
        return frozenset({label})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset()


class Elements(Form):
    """Pairs of element and amount, ``e1=1,e5=1``; in XML children ``<e type="1" amount="1"/>``."""

    def tokens(self, label: str, value: Sequence[tuple[int, int]]) -> list[str]:
        return [",".join(f"e{type}={amount}" for type, amount in value)]

    def taken(self, label: str, tokens: Tokens) -> tuple[tuple[int, int], ...]:
        if not tokens:
            raise Malformed("no elements")
        pairs = []
        for part in tokens.pop().split(","):
            match = _ELEMENT.fullmatch(part)
            if match is None:
                raise Malformed(f"{part!r} is no element")
            pairs.append((int(match[1]), int(match[2])))
        return tuple(pairs)

    def xml(self, label: str, value: Sequence[tuple[int, int]]) -> tuple[str, str]:
        return "", "".join(f'<e type="{type}" amount="{amount}"/>' for type, amount in value)

    def read(self, label: str, element: Element) -> tuple[tuple[int, int], ...]:
        return pairs_of(element)

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"e"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset()


def pairs_of(element: Element) -> tuple[tuple[int, int], ...]:
    """Return the ``<e type amount/>`` in an element. Raises Malformed."""
    return tuple(
        (decimal(e.attrib.get("type", "")), decimal(e.attrib.get("amount", ""))) for e in element.iterfind("e")
    )


def _bundle(counts: Sequence[int]) -> Bundle:
    clay, ore, sheep, wheat, wood, unknown = counts
    return clay, ore, sheep, wheat, wood, unknown


@lru_cache(maxsize=4096)  # of at most eleven signs: what raises is not kept
def decimal(text: str) -> int:
    """Return a decimal number. Raises Malformed."""
    if not _DECIMAL.fullmatch(text):
        raise Malformed(f"{text[:40]!r} is no decimal number")
    return int(text)


@lru_cache(maxsize=4096)
def hexadecimal(text: str) -> int:
    """Return a coordinate. Raises Malformed."""
    if not _HEXADECIMAL.fullmatch(text):
        raise Malformed(f"{text[:40]!r} is no hexadecimal number")
    return int(text, 16)


def in_hexadecimal(value: int) -> str:
    """Write a coordinate, the sign of a negative one in front."""
    return f"{value:x}"


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise Malformed(f"{text[:40]!r} is neither true nor false")
    return text == "true"


def _truth_written(value: bool) -> str:
    return "true" if value else "false"


def _flags_written(value: Sequence[bool]) -> str:
    return ",".join(map(_truth_written, value))


def _flags(text: str) -> tuple[bool, ...]:
    return tuple(_truth(part.strip()) for part in text.split(","))


def _boxed(value: Sequence[bool]) -> str:
    return f"[{', '.join(map(_truth_written, value))}]"


def _unboxed(text: str) -> str:
    if not (text.startswith("[") and text.endswith("]")):
        raise Malformed(f"{text[:40]!r} is no list in brackets")
    return text[1:-1]


def _bits_written(value: Sequence[bool]) -> str:
    return " ".join("1" if flag else "0" for flag in value)


def _bits(text: str) -> tuple[bool, ...]:
    parts = text.split()
    if not set(parts) <= {"0", "1"} or len(parts) > 16:
        raise Malformed(f"{text[:40]!r} is no list of 0 and 1")
    return tuple(part == "1" for part in parts)


def _news(text: str) -> bool:
    if text != "Y":
        raise Malformed(f"news={text[:40]!r}")
    return True


def _text(text: str) -> str:
    return text


def _word_in(words: type[StrEnum]) -> Callable[[str], StrEnum]:
    def parse(text: str) -> StrEnum:
        try:
            return words(text)
        except ValueError:
            raise Malformed(f"{text[:40]!r} is none of {', '.join(words)}") from None

    return parse


DECIMAL: Final = One(str, decimal)
MAYBE: Final = One(str, decimal, optional=True)
COORDINATE: Final = One(in_hexadecimal, hexadecimal)
MAYBE_COORDINATE: Final = One(in_hexadecimal, hexadecimal, optional=True)
MAYBE_PLACE: Final = One(str, decimal, in_hexadecimal, hexadecimal, optional=True)
"""A coordinate that JSettlers writes as a decimal number."""
TRUTH: Final = One(_truth_written, _truth)
WORD: Final = One(_text, _text)
MAYBE_WORD: Final = One(_text, _text, optional=True)
TEXT: Final = Last(_text, _text)
MAYBE_TEXT: Final = Last(_text, _text, optional=True)
NEWS: Final = One(lambda value: "Y", _news, optional=True)
FLAGS: Final = One(_flags_written, _flags, _bits_written, _bits)
BOXED_FLAGS: Final = One(_boxed, lambda text: _flags(_unboxed(text)), _bits_written, _bits)
BUNDLE: Final = Resources()
MAYBE_BUNDLE: Final = Resources(optional=True)
ELEMENTS: Final = Elements()


def word_in(words: type[StrEnum]) -> One:
    """Return the form of one of these words."""
    return One(str, _word_in(words))


def form(form: Form, label: str) -> Mapping[str, Any]:
    """Return the metadata of a message's field: it is written in this form under this label."""
    return {"form": form, "label": label}
