"""Copies a whole journal from one place to another: between a directory and a database, either way.

Rows are copied as they are stored, with their checksums, and compared row by row before anything is committed. Running
games go on at the new place as they would at the old one; the old journal is not changed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from ugs.journal.checksums import BY_SEAT, CHECKED, part_checksum, row_checksum
from ugs.journal.database import DATABASE
from ugs.journal.database_contract import Database, JournalStore
from ugs.journal.held_journal import hold
from ugs.journal.immutable_database import may_write
from ugs.journal.journal_error import JournalError
from ugs.journal.journal_to_fill import hold_to_fill
from ugs.journal.tokens import copy_tokens, refuse_second_list
from ugs.places import Place

AT_ONCE: Final = 500
"""Rows copied with one statement."""
MORE: Final = {"result": ("entries",)}
"""Columns that checksums do not cover."""
BODIES: Final = ("part", "packed")
COUNTED: Final = "committed"
"""The table that each place keeps for itself."""


def copy_journal(source: Place, target: Place, wrote: Callable[[str, int], None] = lambda table, rows: None) -> int:
    """Copy the journal and the list of tokens; ``wrote`` gets each table and how many of its rows are there. Returns
    the number of rows.

    Raises :class:`JournalError` when a server uses one of them, when the source cannot be read, is damaged, or its last
    server was lost, and when the target holds anything already; IdentitiesError about a list of tokens. Then both are
    as they were; tables that were made in a database stay, empty. A copy that is killed leaves a target without a
    journal, or a whole one: it can be begun again."""
    _refuse_same_place(source, target)
    with closing(_hold_source(source)) as old, closing(old.open()) as reads:
        try:
            # Under the lock: a server that starts now could write.
            _require_order(reads, source)
            # At once: nothing else is written there, however the copy ends.
            with old.transactions.transaction(reads):
                old.transactions.end(reads)
            refuse_second_list(source, target)
            with hold_to_fill(target) as new:
                total = _fill(reads, source, new, wrote)
        except reads.Error as error:
            raise reads.unusable(error) from error
    return total


def _refuse_same_place(source: Place, target: Place) -> None:
    """Raise JournalError where both are one place: it would be in use, by this very process."""
    same = source == target
    with suppress(OSError):  # one of them does not exist
        same = same or (isinstance(source, Path) and isinstance(target, Path) and source.samefile(target))
    if same:
        raise JournalError(f"{target}: FROM and TO are the same place")


def _hold_source(source: Place) -> JournalStore:
    try:
        return hold(source, make=False)
    except JournalError as error:
        if isinstance(source, Path) and not may_write(source / DATABASE):
            hint = "where it cannot be written, copy the directory with its files elsewhere, and the journal from there"
            raise JournalError(f"{error} (a journal is held while it is copied; {hint})") from error
        raise


def _fill(reads: Database, source: Place, new: JournalStore, wrote: Callable[[str, int], None]) -> int:
    with closing(new.open()) as writes:
        # The journal is committed last: it never stands there without the files beside it and without its tokens.
        tail = new.begin_tail()
        if tail is not None:
            tail.close()
        try:
            with new.transactions.transaction(writes):
                total = _copy(reads, writes, new.place, wrote)
                total += copy_tokens(source, new.place)
                new.transactions.end(writes)
        except writes.Error as error:
            raise writes.unusable(error) from error
    return total


def _require_order(db: Database, source: Place) -> None:
    """Raise JournalError if the last server was lost: what it left open is closed by the next one, in its place."""
    last = db.execute("SELECT ended_us IS NOT NULL FROM run ORDER BY id DESC LIMIT 1").fetchone()
    if last is None:
        raise JournalError(f"{source}: no server has used this journal yet")
    if not last[0]:
        raise JournalError(f"{source}: its last server was lost: start one on it, and stop it, before it is copied")


def _copy(reads: Database, writes: Database, target: Place, wrote: Callable[[str, int], None]) -> int:
    total = 0
    for table in _tables():
        if writes.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None:
            raise JournalError(f"{target}: there is a journal already (table {table} is not empty)")
    for table in _tables():
        rows = 0
        for some in _sets(reads, table):
            _write(writes, table, some)
            rows += len(some)
            wrote(table, rows)
        # Read back before the commit: what the new database has changed would be found only by its next start.
        same = zip_longest(_rows(reads, table), _rows(writes, table))
        for number, (one, other) in enumerate(same, 1):
            # PostgreSQL keeps no NUL in a text, for instance.
            if one != other:
                raise JournalError(f"{target}: row {number} of table {table} is not what was copied; nothing is kept")
        total += rows
    return total


def _tables() -> list[str]:
    return [table for table in CHECKED if table != COUNTED]


def _columns(table: str) -> list[str]:
    return [*CHECKED[table].split(", "), "crc", *MORE.get(table, ())]


def _rows(db: Database, table: str) -> Iterator[Sequence[Any]]:
    """Yield all rows of a table in order, a few at a time in memory. Raises JournalError for a damaged one."""
    for some in _sets(db, table):
        yield from some


def _sets(db: Database, table: str) -> Iterator[list[tuple[Any, ...]]]:
    columns = ", ".join(_columns(table))
    key = "game, seat" if table in BY_SEAT else "id"
    after: tuple[int, ...] = (-1, -1) if table in BY_SEAT else (-1,)
    places = ", ".join("?" * len(after))
    query = f"SELECT {columns} FROM {table} WHERE ({key}) > ({places}) ORDER BY {key} LIMIT {AT_ONCE}"
    while some := [tuple(row) for row in db.execute(query, after).fetchall()]:
        for row in some:
            if _checksum(table, row) != row[len(CHECKED[table].split(", "))]:
                raise db.damaged(f"table {table}, row {row[0]}: its content fails its checksum")
        yield some
        after = tuple(some[-1][: len(after)])


def _checksum(table: str, row: Sequence[Any]) -> int:
    if table in BODIES:
        return part_checksum(row[0], row[1], row[2], table)
    return row_checksum(table, row[: len(CHECKED[table].split(", "))])


def _write(db: Database, table: str, rows: Sequence[Sequence[Any]]) -> None:
    width = len(CHECKED[table].split(", ")) + 1
    if table in BODIES:
        db.add_bodies(table, [(row[0], row[1], row[2], row[3]) for row in rows])
        return
    db.insert(table, [row[:width] for row in rows])
    for place, column in enumerate(MORE.get(table, ()), width):
        query = f"UPDATE {table} SET {column} = ? WHERE id = ?"
        db.executemany(query, [(row[place], row[0]) for row in rows])
