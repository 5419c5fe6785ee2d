"""When finished games are packed: at once while there is little else to do, for a small share of the time under load.

Packing a game takes as long as writing fifty results. Under load every moment that it takes is one that results wait
for, and the broker's thread, which needs the same interpreter's lock.
"""

import math
from typing import Final

SHARE: Final = 0.05
"""Share of the time that packing takes under load."""
QUIET_S: Final = 0.2
"""The load is over when nothing was written for this many seconds."""
AGAIN_S: Final = 60.0
"""Seconds until packing is tried again after a failure, for instance a full disk."""


class PackingPace:
    """Times are those of ``time.monotonic``, in seconds."""

    def __init__(self) -> None:
        self._written_at = -math.inf
        """When something was written under load last."""
        self._rested_at = -math.inf
        """When the rest after the last packing ends, under load."""
        self._tried_again_at = -math.inf

    def written(self, now: float) -> None:
        """A transaction is done, and more waits: there is load."""
        self._written_at = now

    def packed(self, began: float, ended: float) -> None:
        """Games were packed for this long."""
        self._rested_at = ended + (ended - began) * (1 / SHARE - 1)

    def failed(self, now: float) -> None:
        """Nothing can be packed for now."""
        self._tried_again_at = now + AGAIN_S

    def wait_s(self, now: float) -> float:
        """Return how many seconds packing has to wait; 0 if it may go on."""
        rested_at = min(self._rested_at, self._written_at + QUIET_S)
        return max(0.0, self._tried_again_at - now, rested_at - now)
