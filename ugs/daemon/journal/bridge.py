"""Between the broker's thread and the journal's: opens the journal, closes it, carries its news over."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
import trio

from ugs import __version__
from ugs.broker.events import Event, JournalBack, JournalLost, ResultKept
from ugs.broker.past import Past
from ugs.config import Config
from ugs.daemon.driver import Driver

if TYPE_CHECKING:
    from ugs.journal.journal import Journal


class JournalBridge:
    """The journal of a server, if it keeps one. Its news wait until :meth:`connect` names their receiver."""

    def __init__(self, config: Config, token: trio.lowlevel.TrioToken | None = None) -> None:
        """Open the journal of ``config.data_dir``, which takes a second for 100,000 games. ``token`` is that of the
        driver's loop, needed in any other thread. Raises JournalError when the journal cannot be used."""
        self._driver: Driver | None = None
        self._early: list[Event] = []
        """News from before there was a driver."""
        self.journal: Journal | None = None
        self._trio = token or trio.lowlevel.current_trio_token()
        if not config.data_dir:
            return
        self.journal = _journal()(
            Path(config.data_dir),
            version=__version__,
            kept=self._kept,
            lost=self._lost,
            back=self._back,
            keep_days=config.journal_keep_days,
            max_bytes=config.journal_max_bytes,
            most_rows=config.standings_rows,
        )
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        for path, mode, mended in self.journal.exposed:
            what = (
                "others could use this; now only its owner can" if mended else "others can use this: not ours to mend"
            )
            log.warning(what, path=str(path), mode=f"{mode:04o}")
        for gap in self.journal.gaps:
            log.warning("the journal is incomplete", directory=config.data_dir, what=gap)

    @property
    def past(self) -> Past:
        """What the journal knew when it was opened."""
        return self.journal.past if self.journal is not None else Past()

    def close(self) -> None:
        """Write what is left; returns when all of it is on disk."""
        if self.journal is not None:
            self.journal.close()

    def connect(self, driver: Driver) -> None:
        """From now on the driver gets the news; earlier ones are passed on at once. Call it in the driver's thread when
        its broker has started: games of earlier lives are void, too, where the journal is already lost."""
        self._driver = driver
        early, self._early = self._early, []
        self._happen(early)

    # The journal calls these in its own thread.

    def _kept(self, game_ids: Sequence[str]) -> None:
        """These results are on disk."""
        self._hand_over(*map(ResultKept, game_ids))

    def _lost(self, reason: str) -> None:
        """The journal cannot be written."""
        self._hand_over(JournalLost(reason))

    def _back(self) -> None:
        """The journal can be written again."""
        self._hand_over(JournalBack())

    def _hand_over(self, *events: Event) -> None:
        """Let these happen in the thread of the driver. A driver that has ended does not need to know."""
        try:
            self._trio.run_sync_soon(self._happen, events)
        except trio.RunFinishedError:
            return

    def _happen(self, events: Sequence[Event]) -> None:
        driver = self._driver
        if driver is None:
            self._early += events
            return
        for event in events:
            if self.journal is not None and isinstance(event, JournalLost):
                self.journal.accept_loss()  # what was recorded before this moment and is not on file is forgotten
            driver.happens(event)


def _journal() -> "type[Journal]":
    """The class; a server that keeps nothing does not wait for it to load."""
    from ugs.journal.journal import Journal

    return Journal
