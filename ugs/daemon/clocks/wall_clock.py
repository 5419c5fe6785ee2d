"""The clock on the wall: what it shows, and what it showed at each moment of the server's clock.

It can be set while the server runs, and goes on where the server's stands still: on a machine that sleeps, and while
peers wait for the journal. Nothing that lasts
for some seconds depends on it. What has to happen at a time of day does, and is notified when the clock has been set.
"""

import math
from collections.abc import Callable

import structlog
import trio

from ugs.daemon.server_clock import ServerClock
from ugs.record.times import MICRO, wall_us

LOOK_S = 5.0
"""Seconds between two looks."""
SET_US = 1_000_000
"""A clock that is off by more than this from what it would show now has been set."""
MAX_SETTINGS = 1000
"""At most this many are remembered, the last ones."""


class WallClock:
    """The clock on the wall of one server; ``shows_us`` gives it in microseconds since 1970, ``clock`` is the server's
    (default: one that never stands)."""

    def __init__(self, shows_us: Callable[[], int] = wall_us, clock: ServerClock | None = None) -> None:
        self._shows_us = shows_us
        self._clock = clock or ServerClock()
        self._offsets: list[tuple[float, int]] = [(-math.inf, self._offset_us(self._clock.now()))]
        """Since which moment it is how many microseconds ahead of the server's clock."""

    def now(self) -> float:
        """What the server's clock shows."""
        return self._clock.now()

    def look(self, now: float) -> int:
        """See what it shows ``now``, by the server's clock. Returns the microseconds from that clock to this one."""
        offset_us = self._offset_us(now)
        # Less is the drift of two clocks, and that they are not read in the same instant.
        if abs(offset_us - self._offsets[-1][1]) > SET_US:
            self._offsets.append((now, offset_us))
            del self._offsets[:-MAX_SETTINGS]
        return offset_us

    def showed_s(self, moment: float) -> float:
        """What it showed at a moment of the server's clock, in seconds since 1970, as far as was seen."""
        offset_us = next(
            (offset_us for since, offset_us in reversed(self._offsets) if since <= moment), self._offsets[0][1]
        )
        return moment + offset_us / MICRO

    async def watch(self, is_set: Callable[[float], object]) -> None:
        """Look, for ever. ``is_set`` is called with what it shows, in seconds since 1970, when it has been set, or the
        server's clock has stood."""
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        clock = self._clock
        # Kept here: the recorder looks, too, and would hide a setting of the clock from this loop.
        (_, known_us), stood_s = self._offsets[-1], clock.stood_s
        goes_on = trio.Event()
        clock.on_going_on.append(lambda: goes_on.set())
        while True:
            await trio.sleep(LOOK_S)
            # While it stands, the difference is that of another moment. Where one wait follows the other it may stand
            # at each look: so right after this wait, even if it stands again by then.
            if clock.stands:
                goes_on = trio.Event()
                await goes_on.wait()
            now = clock.now()
            offset_us = self.look(now)
            moved_us = offset_us - known_us
            if abs(moved_us) > SET_US:
                set_us = moved_us - (clock.stood_s - stood_s) * MICRO
                if abs(set_us) > SET_US:
                    log.warning("the clock of this machine was set", by_s=round(set_us / MICRO, 3))
                known_us, stood_s = offset_us, clock.stood_s
                is_set(now + offset_us / MICRO)

    def _offset_us(self, now: float) -> int:
        return self._shows_us() - int(now * MICRO)
