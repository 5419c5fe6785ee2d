"""A data directory with finished games, written by a real journal."""

import threading
from collections.abc import Iterable
from pathlib import Path

from ugs.broker.effects import RecordAct, RecordBegin, RecordChampionship, RecordResult
from ugs.broker.verdict import GameResult
from ugs.championship.ledger import LedgerEntry
from ugs.journal.journal import Journal

SECOND_US = 1_000_000
BOUND_S = 120.0
"""A thread must be done within this many seconds, on a busy machine too."""


class Kept:
    """A journal that is written step by step; every entry is one second later than the one before."""

    def __init__(self, directory: Path) -> None:
        self._kept = 0
        self._news = threading.Condition()

        def lost(reason: str) -> None:
            raise AssertionError(reason)

        self.journal = Journal(directory, version="1", kept=self._heard, lost=lost, back=lambda: None)
        self._now_us = 1_900_000_000 * SECOND_US

    def results(self, results: Iterable[GameResult], *, counts: bool = True) -> None:
        """Games that begin and end one after the other; ``counts``: whether they count for standings."""
        for result in results:
            self._now_us += SECOND_US
            seats = tuple(seat.nick for seat in result.seats)
            begin = RecordBegin(
                result.game_id,
                result.game_type,
                result.master,
                seats,
                {},
                result.championship,
                result.fixture,
                counts=counts,
            )
            self.journal.record(begin, self._now_us, self._now_us)
            self._now_us += SECOND_US
            self.journal.record(RecordResult(result), self._now_us, self._now_us)
            self.journal.flush()

    def ledger(self, name: str, game_type: str, entries: Iterable[LedgerEntry]) -> None:
        """Entries in the ledger of a championship."""
        for entry in entries:
            self._now_us += SECOND_US
            self.journal.record(RecordChampionship(name, game_type, entry), self._now_us, self._now_us)
        self.journal.flush()

    def act(self, act: RecordAct) -> None:
        """An order of an organiser."""
        self._now_us += SECOND_US
        self.journal.record(act, self._now_us, self._now_us)
        self.journal.flush()

    def on_disk(self, count: int) -> None:
        """Wait until this many results are on disk."""
        with self._news:
            assert self._news.wait_for(lambda: self._kept >= count, BOUND_S)

    def _heard(self, game_ids: list[str]) -> None:
        with self._news:
            self._kept += len(game_ids)
            self._news.notify_all()

    def close(self) -> None:
        """Close the journal; everything is on disk then."""
        self.journal.close()
