"""Reads the past of a running game: from the server's journal, or without one from a temporary file
(:mod:`ugs.journal.temporary`). Both hold the same bytes.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

from ugs.broker.effects import KeepPast
from ugs.broker.values.recollection import PUBLIC, PastEvent, Recollected, Wish, select
from ugs.broker.values.record import EntryKind
from ugs.journal.checksums import part_checksum
from ugs.journal.database_contract import Database
from ugs.journal.entries import KINDS, NO_SEAT, Fields, each_entry, fields_of
from ugs.journal.open_journal import open_to_read
from ugs.journal.packing import last_part, unpack_each
from ugs.journal.waypoints import BEGIN, RowPlace, Waypoint, Waypoints, begins_early_enough, is_there
from ugs.places import Place
from ugs.record.times import MICRO

MAX_BOOKMARKS: Final = 5_000
"""Readers whose position is remembered."""
MAX_GAMES: Final = 1_000
"""Games whose waypoints are remembered."""

GAME = """
    SELECT g.id, g.began_mono_us, r.id IS NOT NULL FROM game AS g LEFT JOIN result AS r ON r.game = g.id
    WHERE g.game_id = ?
"""
PACKED_FROM = "SELECT id, body, crc FROM packed WHERE game = ? AND id >= ? ORDER BY id"
PARTS_FROM = "SELECT id, body FROM part WHERE game = ? AND id >= ? ORDER BY id"
PACKED_TO = "SELECT id, substr(body, 1, 64) FROM packed WHERE game = ? ORDER BY id DESC LIMIT 16"


class JournalPast:
    """The past of games in the journal at this ``place``, while a server writes it. Everything but :meth:`keep` and
    :meth:`over` waits for the disk."""

    pending_bytes: Final = 0
    """Waiting bytes belong to the journal."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._bookmarks: OrderedDict[tuple[str, str, str], Waypoint] = OrderedDict()
        self._waypoints: OrderedDict[str, Waypoints] = OrderedDict()

    def keep(self, _effect: KeepPast) -> None:
        """Do nothing: the journal has it."""

    def over(self, _game_id: str) -> None:
        """Do nothing: the journal keeps it."""

    def forgotten(self) -> tuple[tuple[str, int, str], ...]:
        """Return nothing: the journal forgets no running game."""
        return ()

    def read(self, wish: Wish) -> Recollected | None:
        """Return the requested past; None if it is not written yet. Raises JournalError."""
        db = open_to_read(self._place)
        try:
            # One view of all tables: parts are packed by the writer while they are read.
            db.execute("BEGIN")
            found = db.execute(GAME, (wish.game_id,)).fetchone()
            return None if found is None else self._read(db, wish, *found)
        except db.Error as error:
            raise db.unusable(error) from error
        except ValueError as error:
            raise db.damaged(error) from error
        finally:
            db.close()

    def _read(self, db: Database, wish: Wish, row: int, began_us: int, ended: int) -> Recollected | None:
        begun = self._begin(wish, _packed_to(db, row))
        while True:
            events = RecalledEvents(_rows(db, row, begun.place), began_us, begun)
            found = select(wish, events)
            with self._lock:
                waypoints = self._waypoints.setdefault(wish.game_id, Waypoints())
                waypoints.add(events.passed)
                # Without a state in what was read the position is not known: further back, one waypoint at a time.
                if begins_early_enough(wish, found, begun):
                    break
                begun = waypoints.earlier(begun)
        # A running game whose events are on their way to the disk: asked again later.
        if events.exhausted and found.number < wish.until:
            return Recollected(forgotten=True) if ended else None
        if found.number < wish.until:
            self._mark(wish, events.begun)
        return found

    def _begin(self, wish: Wish, packed_to: int) -> Waypoint:
        """Return where to begin reading: where this reader stopped, or near that."""
        with self._lock:
            # Taken out: a reader that has come to the end leaves none.
            mark = self._bookmarks.pop(_reader(wish), BEGIN)
            waypoints = self._waypoints.setdefault(wish.game_id, Waypoints())
            self._waypoints.move_to_end(wish.game_id)
            while len(self._waypoints) > MAX_GAMES:
                self._waypoints.popitem(last=False)
            waypoints.forget_parts(packed_to)
            near = waypoints.for_wish(wish)
        return mark if near.before < mark.before <= wish.after and is_there(mark, packed_to) else near

    def _mark(self, wish: Wish, begun: Waypoint) -> None:
        with self._lock:
            self._bookmarks[_reader(wish)] = begun
            while len(self._bookmarks) > MAX_BOOKMARKS:
                self._bookmarks.popitem(last=False)


def _reader(wish: Wish) -> tuple[str, str, str]:
    return wish.use.value, wish.subject, wish.game_id


class RecalledEvents:
    """The public events in the rows of a game, in order; remembers where it is."""

    def __init__(
        self, rows: Iterable[tuple[RowPlace, Iterable[Fields]]], began_us: int, begun: Waypoint = BEGIN
    ) -> None:
        """``rows`` begin at the waypoint ``begun``."""
        self.begun = begun
        """The row being read."""
        self.passed: list[Waypoint] = []
        """All rows that have been read."""
        self.exhausted = False
        self._rows = rows
        self._began_us = began_us
        self._number, self._after_s = begun.before, begun.after_s
        self._left = {event.seat: event for event in begun.left}

    def __iter__(self) -> Iterator[PastEvent]:
        yield from self.begun.left
        for place, entries in self._rows:
            self.begun = Waypoint(place, self._number, self._after_s, tuple(self._left.values()))
            self.passed.append(self.begun)
            yield from self._public(entries)
        self.exhausted = True

    def _public(self, entries: Iterable[Fields]) -> Iterator[PastEvent]:
        for word, _, mono_us, _, seat, _, text, body in entries:
            kind = KINDS[word]
            if kind in PUBLIC:
                self._number += 1
                event = PastEvent(
                    self._number,
                    max(0, mono_us - self._began_us) / MICRO,
                    kind,
                    None if seat == NO_SEAT else seat,
                    text.decode("utf-8", "surrogatepass"),
                    body,
                )
                self._after_s = event.after_s
                if kind is EntryKind.LEFT:
                    self._left[event.seat] = event
                elif kind is EntryKind.REJOINED:
                    self._left.pop(event.seat, None)
                yield event


def _packed_to(db: Database, row: int) -> int:
    """Return the id of the last packed part."""
    return max((last_part(beginning) for _, beginning in db.execute(PACKED_TO, (row,))), default=0)


def _rows(db: Database, row: int, first: RowPlace) -> Iterator[tuple[RowPlace, Iterable[Fields]]]:
    """Yield the rows of a game from ``first`` on, one at a time in memory. Raises ValueError."""
    if not first.is_part:
        for number, entries in unpack_each(_packed(db, row, first.row)):
            yield RowPlace(False, number), map(fields_of, entries)
    # Checksums are not compared here: each start does that, and here a game waits.
    for part, body in db.execute(PARTS_FROM, (row, first.row if first.is_part else 0)):
        yield RowPlace(True, part), each_entry(body)


def _packed(db: Database, row: int, first: int) -> Iterator[tuple[int, bytes]]:
    for number, body, crc in db.execute(PACKED_FROM, (row, first)):
        if part_checksum(number, row, body, "packed") != crc:
            raise ValueError(f"table packed, row {number}: its content fails its checksum")
        yield number, body
