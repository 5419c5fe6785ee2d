"""The tables in PostgreSQL: those of the embedded journal, by the same steps, and what a shared one needs besides.

Texts compare byte by byte, as in SQLite. References between tables are not enforced, as in SQLite.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import psycopg

from ugs.journal.checksums import CHECKED
from ugs.journal.journal_error import JournalError
from ugs.journal.schema_versions import MIGRATIONS, SEALED

# writer: who may write. fence counts the servers that have held this journal: only the last one may. keep is what the
# last server promised its players: "moves" are on disk before they are sent, or only "results".
SHARED: Final = (
    """
    CREATE TABLE journal_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)
    """,
    "INSERT INTO journal_version VALUES (1, 0)",
    """
    CREATE TABLE writer (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        fence BIGINT NOT NULL,
        server TEXT NOT NULL,
        keep TEXT NOT NULL,
        in_order INTEGER NOT NULL
    )
    """,
    "INSERT INTO writer VALUES (1, 0, '', 'results', 1)",
    # The list of tokens (ugs.journal.tokens).
    """
    CREATE TABLE token (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        role TEXT COLLATE "C" NOT NULL,
        form TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        game_type TEXT NOT NULL,
        key TEXT NOT NULL,
        why TEXT NOT NULL,
        who TEXT NOT NULL,
        at_us BIGINT NOT NULL
    )
    """,
    "CREATE INDEX token_name ON token (role, form)",
    # Counts a transaction, in the same round trip as the rest of it; fails when another server has written since.
    """
    CREATE FUNCTION count_transaction(before_it BIGINT, checksum BIGINT, holder BIGINT) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE committed SET transactions = before_it + 1, crc = checksum
        WHERE id = 1 AND transactions = before_it AND EXISTS (SELECT 1 FROM writer WHERE fence = holder);
        IF NOT FOUND THEN
            RAISE EXCEPTION 'another server has taken over' USING ERRCODE = 'UGS01';
        END IF;
    END $$
    """,
)
_WORDS: Final = (
    (r"\) STRICT(, WITHOUT ROWID)?\s*$", ")"),
    (r"\bINTEGER\b", "BIGINT"),
    (r"\bTEXT\b", 'TEXT COLLATE "C"'),
    (r"\bBLOB\b", "BYTEA"),
    (r" REFERENCES \w+", ""),
    (r"WHERE entries$", "WHERE entries <> 0"),
)
_TABLE: Final = re.compile(r"CREATE TABLE (\w+)")
_COLUMN: Final = re.compile(r"(\w+) (INTEGER|TEXT|BLOB)\b")
_ADDED: Final = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) (INTEGER|TEXT|BLOB)")
TYPES: Final[Mapping[str, str]] = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"}


@lru_cache(maxsize=1)
def column_types() -> Mapping[str, Mapping[str, str]]:
    """Return the type of each column, by table."""
    types: dict[str, dict[str, str]] = {}
    for statement in (one for steps in MIGRATIONS.values() for one in steps):
        if table := _TABLE.search(statement):
            types[table[1]] = {name: TYPES[kind] for name, kind in _COLUMN.findall(statement)}
        elif added := _ADDED.search(statement):
            types[added[1]][added[2]] = TYPES[added[3]]
    return types


def version_of(db: "psycopg.Connection[Any]", name: object) -> int:
    """Return the version of the journal; 0 if there is none. Raises JournalError for a newer one than this program
    knows."""
    there = db.execute("SELECT to_regclass('journal_version')").fetchone()
    if there is None or there[0] is None:
        return 0
    found = db.execute("SELECT version FROM journal_version").fetchone()
    version = int(found[0]) if found is not None else 0
    if version > max(MIGRATIONS):
        raise JournalError(f"{name}: of version {version}, this program knows versions up to {max(MIGRATIONS)}")
    return version


def update(db: "psycopg.Connection[Any]", version: int) -> Iterator[str]:
    """Create the tables, or bring them up to date, in the transaction that the caller has begun. Yields the tables
    whose rows need checksums."""
    if not version:
        for statement in SHARED:
            db.execute(statement)
    for step in sorted(MIGRATIONS):
        if step > version:
            for statement in steps_to(step):
                db.execute(statement)
    db.execute("UPDATE journal_version SET version = %s", (max(MIGRATIONS),))
    if version < SEALED:
        yield from CHECKED


def steps_to(version: int) -> Sequence[str]:
    """Return the statements of one step in the words of PostgreSQL."""
    statements = []
    for statement in MIGRATIONS[version]:
        for ours, theirs in _WORDS:
            statement = re.sub(ours, theirs, statement)
        statements.append(statement)
    return statements
