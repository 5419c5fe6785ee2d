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
from typing import Any, Final, TypeAlias

from ugs.page.played import Position

NAME: Final = "ugsReplay"
"""The variable of the script."""
EVERY: Final = 50
"""A position of which all pieces are listed comes after so many."""

_CUTS: Final = re.compile(r"(?<=>)(?=<[^/])|(?<=[.,;] )|(?<=z)(?=M)")
"""Before each element that begins, between the parts of sentences, and between those of a path that are closed."""

Edit: TypeAlias = list[int]


def as_script(positions: Iterable[Position]) -> bytes:
    """All positions of a game, in their order, as a script that sets :data:`NAME`."""
    pieces: dict[str, int] = {}
    before: dict[str, list[int]] = {}
    packed: list[dict[str, Any]] = []
    for place, one in enumerate(positions):
        if place % EVERY == 0:
            before = {"svg": [], "words": []}
        now = {name: _numbers(text, pieces) for name, text in (("svg", one.svg), ("words", one.words))}
        edits = {name: _edits(before[name], now[name]) for name in now}
        packed.append({**edits, "news": one.news, "next": one.next, "since_s": one.since_s})
        before = now
    whole = {"every": EVERY, "pieces": list(pieces), "positions": packed}
    return f"window.{NAME}={json.dumps(whole, separators=(',', ':'))};\n".encode()


def _numbers(text: str, pieces: dict[str, int]) -> list[int]:
    return [pieces.setdefault(piece, len(pieces)) for piece in _CUTS.split(text)]


def _edits(before: Sequence[int], now: Sequence[int]) -> list[Edit]:
    return [
        [at, until - at, *now[first:last]]
        for same, at, until, first, last in SequenceMatcher(None, before, now).get_opcodes()
        if same != "equal"
    ]
