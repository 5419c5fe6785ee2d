"""The messages that describe the board and the version. Their labels may come in any order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from game_masters.catan.message.element import Element, quoted
from game_masters.catan.message.forms import DECIMAL, Form, Malformed, Tokens, decimal, form, hexadecimal
from game_masters.catan.message.message import Message

Part: TypeAlias = tuple[str, int | tuple[int, ...]]
"""The label of a part of a board, and its number or list."""

Areas: TypeAlias = tuple[int, tuple[tuple[int, ...], ...]]
"""Land areas: the number of the one to start in, and the nodes of each."""

_DECIMAL_LISTS: Final = frozenset({"HL", "NL", "hexLayout", "numberLayout"})
_WORD: Final = 0xFFFFFFFF
"""-1 in 32 bits: no hex, before the board is laid."""
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}")


class _Parts(Form):
    """Labels with numbers or lists: ``bef=3|RH=1027|LH={ 305 1 5 }``. Lists of coordinates are hexadecimal, numbers
    decimal, except for ``robberHex=0x9b``."""

    def tokens(self, label: str, value: Sequence[Part]) -> list[str]:
        return [f"{name}={_part_written(name, part)}" for name, part in value]

    def taken(self, label: str, tokens: Tokens) -> tuple[Part, ...]:
        parts: list[Part] = []
        while tokens:
            name, _, text = tokens.pop().partition("=")
            if not _LABEL.fullmatch(name) or any(name == known for known, _ in parts):
                raise Malformed(f"{name[:40]!r} is no label of a board, or stands twice")
            parts.append((name, _part(name, text)))
        if not parts:
            raise Malformed("the board has no parts")
        return tuple(parts)

    def xml(self, label: str, value: Sequence[Part]) -> tuple[str, str]:
        parts = []
        for name, part in value:
            text = str(part) if isinstance(part, int) else " ".join(_items(name, part))
            parts.append(
                f'<part name="{name}"{"" if isinstance(part, int) else f" list={chr(34)}1{chr(34)}"}>{text}</part>'
            )
        return "", "".join(parts)

    def read(self, label: str, element: Element) -> tuple[Part, ...]:
        parts: list[Part] = []
        for child in element.iterfind("part"):
            name, text = child.attrib.get("name", ""), (child.text or "").strip()
            if not _LABEL.fullmatch(name):
                raise Malformed(f"{name[:40]!r} is no label of a board")
            one: int | tuple[int, ...] = (
                decimal(text) if child.attrib.get("list") is None else _list(name, text.split())
            )
            parts.append((name, one))
        return tuple(parts)

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"part"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset()


def _items(name: str, part: Sequence[int]) -> list[str]:
    return [str(number) if name in _DECIMAL_LISTS else f"{number:x}" for number in part]


def _part_written(name: str, part: int | Sequence[int]) -> str:
    if isinstance(part, int):
        return f"0x{part & _WORD:x}" if name == "robberHex" else str(part)
    return f"{{ {' '.join(_items(name, part))} }}"


def _part(name: str, text: str) -> int | tuple[int, ...]:
    if text.startswith("{") and text.endswith("}"):
        return _list(name, text[1:-1].split())
    if not text.startswith("0x"):
        return decimal(text)
    # Before the board is laid, servers send -1, written without a sign.
    return -1 if text[2:].lower() == f"{_WORD:x}" else hexadecimal(text[2:])


def _list(name: str, items: Sequence[str]) -> tuple[int, ...]:
    read = decimal if name in _DECIMAL_LISTS else hexadecimal
    return tuple(map(read, items))


class _Nodes(Form):
    """Nodes: ``list=23 25``, or ``(empty)`` for none of them, ``(null)`` if missing, or another word in
    brackets."""

    optional = True

    def tokens(self, label: str, value: tuple[int, ...] | str | None) -> list[str]:
        if value is None:
            return [f"{label}=(null)"]
        return [f"{label}={value if isinstance(value, str) else _nodes_written(value)}"]

    def taken(self, label: str, tokens: Tokens) -> tuple[int, ...] | str | None:
        name, _, text = tokens.pop().partition("=") if tokens else ("", "", "")
        if name != label:
            raise Malformed(f"{label} is missing")
        return _nodes(text)

    def xml(self, label: str, value: tuple[int, ...] | str | None) -> tuple[str, str]:
        return (
            "" if value is None else f" {label}={quoted(self.tokens(label, value)[0][len(label) + 1 :].strip())}"
        ), ""

    def read(self, label: str, element: Element) -> tuple[int, ...] | str | None:
        return _nodes(element.attrib.get(label, "(null)"))


def _nodes(text: str) -> tuple[int, ...] | str | None:
    if text in _NODES:
        return _NODES[text]
    return tuple(map(hexadecimal, text.split()))


# Each node has a blank behind it, the last one too, as in logs of JSettlers.
def _nodes_written(nodes: Sequence[int]) -> str:
    return "".join(f"{node:x} " for node in nodes) or "(empty)"


_NODES: Final[Mapping[str, tuple[int, ...] | str | None]] = {
    "(null)": None, "(empty)": (), "(fromAllLANodes)": "(fromAllLANodes)",
}  # fmt: skip


class _Areas(Form):
    """Land areas and their nodes, ``pan=1|la1=23 25 |la2=...``: the first is where to start. None if there are
    none."""

    optional = True

    def tokens(self, label: str, value: Areas | None) -> list[str]:
        if value is None:
            return []
        start, areas = value
        nodes = [f"la{area}={''.join(f'{node:x} ' for node in one)}" for area, one in enumerate(areas, start=1)]
        return [f"pan={start}", *nodes]

    def taken(self, label: str, tokens: Tokens) -> Areas | None:
        if not tokens:
            return None
        if not tokens[-1].startswith("pan="):
            raise Malformed("pan is missing")
        start = decimal(tokens.pop()[4:])
        areas: list[tuple[int, ...]] = []
        while tokens and tokens[-1].startswith(f"la{len(areas) + 1}="):
            areas.append(tuple(map(hexadecimal, tokens.pop().partition("=")[2].split())))
        return start, tuple(areas)

    def xml(self, label: str, value: Areas | None) -> tuple[str, str]:
        if value is None:
            return "", ""
        start, areas = value
        children = [f"<area>{' '.join(f'{node:x}' for node in one)}</area>" for one in areas]
        return f' pan="{start}"', "".join(children)

    def read(self, label: str, element: Element) -> Areas | None:
        start = element.attrib.get("pan")
        areas = [(area.text or "").split() for area in element.iterfind("area")]
        return None if start is None else (decimal(start), tuple(tuple(map(hexadecimal, one)) for one in areas))

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"area"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset({"pan"})


class _Edges(Form):
    """Lists of edges where ships may be, as they stand: ``lse=...``, one for each, without an end in XML."""

    optional = True

    def tokens(self, label: str, value: str | None) -> list[str]:
        return [] if value is None else [f"{label}={value}"]

    def taken(self, label: str, tokens: Tokens) -> str | None:
        if not tokens or not tokens[-1].startswith(f"{label}="):
            return None
        text = "|".join(reversed(tokens)).partition("=")[2]
        tokens.clear()
        return text

    def xml(self, label: str, value: str | None) -> tuple[str, str]:
        return ("" if value is None else f" {label}={quoted(value)}"), ""

    def read(self, label: str, element: Element) -> str | None:
        return element.attrib.get(label)


class _VersionForm(Form):
    """``2500|str=2.5.00|verBuild=X|feats=;ch;|cliLocale=(null)``: the number, and the rest as it stands."""

    def tokens(self, label: str, value: tuple[int, str]) -> list[str]:
        number, rest = value
        return [str(number), rest] if rest else [str(number)]

    def taken(self, label: str, tokens: Tokens) -> tuple[int, str]:
        number, *rest = tokens[::-1] or [""]
        tokens.clear()
        return decimal(number), "|".join(rest)

    def xml(self, label: str, value: tuple[int, str]) -> tuple[str, str]:
        number, rest = value
        return f' number="{number}"', f"<rest>{rest.replace('&', '&amp;').replace('<', '&lt;')}</rest>" if rest else ""

    def read(self, label: str, element: Element) -> tuple[int, str]:
        return decimal(element.attrib.get("number", "")), element.findtext("rest") or ""

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"rest"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset({"number"})


@dataclass(frozen=True, slots=True)
class Version(Message):
    """The version of the server: 2500 or more, and its other facts about itself."""

    LABELLED = False

    version: tuple[int, str] = field(metadata=form(_VersionForm(), "version"))


@dataclass(frozen=True, slots=True)
class BoardLayout(Message):
    """A board of four seats."""

    parts: tuple[Part, ...] = field(metadata=form(_Parts(), "parts"))


@dataclass(frozen=True, slots=True)
class BoardLayout2(Message):
    """Any board; ``bef`` is its encoding: 1 four seats, 2 six seats, 3 sea."""

    parts: tuple[Part, ...] = field(metadata=form(_Parts(), "parts"))


@dataclass(frozen=True, slots=True)
class PotentialSettlements(Message):
    """Where settlements may be: the nodes of a seat (-1: of all); on a sea board land areas, the one to start in (0:
    any) and the nodes of each, and edges where ships may be."""

    seat: int = field(default=-1, metadata=form(DECIMAL, "playerNum"))
    nodes: tuple[int, ...] | str | None = field(default=None, metadata=form(_Nodes(), "list"))
    areas: Areas | None = field(default=None, metadata=form(_Areas(), "areas"))
    edges: str | None = field(default=None, metadata=form(_Edges(), "lse"))


BOARD_MESSAGES: tuple[Any, ...] = (Version, BoardLayout, BoardLayout2, PotentialSettlements)
