"""The clock on the wall: what it shows, and what it showed at each moment of Trio's clock.

It can be set while the server runs, and goes on where Trio's stands still, on a machine that sleeps. Nothing that lasts
for some seconds depends on it. What has to happen at a time of day does, and is notified when the clock has been set.
"""

import math
from collections.abc import Callable

import structlog
import trio

from ugs.record.times import MICRO, wall_us

LOOK_S = 5.0
"""Seconds between two looks."""
SET_US = 1_000_000
"""A clock that is off by more than this from what it would show now has been set."""
MAX_SETTINGS = 1000
"""At most this many are remembered, the last ones."""


class WallClock:
    """The clock on the wall of one server; ``shows_us`` gives it in microseconds since 1970."""

    def __init__(self, shows_us: Callable[[], int] = wall_us) -> None:
        self._shows_us = shows_us
        self._offsets: list[tuple[float, int]] = [(-math.inf, self._offset_us(trio.current_time()))]
        """Since which moment it is how many microseconds ahead of Trio's clock."""

    def look(self, now: float) -> int:
        """See what it shows ``now``, a moment of Trio's clock. Returns the microseconds from that clock to this one."""
        offset_us = self._offset_us(now)
        # Less is the drift of two clocks, and that they are not read in the same instant.
        if abs(offset_us - self._offsets[-1][1]) > SET_US:
            self._offsets.append((now, offset_us))
            del self._offsets[:-MAX_SETTINGS]
        return offset_us

    def showed_s(self, moment: float) -> float:
        """What it showed at a moment of Trio's clock, in seconds since 1970, as far as was seen."""
        offset_us = next(
            (offset_us for since, offset_us in reversed(self._offsets) if since <= moment), self._offsets[0][1]
        )
        return moment + offset_us / MICRO

    async def watch(self, is_set: Callable[[float], object]) -> None:
        """Look, for ever. ``is_set`` is called with what it shows when it has been set, in seconds since 1970."""
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        # Kept here: the recorder looks, too, and would hide a setting of the clock from this loop.
        _, known_us = self._offsets[-1]
        while True:
            await trio.sleep(LOOK_S)
            now = trio.current_time()
            offset_us = self.look(now)
            if abs(offset_us - known_us) > SET_US:
                log.warning("the clock of this machine was set", by_s=round((offset_us - known_us) / MICRO, 3))
                known_us = offset_us
                is_set(now + offset_us / MICRO)

    def _offset_us(self, now: float) -> int:
        return self._shows_us() - int(now * MICRO)
