"""How much work the code under test does, as a number that is the same on every machine.

Counted are the lines of Python that run outside of the tests, the steps of regular expressions (by the engine in
``tests/patterns/steps.py``, since that of ``re`` is written in C), and the bytes that are unpacked. Other functions
that are written in C and take long for little are not seen: what they are given is made by lines, mostly.
"""

import bz2
import gc
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest import mock

from tests.patterns.steps import Counted, Steps, TooDear

TESTS: Final = str(Path(__file__).parents[1])
BYTES_OF_A_LINE: Final = 100
"""Bytes that are unpacked while a line runs, ..."""
BYTES_OF_A_BYTECODE: Final = 10
"""... and while a bytecode does."""


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
def _counting_patterns(work: Work, packages: tuple[str, ...]) -> Iterator[None]:
    """Regular expressions of the packages count what they do."""
    replaced: list[tuple[dict[Any, Any], Any, Any]] = []
    for name, module in list(sys.modules.items()):
        if not name.startswith(packages) or module is None:
            continue
        for space in [vars(module), *(value for value in vars(module).values() if type(value) is dict)]:
            for key, value in list(space.items()):
                if isinstance(value, re.Pattern) and (counted := _counted(value)) is not None:
                    replaced.append((space, key, value))
                    space[key] = CountedPattern(value, counted, work)
    try:
        yield
    finally:
        for space, key, value in replaced:
            space[key] = value


class CountedStream:
    """Unpacks, and counts the bytes."""

    def __init__(self, stream: Any, work: Work, cheap: int) -> None:
        self._stream, self._work, self._cheap = stream, work, cheap

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def decompress(self, data: Any, *most: int) -> bytes:
        text: bytes = self._stream.decompress(data, *most)
        self._work.more(len(text) // self._cheap)
        return text


@contextmanager
def _counting_unpacked(work: Work, cheap: int) -> Iterator[None]:
    """What zlib and bz2 unpack counts, one for each ``cheap`` bytes."""

    def whole(unpack: Callable[..., bytes]) -> Callable[..., bytes]:
        def unpacked(data: Any, *more: Any, **named: Any) -> bytes:
            text = unpack(data, *more, **named)
            work.more(len(text) // cheap)
            return text

        return unpacked

    def stream(begin: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **named: CountedStream(begin(*arguments, **named), work, cheap)

    counted: tuple[tuple[Any, str, Callable[[Any], Any]], ...] = (
        (zlib, "decompress", whole),
        (zlib, "decompressobj", stream),
        (bz2, "decompress", whole),
        (bz2, "BZ2Decompressor", stream),
    )
    with ExitStack() as replaced:
        for module, name, count in counted:
            replaced.enter_context(mock.patch.object(module, name, count(getattr(module, name))))
        yield


@contextmanager
def _traced(trace: Callable[..., Any]) -> Iterator[None]:
    """Every line that runs is shown to this function, and none to the one before, which comes back."""
    collects, before = gc.isenabled(), sys.gettrace()
    gc.disable()
    sys.settrace(trace)
    try:
        with suppress(TooMuch):
            yield
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()


def work_of(feed: Callable[[bytes], object], data: bytes, packages: tuple[str, ...], most: int) -> int:
    """How much work it is to feed this; at most ``most`` and a little."""
    work = Work(most)
    with _counting_patterns(work, packages), _counting_unpacked(work, BYTES_OF_A_LINE), _traced(work.line):
        feed(data)
    return work.done


def bytecodes_of(act: Callable[[], object], most: int) -> int:
    """How many bytecodes an act takes, outside of the tests, and bytes that it unpacks; at most ``most`` and a little.
    Then it was not done to its end."""
    work = Work(most)

    def count(frame: FrameType, event: str, _what: Any) -> Any:
        if event == "opcode":
            work.done += 1
            if work.done > most:
                raise TooMuch
        elif event == "call":
            if frame.f_code.co_filename.startswith(TESTS):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return count

    with _counting_unpacked(work, BYTES_OF_A_BYTECODE), _traced(count):
        act()
    return work.done
