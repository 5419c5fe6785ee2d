"""All that a server keeps and reads again: entries and results, the past of running games, accounts of why."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import trio

from ugs.config import Config
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.connections.roster import Roster
from ugs.daemon.driver import Driver
from ugs.daemon.journal.pasts import Pasts, Store
from ugs.daemon.journal.recorder import Recorder
from ugs.daemon.journal.why import Accounts
from ugs.daemon.processes.supervision import Tasks
from ugs.places import Place, place_of

if TYPE_CHECKING:
    from ugs.journal.journal import Journal


class Keeping:
    """Without a ``journal`` nothing is written down, and every result is as good as kept; the past of running games is
    in a temporary file then. ``work`` and ``measured`` as for :class:`~ugs.daemon.journal.recorder.Recorder`.
    """

    def __init__(
        self,
        config: Config,
        journal: "Journal | None",
        driver: Driver,
        roster: Roster,
        tasks: Tasks,
        wall: WallClock,
        work: trio.lowlevel.ParkingLot,
        measured: Callable[[Sequence[int]], None],
    ) -> None:
        self.place = place_of(config.kept_at) if journal is not None and config.kept_at else None
        """Where the journal is, if it is on disk."""
        self.has_journal = journal is not None
        self.recorder = Recorder(journal, roster.connections, driver.follows, work, measured, wall, driver.clock)
        self.pasts = Pasts(partial(_store, config, self.place), driver.happens_next, tasks)
        # happens_next: without a journal an x-why is answered while effects are performed.
        self.accounts = Accounts(self.place, driver.happens_next, tasks, wall)

    def pending_bytes(self) -> int:
        """What is not on disk."""
        return self.recorder.pending_bytes + self.pasts.pending_bytes


def _store(config: Config, place: Place | None) -> Store:
    """Where the past of running games is kept: in the journal at this place, or else in a temporary file."""
    if place is not None:
        from ugs.journal.recalling import JournalPast

        return JournalPast(place)
    from ugs.journal.temporary import TemporaryPast  # a server of short games does not wait for this to load

    return TemporaryPast(config.max_past_bytes)
