"""A fuzzer for cost: `python -m tests.fuzz.cost --minutes 5 [TARGET ...]` (`make fuzz-cost`).

It looks for inputs of which a byte costs the more work, the longer they are. An input is a row of parts, each repeated
some times; in a repeated part ``{n}`` stands for the number of the copy, and everywhere ``{all}`` for the most copies
that any part has. Parts are changed, and what is dear is doubled. A find is an input whose work grows much faster than
its bytes, twice in a row. The work (tests/fuzz/work.py) and the source of chance are the same on every machine.

The target ``scenes`` asks what one message costs in a server full of others, and goes on behind a find:
tests/fuzz/growth.py.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Final, Protocol

from tests.fuzz.growth import Growth
from tests.fuzz.targets import JSON, MARKUP, MESSAGES, inputs
from tests.fuzz.work import work_of

MAX_BYTES: Final = 24_000
"""Of an input that is tried while the fuzzer looks for dear ones."""
MAX_WORK: Final = 3_000_000
"""For one input: some seconds."""
TIMES: Final = 3
"""How many times as often what is repeated is repeated, to see how its cost grows."""
STEEPER: Final = 1.8
"""How many times as fast as its bytes the work for an input may grow from one size to the next. Linear is 1, a square
TIMES."""
KEPT: Final = 40
MAX_OF_CORPUS: Final = 12
"""Inputs of a corpus with which the fuzzer begins: the shortest."""
SWEPT_BYTES: Final = 300
"""Of each of the parts up to this size that an input to begin with has, every token is repeated once."""
TOKEN: Final = re.compile(rb"[ \t\r\n]+|\w+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """Some bytes, repeated."""

    text: bytes
    times: int = 1


Input = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class CostTarget:
    """What is fed, in which packages expressions are counted, and what the fuzzer begins with."""

    function: str
    packages: tuple[str, ...]
    words: tuple[bytes, ...]
    corpus: str = ""
    """The target of tests/fuzz/targets.py whose corpus is taken."""
    begins: tuple[Input, ...] = ()

    def seeds(self) -> list[Input]:
        """All inputs to begin with."""
        corpus = sorted(inputs(self.corpus) if self.corpus else [], key=len)
        return [*self.begins, *((Part(data),) for data in corpus[:MAX_OF_CORPUS] if data)]

    def work(self, one: Input, most: int = MAX_WORK) -> int:
        """How much work it is to feed this."""
        return work_of(resolve_name(self.function), rendered(one), self.packages, most)


@dataclass(frozen=True, slots=True)
class Find:
    """An input that is too dear."""

    one: Input
    growth: tuple[tuple[int, int], ...]
    """Bytes and work, from size to size."""

    def __str__(self) -> str:
        parts = " ".join(f"{part.times} x {part.text[:160]!r}" for part in self.one)
        sizes = ", ".join(f"{size} bytes {work}" for size, work in self.growth)
        return f"work grows faster than bytes: {sizes}: {parts}"


_PLAYER: Final = b'p{n} <message type="playerLogin"><playerLogin nick="p{n}" gameType="%b"/></message>\n'
_MASTER: Final = (
    b'm{n} <message type="gameMasterLogin"><gameMasterLogin id="m{n}" gameType="%b" playersMin="%b" playersMax="%b"/>'
    b"</message>\n"
)
_HELLO: Final = b'%b <message type="x-hello"><ext name="lobby"/><ext name="table"/><ext name="reason"/></message>\n'
_STATE: Final = (
    b'm0 <message type="gameState"><gameId id="g1"/><nextPlayer nick="p0"/><gameState>a state</gameState></message>\n'
)
_MOVE: Final = b'p0 <message type="move"><gameId id="g1"/><move/></message>\n'
_TABLE: Final = b'p0 <message type="x-advertise"><table name="t" seats="{all}"/></message>\n'
_CROWDS: Final = (
    (Part(_PLAYER % b"go{n}"), Part(_MASTER % (b"chess{n}", b"2", b"2")), Part(b"? public\n")),
    (Part(_MASTER % (b"go", b"{all}", b"{all}")), Part(_PLAYER % b"go", 2)),
    (Part(_MASTER % (b"go", b"2", b"2")), Part(_PLAYER % b"go", 2), Part(b"~ 1\n")),
    (
        *(Part(_HELLO % b"m0"), Part(_MASTER % (b"go", b"2", b"64"))),
        *(Part(_HELLO % b"p{n}", 2), Part(_PLAYER % b"go", 2), Part(_TABLE)),
        Part(b'p{n} <message type="x-join"><table id="g1"/></message>\n', 2),
        Part(b"- p{n}\n"),
    ),
    (
        *(Part(_HELLO % b"p0"), Part(_MASTER % (b"go", b"2", b"2")), Part(_PLAYER % b"go", 2)),
        *(Part(_STATE), Part(_STATE + _MOVE), Part(b'p0 <message type="x-why"><gameId id="g1"/></message>\n')),
    ),
)
_DRESSED: Final = (
    b"<?xml version='1.0'?><!-- a --><message xmlns:p=\"u\" type='error' >"
    b"<p:a b = 'c' p:d=\"e\" >f</p:a ><![CDATA[g]]></message >"
)
"""What documents may be written with."""
_SAID: Final = (b" ", b"\n", b"\t", b"a", b"=", b'"', b"''", b"?", b"-", b"&lt;")

TARGETS: Final[dict[str, CostTarget]] = {
    "framing": CostTarget(
        "tests.fuzz.crowds:stream_cost", ("ugs.wire",), _SAID + MARKUP, "framing", ((Part(_DRESSED),),)
    ),
    "codec": CostTarget("tests.fuzz.crowds:stream_cost", ("ugs.wire",), _SAID + MARKUP + MESSAGES, "codec"),
    "requests": CostTarget("tests.fuzz.crowds:requests_cost", ("game_masters.apologies",), _SAID + JSON, "requests"),
    "crowd": CostTarget(
        "tests.fuzz.crowds:crowd_cost",
        ("ugs.broker", "ugs.journal", "ugs.record"),
        (b"? public\n", b"? server\n", b"? why\n", b"~ 3\n", b"- p0\n"),
        begins=_CROWDS,
    ),
}


SCENES: Final = "scenes"


def rendered(one: Input) -> bytes:
    """The bytes of an input."""
    most = b"%d" % max((part.times for part in one), default=0)
    copies = (
        part.text.replace(b"{n}", b"%d" % number) if b"{n}" in part.text else part.text
        for part in one
        for number in range(part.times)
    )
    return b"".join(copies).replace(b"{all}", most)


def size_of(one: Input) -> int:
    """About how many bytes it has."""
    return sum(len(part.text) * part.times for part in one)


class Fuzzer:
    """Looks for dear inputs of one target; ``tried`` counts them."""

    def __init__(self, target: CostTarget, seed: int = 0) -> None:
        self.target = target
        self.tried = 0
        self._chance = random.Random(seed)
        self._seeds = target.seeds()
        self._pool: list[tuple[float, Input]] = []
        self._seen: set[Input] = set()

    def run(self) -> Iterator[Find | None]:
        """Try one input after the other, for ever; each is a find, or None."""
        for one in self._seeds:
            yield self._try(one)
        for one in self._seeds:
            for place, part in enumerate(one):
                if len(part.text) <= SWEPT_BYTES and part.times == 1:
                    for found in TOKEN.finditer(part.text):
                        cuts = (part.text[: found.start()], found[0], part.text[found.end() :])
                        yield self._try(_with_cut(one, place, cuts, 64))
        while True:
            dearest = self._pool[: self._chance.choice((5, len(self._pool)))]
            yield self._try(self._changed(self._chance.choice(dearest)[1]))

    def _try(self, one: Input) -> Find | None:
        if not one or one in self._seen or size_of(one) > MAX_BYTES:
            return None
        self._seen.add(one)
        self.tried += 1
        work = self.target.work(one)
        self._pool.append((work / (size_of(one) + 100), one))
        self._pool.sort(key=lambda kept: -kept[0])
        del self._pool[KEPT + len(self._seeds) :]
        if any(part.times > 3 for part in one):
            return steep(self.target, one, work)
        return None

    def _changed(self, one: Input) -> Input:
        """Some parts are split, repeated more often, put in or left out."""
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            place = self._chance.randrange(len(one)) if one else 0
            one = self._chance.choice(
                (self._more, self._more, self._split, self._with_word, self._together, self._less)
            )(one, place)
        return one

    def _more(self, one: Input, place: int) -> Input:
        times = self._chance.choice((2, 2, 4, 16))
        return tuple(
            Part(part.text, part.times * times) if number == place else part for number, part in enumerate(one)
        )

    def _together(self, one: Input, _place: int) -> Input:
        """All that is repeated, or may be told apart by its number, more often."""
        return tuple(Part(part.text, part.times * 4) if b"{n}" in part.text or part.times > 1 else part for part in one)

    def _split(self, one: Input, place: int) -> Input:
        """A piece of a part becomes one of its own, which is repeated."""
        text, times = (one[place].text, one[place].times) if one else (b"", 1)
        tokens = [found.start() for found in TOKEN.finditer(text)] + [len(text)]
        if times > 1 or len(tokens) < 3:
            return one
        begin = self._chance.randrange(len(tokens) - 1)
        end = min(len(tokens) - 1, begin + self._chance.choice((1, 1, 2, 4, 8, 16)))
        cuts = (text[: tokens[begin]], text[tokens[begin] : tokens[end]], text[tokens[end] :])
        return _with_cut(one, place, cuts, self._chance.choice((1, 8, 64, 256)))

    def _with_word(self, one: Input, place: int) -> Input:
        """A word within a part, or beside it."""
        word = Part(self._chance.choice(self.target.words), self._chance.choice((1, 1, 8, 64, 256)))
        if not one or one[place].times > 1:
            return (*one[:place], word, *one[place:])
        text = one[place].text
        cut = self._chance.choice([found.start() for found in TOKEN.finditer(text)])
        new = (Part(text[:cut]), word, Part(text[cut:]))
        return (*one[:place], *(part for part in new if part.text), *one[place + 1 :])

    def _less(self, one: Input, place: int) -> Input:
        return (*one[:place], *one[place + 1 :])


def _with_cut(one: Input, place: int, cuts: tuple[bytes, bytes, bytes], times: int) -> Input:
    """The part at ``place`` in three, of which the second is repeated."""
    new = (Part(cuts[0]), Part(cuts[1], times), Part(cuts[2]))
    return (*one[:place], *(part for part in new if part.text), *one[place + 1 :])


def steep(target: CostTarget, one: Input, work: int) -> Find | None:
    """The input as a find, if its work grows much faster than its bytes, twice in a row."""
    sizes = [(len(rendered(one)), work)]
    for _ in range(2):
        one = tuple(Part(part.text, part.times * TIMES) if part.times > 3 else part for part in one)
        size, before = len(rendered(one)), sizes[-1]
        if size < 1.5 * before[0] or size > MAX_BYTES * TIMES * TIMES:
            return None
        most = int(before[1] * (size / before[0]) * STEEPER * 2) + 1000
        sizes.append((size, target.work(one, most)))
        if sizes[-1][1] / before[1] < STEEPER * size / before[0]:
            return None
    return Find(one, tuple(sizes))


class Search(Protocol):
    """Looks for what is too dear; ``tried`` counts inputs."""

    tried: int

    def run(self) -> Iterator[object | None]:
        """Try one input after the other, for ever; each is a find, or None."""


def search(name: str, seed: int = 0) -> Search:
    """The search of a target."""
    return Growth(seed) if name == SCENES else Fuzzer(TARGETS[name], seed)


def find(name: str, seconds: float, seed: int = 0, tries: int = sys.maxsize) -> tuple[Find | None, int]:
    """Look for a find of a stream for so long, or with so many inputs. The find, or None; and how many inputs were
    tried."""
    fuzzer = Fuzzer(TARGETS[name], seed)
    for found in _until(fuzzer, seconds):
        if found is not None or fuzzer.tried >= tries:
            assert found is None or isinstance(found, Find)
            return found, fuzzer.tried
    return None, fuzzer.tried


def _until(searched: Search, seconds: float) -> Iterator[object | None]:
    until = time.monotonic() + seconds
    for found in searched.run():
        yield found
        if time.monotonic() > until:
            return


def main() -> None:
    """Look for what is too dear in all targets, or in those that are named."""
    names = [*TARGETS, SCENES]
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.cost", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(names)}; all for none")
    parser.add_argument("--minutes", type=float, default=5.0, help="for each target")
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    for name in said.targets:
        if name not in names:
            parser.error(f"no target {name!r}; there are {', '.join(names)}")
    finds = 0
    for name in said.targets or names:
        begun = time.monotonic()
        before, searched = finds, search(name, said.seed)
        for found in _until(searched, said.minutes * 60):
            if found is not None:
                finds += 1
                print(f"{name:10} {(time.monotonic() - begun) / 60:5.1f} min FOUND {found}", flush=True)
                if name != SCENES:
                    break
        spent = f"{(time.monotonic() - begun) / 60:5.1f} min {searched.tried:>7} inputs"
        print(f"{name:10} {spent}; {finds - before or 'nothing'} found", flush=True)
    sys.exit(1 if finds else 0)


if __name__ == "__main__":
    main()
