"""Recovery after a server that did not end in order: which games can continue, and closing the rest."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ugs.broker.effects import RecordChampionship
from ugs.broker.values.record import EntryKind, departed
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.batch import Batch, LedgerAddition
from ugs.journal.continuing_games import MAX_IN_MEMORY, SERVER_LOST, StoredEntries, UnfinishedGame, hindrance
from ugs.journal.database_contract import Database, Transactions
from ugs.journal.entries import write_entries
from ugs.journal.open_journal import open_to_read
from ugs.journal.row_reader import GAMES, GameRow, entries_of, read_game
from ugs.journal.row_writer import RowWriter
from ugs.journal.write_ahead import read_write_ahead
from ugs.places import Place
from ugs.record.game import Entry
from ugs.record.times import wall_us

MAX_PART_BYTES = 8_388_608
"""Bytes of entries that are completed and written at a time."""

LAST_TIMES = (
    "SELECT began_us FROM run ORDER BY id DESC LIMIT 1",
    "SELECT began_us FROM game ORDER BY id DESC LIMIT 1",
    "SELECT ended_us FROM result ORDER BY id DESC LIMIT 1",
    "SELECT began_us FROM login ORDER BY id DESC LIMIT 1",
    "SELECT max(ended_us) FROM login",
    "SELECT wall_us FROM championship_log ORDER BY id DESC LIMIT 1",
)
SESSIONS = "SELECT s.nick, t.name FROM session AS s CROSS JOIN game_type AS t ON t.id = s.game_type"


class Recovered(NamedTuple):
    """The result of a recovery."""

    run: int
    """The id of the run that begins."""
    unfinished: list[UnfinishedGame]
    """Games of earlier runs that can continue."""
    stranded: list[str]
    """The ids of games that would continue if no files were missing."""
    until_us: int
    """The time of the last event in the journal, in microseconds since 1970; 0 when there is none."""


def recover(
    db: Database, place: Place, committed: Transactions, *, version: str, pid: int, complete: bool = True
) -> Recovered:
    """Close what earlier runs of the server left open, and begin a new run.

    In one transaction, games without a result that cannot continue become void through the server's fault, and logins
    and runs without an end get one. If the journal is not ``complete``, no game continues: its players may have seen
    more than is recorded, and would break the rules without a fault by playing on from an older position. The caller
    holds the journal. Raises :class:`JournalError` when the database is damaged.
    """
    try:
        with committed.transaction(db):
            return _recover(db, place, version, pid, complete)
    except db.Error as error:
        raise db.unusable(error) from error
    except ValueError as error:
        raise db.damaged(error) from error


def _recover(db: Database, place: Place, version: str, pid: int, complete: bool) -> Recovered:
    if isinstance(place, Path):
        # Before any game is judged: its last moves may be in these files only.
        _add_write_ahead(db, place, version)
    unfinished, stranded, lost_us = _close_games(db, place, version, complete)
    lost_us = max([lost_us] + [us for query in LAST_TIMES for (us,) in db.execute(query) if us is not None])
    db.execute("UPDATE login SET ended_us = ?, reason = 'server lost', crc = 0 WHERE ended_us IS NULL", (lost_us,))
    db.seal("login", "WHERE crc = 0")
    db.execute("UPDATE run SET ended_us = ?, crc = 0 WHERE ended_us IS NULL", (lost_us,))
    (last,) = db.execute("SELECT max(id) FROM run").fetchone()
    run = db.first_id if last is None else int(last) + 1
    db.execute("INSERT INTO run (id, version, pid, began_us) VALUES (?, ?, ?, ?)", (run, version, pid, wall_us()))
    db.seal("run", "WHERE crc = 0")
    return Recovered(run, unfinished, stranded, lost_us)


def _add_write_ahead(db: Database, directory: Path, version: str) -> None:
    """Add entries of running games from the write-ahead files that follow the last entry in the database: a killed
    server had not written them."""
    write_ahead = read_write_ahead(directory)
    if not write_ahead:
        return
    rows = RowWriter(db, None, version)
    for fields in db.execute(f"{GAMES} WHERE r.id IS NULL ORDER BY g.id").fetchall():
        game = read_game(fields)
        numbered = write_ahead.get(game.game_id, {})
        # The files may overlap the database: a transaction had written entries, and their file was not emptied yet.
        number = len(entries_of(db, game.row)) if numbered else 0
        missing: list[bytes] = []
        size = 0
        while number in numbered:
            missing.append(numbered[number])
            size += len(missing[-1])
            number += 1
            if size > MAX_PART_BYTES or number not in numbered:
                rows.parts([(game.row, b"".join(missing))])
                missing, size = [], 0


def _close_games(
    db: Database, place: Place, version: str, complete: bool
) -> tuple[list[UnfinishedGame], list[str], int]:
    """Close every game without a result that cannot continue. Returns the other games, the ids of those that would
    continue except for missing files, and the time of the last event in any of these games."""
    rows = RowWriter(db, None, version)
    last_us = 0
    batch = Batch()
    unfinished: list[UnfinishedGame] = []
    stranded: list[str] = []
    sessions = set(db.execute(SESSIONS))
    for fields in db.execute(f"{GAMES} WHERE r.id IS NULL ORDER BY g.id").fetchall():
        game = read_game(fields)
        entries: Sequence[Entry] = entries_of(db, game.row)
        why_not = hindrance(game, entries, sessions)
        if not why_not:
            if complete:
                if len(entries) > MAX_IN_MEMORY:
                    entries = StoredEntries(entries, partial(_read_entries, place, game.row))
                unfinished.append(UnfinishedGame(game, entries))
                last_us = max(last_us, unfinished[-1].last_wall_us)
                continue
            # Void rather than played on from a position that may be older than what its players saw.
            stranded.append(game.game_id)
            why_not = "files of the journal were missing"
        last = entries[-1] if entries else Entry(EntryKind.BEGIN, game.began_us, game.began_mono_us)
        verdict = Entry(EntryKind.VERDICT, last.wall_us, last.mono_us, text=f"{SERVER_LOST}: {why_not}")
        rows.parts([(game.row, write_entries([verdict]))])
        result = _lost(game, entries, game.began_mono_us / 1_000_000, last.mono_us / 1_000_000)
        rows.result(game.row, result, last.wall_us, ())
        if game.championship:
            # By the server's fault: it is played again, and does not use up ``void_replays``.
            data = {"game": game.game_id, "fixture": game.fixture, "again": True, "server": True}
            entry = LedgerEntry(What.VOID, data)
            logged = RecordChampionship(game.championship, game.game_type, entry)
            batch.ledger.append(LedgerAddition(None, logged, last.wall_us, json.dumps(dict(entry.data))))
        last_us = max(last_us, last.wall_us)
    rows.write(batch)
    return unfinished, stranded, last_us


def _read_entries(place: Place, row: int) -> list[Entry]:
    """Return all entries of a game, read again while the server starts."""
    db = open_to_read(place)
    try:
        return entries_of(db, row)
    except db.Error as error:
        raise db.unusable(error) from error
    finally:
        db.close()


def _lost(game: GameRow, entries: Sequence[Entry], began_at: float, ended_at: float) -> GameResult:
    departures = {seat: Cause(cause) for seat, cause in departed(entries).items()}
    return GameResult(
        game.game_id,
        game.game_type,
        game.master,
        tuple(SeatResult(seat.nick, Outcome.VOID, departures.get(place)) for place, seat in enumerate(game.seats)),
        Verdict(Cause.SERVER_LOST, by_server=True),
        sum(entry.kind is EntryKind.MOVE for entry in entries),
        began_at,
        ended_at,
        game.championship,
        game.fixture,
    )
