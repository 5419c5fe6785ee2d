"""The past of running games without a journal: a temporary file that disappears with the server.

The file is unlinked as soon as SQLite has opened it, and space of deleted games is used again. Nothing in it outlives
the server, so nothing waits for the disk: a thread writes waiting entries, or a reader does it first.

SQLite's own unnamed databases are not used: SQLite keeps them in memory as long as it can, and with a full disk nothing
could be deleted from them.
"""

import os
import sqlite3
import threading
from collections import Counter, OrderedDict, deque
from contextlib import suppress
from tempfile import mkstemp
from time import monotonic
from typing import Final

from ugs.broker.effects import KeepPast
from ugs.broker.values.recollection import Recollected, Wish, select
from ugs.journal.entries import each_entry, write_entry
from ugs.journal.recalling import RecalledEvents
from ugs.journal.waypoints import RowPlace, Waypoints, begins_early_enough
from ugs.record.times import MICRO

MAX_PENDING_BYTES: Final = 33_554_432
"""Bytes that may wait to be written; beyond that, the past of games is forgotten."""
ENTRY_BYTES: Final = 256
"""Bytes of a waiting entry besides its body."""
STAYS_S: Final = 1_000.0
"""Seconds that the past of an ended game stays: spectators may be behind."""

TABLE = (
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = MEMORY",
    "PRAGMA synchronous = OFF",
    "CREATE TABLE part (game TEXT NOT NULL, first INTEGER NOT NULL, body BLOB NOT NULL)",
    "CREATE INDEX part_of ON part (game, first)",
)
PARTS = """
    SELECT first, body FROM part
    WHERE game = ? AND first >= ?
    ORDER BY first
"""


class TemporaryPast:
    """Keeps at most ``max_bytes``. If that is not enough, or the disk is full, games are forgotten: ended ones first,
    then the largest game of the address whose games are largest together. So no address can push out a long game of
    others with games of its own. Call :meth:`keep` and :meth:`over` from one thread."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._something = threading.Semaphore(0)
        self._waiting: deque[tuple[KeepPast | str, int]] = deque()
        """Entries to be kept, with their bytes; or the id of a game that is over."""
        self._thread: threading.Thread | None = None
        self._taken = self._written = 0
        self._sizes: dict[str, int] = {}
        """The bytes of each game in the file."""
        self._origins: dict[str, str] = {}
        """The address of the master of each game."""
        self._waypoints: dict[str, Waypoints] = {}
        self._bytes = 0
        """The bytes of all games."""
        self._ended: OrderedDict[str, float] = OrderedDict()
        """Games that are over, and since when."""
        self._deleted: OrderedDict[str, None] = OrderedDict()
        """Games whose events are no longer needed, but still in the file."""
        self._forgotten: set[str] = set()
        """Running games whose past is no longer kept."""
        self._news: deque[tuple[str, int, str]] = deque()

    @property
    def pending_bytes(self) -> int:
        """Bytes that wait to be written."""
        return self._taken - self._written

    def keep(self, effect: KeepPast) -> None:
        """Keep these entries. Returns at once."""
        size = sum([ENTRY_BYTES + len(entry.body) for entry in effect.entries])
        # The disk is slower than the games: memory is worth more than the past of one of them.
        if self.pending_bytes + size > MAX_PENDING_BYTES:
            self._waiting.append((KeepPast(effect.game_id, 0, (), ()), 0))  # a gap: no reader can get past it
        else:
            self._taken += size
            self._waiting.append((effect, size))
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="past of games", daemon=True)
            self._thread.start()
        self._something.release()

    def over(self, game_id: str) -> None:
        """Note that this game has ended: it may be forgotten soon. Returns at once."""
        if self._thread is not None:
            self._waiting.append((game_id, 0))

    def forgotten(self) -> list[tuple[str, int, str]]:
        """Return the running games that were forgotten since the last call: id, bytes, reason."""
        return [self._news.popleft() for _ in range(len(self._news))]

    def read(self, wish: Wish) -> Recollected:
        """Return the requested past."""
        with self._lock:
            self._write_all()
            if wish.game_id in self._forgotten or wish.game_id not in self._sizes or self._db is None:
                return Recollected(forgotten=True)
            try:
                return self._read(self._db, wish)
            except (sqlite3.Error, ValueError) as error:
                self._forget(wish.game_id, f"cannot be read: {error}")
                return Recollected(forgotten=True)

    def _read(self, db: sqlite3.Connection, wish: Wish) -> Recollected:
        waypoints = self._waypoints.setdefault(wish.game_id, Waypoints())
        begun = waypoints.for_wish(wish)
        while True:
            rows = (
                (RowPlace(True, first), each_entry(body))
                for first, body in db.execute(PARTS, (wish.game_id, max(begun.place.row, 1)))
            )
            events = RecalledEvents(rows, 0, begun)
            found = select(wish, events)
            waypoints.add(events.passed)
            if begins_early_enough(wish, found, begun):
                return found
            begun = waypoints.earlier(begun)

    def _write(self) -> None:
        while True:
            self._something.acquire()
            with self._lock:
                self._write_all()

    def _write_all(self) -> None:
        """Write all waiting entries. The caller holds the lock."""
        while self._waiting:
            effect, size = self._waiting.popleft()
            self._written += size
            if isinstance(effect, str):
                self._forgotten.discard(effect)
                if effect in self._sizes:
                    self._ended[effect] = monotonic()
            elif effect.game_id not in self._forgotten:
                self._add(effect)
        while self._ended and next(iter(self._ended.values())) < monotonic() - STAYS_S:
            self._delete(next(iter(self._ended)))

    def _add(self, effect: KeepPast) -> None:
        game_id = effect.game_id
        if not effect.entries:
            self._forget(game_id, f"more than {MAX_PENDING_BYTES} bytes wait to be written")
            return
        body = b"".join(
            [
                write_entry(entry.kind, 0, round(after_s * MICRO), 0, entry.seat, 0, entry.text, entry.body)
                for entry, after_s in zip(effect.entries, effect.after_s, strict=True)
            ]
        )
        while True:
            if self._bytes + len(body) > self._max_bytes:
                failure = f"max_past_bytes is {self._max_bytes}"
            else:
                try:
                    self._insert(game_id, effect.number, body)
                except (sqlite3.Error, OSError) as error:
                    failure = str(error)
                else:
                    self._sizes[game_id] = self._sizes.get(game_id, 0) + len(body)
                    self._origins[game_id] = effect.origin
                    self._bytes += len(body)
                    return
            if not self._sizes:
                self._forget(game_id, failure)
            elif self._ended:
                self._delete(next(iter(self._ended)))
            else:
                self._forget(self._heaviest(), failure)
            if game_id in self._forgotten:
                return

    def _heaviest(self) -> str:
        """Return the largest game of the address whose games are largest together."""
        by_origin: Counter[str] = Counter()
        for game_id, size in self._sizes.items():
            by_origin[self._origins[game_id]] += size
        heaviest = max(by_origin, key=by_origin.__getitem__)
        own = [game_id for game_id in self._sizes if self._origins[game_id] == heaviest]
        return max(own, key=self._sizes.__getitem__)

    def _insert(self, game_id: str, first: int, body: bytes) -> None:
        if self._db is None:
            self._db = _opened()
        self._db.execute("INSERT INTO part VALUES (?, ?, ?)", (game_id, first, body))

    def _forget(self, game_id: str, reason: str) -> None:
        """Forget the past of a running game; the game goes on."""
        self._news.append((game_id, self._sizes.get(game_id, 0), reason))
        self._forgotten.add(game_id)
        self._delete(game_id)

    def _delete(self, game_id: str) -> None:
        self._bytes -= self._sizes.pop(game_id, 0)
        self._waypoints.pop(game_id, None)
        self._origins.pop(game_id, None)
        self._ended.pop(game_id, None)
        self._deleted[game_id] = None
        with suppress(sqlite3.Error, OSError):  # the disk may be full: the next game that goes tries again
            while self._db is not None and self._deleted:
                self._db.execute("DELETE FROM part WHERE game = ?", (next(iter(self._deleted)),))
                self._deleted.popitem(last=False)


def _opened() -> sqlite3.Connection:
    """Return a database in an unlinked file. Raises OSError and sqlite3.Error."""
    number, name = mkstemp(prefix="ugs-past-")
    os.close(number)
    try:
        db = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        try:
            for statement in TABLE:
                db.execute(statement)
        except BaseException:
            db.close()
            raise
        return db
    finally:
        # At once: however the server ends, no file of secrets stays behind.
        os.unlink(name)
