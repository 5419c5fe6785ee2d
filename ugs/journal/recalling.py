"""What has happened in a game, read again while it runs: from the journal of the server, or, where it keeps none, from
a temporary file (:mod:`ugs.journal.temporary`). Both hold the same bytes.
"""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ugs.broker.effects import KeepPast
from ugs.broker.recollection import PUBLIC, Found, PastEvent, Wish, select
from ugs.journal.entries import KINDS, NO_SEAT, Fields, each_entry, fields_of
from ugs.journal.packing import unpack
from ugs.journal.row_reader import bodies
from ugs.journal.schema import DATABASE, connect, damaged, unusable
from ugs.record.times import MICRO

MAX_BOOKMARKS: Final = 5_000
"""Readers of whom it is remembered how far they have read."""

GAME = """
    SELECT g.id, g.began_mono_us, r.id IS NOT NULL FROM game AS g LEFT JOIN result AS r ON r.game = g.id
    WHERE g.game_id = ?
"""
PARTS_FROM = "SELECT id, body, crc FROM part WHERE game = ? AND id >= ? ORDER BY id"


class Bookmark(NamedTuple):
    """Where a reader goes on: a part of the game, and the number of the last event before that part."""

    part: int
    before: int


class JournalPast:
    """The past of games in the journal of this ``directory``, while a server writes it. Everything but :meth:`keep` and
    :meth:`over` waits for the disk."""

    pending_bytes: Final = 0
    """All that waits is the journal's."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._bookmarks: OrderedDict[tuple[str, str, str], Bookmark] = OrderedDict()

    def keep(self, _effect: KeepPast) -> None:
        """The journal has it."""

    def over(self, _game_id: str) -> None:
        """The journal keeps it."""

    def forgotten(self) -> tuple[tuple[str, int, str], ...]:
        """None is."""
        return ()

    def read(self, wish: Wish) -> Found | None:
        """What is wished; None when it is not written yet. Raises JournalError."""
        db = connect(self._directory, readonly=True)
        try:
            db.execute("BEGIN")
            found = db.execute(GAME, (wish.game_id,)).fetchone()
            return None if found is None else self._read(db, wish, *found)
        except sqlite3.Error as error:
            raise unusable(self._directory / DATABASE, error) from error
        except ValueError as error:
            raise damaged(self._directory / DATABASE, error) from error
        finally:
            db.close()

    def _read(self, db: sqlite3.Connection, wish: Wish, row: int, began_us: int, ended: int) -> Found | None:
        key = (wish.use.value, wish.subject, wish.game_id)
        with self._lock:
            mark = self._bookmarks.pop(key, Bookmark(0, 0))
        packed = [fields_of(entry) for entry in unpack(bodies(db, "packed", row))]
        if packed or mark.before > wish.after:
            mark = Bookmark(0, 0)
        events = Events(_parts(db, row, mark.part), began_us, mark.before, packed)
        found = select(wish, events)
        if events.exhausted and found.number < wish.until:
            return Found(forgotten=True) if ended else None
        if events.part and found.number < wish.until:
            with self._lock:
                self._bookmarks[key] = Bookmark(events.part, events.before)
                while len(self._bookmarks) > MAX_BOOKMARKS:
                    self._bookmarks.popitem(last=False)
        return found


class Events:
    """The public events in the parts of a game, in order; remembers where it is."""

    def __init__(
        self, parts: Iterable[tuple[int, bytes]], began_us: int, number: int = 0, first: Iterable[Fields] = ()
    ) -> None:
        """``first`` are entries that come before the parts; the first event of all has the number ``number + 1``."""
        self.part = 0
        self.before = number
        """The number of the last event before this part."""
        self.exhausted = False
        self._parts = parts
        self._first = first
        self._began_us = began_us
        self._number = number

    def __iter__(self) -> Iterator[PastEvent]:
        yield from self._public(self._first)
        for part, body in self._parts:
            self.part, self.before = part, self._number
            yield from self._public(each_entry(body))
        self.exhausted = True

    def _public(self, entries: Iterable[Fields]) -> Iterator[PastEvent]:
        for word, _, mono_us, _, seat, _, text, body in entries:
            kind = KINDS[word]
            if kind in PUBLIC:
                self._number += 1
                yield PastEvent(
                    self._number,
                    max(0, mono_us - self._began_us) / MICRO,
                    kind,
                    None if seat == NO_SEAT else seat,
                    text.decode("utf-8", "surrogatepass"),
                    body,
                )


def _parts(db: sqlite3.Connection, row: int, first: int) -> Iterator[tuple[int, bytes]]:
    # Not checked against their checksums: that happens at each start, and here a game waits for it.
    for part, body, _ in db.execute(PARTS_FROM, (row, first)):
        yield part, body
