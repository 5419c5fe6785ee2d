"""The positions of a game as one script, for pages from a disk.

Two positions in a row are nearly the same picture. So pictures and words are cut into pieces, each piece is written
once, and a position holds where its list of pieces differs from that of the position before. Every :data:`EVERY`-th one
differs from nothing, so that a page that jumps need not begin at the first. ``assets/replay.js`` reads it::

    {"every": 50,
     "pieces": ["<svg ...>", "<rect .../>", ...],
     "positions": [{"svg": EDITS, "words": EDITS, "news": [...], "next": [...], "since_s": 1.5}, ...]}

An edit is ``[at, dropped, piece, piece, ...]``: from the place ``at`` of the list before, as many pieces are dropped,
and these, by their numbers, stand there instead. Edits are in the order of their places.
"""

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import compress, count, takewhile
from typing import Any, Final, TypeAlias

from ugs.page.played import Position

NAME: Final = "ugsReplay"
"""The variable of the script."""
EVERY: Final = 50
"""Every N-th position lists all its pieces."""

SHORT: Final = 8
"""Up to this many pieces are compared one by one even where none has changed its place."""

_CUTS: Final = re.compile(r"(?<=[.,;] )|(?<=z)(?=M)")
"""Between the parts of sentences, and between those of a path that are closed. Pictures are also cut
before each tag."""

NONE: Final = -1
"""The number of no pair."""

Edit: TypeAlias = list[int]


def as_script(positions: Iterable[Position]) -> bytes:
    """All positions of a game, in their order, as a script that sets :data:`NAME`."""
    pieces = _Pieces()
    before: dict[str, list[int]] = {}
    packed: list[dict[str, Any]] = []
    for place, one in enumerate(positions):
        if place % EVERY == 0:
            before = {"svg": [], "words": []}
        now = {name: pieces.numbers(text) for name, text in (("svg", one.svg), ("words", one.words))}
        edits = {name: _edits(before[name], now[name]) for name in now}
        packed.append({**edits, "news": one.news, "next": one.next, "since_s": one.since_s, **_remarks(one)})
        before = now
    whole = {"every": EVERY, "pieces": list(pieces.known), "positions": packed}
    return f"window.{NAME}={json.dumps(whole, separators=(',', ':'))};\n".encode()


def _remarks(one: Position) -> dict[str, list[str]]:
    """Those of a position, if there are any: few games have some."""
    return {"remarks": one.remarks} if one.remarks else {}


class _Pieces:
    """The pieces that have occurred, by number, and those of each tag with its text: most of them occur again, and
    only a new one is looked at closely."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self._of_tags: dict[str, list[int]] = {}

    def numbers(self, text: str) -> list[int]:
        """The pieces that make up a text."""
        first, *tags = text.split("<")
        found = self._cut(first) if first else []
        for tag in tags:
            numbers = self._of_tags.get(tag)
            if numbers is None:
                numbers = self._of_tags[tag] = self._cut("<" + tag)
            found += numbers
        return found

    def _cut(self, text: str) -> list[int]:
        return [self.known.setdefault(piece, len(self.known)) for piece in _CUTS.split(text)]


def _edits(before: Sequence[int], now: Sequence[int]) -> list[Edit]:
    same = _alike(zip(before, now, strict=False))
    most = min(len(before), len(now)) - same
    last = min(most, _alike(zip(reversed(before), reversed(now), strict=False)))
    old, new = before[same : len(before) - last], now[same : len(now) - last]
    if len(old) == len(new) and len(old) > SHORT:  # pieces that have changed in their places, found without a search
        return [[same + at, 1, one] for at, (was, one) in enumerate(zip(old, new, strict=True)) if was != one]
    return [[same + at, dropped, *added] for at, dropped, added in _between_anchors(old, new)]


def _between_anchors(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Where two lists differ: place in the old one, how many pieces are dropped there, and those that replace them.

    Pieces that stand once in both, in the same order, hold the lists together, as in a patience diff; only what lies
    between them is compared. Nearly all pieces of a picture name their place in it, so they stand there once. A search
    for the longest common runs finds hardly less to write, and takes many times as long.
    """
    at = first = 0
    for end_old, end_new in [*_anchors(old, new), (len(old), len(new))]:
        if end_old == at and end_new == first:  # nothing lies between them, as is usual
            at, first = end_old + 1, end_new + 1
            continue
        here, there = old[at:end_old], new[first:end_new]
        if here != there:
            same = _alike(zip(here, there, strict=False))
            most = min(len(here), len(there)) - same
            last = min(most, _alike(zip(reversed(here), reversed(there), strict=False)))
            yield at + same, len(here) - same - last, there[same : len(there) - last]
        at, first = end_old + 1, end_new + 1


def _anchors(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """The places of the longest row of pieces that stand once in both lists, in the same order."""
    in_old, in_new = Counter(old), Counter(new)
    once = {piece for piece in in_old.keys() & in_new.keys() if in_old[piece] == in_new[piece] == 1}
    pairs = list(zip(_places(old, once), _places(new, once), strict=True))
    if [old[place] for place, _ in pairs] == [new[place] for _, place in pairs]:  # none has gone past another one
        return pairs
    places = {new[place]: place for _, place in pairs}
    pairs = [(place, places[old[place]]) for place, _ in pairs]
    ends: list[int] = []  # by length: the smallest place in the new list where a row of pairs may end
    last: list[int] = []  # by length: the pair that ends there
    before: list[int] = []  # by pair: the one before it in its row
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else NONE)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    row: list[tuple[int, int]] = []
    number = last[-1] if last else NONE
    while number != NONE:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]


def _places(pieces: Sequence[int], wanted: Container[int]) -> list[int]:
    """Where those that are ``wanted`` stand."""
    return list(compress(count(), map(wanted.__contains__, pieces)))


def _alike(pairs: Iterable[tuple[int, int]]) -> int:
    """How many pairs at the beginning are of two equal ones."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
