"""The SQL tables of a journal, their versions, and opening the database.

The ``application_id`` of a database says that it is a journal, its ``user_version`` which version. An older version is
updated when it is opened for writing; a newer version or the database of another program is left alone.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

APPLICATION_ID = 0x55475334
"""``UGS4`` in ASCII."""
DATABASE = "journal.sqlite"
"""The file in the data directory."""
BUSY_S = 5.0
"""Seconds to wait for another process that writes into the same database; there should be none."""
WAL_BYTES = 32 * 1024 * 1024
"""SQLite's write-ahead log is truncated to this size after it has been copied into the database."""
OLDEST_SQLITE = (3, 38, 0)
"""The first version with the operator ``->>``."""

VERSION_1 = (
    # One life of the server. ended_us is NULL while it runs; in_order is 1 when it ended in order.
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        version TEXT NOT NULL,
        pid INTEGER NOT NULL,
        began_us INTEGER NOT NULL,
        ended_us INTEGER,
        in_order INTEGER NOT NULL DEFAULT 0,
        losses INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE TABLE game_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE master (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    """
    CREATE TABLE login (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run,
        role TEXT NOT NULL,
        who TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        address TEXT NOT NULL,
        version TEXT NOT NULL,
        players TEXT NOT NULL,
        began_us INTEGER NOT NULL,
        ended_us INTEGER,
        reason TEXT
    ) STRICT
    """,
    "CREATE INDEX login_who ON login (who)",
    "CREATE INDEX login_ended ON login (ended_us)",
    # Written when a game begins and never changed. run is NULL for a game that was imported.
    """
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game_type INTEGER NOT NULL REFERENCES game_type,
        master INTEGER NOT NULL REFERENCES master,
        run INTEGER REFERENCES run,
        server TEXT NOT NULL,
        began_us INTEGER NOT NULL,
        began_mono_us INTEGER NOT NULL,
        options TEXT NOT NULL,
        championship TEXT NOT NULL,
        fixture INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX game_championship ON game (championship) WHERE championship <> ''",
    # In the order in which results were recorded; a game without one is running. began_s and ended_s are on the
    # server's monotonic clock, as text because a full-length decimal is exact and a number in JSON need not be.
    """
    CREATE TABLE result (
        id INTEGER PRIMARY KEY,
        game INTEGER NOT NULL UNIQUE REFERENCES game,
        cause TEXT NOT NULL,
        culprit TEXT,
        by_server INTEGER NOT NULL,
        void INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        began_s TEXT NOT NULL,
        ended_s TEXT NOT NULL,
        ended_us INTEGER NOT NULL,
        round_trips_us TEXT NOT NULL,
        entries INTEGER NOT NULL DEFAULT 1
    ) STRICT
    """,
    "CREATE INDEX result_with_entries ON result (ended_us) WHERE entries",
    # outcome is NULL while the game runs.
    """
    CREATE TABLE seat (
        game INTEGER NOT NULL REFERENCES game,
        seat INTEGER NOT NULL,
        player INTEGER NOT NULL REFERENCES player,
        outcome TEXT,
        departure TEXT,
        PRIMARY KEY (game, seat)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX seat_player ON seat (player, game)",
    # The entries of a game: one part for each transaction that wrote some; the body is a sequence of framed entries
    # (ugs.journal.entries). Parts are stored in the order of writing: if the parts of each game were stored side by
    # side, every transaction would write a page for each running game.
    "CREATE TABLE part (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, body BLOB NOT NULL) STRICT",
    "CREATE INDEX part_game ON part (game)",
    """
    CREATE TABLE championship (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        game_type INTEGER NOT NULL REFERENCES game_type
    ) STRICT
    """,
    """
    CREATE TABLE championship_log (
        id INTEGER PRIMARY KEY,
        championship INTEGER NOT NULL REFERENCES championship,
        wall_us INTEGER NOT NULL,
        what TEXT NOT NULL,
        who TEXT NOT NULL,
        why TEXT NOT NULL,
        data TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX championship_log_of ON championship_log (championship)",
)

VERSION_2 = (
    # For games at tables and games that another master can take over. seed is empty when none can; counts is 0 for a
    # game that does not count for standings; table_facts is a JSON object, empty in open play.
    "ALTER TABLE game ADD COLUMN counts INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE game ADD COLUMN seats_total INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE game ADD COLUMN seed TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE game ADD COLUMN table_facts TEXT NOT NULL DEFAULT '{}'",
    # Players who may come back, in the order of their logins. session is the public part of their token, digest a hash
    # of the whole token: reading this table does not allow anyone to resume a session. families is a JSON list.
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL,
        nick TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        families TEXT NOT NULL,
        pooled INTEGER NOT NULL,
        began_us INTEGER NOT NULL
    ) STRICT
    """,
)

VERSION_3 = (
    # What organisers did to the server itself (ugs.broker.questions.Act), in order. results_before is the highest id in
    # result when the act was written: all results that the server had counted for its subject have at most this id,
    # and all later ones a higher one.
    """
    CREATE TABLE act (
        id INTEGER PRIMARY KEY,
        wall_us INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        who TEXT NOT NULL,
        why TEXT NOT NULL,
        results_before INTEGER NOT NULL
    ) STRICT
    """,
)

MIGRATIONS: Mapping[int, Sequence[str]] = {1: VERSION_1, 2: VERSION_2, 3: VERSION_3}
"""By version: the statements that lead to it from the version before; 0 is an empty database."""


class JournalError(Exception):
    """The journal cannot be used, or does not hold what was asked for. The text is for people and names the file."""


def connect(
    directory: Path,
    *,
    readonly: bool = False,
    create: bool = True,
    migrations: Mapping[int, Sequence[str]] = MIGRATIONS,
) -> sqlite3.Connection:
    """Open the journal of a data directory so that every transaction is on disk when its COMMIT returns.

    The connection is in autocommit mode; a caller that wants a transaction executes BEGIN. With ``readonly`` nothing is
    changed, and a server may write at the same time. Otherwise the SQL tables are updated, or created unless ``create``
    is False. Any thread may use the connection, but only one at a time. Raises :class:`JournalError` when there is no
    journal, or the database is damaged, of a newer version or not a journal.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise JournalError(f"SQLite {needed} or newer is needed, this is {sqlite3.sqlite_version}")
    path = directory / DATABASE
    if (readonly or not create) and not path.is_file():
        raise JournalError(f"{directory}: there is no journal here (no file {DATABASE})")
    mode = "ro" if readonly else "rwc" if create else "rw"
    db = None
    try:
        db = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_S,
            isolation_level=None,
            check_same_thread=False,
        )
        _prepare(db, path, readonly, migrations)
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise JournalError(unusable(path, error)) from error
    except BaseException:
        if db is not None:
            db.close()
        raise
    return db


def unusable(path: Path, error: sqlite3.Error) -> str:
    """The error text for people about a database that fails with ``error``."""
    damaged = type(error) is sqlite3.DatabaseError  # its subclasses mean other errors
    return f"{path}: {'damaged, or no journal' if damaged else 'cannot be used'}: {error}"


def _prepare(db: sqlite3.Connection, path: Path, readonly: bool, migrations: Mapping[int, Sequence[str]]) -> None:
    newest = max(migrations)
    version = _version(db, path, newest)
    if readonly:
        if version == 0:
            raise JournalError(f"{path}: there is no journal in here yet")
        if version < newest:
            raise JournalError(
                f"{path}: of version {version}, this program reads version {newest}: "
                "a server that is started on it brings it up to date"
            )
        db.execute("PRAGMA query_only = ON")
        return
    if version == 0:
        db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only takes effect before the first page is written
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
    if version < newest:
        _migrate(db, path, migrations)


def _version(db: sqlite3.Connection, path: Path, newest: int) -> int:
    """The version of the journal; 0 for an empty database. Raises JournalError for a newer version and for other
    databases."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    assert isinstance(version, int)
    if application != APPLICATION_ID:
        (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application or version or tables:
            raise JournalError(f"{path}: not a journal of ugs, but a database of something else")
        return 0
    if version > newest:
        raise JournalError(f"{path}: of version {version}, this program knows versions up to {newest}: it is too old")
    return version


def _migrate(db: sqlite3.Connection, path: Path, migrations: Mapping[int, Sequence[str]]) -> None:
    """Execute all steps from the present version to the newest one, in one transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version = _version(db, path, max(migrations))  # another process may have migrated it meanwhile
        for step in sorted(migrations):
            if step > version:
                for statement in migrations[step]:
                    db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {max(migrations)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
