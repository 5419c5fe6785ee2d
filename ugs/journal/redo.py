"""Whole batches in the database: on disk at once, and their rows a little later.

A transaction has many statements, and each may wait for the interpreter's lock (:mod:`ugs.journal.joined_inserts`).
Under load, a result would wait for all of them. So a batch is first written as one row of the table ``redo``, by one
statement: then it is on disk, and its results may be announced. A later transaction writes the rows of all these
batches and empties the table, so that a batch is either there or has its rows, however the server ends.

A killed server leaves rows owed. The next one writes them when it opens the journal, and so does a reader that comes
first.
"""

from functools import lru_cache
from time import monotonic, sleep
from typing import Final, NamedTuple

import msgspec

from ugs.broker.effects import RecordChampionship, RecordSession, RecordSessionOver
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.batch import (
    Batch,
    BegunGame,
    EndedGame,
    EntriesPart,
    LedgerAddition,
    LoggedIn,
    LoggedOut,
    SessionChange,
)
from ugs.journal.door import Database, Transactions
from ugs.journal.row_writer import RowWriter

MAX_WAIT_S: Final = 2.0
"""How long a reader waits for rows that are owed."""
LOOK_AGAIN_S: Final = 0.02

ROWS: Final = "SELECT id, body FROM redo ORDER BY id"
FIRST: Final = "SELECT min(id) FROM redo"
LAST: Final = "SELECT max(id) FROM redo"
EMPTY: Final = "DELETE FROM redo"


class _Logged(NamedTuple):
    """A :class:`~ugs.journal.batch.LedgerAddition`."""

    row: int | None
    name: str
    game_type: str
    what: What
    who: str
    why: str
    wall_us: int
    data: str


class _Session(NamedTuple):
    """A :class:`~ugs.journal.batch.SessionChange`; without ``open``, the session ``over`` is over."""

    open: RecordSession | None
    over: str
    wall_us: int


class Whole(NamedTuple):
    """A batch without acts as it is stored, and whose it is. Later versions must read it: fields may be added at the
    end, with defaults."""

    run: int | None
    server: str
    begun: list[BegunGame]
    parts: list[tuple[int, bytes]]
    ended: list[EndedGame]
    logged_in: list[LoggedIn]
    logged_out: list[LoggedOut]
    ledger: list[_Logged]
    sessions: list[_Session]

    def batch(self) -> Batch:
        """Return the batch, with all that its rows need."""
        return Batch(
            begun=self.begun,
            parts=[EntriesPart(row, [entries]) for row, entries in self.parts],
            ended=self.ended,
            logged_in=self.logged_in,
            logged_out=self.logged_out,
            ledger=[
                LedgerAddition(
                    one.row,
                    RecordChampionship(one.name, one.game_type, LedgerEntry(one.what, {}, one.who, one.why)),
                    one.wall_us,
                    one.data,
                )
                for one in self.ledger
            ],
            sessions=[SessionChange(one.open or RecordSessionOver(one.over), one.wall_us) for one in self.sessions],
        )


def write_whole(run: int | None, server: str, batch: Batch) -> bytes:
    """Return the body of a row of ``redo``: a batch without acts. Raises ValueError or TypeError when it could not be
    read back."""
    whole = Whole(
        run,
        server,
        batch.begun,
        [(part.row, b"".join(part.entries)) for part in batch.parts],
        batch.ended,
        batch.logged_in,
        batch.logged_out,
        [
            _Logged(row, effect.name, effect.game_type, entry.what, entry.who, entry.why, wall_us, data)
            for row, effect, wall_us, data in batch.ledger
            for entry in [effect.entry]
        ],
        [
            _Session(one, "", wall_us) if isinstance(one, RecordSession) else _Session(None, one.session, wall_us)
            for one, wall_us in batch.sessions
        ],
    )
    body = msgspec.msgpack.encode(whole)
    # Now, while the batch can still be written in another way: its results are announced on the strength of this.
    read_whole(body)
    return body


def read_whole(body: bytes) -> Whole:
    """Return what was written. Raises ValueError for anything else."""
    return _decoder().decode(body)


def write_owed_rows(db: Database) -> int:
    """Write the rows that an earlier server owed, within the caller's transaction. Returns how many batches that were.
    Raises ValueError for a batch that cannot be read, and errors of the database."""
    found = db.execute(ROWS).fetchall()
    for number, body in found:
        try:
            whole = read_whole(body)
        except ValueError as error:
            raise ValueError(f"table redo, row {number}: {error}") from error
        RowWriter(db, whole.run, whole.server).write(whole.batch())
    if found:
        db.execute(EMPTY)
    return len(found)


def settle(db: Database, transactions: Transactions) -> None:
    """Write the rows that an earlier server owed, if it did, in a transaction. Raises as :func:`write_owed_rows`."""
    if rows_are_owed(db):
        with transactions.transaction(db):
            write_owed_rows(db)


def rows_are_owed(db: Database) -> bool:
    """Return whether there are batches whose rows are not written yet."""
    return db.execute(LAST).fetchone()[0] is not None


def wait_for_rows(db: Database) -> bool:
    """Wait until the rows that a running server owes now are written; outside of any transaction. Returns whether there
    were any, and they have come."""
    (last,) = db.execute(LAST).fetchone()
    if last is None:
        return False
    until = monotonic() + MAX_WAIT_S
    while monotonic() < until:
        (first,) = db.execute(FIRST).fetchone()
        if first is None or first > last:
            return True
        sleep(LOOK_AGAIN_S)
    return False


@lru_cache(maxsize=1)
def _decoder() -> "msgspec.msgpack.Decoder[Whole]":
    # Made on first use: it looks at all these types, which takes a millisecond.
    return msgspec.msgpack.Decoder(Whole)
