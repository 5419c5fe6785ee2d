"""The clock of one server: Trio's, but it stands still while peers wait for the journal.

Where messages wait for a commit (``keep = "moves"``), or the disk is so far behind that nothing is read, no peer can
act, or be heard, however fast it is. So no deadline of anyone may come nearer. The broker, the timers and the times in
the journal all go by this clock: a wait counts in no rule of the broker, without any of them knowing of it.

Every commit takes some milliseconds, and peers that wait for nothing think on meanwhile. So the beginning of each wait
counts, and this clock catches up by that much; until it is known how long the wait is, it stands. A wait that did not
count at all because it is long would let a peer think for ever: others, or a second line of its own, need only give the
journal enough to write.
"""

import math
from collections.abc import Callable
from typing import Final

import structlog
import trio

CATCHES_UP_S: Final = 0.1
"""What counts of each wait: it takes no more from anyone than a slow line does. A move that comes during a wait pays
for it, so with more, quick players ran out of a short time for the whole game; with less, who is silent is judged
later."""
LOGGED_S: Final = 2.0
"""A wait that is longer than this is logged."""


class ServerClock:
    """Moments of it are numbers of seconds, as those of Trio's clock, and never go back."""

    def __init__(self) -> None:
        self.stood_s = 0.0
        """How far it is behind Trio's clock, but for what it stands now."""
        self.on_going_on: list[Callable[[], None]] = []
        """Called when it has stood and goes on."""
        self._trio = trio.lowlevel.current_clock().current_time
        self._stands_since: float | None = None
        """Since when it stands, by Trio's clock."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return self._stands_since is not None

    def now(self) -> float:
        """What it shows."""
        since = self._stands_since
        return (self._trio() if since is None else since) - self.stood_s

    def at(self, moment: float) -> float:
        """What it shows, or showed, at a moment of Trio's clock since it last stood."""
        since = self._stands_since
        return (moment if since is None or moment < since else since) - self.stood_s

    def moment_of(self, shown: float) -> float:
        """When it will show this, by Trio's clock, as far as is known: infinity while it stands."""
        return shown + self.stood_s if self._stands_since is None else math.inf

    def stop(self) -> None:
        """Peers wait for the journal. Does nothing while it stands."""
        if self._stands_since is None:
            self._stands_since = self._trio()

    def go_on(self) -> None:
        """They do not wait any more. Does nothing while it goes."""
        since = self._stands_since
        if since is None:
            return
        self._stands_since = None
        waited_s = self._trio() - since
        self.stood_s += max(0.0, waited_s - CATCHES_UP_S)
        if waited_s > LOGGED_S:
            self._log.warning("peers had to wait for the journal: no clock ran", seconds=round(waited_s, 1))
        for call in self.on_going_on:
            call()
