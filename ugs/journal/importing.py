"""Imports games from elsewhere into a journal that no server is using."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

from ugs.broker.effects import RecordBegin, RecordChampionship
from ugs.broker.values.record import EntryKind
from ugs.championship.ledger import Ledger, LedgerEntry, What
from ugs.journal.batch import Batch, LedgerAddition
from ugs.journal.database_contract import Database
from ugs.journal.held_journal import hold
from ugs.journal.journal_error import JournalError
from ugs.journal.row_reader import GAMES, game_record, read_game
from ugs.journal.row_writer import RowWriter
from ugs.path_faults import reason_of
from ugs.places import Place
from ugs.record.game import GameRecord

OF_NAME = """
    SELECT l.wall_us, l.what, l.who, l.why, l.data
    FROM championship_log AS l CROSS JOIN championship AS c ON c.id = l.championship
    WHERE c.name = ? ORDER BY l.id
"""


def store(place: Place, record: GameRecord) -> bool:
    """Write one game, like :meth:`Import.store`."""
    with Import(place) as games:
        return games.store(record)


class Import:
    """A journal to write games into; a context manager. No server may use it; it is created if it does not
    exist. All games are written in one transaction: an error that leaves the block leaves the journal unchanged."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._rows: RowWriter | None = None

    def __enter__(self) -> Self:
        """Raises :class:`JournalError` when a server uses the journal or it is damaged."""
        with ExitStack() as stack:
            store = hold(self._place)
            stack.callback(store.close)
            self._db = store.open()
            stack.callback(self._db.close)
            stack.enter_context(self._errors())
            stack.enter_context(store.transactions.transaction(self._db))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raises :class:`JournalError` when the games cannot be written."""
        self._stack.__exit__(kind, error, trace)

    def store(self, record: GameRecord) -> bool:
        """Write a finished game; reading it gives an equal record. A game of open play counts like any other game of
        the journal.

        Returns False when the game was there already. Raises :class:`JournalError` when there is another game with this
        id, when the record contradicts itself or has no result, or when it cannot be written; then nothing of it is
        written.
        """
        wrong = _wrong(record)
        if wrong is not None:
            raise JournalError(f"game {record.game_id!r}: cannot be imported: {wrong}")
        try:
            with self._errors():
                # Importing the same games again does nothing: those that are there are compared.
                there = self._db.execute(f"{GAMES} WHERE g.game_id = ?", (record.game_id,)).fetchone()
                if there is None:
                    self._store(record)
                # Ledgers and orders have what organisers did to it.
                elif game_record(self._db, read_game(there)) != replace(record, correction=None, taken_out=None):
                    raise JournalError(f"game {record.game_id!r}: the journal has another game of this id")
                return there is None
        except (UnicodeEncodeError, OverflowError) as error:
            raise JournalError(f"game {record.game_id!r}: cannot be imported: {error}") from error

    def store_ledger(self, name: str, game_type: str, entries: Sequence[tuple[int, LedgerEntry]]) -> bool:
        """Write the ledger of a championship that is over; its games are stored on their own. Each entry has its time
        in microseconds since 1970 (UTC).

        Returns False when it was there already. Raises :class:`JournalError` when there is another championship of this
        name, when it is not over or its ledger makes no sense, or when it cannot be written.
        """
        refused = f"championship {name!r}: cannot be imported"
        try:
            over = Ledger(entry for _, entry in entries).over
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise JournalError(f"{refused}: its ledger makes no sense: {error!r}") from None
        # One that still runs would be continued by the next server on this journal.
        if not over or entries[0][1].what is not What.PLANNED:
            raise JournalError(f"{refused}: only one that is over can be, from its plan on")
        with self._errors():
            rows = self._db.execute(OF_NAME, (name,))
            there = [(at, what, who, why, json.loads(data)) for at, what, who, why, data in rows]
            entry_rows = [(at, str(one.what), one.who, one.why, dict(one.data)) for at, one in entries]
            if there and there != entry_rows:
                raise JournalError(f"championship {name!r}: the journal has another championship of this name")
            if not there:
                additions = [
                    LedgerAddition(None, RecordChampionship(name, game_type, one), at, json.dumps(dict(one.data)))
                    for at, one in entries
                ]
                RowWriter(self._db, None, "").write(Batch(ledger=additions))
                self._rows = None  # it does not know the rows just written
            return not there

    def _store(self, record: GameRecord) -> None:
        """Write a game as a whole, or nothing of it."""
        if self._rows is None:
            self._rows = RowWriter(self._db, None, "")
        # One transaction for all games, and yet a game that cannot be written leaves nothing behind.
        self._db.execute("SAVEPOINT game")
        try:
            _write(self._db, self._rows, record)
        except BaseException:
            self._rows = None  # it remembers names that are not in the database
            self._db.execute("ROLLBACK TO game")
            raise
        finally:
            self._db.execute("RELEASE game")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self._db.Error as error:
            raise self._db.unusable(error) from error
        except OSError as error:
            raise JournalError(f"{self._place}: cannot be used: {reason_of(error)}") from error
        except UnicodeEncodeError:
            raise
        except ValueError as error:
            raise self._db.damaged(error) from error


def _write(db: Database, rows: RowWriter, record: GameRecord) -> None:
    assert record.result is not None
    mono_us = record.entries[0].mono_us if record.entries else round(record.result.began_at * 1_000_000)
    began = RecordBegin(
        record.game_id,
        record.game_type,
        record.master,
        record.seats,
        record.options,
        record.championship,
        record.fixture,
        record.seats_total,
        record.seed,
        record.counts,
        record.table,
    )
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    rows.game(last + 1, began, record.began_us, mono_us, record.server)
    rows.result(last + 1, record.result, _ended_us(record), record.round_trips_us)
    rows.entries(last + 1, record.entries)


def _wrong(record: GameRecord) -> str | None:
    """Return why this record cannot be stored; None if it can."""
    result = record.result
    if result is None:
        return "it has no result: only finished games can be"
    head = (record.game_id, record.game_type, record.master, record.seats, record.championship, record.fixture)
    nicks = tuple(seat.nick for seat in result.seats)
    if head != (result.game_id, result.game_type, result.master, nicks, result.championship, result.fixture):
        return "its head and its result contradict each other"
    return None


def _ended_us(record: GameRecord) -> int:
    """Return when the game ended on the wall clock, as far as the record shows."""
    verdicts = [entry.wall_us for entry in record.entries if entry.kind is EntryKind.VERDICT]
    if verdicts:
        return verdicts[-1]
    assert record.result is not None
    return record.began_us + round((record.result.ended_at - record.result.began_at) * 1_000_000)
