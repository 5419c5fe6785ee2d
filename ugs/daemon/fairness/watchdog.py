"""Watches how long the loop is held by one document of one peer, while all others wait.

The time on the wall is taken of every document, since that costs next to nothing. The processor time of this thread,
which is what counts on a busy machine, costs as much as decoding a message: it is taken every few milliseconds, and of
the documents that took long.
"""

import math
from collections.abc import Callable
from time import perf_counter, thread_time

import structlog

HOLD_S = 0.020
"""Seconds of processor time that one document may take."""
FRESH_S = 0.005
"""After this many seconds on the wall a pass reads the processor time again."""
REPORT_S = 1.0
"""Seconds between two lines in the log; the next line counts the holds that had none."""


class Watchdog:
    """Measures processor time, counts the holds above :data:`HOLD_S` and logs them, naming peer and message.

    ``name_of`` gives the name that a connection has logged in with, or nothing.
    """

    def __init__(self, name_of: Callable[[int], str]) -> None:
        self._name_of = name_of
        self.holds = 0
        """How many there were."""
        self.longest_s = 0.0
        """The longest of them, in seconds of processor time; 0 when there was none."""
        self._processor_s = thread_time()
        """The processor time of this thread at a moment before the present document."""
        self._stale_at = 0.0
        self._unreported = 0
        self._quiet_until = -math.inf
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def begin(self) -> None:
        """What was used until now was used by others."""
        self._processor_s = thread_time()

    def pass_begins(self, moment: float) -> None:
        """The same for a pass that begins at ``moment`` (``perf_counter``), unless one has begun a moment ago."""
        if moment >= self._stale_at:
            self._stale_at = moment + FRESH_S
            self.begin()

    def processor_s(self, wall_s: float) -> float:
        """The processor time of what has just taken so long on the wall.

        Other documents of the pass, and of the :data:`FRESH_S` before it, may be counted with it: it can seem a few
        milliseconds more than it was.
        """
        return min(wall_s, thread_time() - self._processor_s)

    def held(self, conn: int, address: str, message: str, wall_s: float) -> None:
        """A document has taken more than HOLD_S on the wall. ``message`` is its type, or the reason why it has none."""
        processor_s = self.processor_s(wall_s)
        if processor_s <= HOLD_S:
            return  # the machine did something else
        self.holds += 1
        self.longest_s = max(self.longest_s, processor_s)
        self._unreported += 1
        # A line for each hold would let one peer fill the log.
        if perf_counter() < self._quiet_until:
            return
        self._log.warning(
            "a peer held the server up",
            conn=conn,
            name=self._name_of(conn),
            address=address,
            message=message,
            milliseconds=round(processor_s * 1000, 1),
            holds=self._unreported,
        )
        self._unreported = 0
        self._quiet_until = perf_counter() + REPORT_S
