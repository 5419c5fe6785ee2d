"""The processes of one bundled bot: its copies share one, and more of them once that one has no time left."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import trio

from ugs.match.bundled_process import BundledProcess
from ugs.processor_time import processors_left_s

LOOK_S: Final = 1.0
"""Seconds between two looks at how busy they are."""
BUSY: Final = 0.85
"""Of the time: when a process uses a processor for more than that, its bot would think more in another one."""
FREE: Final = 0.25
"""Of one processor: where the match leaves less unused, one more process would only take turns with its others."""


class BundledProcesses:
    """All processes of one bot of a match."""

    def __init__(
        self, make: Callable[[], BundledProcess], at_most: int, left_s: Callable[[], float] = processors_left_s
    ) -> None:
        """``at_most``: as many as can think at once. ``left_s``: for how long the match could have used
        processors and has not."""
        self._make = make
        self._left_s = left_s
        self._at_most = at_most
        self._all = [make()]
        self._of: dict[str, int] = {}
        """By nick: the place of its process."""
        self._looked_at: list[float] = []
        """Processor time of each at the last look, in seconds."""
        self._left_before_s = 0.0

    @property
    def used_s(self) -> float:
        """Processor time until now, in seconds."""
        return sum(one.used_s for one in self._all)

    @property
    def pids(self) -> list[int]:
        """Those that run."""
        return [one.process.pid for one in self._all if one.process is not None]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._all)

    @property
    def fewest_copies(self) -> int:
        """How many copies play in that process which has the fewest."""
        copies = Counter(self._of.values())
        return min(copies[place] for place in range(self.count))

    def place(self, nick: str) -> int:
        """Where a copy plays: from the first time on in that process which had the fewest."""
        if nick not in self._of:
            copies = Counter(self._of.values())
            self._of[nick] = min(range(self.count), key=lambda place: copies[place])
        return self._of[nick]

    async def run(
        self, address: tuple[str, int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep them running until cancelled, and start one more when all are busy and the match leaves a processor
        unused. Raises MatchFailed where none starts."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self._all[0].run, address)
            task_status.started()
            while self.count < self._at_most:
                began = trio.current_time()
                await trio.sleep(LOOK_S)
                if self._more_would_help(trio.current_time() - began):
                    more = self._make()
                    await nursery.start(more.run, address)
                    self._all.append(more)

    async def play(self, nick: str, errors: Path) -> None:
        """Have a copy play under this nick; returns when it has ended. What goes wrong in it is added to ``errors``."""
        await self._all[self.place(nick)].play(nick, errors)

    async def seed(self, nick: str, seed: str) -> None:
        """The next game of a copy has this chance."""
        await self._all[self.place(nick)].seed(nick, seed)

    def _more_would_help(self, since_s: float) -> bool:
        """Whether each has been busy since the last look, ``since_s`` ago, and others would find a processor."""
        before, self._looked_at = self._looked_at, [one.used_s for one in self._all]
        left_before_s, self._left_before_s = self._left_before_s, self._left_s()
        # The first look has nothing to compare with, nor has a process that is new.
        if len(before) < self.count:
            return False
        if self._left_before_s - left_before_s < FREE * since_s:
            return False
        return all(now - then > BUSY * since_s for now, then in zip(self._looked_at, before, strict=True))
