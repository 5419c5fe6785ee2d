"""Lives of servers that play games without end on one journal, until they are killed, and what must be there then."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

from tests.journal.servers import BOUND_S, JournalServer, won
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome
from ugs.journal.reader import Reader
from ugs.places import DatabaseUrl, Place

TOP = Path(__file__).parents[2]


class EndlessLife:
    """A process of :mod:`tests.journal.endless_server`, from the constructor until it is killed."""

    def __init__(self, place: Place, life: int) -> None:
        self.kept: list[str] = []
        """The games whose results are kept, as the server has told it."""
        self._news = threading.Condition()
        text = place.text if isinstance(place, DatabaseUrl) else str(place)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.journal.endless_server", text, str(life)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=TOP,
            env={**os.environ, "PYTHONWARNINGS": "error"},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_about: object) -> None:
        if self._process.poll() is None:
            self.is_killed()

    def plays(self, games: int) -> None:
        """Wait until it has told of this many more results."""
        with self._news:
            wanted = len(self.kept) + games
            over = self._news.wait_for(lambda: len(self.kept) >= wanted or not self._reader.is_alive(), BOUND_S)
            assert over, "no result is kept any more"
            assert len(self.kept) >= wanted, "the server has ended"

    def is_killed(self) -> list[str]:
        """Kill it, and return which results it has told to be kept."""
        self._process.send_signal(signal.SIGKILL)
        assert self._process.wait(BOUND_S) == -signal.SIGKILL
        self._reader.join(BOUND_S)
        return self.kept

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            for line in output:
                with self._news:
                    self.kept.append(line.strip())
                    self._news.notify_all()
        with self._news:
            self._news.notify_all()


def judge(place: Place, kept: list[str], lives: int) -> None:
    """Results that were told to be kept are there, once and as they were told; other games are void through the fault
    of the server, one at least in each life; and the standings count each result once."""
    assert len(kept) == len(set(kept))
    with JournalServer(place) as server, Reader(place) as reader:
        told = list(reader.results())
        results = {result.game_id: result for result in told}
        assert len(told) == len(results)
        assert set(kept) <= results.keys()
        assert all(results[game_id] == won(game_id) for game_id in kept)
        unfinished = [result for result in results.values() if result.verdict.cause is Cause.SERVER_LOST]
        assert len(unfinished) >= lives
        assert all(seat.outcome is Outcome.VOID for result in unfinished for seat in result.seats)
        assert not [game for game in reader.games() if game.running]
        finished = len(results) - len(unfinished)
        assert all(result == won(result.game_id) for result in results.values() if result not in unfinished)
        (rows,) = server.journal.past.standings.values()
        assert [(row.nick, row.won, row.lost) for row in sorted(rows, key=lambda row: row.place)] == [
            ("ann", finished, 0),
            ("ben", 0, finished),
        ]
        some = [result.game_id for result in results.values()][:: max(1, len(results) // 20)]
        assert all(reader.record(game_id).entries[-1].kind is EntryKind.VERDICT for game_id in some)
