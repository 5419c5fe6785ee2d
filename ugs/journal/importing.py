"""Imports games from elsewhere into a journal that no server is using."""

import sqlite3
from pathlib import Path

from ugs.broker.effects import RecordBegin
from ugs.broker.record import EntryKind
from ugs.journal.entries import write_entries
from ugs.journal.lock import DirectoryLock
from ugs.journal.row_reader import GAMES, game_record, read_game
from ugs.journal.row_writer import RowWriter
from ugs.journal.schema import DATABASE, JournalError, connect, unusable
from ugs.record.game import GameRecord


def store(directory: Path, record: GameRecord) -> bool:
    """Write a finished game into the journal of ``directory``, which is created if it does not exist; reading it gives
    an equal record. A game of open play counts like any other game of that journal.

    Returns False when the game was there already. Raises :class:`JournalError` when there is another game with this id,
    when the record contradicts itself or has no result, when a server uses the directory or the journal is damaged.
    """
    wrong = _wrong(record)
    if wrong is not None:
        raise JournalError(f"game {record.game_id!r}: cannot be imported: {wrong}")
    lock = DirectoryLock(directory)
    try:
        db = connect(directory)
        try:
            return _store(db, record)
        finally:
            db.close()
    except sqlite3.Error as error:
        raise JournalError(unusable(directory / DATABASE, error)) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise JournalError(f"game {record.game_id!r}: cannot be imported: {error}") from error
    except ValueError as error:
        raise JournalError(f"{directory / DATABASE}: damaged: {error}") from error
    finally:
        lock.release()


def _store(db: sqlite3.Connection, record: GameRecord) -> bool:
    there = db.execute(f"{GAMES} WHERE g.game_id = ?", (record.game_id,)).fetchone()
    if there is not None:
        if game_record(db, read_game(there)) != record:
            raise JournalError(f"game {record.game_id!r}: the journal has another game of this id")
        return False
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
    rows = RowWriter(db, None, record.server)
    db.execute("BEGIN IMMEDIATE")
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    rows.game(last + 1, began, record.began_us, mono_us)
    if record.entries:
        rows.parts([(last + 1, write_entries(record.entries))])
    rows.result(last + 1, record.result, _ended_us(record), record.round_trips_us)
    db.execute("COMMIT")
    return True


def _wrong(record: GameRecord) -> str | None:
    """Why this record cannot be stored; None if it can."""
    result = record.result
    if result is None:
        return "it has no result: only finished games can be"
    head = (record.game_id, record.game_type, record.master, record.seats, record.championship, record.fixture)
    nicks = tuple(seat.nick for seat in result.seats)
    if head != (result.game_id, result.game_type, result.master, nicks, result.championship, result.fixture):
        return "its head and its result contradict each other"
    return None


def _ended_us(record: GameRecord) -> int:
    """When the game ended on the wall clock, as far as the record tells."""
    verdicts = [entry.wall_us for entry in record.entries if entry.kind is EntryKind.VERDICT]
    if verdicts:
        return verdicts[-1]
    assert record.result is not None
    return record.began_us + round((record.result.ended_at - record.result.began_at) * 1_000_000)
