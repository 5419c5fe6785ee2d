"""How much work the code under test does, as a number that is the same on every machine.

Counted are the lines of Python that run outside of the tests, the steps of regular expressions (by the engine in
``tests/patterns/steps.py``, since that of ``re`` is written in C), and the bytes that are unpacked. Other functions
that are written in C and take long for little are not seen: what they are given is made by lines, mostly.
"""

import gc
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.patterns.steps import Counted, Steps, TooDear

TESTS: Final = str(Path(__file__).parents[1])
BYTES_OF_A_LINE: Final = 100
"""Bytes that are unpacked while a line runs."""


class TooMuch(Exception):
    """More work than is worth while to count."""


class Work:
    """What has been counted."""

    def __init__(self, most: int) -> None:
        self.done = 0
        self._most = most

    def line(self, frame: FrameType, event: str, _what: Any) -> Any:
        """A function for sys.settrace."""
        if event == "line":
            self.more(1)
        return self.line if event != "call" or not frame.f_code.co_filename.startswith(TESTS) else None

    def more(self, number: int) -> None:
        """Raises TooMuch."""
        self.done += number
        if self.done > self._most:
            raise TooMuch

    def left(self) -> int:
        """How much more may be done."""
        return self._most - self.done


class CountedPattern:
    """Asks ``re``, and counts the steps beside it."""

    def __init__(self, pattern: "re.Pattern[Any]", counted: Counted, work: Work) -> None:
        self._pattern, self._counted, self._work = pattern, counted, work

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._pattern, name)
        if name not in ("match", "fullmatch", "search", "findall", "finditer", "sub", "split"):
            return asked

        def ask(*arguments: Any) -> Any:
            place = 1 if name == "sub" else 0
            text, span = arguments[place], arguments[place + 1 : place + 3] if name != "sub" else ()
            trace = sys.gettrace()
            sys.settrace(None)
            try:
                self._count(name, text if isinstance(text, str) else bytes(text), *span)
            finally:
                sys.settrace(trace)
            return asked(*arguments)

        return ask

    def _count(self, name: str, text: Any, start: int = 0, stop: int = sys.maxsize) -> None:
        steps = Steps(self._work.left())
        text = text[start:stop]
        try:
            if name in ("match", "fullmatch"):
                self._counted.match(text, steps, whole=name == "fullmatch")
            elif name in ("search", "finditer"):  # of the latter no more may be asked
                self._counted.search(text, steps)
            else:
                for _ in self._counted.all(text, steps):
                    pass
        except TooDear:
            raise TooMuch from None
        finally:
            self._work.done += steps.taken


@cache
def _counted(pattern: "re.Pattern[Any]") -> Counted | None:
    counted = Counted(pattern)
    try:
        counted.program  # noqa: B018  (it may not be possible)
    except NotImplementedError:
        return None
    return counted


@contextmanager
def _counting(work: Work, packages: tuple[str, ...]) -> Iterator[None]:
    """Regular expressions of the packages, and zlib in them, count what they do."""
    replaced: list[tuple[dict[Any, Any], Any, Any]] = []
    for name, module in list(sys.modules.items()):
        if not name.startswith(packages) or module is None:
            continue
        for space in [vars(module), *(value for value in vars(module).values() if type(value) is dict)]:
            for key, value in list(space.items()):
                if isinstance(value, re.Pattern) and (counted := _counted(value)) is not None:
                    replaced.append((space, key, value))
                    space[key] = CountedPattern(value, counted, work)
    unpack = zlib.decompress

    def unpacked(data: Any, *more: Any, **named: Any) -> bytes:
        text = unpack(data, *more, **named)
        work.more(len(text) // BYTES_OF_A_LINE)
        return text

    zlib.decompress = unpacked
    try:
        yield
    finally:
        zlib.decompress = unpack
        for space, key, value in replaced:
            space[key] = value


def work_of(feed: Callable[[bytes], object], data: bytes, packages: tuple[str, ...], most: int) -> int:
    """How much work it is to feed this; at most ``most`` and a little."""
    work = Work(most)
    collects = gc.isenabled()
    gc.disable()
    before = sys.gettrace()
    try:
        with _counting(work, packages):
            sys.settrace(work.line)
            try:
                feed(data)
            except TooMuch:
                pass
            finally:
                sys.settrace(before)
    finally:
        if collects:
            gc.enable()
    return work.done
