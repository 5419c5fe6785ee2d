"""The positions of a game as one script, for pages from a disk.

Two positions in a row are nearly the same picture. So pictures and words are cut into pieces, each piece is written
once, and a position says where its list of pieces differs from that of the position before. Every :data:`EVERY`-th one
differs from nothing, so that a page that jumps need not begin at the first. ``assets/replay.js`` reads it::

    {"every": 50,
     "pieces": ["<svg ...>", "<rect .../>", ...],
     "positions": [{"svg": EDITS, "words": EDITS, "news": [...], "next": [...], "since_s": 1.5}, ...]}

An edit is ``[at, dropped, piece, piece, ...]``: from the place ``at`` of the list before, as many pieces are dropped,
and these, by their numbers, stand there instead. Edits are in the order of their places.
"""

import json
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, Final, TypeAlias

from ugs.page.played import Position

NAME: Final = "ugsReplay"
"""The variable of the script."""
EVERY: Final = 50
"""Every N-th position lists all its pieces."""

SHORT: Final = 8
"""Pieces between which it costs next to nothing to search for those that are alike."""

_CUTS: Final = re.compile(r"(?<=[.,;] )|(?<=z)(?=M)")
"""Between the parts of sentences, and between those of a path that are closed. Pictures are also cut
before each tag."""

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
    return [
        [same + at, until - at, *new[first:end]]
        for kind, at, until, first, end in SequenceMatcher(None, old, new).get_opcodes()
        if kind != "equal"
    ]


def _alike(pairs: Iterable[tuple[int, int]]) -> int:
    """How many pairs at the beginning are of two equal ones."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
