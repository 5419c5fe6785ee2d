"""Inputs that are likely to be the worst for an expression, made from the expression itself.

What is dear to a backtracking engine begins well, goes on for long in a way that several parts of the expression can
read, and ends wrongly. So an input is the beginning of something that matches, a part that is repeated, and an end. All
three are made of the letters of the expression, one for each class of letters that it tells apart, and of samples of
its parts.
"""

import math
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from re import _constants as sre
from typing import Any, Final

from tests.patterns.steps import Counted, Steps, Text, TooDear

CANDIDATES: Final = tuple(" \t\n\0aAzZ059_-.:;,=<>/'\"[]{}()!?&#\\+*|żé\U0001f600")
SMALL: Final = 24
GROWS: Final = 8
"""Repetitions in a small input, and how many times as many are in a large one."""
MAX_GROWTH: Final = 2 * GROWS
"""Linear cost grows GROWS times, a square GROWS times as much again."""


SURE: Final = 4 * SMALL
"""Repetitions in the small one of two inputs at which limits of the expression itself, such as ``{1,64}``, no longer
look like a square."""
MAX_STEPS: Final = 2000
"""For each part of a small input: more is dear, however it grows."""


@dataclass(frozen=True)
class Input:
    """``begin``, then ``part`` again and again, then ``end``."""

    begin: str
    part: str
    end: str

    def text(self, times: int, is_bytes: bool) -> Text:
        """The input with so many parts."""
        text = self.begin + self.part * times + self.end
        return text.encode("latin-1") if is_bytes else text


def letters(counted: Counted) -> list[str]:
    """One letter for each class that the expression tells apart."""
    candidates = [*CANDIDATES, *_literals(counted.tree)]
    counted.program  # noqa: B018  (it fills ``single``)
    kinds: dict[tuple[bool, ...], str] = {}
    for letter in candidates:
        if not counted.is_bytes or ord(letter) < 256:
            kinds.setdefault(tuple(accepts(letter) for accepts in counted.single), letter)
    return list(kinds.values())


def _literals(tree: Any) -> Iterator[str]:
    for kind, what in tree:
        if kind in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(what)
        elif kind is sre.IN:
            yield from _literals(item for item in what if item[0] is not sre.NEGATE)
        elif kind is sre.RANGE:
            yield from (chr(what[0]), chr(what[1]))
        else:
            for inside in _inside(kind, what):
                yield from _literals(inside)


def _inside(kind: Any, what: Any) -> Iterable[Any]:
    """The trees in a node."""
    if kind is sre.BRANCH:
        return list(what[1])
    if kind is sre.SUBPATTERN:
        return [what[3]]
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return [what[2]]
    if kind in (sre.ASSERT, sre.ASSERT_NOT):
        return [what[1]]
    return [what] if kind is sre.ATOMIC_GROUP else []


def sample(tree: Any, counted: Counted, which: int = 0) -> str:
    """Something that the tree matches, or nearly; ``which`` chooses among branches and letters."""
    return "".join(_sampled(kind, what, counted, which) for kind, what in tree)


def _sampled(kind: Any, what: Any, counted: Counted, which: int) -> str:
    if kind is sre.LITERAL:
        return chr(what)
    if kind in (sre.IN, sre.NOT_LITERAL, sre.ANY):
        accepts = counted._accepts(kind, what, counted.pattern.flags)
        good = [letter for letter in CANDIDATES if accepts(letter) and (not counted.is_bytes or ord(letter) < 256)]
        good = good or [letter for letter in _literals([(kind, what)]) if accepts(letter)]
        return good[which % len(good)] if good else ""
    if kind is sre.BRANCH:
        return sample(what[1][which % len(what[1])], counted, which)
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return sample(what[2], counted, which) * min(max(int(what[0]), 1), 40)
    if kind in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
        return "".join(sample(inside, counted, which) for inside in _inside(kind, what))
    return ""


def parts(tree: Any, counted: Counted) -> Iterator[str]:
    """Samples of all that is repeated, and of neighbours together."""
    samples = [_sampled(kind, what, counted, 0) for kind, what in tree]
    for first in range(len(samples)):
        for last in range(first + 1, min(first + 4, len(samples)) + 1):
            yield "".join(samples[first:last])
    for kind, what in tree:
        for inside in _inside(kind, what):
            yield from (sample(inside, counted, which) for which in range(3))
            yield from parts(inside, counted)


def inputs(counted: Counted, most: int) -> list[Input]:
    """At most so many inputs, those of single letters first. The same arguments give the same inputs."""
    single = letters(counted)
    wholes = {sample(counted.tree, counted, which) for which in range(4)}
    begins = list(dict.fromkeys(["", *(whole[:size] for whole in sorted(wholes) for size in range(1, len(whole) + 1))]))
    repeated = list(dict.fromkeys([*single, *parts(counted.tree, counted), *begins]))
    ends = ["", *single]
    simple = [Input(begin, part, end) for part in single for begin in ("", *sorted(wholes)) for end in ("", single[-1])]
    chance = random.Random(0)
    made = [
        Input(chance.choice(begins), chance.choice(repeated) + chance.choice(["", *repeated]), chance.choice(ends))
        for _ in range(most)
    ]
    found = dict.fromkeys(one for one in [*simple, *made] if one.part)
    return list(found)[:most]


def steps(counted: Counted, ask: str, text: Text, most: int = 1 << 62) -> int:
    """How many steps it takes to ask the expression of this text."""
    counter = Steps(most)
    try:
        if ask in ("match", "fullmatch"):
            counted.match(text, counter, whole=ask == "fullmatch")
        elif ask == "search":
            counted.search(text, counter)
        else:
            for _ in counted.all(text, counter):
                pass
    except TooDear:
        pass
    return counter.taken


def growth(counted: Counted, ask: str, one: Input, small: int = SMALL) -> float:
    """How many times as many steps GROWS times as many parts take. What does not depend on their number is left out."""
    none, few = (steps(counted, ask, one.text(times, counted.is_bytes), MAX_STEPS * small) for times in (0, small))
    if few > MAX_STEPS * small:
        return math.inf
    least = max(few - none, small)
    many = steps(counted, ask, one.text(GROWS * small, counted.is_bytes), none + (2 * MAX_GROWTH + 1) * least)
    return (many - none) / least


def dearest(pattern: "re.Pattern[Any]", ask: str, most: int) -> tuple[float, Input | None]:
    """The worst of at most so many inputs, and how its cost grows: about GROWS if it is linear. What seems to be worse
    is tried again at a size at which that is sure."""
    counted = Counted(pattern)
    worst, found = 0.0, None
    for one in inputs(counted, most):
        grows = growth(counted, ask, one)
        if MAX_GROWTH < grows < math.inf:
            grows = growth(counted, ask, one, SURE)
        if grows > worst:
            worst, found = grows, one
        if worst > MAX_GROWTH:
            break
    return worst, found
