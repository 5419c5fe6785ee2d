"""Standings for the page: computed in a thread of the worker, kept by the version of the journal.

An answer never waits for long: as long as new ones are being computed, the last ones are given. The longer it takes to
compute them, the longer they are left alone. A championship that is over is another matter: its last standings may name
a winner who has not won, so they are never given, and new ones are computed at once.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader, RecordedChampionship
from ugs.places import Place
from ugs.standings.skill import Course
from ugs.standings.source import WrongRequest, from_journal
from ugs.standings.standings import Standings

WAIT_S: Final = 0.15
"""How long an answer waits for standings that were computed quickly the last time."""
QUICK_S: Final = 0.1
REST: Final = 5
"""After standings took t seconds, they are not computed again for this many times t."""
MAX_POINTS: Final = 150
"""Points of a line in a chart."""
MAX_KEPT: Final = 50
"""Standings that are kept."""

OVER: Final = "over"
"""The state of a championship whose places are final."""

Choice: TypeAlias = tuple[str | None, str | None]
"""Game type and championship; None where none was asked for."""


@dataclass(frozen=True, slots=True)
class Computed:
    """Standings, and how the ratings went."""

    standings: list[Standings]
    course: Course


Compute: TypeAlias = Callable[[Place, str | None, str | None], Computed]


def compute(place: Place, game_type: str | None, championship: str | None) -> Computed:
    """Compute standings. Raises WrongRequest and JournalError."""
    course: Course = {}
    found = from_journal(place, game_type, championship, course=course)
    return Computed(found, {nick: _thinned(points) for nick, points in course.items()})


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """At most MAX_POINTS of them, with the first and the last one."""
    stride = -(-len(points) // MAX_POINTS)
    return points if stride <= 1 else [*points[:-1:stride], points[-1]]


@dataclass(slots=True)
class _Kept:
    """Standings, and the version of the journal, or of the ledger of their championship, that they belong to."""

    version: tuple[int, ...] = ()
    computed: Computed | None = None
    error: Exception | None = None
    took_s: float = 0.0
    ended: float = 0.0
    wanted: tuple[int, ...] = ()
    """The version that is being computed, or waits to be; empty: none."""


class StandingsCache:
    """The standings of one journal."""

    def __init__(self, place: Place | None, compute: Compute = compute, *, patient: bool = False) -> None:
        """``patient``: an answer waits until the standings that it asks for are there."""
        self._place = place
        self._patient = patient
        self._compute = compute
        self._kept: OrderedDict[Choice, _Kept] = OrderedDict()
        self._changed = threading.Condition()
        self._queue: list[Choice] = []
        self._thread: threading.Thread | None = None

    def get(self, reader: Reader, choice: Choice) -> tuple[Computed | None, bool]:
        """The standings, and whether newer ones are being computed; None when there are none yet. Raises what the
        computation raised. Those of a championship alone are found by :meth:`of_championship`."""
        return self._get(choice, reader.version(), at_once=False)

    def of_championship(self, one: RecordedChampionship) -> tuple[Computed | None, bool]:
        """The same of a championship, as its ledger has it here: games of others do not make them old. One that is
        over has none until all of its games are counted."""
        is_over = one.state == OVER
        computed, newer = self._get((None, one.name), (len(one.ledger), one.ledger[-1].wall_us), at_once=is_over)
        return None if is_over and newer else computed, newer

    def _get(self, choice: Choice, version: tuple[int, ...], *, at_once: bool) -> tuple[Computed | None, bool]:
        with self._changed:
            kept = self._kept.setdefault(choice, _Kept())
            self._kept.move_to_end(choice)

            def there() -> bool:
                # With at_once, also when an older version has been computed meanwhile.
                if kept.version != version and not kept.wanted and (at_once or self._may_compute(kept)):
                    kept.wanted = version
                    self._queue.append(choice)
                    self._work()
                    self._changed.notify_all()
                return not kept.wanted

            if not there() and (self._patient or kept.took_s < QUICK_S):
                self._changed.wait_for(there, None if self._patient else WAIT_S)
            newer = kept.version != version
            if kept.error is not None and not (newer and at_once):
                if isinstance(kept.error, JournalError):
                    kept.version = ()  # the next look tries again: a ledger that is complete has no newer version
                raise kept.error
            return kept.computed, newer

    def _may_compute(self, kept: _Kept) -> bool:
        return time.monotonic() >= kept.ended + REST * kept.took_s or kept.computed is None

    def _work(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="standings", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        assert self._place is not None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._queue))
                choice = self._queue.pop(0)
                kept = self._kept[choice]
                version = kept.wanted
            began = time.monotonic()
            computed: Computed | None = None
            error: Exception | None = None
            try:
                computed = self._compute(self._place, *choice)
            except MemoryError:  # the pages beside the standings can do without them
                error = WrongRequest("the standings take more memory than the page may have (max_page_worker_bytes)")
            except Exception as failed:  # the caller gets the error
                error = failed
            with self._changed:
                kept.ended = time.monotonic()
                kept.took_s = kept.ended - began
                kept.version, kept.computed, kept.error, kept.wanted = version, computed, error, ()
                while len(self._kept) > MAX_KEPT:
                    oldest = next(iter(self._kept))
                    # One that is being computed stays: its thread writes the result there.
                    if oldest == choice or self._kept[oldest].wanted:
                        break
                    del self._kept[oldest]
                self._changed.notify_all()
