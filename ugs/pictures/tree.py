"""A state as a tree of its elements, with what has changed since the last state: for games that bring no renderer.

    - gameState
    ~   seat nick="ada" cash="12" (was "10")
    +   card type="ore"
    -   card type="wool"

Elements are paired with those of the last state by their name and the first of ``id``, ``name``, ``nick`` and ``key``
that they have, else by their order. Everything is bounded: bytes and elements that are read, elements that are looked
at, lines, and the width of each. Nothing is read before a viewer looks.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from ugs.pictures.contract import Line, Offer, Scene, Shown, Span
from ugs.pictures.lettering import clipped, wrapped
from ugs.pictures.svg import Svg

MAX_LINES: Final = 200
MAX_ELEMENTS: Final = 2000
"""Elements of a state that are compared."""
DEEPEST: Final = 32
MAX_READ_BYTES: Final = 256 * 1024
"""Bytes of a state that are kept and read; what comes after them is left out."""
MAX_READ_ELEMENTS: Final = 4_000
"""Elements of a state that are read. One with more is shown without what has changed."""
MAX_LINE: Final = 400
NAMES: Final = ("id", "name", "nick", "key")

SVG_LINES: Final = 60
SVG_COLUMNS: Final = 43
"""What fits beside each other at a size that can be read on a phone."""
MAX_WHY_LINES: Final = 8
"""Lines about a picture that there is not."""
_LINE_HEIGHT: Final = 14

_STYLES: Final = {"+": "bold green", "-": "bold red", "~": "bold yellow", " ": ""}
_PAINTS: Final = {"+": "green-line", "-": "red-line", "~": "yellow-line", " ": "ink"}
_CHANGES: Final = {"+": "added", "-": "removed", "~": "changed"}


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One line of the tree."""

    mark: str
    """``+`` new, ``-`` gone, ``~`` changed, or a blank."""
    depth: int
    text: str
    """Safe, and not longer than :data:`MAX_LINE`."""

    def __str__(self) -> str:
        return f"{self.mark} {'  ' * self.depth}{self.text}"


class TreeRows(NamedTuple):
    """A state, line by line."""

    shown: Sequence[TreeRow]
    left_out: int
    """Lines that are known and not shown."""
    whole: bool
    """Whether there is nothing else."""

    def rest(self, shown: int) -> str:
        """The remark below the first ``shown`` lines; empty if that was all."""
        more = len(self.shown) - shown + self.left_out
        if self.whole:
            return f"… {more} more" if more else ""
        return f"… more than {more} more" if more else "… more"


Compare: TypeAlias = Callable[[bytes | None, bytes], TreeRows]


class TreePicture:
    """A state without a renderer."""

    def __init__(self, compare: Compare, before: bytes | None, now: bytes, why: str = "") -> None:
        """``why`` there is no picture; empty: the game has none."""
        self._compare = compare
        self._before = before
        self._now = now
        self._why = why

    def without_picture(self, refused: str) -> "TreePicture":
        """Return the same with the reason why its master's sketch was refused."""
        return TreePicture(self._compare, self._before, self._now, f"No picture: sketch refused. {refused}")

    @property
    def _rows(self) -> TreeRows:
        return self._compare(self._before, self._now)

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the first lines as an SVG."""
        all_rows = self._rows
        rows = all_rows.shown[:SVG_LINES]
        rest = all_rows.rest(len(rows))
        remark = list(wrapped(self._why, SVG_COLUMNS))[:MAX_WHY_LINES]
        top = _LINE_HEIGHT * len(remark) + (6 if remark else 0)
        height = top + _LINE_HEIGHT * (len(rows) + bool(rest)) + 14
        drawn = Svg(prefix, 320, height, "State of the game", self.words())
        drawn.rect(0, 0, 320, height, round=8, fill="ground")
        drawn.open(font_family="ui-monospace,'DejaVu Sans Mono',monospace")
        for place, line in enumerate(remark):
            drawn.text(7, _LINE_HEIGHT * (place + 1) + 3, line, 11, fill="red-line")
        for place, row in enumerate(rows):
            y = top + _LINE_HEIGHT * (place + 1) + 3
            indent = min(row.depth, 8)
            text = clipped(row.text, SVG_COLUMNS - 2 * indent)
            weight = None if row.mark == " " else "bold"
            drawn.text(7, y, row.mark, 11, fill=_PAINTS[row.mark], most=1, font_weight=weight)
            drawn.text(20 + 13 * indent, y, text, 11, fill=_PAINTS[row.mark], font_weight=weight)
        if rest:
            drawn.text(20, top + _LINE_HEIGHT * (len(rows) + 1) + 3, rest, 11, fill="faint")
        drawn.close()
        return str(drawn)

    def text(self, width: int) -> Sequence[Line]:
        """Return the tree."""
        rows = self._rows
        lines: list[Line] = [(Span(line, "red"),) for line in wrapped(self._why, width)]
        lines += [(Span(clipped(str(row), width), _STYLES[row.mark]),) for row in rows.shown]
        rest = rows.rest(len(rows.shown))
        if rest:
            lines.append((Span(f"  {rest}", "dim"),))
        return lines

    def words(self) -> str:
        """Return what has changed; of a state without changes, the elements."""
        rows = self._rows.shown
        changes = [f"{_CHANGES[row.mark]}: {row.text}" for row in rows if row.mark != " "]
        text = "; ".join(changes or [row.text for row in rows])
        why = f"{self._why}. " if self._why else ""
        return clipped(f"{why}The state as a tree. {text}", 2000)

    def news(self) -> Sequence[str]:
        """Nothing: the tree shows what is new."""
        return ()

    def offers(self, seat: int) -> Sequence[Offer]:
        """Nothing is known of the moves."""
        return ()


def follow(scene: Scene) -> "TreeFollower":
    """The renderer for any game."""
    return TreeFollower()


class TreeFollower:
    """Compares each state with the one before."""

    def __init__(self) -> None:
        self._before: bytes | None = None
        self._compare: Compare = lru_cache(1)(compared)
        """Each picture is asked for several things in a row."""

    def __call__(self, shown: Shown) -> TreePicture:
        """Return the tree of a state. What is no XML is shown as text; never raises."""
        # One byte more shows that the rest was cut.
        now = shown.payload[: MAX_READ_BYTES + 1]
        before, self._before = self._before, now
        return TreePicture(self._compare, before, now)


def compared(before: bytes | None, now: bytes) -> TreeRows:
    """What there is to see of a state after another one; without one before, or where one of them is too large to be
    read to its end, nothing is marked."""
    new = read(now)
    if new is None:
        text = now[: 4 * MAX_LINE].decode("utf-8", "replace")
        return TreeRows([TreeRow(" ", 0, clipped(f"not readable as XML: {text}", MAX_LINE))], 0, whole=True)
    old = read(before) if before is not None and new.whole else None
    rows = list(_compared(old.root if old is not None and old.whole else None, new.root))
    return TreeRows(rows[:MAX_LINES], max(len(rows) - MAX_LINES, 0), new.whole)


class State(NamedTuple):
    """What was read of a state."""

    root: Element
    whole: bool


def read(payload: bytes) -> State | None:
    """Return what the first bytes and elements of a payload hold; None if it is no XML, or has a document type."""
    building = _Bounded()
    # A document type may define entities that grow into gigabytes.
    parser = XMLParser(target=building, forbid_dtd=True)
    whole = len(payload) <= MAX_READ_BYTES
    try:
        parser.feed(payload[:MAX_READ_BYTES])
        # A text that was cut has open elements, which close() would take for an error.
        if whole:
            parser.close()
    except _Enough:
        whole = False
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return None
    root = building.root
    return State(root, whole) if root is not None else None


class _Enough(Exception):
    """As many elements have been read as are wanted."""


class _Bounded:
    """Builds a tree of at most that many elements."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._builder = TreeBuilder()
        self._room = MAX_READ_ELEMENTS

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if not self._room:
            # Only an exception stops a parser in the middle of a text.
            raise _Enough
        self._room -= 1
        element = self._builder.start(tag, dict(attributes))
        self.root = element if self.root is None else self.root

    def end(self, tag: str) -> None:
        """An element ends."""
        self._builder.end(tag)

    def data(self, text: str) -> None:
        """Text."""
        self._builder.data(text)

    def close(self) -> None:
        """That was all."""


def _compared(before: Element | None, now: Element) -> Iterator[TreeRow]:
    """Yield the rows of a state. Without one before, nothing is marked."""
    todo: deque[tuple[str, int, Element | None, Element | None]] = deque([("", 0, before, now)])
    seen = 0
    first = before is None
    while todo and seen < MAX_ELEMENTS:
        _, depth, old, new = todo.popleft()
        seen += 1
        here = new if new is not None else old
        assert here is not None
        yield _row(depth, None if first else old, new, first=first)
        if depth >= DEEPEST:
            if len(here):
                yield TreeRow(" ", depth + 1, "…")
            continue
        # In front, so that children come before what follows their parent.
        todo.extendleft(reversed([(here.tag, depth + 1, *pair) for pair in _pairs(old, new)]))
    if todo:
        yield TreeRow(" ", 0, f"… {len(todo)} more elements and what is in them")


def _row(depth: int, old: Element | None, new: Element | None, *, first: bool) -> TreeRow:
    if new is None:
        assert old is not None
        return TreeRow("-", depth, clipped(_written(old), MAX_LINE))
    if old is None:
        return TreeRow(" " if first else "+", depth, clipped(_written(new), MAX_LINE))
    changed = dict(old.attrib) != dict(new.attrib) or _inner(old) != _inner(new)
    return TreeRow("~" if changed else " ", depth, clipped(_written(new, old), MAX_LINE))


def _written(element: Element, before: Element | None = None) -> str:
    """Return an element without what is in it; attributes that have changed with what they were."""
    parts = [element.tag]
    for name, value in element.attrib.items():
        was = "" if before is None or before.get(name) == value else f" (was {_quoted(before.get(name))})"
        parts.append(f"{name}={_quoted(value)}{was}")
    if before is not None:
        parts += [
            f"(without {name}={_quoted(value)})" for name, value in before.attrib.items() if name not in element.attrib
        ]
    text, old = _inner(element), "" if before is None else _inner(before)
    if text:
        parts.append(f": {text}")
    if before is not None and text != old:
        parts.append(f"(was {_quoted(old or None)})")
    return " ".join(parts)


def _quoted(value: str | None) -> str:
    return "nothing" if value is None else f'"{value[:MAX_LINE]}"'


def _inner(element: Element) -> str:
    """The text of an element, beside its children."""
    texts = (element.text, *(child.tail for child in element))
    return " ".join(" ".join(text for text in texts if text)[: 2 * MAX_LINE].split())


def _pairs(old: Element | None, new: Element | None) -> list[tuple[Element | None, Element | None]]:
    """Pair the children of two elements: those of the new one in order, then those that are gone."""
    waiting: defaultdict[tuple[str, str], deque[Element]] = defaultdict(deque)
    for child in old if old is not None else ():
        waiting[_key(child)].append(child)
    pairs: list[tuple[Element | None, Element | None]] = []
    for child in new if new is not None else ():
        known = waiting[_key(child)]
        pairs.append((known.popleft() if known else None, child))
    gone = [child for children in waiting.values() for child in children]
    return pairs + [(child, None) for child in gone]


def _key(element: Element) -> tuple[str, str]:
    """What an element is recognised by."""
    return element.tag, next((f"{name}={element.get(name)}" for name in NAMES if name in element.attrib), "")
