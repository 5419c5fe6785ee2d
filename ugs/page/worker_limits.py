"""What the worker computes for one request, at most: all bounds in one place.

Those of one state and one picture are in :mod:`ugs.pictures.contract`, those of lists beside what is listed
(``GAMES_A_PAGE`` and the like), those of whole questions in :data:`ugs.page.server.worker_duties.WORKERS`.
"""

import time
from typing import Final

# Games that have ended.

MAX_POSITIONS: Final = 20
"""Positions that are sent at a time ..."""
MAX_POSITION_BYTES: Final = 1_000_000
"""... bytes of their pictures ..."""
MAX_POSITION_TAGS: Final = 20_000
"""... and tags of their states. One position is sent, however large it is."""
MAX_FOLLOWING_S: Final = 5.0
"""Seconds of processor time that a renderer may read the states of a game; a game that needs more is shown as a tree of
its states. The longest games of ours need a fifth of a second."""
MAX_EXPORT_S: Final = 20.0
"""Seconds of processor time for the positions of one game in a copy of the site; one that needs more is written as
trees, and one that needs as much even then has no replay there, but its record."""
MAX_REPLAYS: Final = 40
"""Games that are kept ..."""
MAX_REPLAY_BYTES: Final = 64 * 1024 * 1024
"""... and the bytes of their states."""
MAX_NEWS_OF_A_STEP: Final = 40
"""Lines of what has happened that lead to one position."""
STEPS_BEFORE: Final = 60
STEPS_AFTER: Final = 140
"""Positions in the list of a game, around the one that is shown."""

# Games that run.

MAX_LIVE_GAMES: Final = 300
"""Games that are remembered."""
MAX_BACK: Final = 60
"""Last positions of a game that can be shown once more ..."""
MAX_BACK_BYTES: Final = 8 * 1024 * 1024
"""... and the bytes of their states in all games together; those of the game that was not looked at for longest go
first."""
MAX_PIECE_EVENTS: Final = 1_000
MAX_PIECE_BYTES: Final = 2 * 1024 * 1024
MAX_PIECE_TAGS: Final = 10_000
"""What is sent of one game at a time; one event is sent, however large it is."""
MAX_LOOK_TAGS: Final = 40_000
"""What is sent of all games that are looked at together; the others have their turn next time."""
MAX_CHEAP_TAGS: Final = 500
"""A piece that costs no more comes before all others."""

# People who play at a browser.

MAX_HANDS: Final = 500
"""Games of players that are remembered."""
MAX_OFFERS: Final = 2_000
"""Moves that are sent; a game offers more only by splitting hairs."""


THREADS: Final = 4
"""A worker's threads may use processors at the same time: no more of them than that."""


class ProcessorBudget:
    """Whether a bound of processor time is used up. The system is asked only when it can be: not before that time has
    passed on the clock. Asking it costs more than drawing a position."""

    def __init__(self, most_s: float) -> None:
        self._until = time.process_time() + most_s
        # At the earliest, with all threads on a processor of their own.
        self._look = time.monotonic() + most_s / THREADS

    def used_up(self) -> bool:
        """Whether it is."""
        if (now := time.monotonic()) < self._look:
            return False
        left_s = self._until - time.process_time()
        self._look = now + left_s / THREADS
        return left_s <= 0
