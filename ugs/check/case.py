"""What a case is, and what has come of it. No I/O."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class Level(StrEnum):
    """How much depends on it."""

    MUST = "must"
    """A program that fails here does not speak the protocol: games are lost or void."""
    SHOULD = "should"
    """Correct servers may do this, and this one does it seldom or only with some settings."""


class CaseVerdict(StrEnum):
    """What has come of a case."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It is not for such a program: for example, it has not asked for the family."""
    BLOCKED = "blocked"
    """It could not be tried, because another case failed."""


Run: TypeAlias = Callable[[Any], Awaitable[None]]
"""Plays a case on a stage. Returns when the program has done what it should; raises Broken or NotForThis."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that a program can get right or wrong."""

    name: str
    """A group and a word: ``turn/second-seat``."""
    what: str
    """What is tried, in a line."""
    sentence: str
    """On what it stands: words of ``schemas/README.md``."""
    run: Run | None = None
    """None: it is watched in all dialogues, and never tried by itself."""
    level: Level = Level.MUST
    fresh: bool = False
    """Whether it begins with a new connection of a new process."""
    basic: bool = False
    """Whether nothing else can be tried when it fails."""
    builds_on: str = ""
    """The case that this one needs to mean anything."""
    games: int = 1
    """How many whole games it plays: it may take that much longer. Each answer has the time that it always has."""


class Broken(Exception):
    """The program did not do what it should. The text names what was expected, and what came."""

    def __init__(self, text: str, case: str = "") -> None:
        """``case`` names the case that was watched and has failed, where it is another one than the one that is
        tried."""
        super().__init__(text)
        self.case = case


@contextmanager
def blames_itself() -> Iterator[None]:
    """What goes wrong in here is what the case is about, though it is watched in all others, too."""
    try:
        yield
    except Broken as broken:
        raise Broken(str(broken)) from None


class NotForThis(Exception):
    """The case is not for such a program. The text gives the reason."""


class NoProgram(Exception):
    """There is no program to try: it cannot be started, or does not connect. The text gives the reason."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that were sent in one write or came in one read."""

    at_s: float
    """Since the beginning of the case."""
    ours: bool
    """Whether the check has sent them."""
    data: bytes


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """What has come of one case."""

    case: Case
    verdict: CaseVerdict
    text: str = ""
    """Why it did not pass."""
    dialogue: Sequence[Chunk] = ()
    """The bytes of the case, where it has failed."""
    wrote: Sequence[str] = ()
    """The last lines that the program has written, where it has failed."""
    took_s: float = 0.0


def failures(findings: Sequence[CaseFinding], level: Level | None = None) -> int:
    """How many have failed, of this level or of all."""
    return sum(one.verdict is CaseVerdict.FAILED and level in (None, one.case.level) for one in findings)
