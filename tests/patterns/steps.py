"""A backtracking engine for parsed regular expressions that counts its steps.

The engine of ``re`` is written in C, where nothing can be counted; the time that it takes depends on the machine. This
one reads the same parse tree, tries the same ways in the same order and so finds the same matches, as its tests show.
``re`` has short cuts beyond that, but none that makes a square linear.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import _constants as sre
from re import _parser as parser
from typing import Any, Final, TypeAlias

Text: TypeAlias = str | bytes
Pred: TypeAlias = Callable[[str], bool]
Way: TypeAlias = tuple[Any, ...]
"""One instruction: its kind, and what belongs to it."""

CHAR, RUN, LAZY, SPLIT, JUMP, AT, LOOK, ATOMIC, DONE = range(9)
MAX_UNROLLED: Final = 200
_SINGLE: Final = (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY)
_REPEATS: Final = {sre.MAX_REPEAT: RUN, sre.MIN_REPEAT: LAZY, sre.POSSESSIVE_REPEAT: ATOMIC}


class TooDear(Exception):
    """More steps than were allowed."""


@dataclass
class Steps:
    """How many steps were taken, and how many may be."""

    most: int = 10_000_000
    taken: int = 0

    def take(self, number: int) -> None:
        """Raises TooDear beyond the most."""
        self.taken += number
        if self.taken > self.most:
            raise TooDear(self.taken)


class Counted:
    """A regular expression whose steps are counted. Positions are those of ``re``."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        self.pattern = pattern
        self.is_bytes = isinstance(pattern.pattern, bytes)
        self.tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self.single: list[Pred] = []
        """What each place for a single character accepts."""

    @cached_property
    def program(self) -> list[Way]:
        """The instructions of a match."""
        return [*self._compiled(self.tree, self.pattern.flags, 0), (DONE,)]

    # From the tree to instructions. Targets of jumps are absolute.

    def _compiled(self, tree: Any, flags: int, base: int) -> list[Way]:
        out: list[Way] = []
        for node in tree:
            kind, what = node
            out += self._one(kind, what, flags, base + len(out))
        return out

    def _one(self, kind: Any, what: Any, flags: int, base: int) -> list[Way]:
        if kind in _SINGLE:
            return [(CHAR, self._accepts(kind, what, flags))]
        if kind is sre.SUBPATTERN:
            _, added, removed, inside = what
            return self._compiled(inside, (flags | added) & ~removed, base)
        if kind is sre.BRANCH:
            return self._branches(what[1], flags, base)
        if kind in _REPEATS:
            least, most, inside = what
            return self._repeated(kind, least, most, inside, flags, base)
        if kind is sre.AT:
            return [(AT, what, flags)]
        if kind in (sre.ASSERT, sre.ASSERT_NOT):
            direction, inside = what
            return [
                (LOOK, self._apart(inside, flags), inside.getwidth()[0] if direction < 0 else 0, kind is sre.ASSERT)
            ]
        if kind is sre.ATOMIC_GROUP:
            return [(ATOMIC, self._apart(what, flags))]
        raise NotImplementedError(f"{kind} in {self.pattern.pattern!r}")

    def _apart(self, tree: Any, flags: int) -> list[Way]:
        return [*self._compiled(tree, flags, 0), (DONE,)]

    def _branches(self, branches: Sequence[Any], flags: int, base: int) -> list[Way]:
        out: list[Way] = []
        jumps = []
        for number, branch in enumerate(branches):
            last = number == len(branches) - 1
            split = len(out)
            out += [] if last else [()]
            out += self._compiled(branch, flags, base + len(out))
            if not last:
                jumps.append(len(out))
                out.append(())
                out[split] = (SPLIT, base + split + 1, base + len(out))
        for jump in jumps:
            out[jump] = (JUMP, base + len(out))
        return out

    def _repeated(self, kind: Any, least: int, most: Any, inside: Any, flags: int, base: int) -> list[Way]:
        endless = most is sre.MAXREPEAT
        if len(inside) == 1 and inside[0][0] in _SINGLE:
            one, what = inside[0]
            accepts = self._accepts(one, what, flags)
            run = (LAZY if kind is sre.MIN_REPEAT else RUN, accepts, least, -1 if endless else int(most))
            return [(ATOMIC, [run, (DONE,)])] if kind is sre.POSSESSIVE_REPEAT else [run]
        if kind is sre.POSSESSIVE_REPEAT:
            return [(ATOMIC, [*self._repeated(sre.MAX_REPEAT, least, most, inside, flags, 0), (DONE,)])]
        out: list[Way] = []
        for _ in range(least):
            out += self._compiled(inside, flags, base + len(out))
        if endless:
            if inside.getwidth()[0] == 0:
                raise NotImplementedError(f"what may be empty is repeated in {self.pattern.pattern!r}")
            begin = base + len(out)
            body = self._compiled(inside, flags, begin + 1)
            ways = begin + 1, begin + len(body) + 2
            out += [(SPLIT, *(ways if kind is sre.MAX_REPEAT else ways[::-1])), *body, (JUMP, begin)]
            return out
        if most - least > MAX_UNROLLED:
            raise NotImplementedError(f"a group is repeated {most} times in {self.pattern.pattern!r}")
        splits = []
        for _ in range(most - least):
            splits.append(len(out))
            out.append(())
            out += self._compiled(inside, flags, base + len(out))
        for split in splits:
            ways = base + split + 1, base + len(out)
            out[split] = (SPLIT, *(ways if kind is sre.MAX_REPEAT else ways[::-1]))
        return out

    def _accepts(self, kind: Any, what: Any, flags: int) -> Pred:
        """Whether a character is accepted, as ``re`` itself says of a pattern with this place alone."""
        del_flags = flags & (re.IGNORECASE | re.DOTALL | re.ASCII)
        known: dict[str, bool] = {}
        items = [(kind, what)] if kind is not sre.IN else what
        negated = bool(items) and items[0][0] is sre.NEGATE
        plain = [_accepts_item(item, del_flags, self.is_bytes) for item in items if item[0] is not sre.NEGATE]

        def accepts(character: str) -> bool:
            found = known.get(character)
            if found is None:
                found = known[character] = any(one(character) for one in plain) is not negated
            return found

        self.single.append(accepts)
        return accepts

    # Asking.

    def match(self, text: Text, steps: Steps, start: int = 0, whole: bool = False) -> int | None:
        """Where a match at ``start`` ends; None where there is none."""
        return self._run(self.program, _characters(text), start, steps, whole)

    def search(self, text: Text, steps: Steps) -> tuple[int, int] | None:
        """The first match."""
        return next(self.all(text, steps), None)

    def all(self, text: Text, steps: Steps) -> Iterator[tuple[int, int]]:
        """All matches, one behind the other."""
        characters, start = _characters(text), 0
        may_be_empty_at = 0
        while start <= len(characters):
            steps.take(1)
            end = self._run(self.program, characters, start, steps, False)
            if end is not None and (end > start or start >= may_be_empty_at):
                yield start, end
                start, may_be_empty_at = (end, end) if end > start else (start + 1, start)
            else:
                start += 1

    def _run(self, program: list[Way], text: str, start: int, steps: Steps, whole: bool) -> int | None:
        size = len(text)
        stack: list[tuple[int, int, int, int]] = []  # where to go on, from where, down or up to where, and how
        at, place = 0, start
        while True:
            steps.take(1)
            way = program[at]
            kind = way[0]
            good = True
            if kind == CHAR:
                good = place < size and way[1](text[place])
                place += 1
            elif kind in (RUN, LAZY):
                _, accepts, least, most = way
                until = size if most < 0 else min(size, place + most)
                end = place
                top = until if kind == RUN else min(until, place + least)
                while end < top and accepts(text[end]):
                    end += 1
                steps.take(end - place)
                good = end - place >= least
                if good and kind == RUN and end - place > least:
                    stack.append((at + 1, end - 1, place + least, RUN))
                elif good and kind == LAZY and end < until:
                    stack.append((at, end, until, LAZY))
                place = end
            elif kind == SPLIT:
                stack.append((way[2], place, 0, SPLIT))
                at = way[1] - 1
            elif kind == JUMP:
                at = way[1] - 1
            elif kind == AT:
                good = _stands(way[1], way[2], text, place)
            elif kind == LOOK:
                _, inside, back, wanted = way
                good = (place >= back and self._run(inside, text, place - back, steps, False) is not None) is wanted
            elif kind == ATOMIC:
                ended = self._run(way[1], text, place, steps, False)
                good = ended is not None
                place = place if ended is None else ended
            elif not whole or place == size:
                return place
            else:
                good = False
            if good:
                at += 1
                continue
            back = _back(stack, program, text)
            if back is None:
                return None
            at, place = back


def _back(stack: list[tuple[int, int, int, int]], program: list[Way], text: str) -> tuple[int, int] | None:
    """The latest way that was not tried: the instruction, and the place in the text."""
    while stack:
        at, place, bound, how = stack.pop()
        if how == SPLIT:
            return at, place
        if how == RUN:  # one character less
            if place > bound:
                stack.append((at, place - 1, bound, RUN))
            return at, place
        if program[at][1](text[place]):  # one character more
            if place + 1 < bound:
                stack.append((at, place + 1, bound, LAZY))
            return at + 1, place + 1
    return None


def _accepts_item(item: Any, flags: int, is_bytes: bool) -> Pred:
    """Whether a character is accepted by one item of a set, or by what stands for one character."""
    kind, what = item
    if kind is sre.ANY:
        return lambda character: bool(flags & re.DOTALL) or character != "\n"
    if kind is sre.CATEGORY:
        letter = {sre.CATEGORY_DIGIT: "d", sre.CATEGORY_SPACE: "s", sre.CATEGORY_WORD: "w"}.get(what)
        letter = letter or {sre.CATEGORY_NOT_DIGIT: "D", sre.CATEGORY_NOT_SPACE: "S", sre.CATEGORY_NOT_WORD: "W"}[what]
        asked = re.compile(f"\\{letter}", re.ASCII if is_bytes or flags & re.ASCII else 0)
        return lambda character: asked.match(character) is not None
    first, last = what if kind is sre.RANGE else (what, what)

    def accepts(character: str) -> bool:
        same = (character, character.lower(), character.upper()) if flags & re.IGNORECASE else (character,)
        return any(len(one) == 1 and first <= ord(one) <= last for one in same) is not (kind is sre.NOT_LITERAL)

    return accepts


def _stands(what: Any, flags: int, text: str, place: int) -> bool:
    """Whether such a place is here."""
    if what is sre.AT_BEGINNING:
        return place == 0 or bool(flags & re.MULTILINE and text[place - 1] == "\n")
    if what is sre.AT_BEGINNING_STRING:
        return place == 0
    if what is sre.AT_END:
        left = len(text) - place
        return left == 0 or (text[place] == "\n" and (left == 1 or bool(flags & re.MULTILINE)))
    if what is sre.AT_END_STRING:
        return place == len(text)
    if what is sre.AT_BOUNDARY:
        before, behind = (
            bool(one) and (one.isalnum() or one == "_") for one in (text[place - 1 : place], text[place : place + 1])
        )
        return before is not behind
    raise NotImplementedError(what)


def _characters(text: Text) -> str:
    """Bytes as the characters with their numbers."""
    return text.decode("latin-1") if isinstance(text, bytes) else text
