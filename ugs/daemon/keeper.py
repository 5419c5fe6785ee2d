"""Stands between the driver and the thread that writes the journal: opens it, closes it, carries its news over."""

from collections.abc import Callable, Sequence
from pathlib import Path

import trio

from ugs import __version__
from ugs.broker.past import Past
from ugs.config import Config
from ugs.daemon.driver import Driver
from ugs.journal.journal import Journal


class Keeper:
    """The journal of a server, if it keeps one. ``driver`` has to be set before anything happens."""

    def __init__(self, config: Config) -> None:
        """Open the journal of ``config.data_dir``. Raises JournalError when it cannot be used."""
        self.driver: Driver | None = None
        self.journal: Journal | None = None
        self._trio = trio.lowlevel.current_trio_token()
        if not config.data_dir:
            return
        self.journal = Journal(
            Path(config.data_dir),
            version=__version__,
            kept=self._kept,
            lost=self._lost,
            back=self._back,
            keep_days=config.journal_keep_days,
            max_bytes=config.journal_max_bytes,
        )

    @property
    def past(self) -> Past:
        """What the journal knew when it was opened."""
        return self.journal.past if self.journal is not None else Past()

    def close(self) -> None:
        """Write what is left; returns when all of it is on disk."""
        if self.journal is not None:
            self.journal.close()

    # These are called in the thread that writes.

    def _kept(self, game_ids: Sequence[str]) -> None:
        self._tell(lambda driver: driver.results_kept(game_ids))

    def _lost(self, reason: str) -> None:
        self._tell(lambda driver: driver.journal_lost(reason))

    def _back(self) -> None:
        self._tell(lambda driver: driver.journal_back())

    def _tell(self, news: Callable[[Driver], None]) -> None:
        """Let the driver know, in its own thread; one that has ended already need not."""
        driver = self.driver
        if driver is None:
            return
        try:
            self._trio.run_sync_soon(news, driver)
        except trio.RunFinishedError:
            return
