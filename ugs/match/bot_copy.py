"""One copy of a bot of a match: a player on its server, with what is known of it."""

from dataclasses import dataclass, field
from math import inf

import trio

from ugs.match.clocked_line import ClockedLine
from ugs.match.programs import Errors
from ugs.processor_time import ProcessorTime, ProcessorUse


@dataclass(eq=False)
class Copy:
    """One player on the server."""

    bot: str
    nick: str
    errors: Errors
    here: bool = False
    """Whether it is logged in."""
    busy: bool = False
    seed: str = ""
    """Of its present game."""
    games: int = 0
    free_since: float = -inf
    """When its last game ended, on Trio's clock."""
    address: tuple[str, int] = ("", 0)
    """Where its program connects to, where its moves are timed."""
    away_since: float = 0.0
    """When it was not logged in any more, or was wanted first, on Trio's clock."""
    late: bool = False
    """Whether a game has waited for it for so long that whoever watches has to know."""
    starts: int = 0
    """In a row, without a game between."""
    process: trio.Process | None = None
    line: ClockedLine | None = None
    """Where its moves are timed; None where they are not."""
    _before: ProcessorUse = field(default_factory=ProcessorUse)
    """What its programs that have ended had used, as far as it was looked at."""
    _meter: ProcessorTime | None = None
    _at_start: ProcessorUse = field(default_factory=ProcessorUse)
    """What they had used when the first game of the match began."""

    def use(self) -> ProcessorUse:
        """What its programs have used until now. What one uses between the last look and its end is not known."""
        now = self._meter.read() if self._meter is not None else ProcessorUse()
        return ProcessorUse(self._before.used_s + now.used_s, self._before.waited_s + now.waited_s)

    def first_game_begins(self) -> None:
        """What its programs have used until now was for their start, not for games."""
        self._at_start = self.use()

    def use_for_games(self) -> ProcessorUse:
        """What its programs have used since the first game of the match began."""
        return self.use().since(self._at_start)

    def starts_program(self, process: trio.Process) -> None:
        """A new program plays for it."""
        self.ends_program()
        self.process, self._meter = process, ProcessorTime(process.pid)

    def ends_program(self) -> None:
        """Its program has ended."""
        # Read before it is closed: with its control group goes what the program has used.
        self._before, meter, self._meter = self.use(), self._meter, None
        if meter is not None:
            meter.close()

    def begins(self, seed: str) -> None:
        """A game is going to be ordered."""
        self.seed = seed
        if self.line is not None:
            self.line.overtime = ""

    @property
    def overtime(self) -> str:
        """Why it has lost its present game on time, where its moves are timed."""
        return self.line.overtime if self.line is not None else ""
