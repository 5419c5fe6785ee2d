"""Between the broker's thread and the journal's: opens the journal, closes it, carries its news over."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import structlog
import trio

from ugs import __version__
from ugs.broker.events import Event, JournalBack, JournalLost, ResultKept
from ugs.broker.past import Past
from ugs.config import Config
from ugs.daemon.driver import Driver
from ugs.journal.journal_error import JournalError
from ugs.places import place_of

if TYPE_CHECKING:
    from ugs.journal.journal import Journal


class JournalBridge:
    """The journal of a server, if it keeps one. Its news wait until :meth:`connect` names their receiver."""

    def __init__(self, config: Config, token: trio.lowlevel.TrioToken | None = None) -> None:
        """Open the journal at ``config.kept_at``, which takes a second for 100,000 games. ``token`` is that of the
        driver's loop, needed in any other thread. Raises JournalError when the journal cannot be used."""
        self._driver: Driver | None = None
        self._early: list[Event] = []
        """News from before there was a driver."""
        self.journal: Journal | None = None
        self._gone_now = trio.Event()
        self._gone_why = ""
        self.on_written: Callable[[], None] = lambda: None
        """Called in the driver's thread when what was recorded is on disk, where peers wait for it."""
        self._trio = token or trio.lowlevel.current_trio_token()
        if not config.kept_at:
            return
        place = place_of(config.kept_at)
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        self.journal = _journal()(
            place,
            version=__version__,
            kept=self._kept,
            lost=self._lost,
            back=self._back,
            keep_days=config.journal_keep_days,
            max_bytes=config.journal_max_bytes,
            most_rows=config.standings_rows,
            keep=config.keep,
            written=self._written,
            gone=self._gone,
            waits=partial(log.info, "standing by", at=str(place)) if config.standby else None,
        )
        for path, mode, mended in self.journal.exposed:
            what = (
                "others could use this; now only its owner can" if mended else "others can use this: not ours to mend"
            )
            log.warning(what, path=str(path), mode=f"{mode:04o}")
        if self.journal.facts:
            log.info("journal", at=str(place), keep=config.keep, **self.journal.facts)
        if self.journal.doubt:
            log.warning("the database does not keep what it confirms", what=self.journal.doubt)
        for gap in self.journal.gaps:
            log.warning("the journal is incomplete", directory=str(place), what=gap)

    @property
    def past(self) -> Past:
        """What the journal knew when it was opened."""
        return self.journal.past if self.journal is not None else Past()

    @property
    def past_age_s(self) -> float:
        """How many seconds ago that was read."""
        return monotonic() - self.journal.read_at if self.journal is not None else 0.0

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

    async def watch(self) -> None:
        """Raise JournalError as soon as another server may have the journal: this one must end without a word, since
        its peers may be playing on at the other one. Until then, for ever."""
        await self._gone_now.wait()
        raise JournalError(self._gone_why)

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

    def _written(self) -> None:
        """Everything up to some step is on disk."""
        if self.journal is not None and self.journal.prompt:
            self._run(lambda: self.on_written())

    def _gone(self, reason: str) -> None:
        """Another server may have the journal now."""

        def gone() -> None:
            self._gone_why = reason
            if self._driver is not None:
                # Its peers may be playing on at the other server: they must not lose by what happens here.
                self._driver.halt()
            self._gone_now.set()

        self._run(gone)

    def _run(self, function: Callable[[], None]) -> None:
        """Call this in the thread of the driver, if it has not ended."""
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(function)

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
