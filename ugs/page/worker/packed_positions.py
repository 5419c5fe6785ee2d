"""The positions of a game as one script, for pages from a disk.

Two positions in a row are nearly the same picture. So pictures and words are cut into pieces, each piece is written
once, and a position holds where its list of pieces differs from that of the position before. Every :data:`EVERY`-th one
differs from nothing, so that a page that jumps need not begin at the first. ``assets/replay_board.js`` reads it::

    {"every": 50,
     "pieces": ["<svg ...>", "<rect .../>", ...],
     "positions": [{"svg": EDITS, "words": EDITS, "news": [...], "next": [...], "since_s": 1.5}, ...]}

An edit is ``[at, dropped, piece, piece, ...]``: from the place ``at`` of the list before, as many pieces are dropped,
and these, by their numbers, stand there instead. Edits are in the order of their places.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, count
from operator import ne
from typing import Any, Final, TypeAlias

from ugs.page.played import Position
from ugs.pictures.svg import DrawnParts

NAME: Final = "ugsReplay"
"""The variable of the script."""
EVERY: Final = 50
"""Every N-th position lists all its pieces."""

SHORT: Final = 8
"""More parts in a row than these have not only changed in their places: some have come or gone."""

LONG: Final = 100
"""A longer text after a tag is cut from it; it hardly occurs in another position."""
ALIKE: Final = 4
"""This many equal parts in a row are the same place of a picture."""
WINDOW: Final = 40
"""Parts among which the next one that is the same is looked for."""
FEW: Final = ((0, 1), (1, 0), (1, 1), (0, 2), (2, 0))
"""How many parts go and come in most changes."""
MAX_RUNS: Final = 40
"""Of parts that have changed, in two pictures with different numbers of parts; the rest is one run."""

_CUTS: Final = ((". ", ""), (", ", ""), ("; ", ""), ("z", "M"))
"""Ends of parts and beginnings of the next ones."""
_CUT: Final = "\0"

NONE: Final = -1
"""The number of nothing."""

Edit: TypeAlias = list[int]


def as_script(positions: Iterable[Position]) -> bytes:
    """All positions of a game, in their order, as a script that sets :data:`NAME`."""
    known = _Parts()
    svg, words = _Text(known), _Text(known)
    packed: list[dict[str, Any]] = []
    for place, one in enumerate(positions):
        if place % EVERY == 0:
            svg, words = _Text(known), _Text(known)
        edits = {"svg": svg.edits(one.svg), "words": words.edits(one.words)}
        packed.append({**edits, "news": one.news, "next": one.next, "since_s": one.since_s, **_remarks(one)})
    whole = {"every": EVERY, "pieces": list(known.sentences.known), "positions": packed}
    return f"window.{NAME}={json.dumps(whole, separators=(',', ':'))};\n".encode()


def _remarks(one: Position) -> dict[str, list[str]]:
    """Those of a position, if there are any: few games have some."""
    return {"remarks": one.remarks} if one.remarks else {}


class _Sentences(dict[str, list[int]]):
    """The pieces of sentences and tags, by their numbers; each is cut when it is asked for."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        """All pieces."""

    def __missing__(self, text: str) -> list[int]:
        known = self.known
        found = self[text] = [known.setdefault(piece, len(known)) for piece in _cut(text) if piece]
        return found

    def of(self, text: str) -> list[int]:
        """The pieces of what is not likely to occur again; most of its sentences do."""
        if _CUT in text:
            return [*self[text]]
        *sentences, last = text.split(". ")
        found: list[int] = []
        for sentence in sentences:
            found += self[f"{sentence}. "]
        return found + self[last] if last else found


class _Parts(dict[str, int]):
    """The parts of texts, which have numbers, too: most occur again, and only a new one is looked at closely."""

    def __init__(self) -> None:
        self.sentences = _Sentences()
        self.pieces: list[list[int]] = []
        """By the number of a part."""
        self.sizes: list[int] = []
        """How many pieces it has."""
        self._compared: tuple[int, int, list[Edit]] = NONE, NONE, []

    def __missing__(self, part: str) -> int:
        first, *tags = part.split("<")
        numbers = self.sentences.of(first) if first else []
        for tag in tags:
            head, end, text = tag.partition(">")
            if len(text) < LONG:
                numbers += self.sentences["<" + tag]
            else:
                numbers += self.sentences[f"<{head}{end}"]
                numbers += self.sentences.of(text)
        number = self[part] = len(self.pieces)
        self.pieces.append(numbers)
        self.sizes.append(len(numbers))
        return number

    def of(self, text: str) -> list[int]:
        """The numbers of the parts of a text."""
        if isinstance(text, DrawnParts):
            return list(map(self.__getitem__, text.parts))
        first, *tags = text.split("<")
        found = [self[first]] if first else []
        found += [self["<" + tag] for tag in tags]
        return found

    def edits(self, old: int, new: int) -> list[Edit]:
        """Where the pieces of a part differ from those of the one that it replaces. The words of a position stand in
        its picture as well as beside it."""
        if self._compared[:2] != (old, new):
            self._compared = old, new, _edits(self.pieces[old], self.pieces[new])
        return self._compared[2]


def _cut(text: str) -> list[str]:
    """Cut a text behind the parts of its sentences, and a path behind those that are closed. Pictures are also cut
    before each tag."""
    if _CUT in text:  # only in a text of strangers; it is a piece then
        return [text]
    for end, begin in _CUTS:
        text = text.replace(end + begin, end + _CUT + begin)
    return text.split(_CUT)


class _Text:
    """One text of a game as it changes from position to position, by its parts: they are compared first."""

    def __init__(self, known: _Parts) -> None:
        self._known = known
        self._parts: list[int] = []
        """Those of the last position."""

    def edits(self, text: str) -> list[Edit]:
        """Where the text now differs from the one before."""
        known, pieces, sizes, before = self._known, self._known.pieces, self._known.sizes, self._parts
        parts = self._parts = known.of(text)
        found: list[Edit] = []
        part = place = 0  # those of the text before up to here have been compared, and its pieces up to ``place``
        for old, new in _changed(before, parts):
            place += sum(map(sizes.__getitem__, before[part : old.start]))
            if old.stop - old.start == new.stop - new.start == 1:
                found += ([place + at, *edit] for at, *edit in known.edits(before[old.start], parts[new.start]))
                place += sizes[before[old.start]]
            else:
                gone = list(chain.from_iterable([pieces[one] for one in before[old]]))
                now = chain.from_iterable([pieces[one] for one in parts[new]])
                found += ([place + at, *edit] for at, *edit in _edits(gone, list(now)))
                place += len(gone)
            part = old.stop
        return found


def _changed(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """Where numbers have been replaced, and by which, in order. From most positions to the next a few change in their
    places, or some come or go."""
    if len(old) == len(new):
        runs = _runs(old, new)
        if all(last - first <= SHORT for first, last in runs):
            yield from [(slice(*run), slice(*run)) for run in runs]
            return
    same, end = _alike(old, new)
    at = its = same
    old_end, new_end = len(old) - end, len(new) - end
    for _ in range(MAX_RUNS):
        if at == old_end and its == new_end:
            return
        gone, come = _until_alike(old[at : min(at + WINDOW, old_end)], new[its : min(its + WINDOW, new_end)])
        if gone == come == 0:  # nothing is alike any more
            break
        yield slice(at, at + gone), slice(its, its + come)
        at, its = at + gone, its + come
        rest = min(old_end - at, new_end - its)
        same = _first(map(ne, old[at:old_end], new[its:new_end]), rest)
        at, its = at + same, its + same
    yield slice(at, old_end), slice(its, new_end)


def _runs(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Where two lists of the same length differ: begin and end of each run."""
    runs: list[tuple[int, int]] = []
    first = last = NONE
    for place in compress(count(), map(ne, old, new)):
        if place != last:
            if first != NONE:
                runs.append((first, last))
            first = place
        last = place + 1
    if first != NONE:
        runs.append((first, last))
    return runs


def _until_alike(old: Sequence[int], new: Sequence[int]) -> tuple[int, int]:
    """How many numbers at the beginning of both have to go and to come until both go on alike; none: they do not."""
    for gone, come in FEW:  # as nearly always
        if old[gone : gone + ALIKE] == new[come : come + ALIKE]:
            return gone, come
    where = dict(zip(reversed(new), range(len(new) - 1, -1, -1), strict=True))
    best, least = (0, 0), len(old) + len(new)
    for gone, number in enumerate(old):
        if gone >= least:
            break
        come = where.get(number, least)
        if gone + come < least and old[gone : gone + ALIKE] == new[come : come + ALIKE]:
            best, least = (gone, come), gone + come
    return best


def _edits(before: Sequence[int], now: Sequence[int]) -> list[Edit]:
    return [[old.start, old.stop - old.start, *now[new]] for old, new in _changed(before, now)]


def _alike(before: Sequence[int], now: Sequence[int]) -> tuple[int, int]:
    """How many numbers two lists have in common at their beginnings, and how many of the others at their ends."""
    most = min(len(before), len(now))
    same = _first(map(ne, before, now), most)
    return same, _first(map(ne, reversed(before), reversed(now)), most - same)


def _first(different: Iterable[bool], most: int) -> int:
    """The first place where it is true, or ``most``."""
    return min(next(compress(count(), different), most), most)
