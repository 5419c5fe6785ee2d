"""Saves the readable part of a damaged journal into a new one.

Rows are taken from the pages of the database and its write-ahead log one by one, each with its checksum
(:mod:`ugs.journal.repair.database_pages`). A game counts in the new journal only if the game, its seats and its result
were saved. If anything was lost, running games do not go on: the last states that their players saw may be lost.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ugs.broker.values.record import EntryKind
from ugs.journal.checksums import CHECKED, enable_sealing, seal
from ugs.journal.committed import COMMITTED, Committed, transactions_known
from ugs.journal.continuing_games import SERVER_LOST
from ugs.journal.database import APPLICATION_ID, DATABASE, connect, open_database
from ugs.journal.entries import read_entries
from ugs.journal.journal_error import JournalError, unusable
from ugs.journal.lock import refuse_if_held
from ugs.journal.new_directory import new_directory
from ugs.journal.own_files import refuse_strange_files
from ugs.journal.owner_only import FILES
from ugs.journal.packing import last_part, unpack
from ugs.journal.repair.checking import check, has_checksums, wal_of
from ugs.journal.repair.database_pages import DatabaseRow, Lost, Pages, rows
from ugs.journal.repair.wal import WriteAheadLog
from ugs.journal.schema_versions import SEALED
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.write_ahead import NAMES, records, write_record
from ugs.path_faults import reason_of

ROWS_AT_ONCE: Final = 500
MAX_LISTED: Final = 50
"""Damaged places that are listed one by one."""
NAMED: Final = {
    "game_type": "SELECT game_type FROM game UNION SELECT game_type FROM championship "
    "UNION SELECT game_type FROM login UNION SELECT game_type FROM session UNION SELECT game_type FROM act",
    "master": "SELECT master FROM game",
    "player": "SELECT player FROM seat",
}
"""Tables of names, and the rows that need one."""
SAVED: Final = {
    "games": "game",
    "results": "result",
    "championships": "championship",
    "entries of championships": "championship_log",
    "logins": "login",
    "acts": "act",
    "sessions": "session",
}
"""What is counted for people, with its SQL table."""
# Rows that an ended game must have. A game whose players have outcomes has ended, so it had a result.
WITHOUT_SEATS: Final = "SELECT id FROM game AS g WHERE seat_count <> (SELECT count(*) FROM seat WHERE game = g.id)"
WITHOUT_RESULT: Final = (
    "SELECT id FROM game AS g WHERE NOT EXISTS (SELECT 1 FROM result WHERE game = g.id) "
    "AND EXISTS (SELECT 1 FROM seat WHERE game = g.id AND outcome IS NOT NULL)"
)
RUNNING: Final = "SELECT game_id FROM game AS g WHERE NOT EXISTS (SELECT 1 FROM result WHERE game = g.id) ORDER BY id"
PACKED: Final = "SELECT game, substr(body, 1, 30) FROM packed"
BODIES: Final = "SELECT body FROM {} WHERE game = ? ORDER BY id"
ENDED: Final = (
    "SELECT g.id, g.game_id, r.moves FROM result AS r CROSS JOIN game AS g ON g.id = r.game "
    "WHERE r.entries ORDER BY g.id"
)


@dataclass(slots=True)
class Rescued:
    """What was saved and what was not."""

    saved: dict[str, int] = field(default_factory=dict)
    """How many of what: games, results, sessions, …"""
    damage: list[str] = field(default_factory=list)
    """What is damaged in the old journal."""
    lost_games: list[str] = field(default_factory=list)
    """Known games that are not in the new journal: their result or a seat is lost."""
    incomplete: list[str] = field(default_factory=list)
    """Games that count although some of their moves are lost."""
    ended: list[str] = field(default_factory=list)
    """Running games that cannot go on: the next server declares them void."""
    names: list[str] = field(default_factory=list)
    """Placeholders in the new journal for lost names."""
    lost: int = 0
    """Rows, pages and transactions that are lost; 0 if everything was saved."""

    @property
    def whole(self) -> bool:
        """Whether everything was saved."""
        return not (self.lost or self.lost_games or self.incomplete or self.names)


def rescue(source: Path, target: Path) -> Rescued:
    """Save the journal of the directory ``source`` into ``target``, which must be empty or missing; meanwhile it holds
    a copy of the old journal. ``source`` is not changed. Raises :class:`JournalError` when there is nothing to be
    saved, a server uses ``source``, there is something in ``target`` or it cannot be written, and then leaves it as it
    was."""
    old = source / DATABASE
    if not old.is_file() and not wal_of(old).is_file():
        raise JournalError(f"{source}: there is no journal here (no file {DATABASE})")
    refuse_if_held(source)
    refuse_strange_files(source, FILES)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise JournalError(f"{target}: must be a new or an empty directory")
    try:
        with new_directory(target):
            with TemporaryDirectory(dir=target, prefix="old-") as room, closing(connect(target)) as db:
                copy = Path(room)
                for path in (old, wal_of(old), *(source / name for name in (COMMITTED, *NAMES))):
                    if path.exists():
                        shutil.copyfile(path, copy / path.name)
                (copy / DATABASE).touch()  # if it is missing, its log may still hold everything
                rescued = _rescue(copy, target, db)
            rescued.damage = [text.replace(str(copy), str(source)) for text in rescued.damage]
            return rescued
    except sqlite3.Error as error:
        raise unusable(target / DATABASE, error) from error
    except OSError as error:
        # Of a file that is copied, the second name is that of the copy.
        raise JournalError(f"{error.filename2 or error.filename or target}: {reason_of(error)}") from error


def _rescue(copy: Path, target: Path, db: SqliteDatabase) -> Rescued:
    """Rescue from a copy of the old directory: opening a database may change it."""
    rescued = Rescued(damage=_damage(copy))
    _take_entries(copy, target, rescued)
    committed = Committed(target)
    with committed.transaction(db):
        _take_rows(db, *_sealed(copy), rescued)
        _lost_transactions(copy, rescued)
        _mend(db, rescued)
    committed.close()
    return rescued


def _damage(copy: Path) -> list[str]:
    """Return what the check at a start reports."""
    try:
        check(copy)
    except JournalError as error:
        return [str(error).partition(" (nothing was changed")[0]]
    return []


def _sealed(copy: Path) -> tuple[Path, WriteAheadLog]:
    """Return the database and its log. A database without checksums is updated first. Raises JournalError if that
    fails."""
    path = copy / DATABASE
    log = WriteAheadLog(wal_of(path))
    with Pages(path, log) as pages:
        version, application = (int.from_bytes(pages[1][at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION_ID or not 0 < version < SEALED:
        return path, log
    try:
        with closing(open_database(path, "ro")) as db:
            if has_checksums(db):
                return path, log
        with closing(connect(copy)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except (JournalError, sqlite3.Error) as error:
        raise JournalError(
            f"the journal is of version {version}, which had no checksums, and so damaged that it cannot be read: "
            f"try `sqlite3 {DATABASE} .recover` on a copy"
        ) from error
    return path, WriteAheadLog(wal_of(path))


def _take_rows(db: sqlite3.Connection, old: Path, log: WriteAheadLog, rescued: Rescued) -> None:
    """Copy each row whose checksum is right."""
    columns = {table: _columns(db, table) for table in CHECKED}
    insert = {
        table: f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        for table, names in columns.items()
    }
    with Pages(old, log) as pages:
        if pages.missing:
            rescued.lost += 1
            rescued.damage.append(f"{old}: {pages.missing} pages are missing at its end")
        found = rows(pages, columns)
        while some := list(islice(found, ROWS_AT_ONCE)):
            by_table: dict[str, list[DatabaseRow]] = {}
            for row in some:
                if isinstance(row, Lost):
                    rescued.lost += 1
                    rescued.damage.append(_described(row))
                elif row.table != "committed":
                    by_table.setdefault(row.table, []).append(row)
                else:
                    rescued.saved["transactions"] = max(rescued.saved.get("transactions", 0), int(row.cells[1] or 0))
            for table, same in by_table.items():
                db.executemany(insert[table], [row.cells for row in same])


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]


def _described(lost: Lost) -> str:
    where = f"page {lost.page} (byte {(lost.page - 1) * 4096})"
    if lost.table and lost.row:
        return f"{where}: table {lost.table}, row {lost.row} is damaged"
    return f"{where}: a row is damaged" if lost.table or lost.row else f"{where}: what is there cannot be read"


def _lost_transactions(source: Path, rescued: Rescued) -> None:
    found = rescued.saved.pop("transactions", None)
    try:
        known = transactions_known(source)
    except JournalError:
        known = None
    if found is not None and not (source / COMMITTED).exists():
        rescued.damage.append(f"{source / COMMITTED} is missing: nothing proves that the last results are there")
    if known is not None and found is not None and found < known:
        rescued.lost += known - found
        rescued.damage.append(f"{source}: of {known} transactions the last {known - found} cannot be found")


def _mend(db: sqlite3.Connection, rescued: Rescued) -> None:
    """Turn the rows into a journal that a server can use."""
    enable_sealing(db)
    for table, needed in NAMED.items():
        missing = f"SELECT DISTINCT * FROM ({needed}) EXCEPT SELECT id FROM {table}"
        for (number,) in db.execute(missing).fetchall():
            name = f"lost-{table.replace('_', '-')}-{number}"
            rescued.names.append(name)
            db.execute(f"INSERT INTO {table} (id, name) VALUES (?, ?)", (number, name))
            db.execute(f"{seal(table)} WHERE id = ?", (number,))
    for name, row in (
        ("a game", "result"),
        ("a game", "seat"),
        ("a game", "refused"),
        ("a game", "part"),
        ("a game", "packed"),
        ("a championship", "championship_log"),
    ):
        owner = name.split()[1]
        gone = db.execute(f"DELETE FROM {row} WHERE {owner} NOT IN (SELECT id FROM {owner})").rowcount
        if gone:
            rescued.lost += gone
            rescued.damage.append(f"{gone} rows of the table {row} belong to {name} that is lost")
    _drop_packed(db)
    for query in (WITHOUT_SEATS, WITHOUT_RESULT):
        _drop_games(db, [row for (row,) in db.execute(query)], rescued)
    # The next result must not get an id that an act treats as earlier than itself.
    db.execute("UPDATE act SET results_before = min(results_before, (SELECT ifnull(max(id), 0) FROM result))")
    db.execute(seal("act"))
    if not rescued.whole:
        rescued.ended = [game_id for (game_id,) in db.execute(RUNNING)]
        db.execute("DELETE FROM session")
        _find_incomplete(db, rescued)
    for what, table in SAVED.items():
        (rescued.saved[what],) = db.execute(f"SELECT count(*) FROM {table}").fetchone()


def _drop_games(db: sqlite3.Connection, games: Iterable[int], rescued: Rescued) -> None:
    """Leave out games whose end is not known any more."""
    for row in games:
        (game_id,) = db.execute("DELETE FROM game WHERE id = ? RETURNING game_id", (row,)).fetchone()
        rescued.lost_games.append(game_id)
        for table in ("result", "seat", "refused", "part", "packed"):
            db.execute(f"DELETE FROM {table} WHERE game = ?", (row,))


def _drop_packed(db: sqlite3.Connection) -> None:
    """Leave out parts whose entries are packed: deleted rows may have been found again."""
    lasts = ((game, last_part(beginning)) for game, beginning in db.execute(PACKED).fetchall())
    db.executemany("DELETE FROM part WHERE game = ? AND id <= ?", lasts)


def _find_incomplete(db: sqlite3.Connection, rescued: Rescued) -> None:
    """Find games with lost entries, and leave out entries that cannot be read without the lost ones."""
    for row, game_id, moves in db.execute(ENDED).fetchall():
        packed, parts = ([body for (body,) in db.execute(BODIES.format(t), (row,))] for t in ("packed", "part"))
        try:
            entries = unpack(packed) + read_entries(b"".join(parts))
        except ValueError:  # a piece of packed entries is lost
            for table in ("packed", "part"):
                db.execute(f"DELETE FROM {table} WHERE game = ?", (row,))
            db.execute("UPDATE result SET entries = 0 WHERE game = ?", (row,))
            rescued.incomplete.append(game_id)
            continue
        if not entries and not moves:
            continue  # a game that began while the journal was lost has no entries
        kinds = [entry.kind for entry in entries]
        whole = kinds[:1] == [EntryKind.BEGIN] and EntryKind.VERDICT in kinds and kinds.count(EntryKind.MOVE) == moves
        if not whole and not any(entry.text.startswith(SERVER_LOST) for entry in entries):
            rescued.incomplete.append(game_id)


def _take_entries(source: Path, target: Path, rescued: Rescued) -> None:
    """Copy the entries of running games from the write-ahead files."""
    for name in NAMES:
        try:
            data = (source / name).read_bytes()
        except FileNotFoundError:
            continue
        kept: list[bytes] = []
        for offset, record in records(data):
            if record is None:
                rescued.lost += 1
                rescued.damage.append(f"{source / name}: the record at byte {offset} is damaged")
            else:
                kept.append(write_record(*record))
        handle = os.open(target / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.writelines(kept)


def lines(rescued: Rescued, target: Path) -> Iterator[str]:
    """Yield lines for people: what was saved, and what was not."""
    yield f"{target}: " + ", ".join(f"{count} {what}" for what, count in rescued.saved.items())
    for text in rescued.damage[:MAX_LISTED]:
        yield f"damaged: {text}"
    if len(rescued.damage) > MAX_LISTED:
        yield f"damaged: {len(rescued.damage) - MAX_LISTED} more places"
    account = (
        ("lost", "games without their seats or their result", rescued.lost_games),
        ("incomplete", "games that count, but some of whose moves are lost", rescued.incomplete),
        ("void", "running games that cannot go on", rescued.ended),
        ("renamed", "names that are lost", rescued.names),
    )
    for word, what, names in account:
        if names:
            yield f"{word}: {what}: {', '.join(names)}"
    yield "everything was saved" if rescued.whole else "not everything was saved"
