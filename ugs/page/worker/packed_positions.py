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
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain, compress, count
from operator import ne
from typing import Any, Final, TypeAlias

from ugs.page.played import Position

NAME: Final = "ugsReplay"
"""The variable of the script."""
EVERY: Final = 50
"""Every N-th position lists all its pieces."""

SHORT: Final = 8
"""More tags in a row than these have not only changed in their places: some have come or gone."""

LONG: Final = 100
"""A longer text after a tag is cut from it; it hardly occurs in another position."""
ALIKE: Final = 4
"""This many equal tags in a row are the same part of a picture."""
WINDOW: Final = 40
"""Tags among which the next part that is the same is looked for."""
MAX_RUNS: Final = 40
"""Of tags that have changed, in two pictures with different numbers of tags; the rest is one run."""

_CUTS: Final = ((". ", ""), (", ", ""), ("; ", ""), ("z", "M"))
"""Ends of parts and beginnings of the next ones."""
_CUT: Final = "\0"

NONE: Final = -1
"""The number of no pair."""

Edit: TypeAlias = list[int]


def as_script(positions: Iterable[Position]) -> bytes:
    """All positions of a game, in their order, as a script that sets :data:`NAME`."""
    pieces = _Pieces()
    svg, words = _Text(pieces), _Text(pieces)
    packed: list[dict[str, Any]] = []
    for place, one in enumerate(positions):
        if place % EVERY == 0:
            svg, words = _Text(pieces), _Text(pieces)
        edits = {"svg": svg.edits(one.svg), "words": words.edits(one.words)}
        packed.append({**edits, "news": one.news, "next": one.next, "since_s": one.since_s, **_remarks(one)})
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
        self._last: tuple[str, list[int]] = "", []

    def of_tag(self, tag: str) -> list[int]:
        """The pieces of a tag, without its ``<``, and the text after it."""
        numbers = self._of_tags.get(tag)
        if numbers is None:
            head, end, text = tag.partition(">")
            if len(text) < LONG:
                return self._of_tags.setdefault(tag, self.of_text("<" + tag))
            numbers = [*self.of_text(f"<{head}{end}"), *self.of_text(text)]
        return numbers

    def of_text(self, text: str) -> list[int]:
        """The pieces of what is not likely to occur again, except at once: the words of a position stand in its picture
        as well as beside it."""
        if not text:
            return []
        if self._last[0] != text:
            known = self.known
            self._last = text, [known.setdefault(piece, len(known)) for piece in _cut(text)]
        return self._last[1]


def _cut(text: str) -> list[str]:
    """Cut a text behind the parts of its sentences, and a path behind those that are closed. Pictures are also cut
    before each tag."""
    if _CUT in text:  # only in a text of strangers; it is a piece then
        return [text]
    for end, begin in _CUTS:
        text = text.replace(end + begin, end + _CUT + begin)
    return text.split(_CUT)


class _Text:
    """One text of a game as it changes from position to position: the tags of the last one, which are compared first,
    and their pieces."""

    def __init__(self, pieces: _Pieces) -> None:
        self._pieces = pieces
        self._tags: list[str] = []
        """Without what stands before the first of them, and each without its ``<``."""
        self._counts: list[int] = []
        """How many pieces each of the tags has."""
        self._numbers: list[int] = []
        """All pieces."""

    def edits(self, text: str) -> list[Edit]:
        """Where the text now differs from the one before."""
        first, *tags = text.split("<")
        numbers = [*self._pieces.of_text(first)]
        place = len(self._numbers) - sum(self._counts)
        found = _edits(self._numbers[:place], numbers)
        counts: list[int] = []
        tag = 0  # those of the text before up to here have been compared, and its pieces up to ``place``
        for old, new in _changed(self._tags, tags):
            begin = place + sum(self._counts[tag : old.start])
            end = begin + sum(self._counts[old])
            pieces = [self._pieces.of_tag(one) for one in tags[new]]
            now = list(chain.from_iterable(pieces))
            if end - begin == len(now) == 1:  # as most are; of tags that differ
                found.append([begin, 1, *now])
            else:
                found += ([begin + at, *edit] for at, *edit in _edits(self._numbers[begin:end], now))
            counts += [*self._counts[tag : old.start], *map(len, pieces)]
            numbers += [*self._numbers[place:begin], *now]
            tag, place = old.stop, end
        self._counts = counts + self._counts[tag:]
        self._numbers = numbers + self._numbers[place:]
        self._tags = tags
        return found


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[slice, slice]]:
    """Where tags have been replaced, and by which, in order. From most positions to the next a few tags change in their
    places, or some come or go."""
    if len(old) == len(new):
        runs = list(_runs(map(ne, old, new)))
        if all(last - first <= SHORT for first, last in runs):
            yield from ((slice(*run), slice(*run)) for run in runs)
            return
    same, end = _alike(old, new)
    at = its = same
    old_end, new_end = len(old) - end, len(new) - end
    for _ in range(MAX_RUNS):
        gone, come = _until_alike(old[at : min(at + WINDOW, old_end)], new[its : min(its + WINDOW, new_end)])
        if gone == come == 0:
            break
        yield slice(at, at + gone), slice(its, its + come)
        at, its = at + gone, its + come
        rest = min(old_end - at, new_end - its)
        same = _first(map(ne, old[at:old_end], new[its:new_end]), rest)
        at, its = at + same, its + same
    if at < old_end or its < new_end:
        yield slice(at, old_end), slice(its, new_end)


def _runs(different: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Where it is true: begin and end of each run."""
    first = last = NONE
    for place in compress(count(), different):
        if place != last:
            if first != NONE:
                yield first, last
            first = place
        last = place + 1
    if first != NONE:
        yield first, last


def _until_alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many tags at the beginning of both have to go and to come until both go on alike; none: they do not."""
    where = dict(zip(reversed(new), range(len(new) - 1, -1, -1), strict=True))
    best, least = (0, 0), len(old) + len(new)
    for gone, tag in enumerate(old):
        if gone >= least:
            break
        come = where.get(tag, least)
        if gone + come < least and old[gone : gone + ALIKE] == new[come : come + ALIKE]:
            best, least = (gone, come), gone + come
    return best


def _edits(before: Sequence[int], now: Sequence[int]) -> list[Edit]:
    same, last = _alike(before, now)
    old, new = before[same : len(before) - last], now[same : len(now) - last]
    if len(old) == len(new):  # pieces that have changed in their places, found without a search
        return [[same + at, end - at, *new[at:end]] for at, end in _runs(map(ne, old, new))]
    if min(len(old), len(new)) < 2 or max(len(old), len(new)) <= SHORT:
        return [[same, len(old), *new]] if old or new else []
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
            same, last = _alike(here, there)
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


def _alike(before: Sequence[object], now: Sequence[object]) -> tuple[int, int]:
    """How many items two lists have in common at their beginnings, and how many of the others at their ends."""
    most = min(len(before), len(now))
    same = _first(map(ne, before, now), most)
    return same, _first(map(ne, reversed(before), reversed(now)), most - same)


def _first(different: Iterable[bool], most: int) -> int:
    """The first place where it is true, or ``most``."""
    return min(next(compress(count(), different), most), most)
