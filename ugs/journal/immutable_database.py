"""Reads a journal that its reader may not write, while no server uses it.

SQLite keeps two files beside a database with a write-ahead log, also to read it. Where they are missing, as after a
server has stopped in order, and the reader may not make them, SQLite reads only what it is told will not change.
"""

import os
import sqlite3
from pathlib import Path
from typing import Any, Final

from ugs.journal.journal_error import JournalError, unusable
from ugs.journal.sqlite_connection import SqliteDatabase

LOG: Final = "-wal"
SHARED: Final = "-shm"
"""Suffixes of the write-ahead log, and of the memory that its readers and its writer share."""
NEEDS_WRITING: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""How SQLite fails where it may not make these files."""


class ImmutableDatabase(SqliteDatabase):
    """A database that nothing writes: SQLite takes no locks and reads no write-ahead log."""

    def execute(self, statement: str, parameters: Any = (), /) -> Any:
        """Execute one statement. Raises JournalError when a server has begun to use the database meanwhile: what is
        read could be of two times."""
        if not is_at_rest(self.path):
            raise JournalError(f"{self.path}: a server has started on it while it was read: read it again")
        return super().execute(statement, parameters)


def is_only_to_read(path: Path) -> bool:
    """Whether this process cannot write the database at ``path``, or make files beside it, and no other does: it may be
    opened as one that does not change. Where it can write the directory but not the database, SQLite's files would
    belong to the reader, and the next server could not use them."""
    return not may_write(path) and is_at_rest(path)


def may_write(path: Path) -> bool:
    """Whether this process can write the file at ``path``, and make files beside it."""
    # By the rights in force: a read-only file system is seen, too.
    return all(os.access(one, os.W_OK, effective_ids=True) for one in (path, path.resolve().parent))


def is_at_rest(path: Path) -> bool:
    """Whether the database at ``path`` holds everything, and no process has it open to write it: that one would keep
    both files there."""
    path = path.resolve()  # a link to a database: SQLite's files are beside the database itself
    if path.with_name(path.name + SHARED).exists():
        return False
    try:
        return path.with_name(path.name + LOG).stat().st_size == 0
    except FileNotFoundError:
        return True


def unreadable(path: Path, error: sqlite3.Error) -> JournalError:
    """Return the error for a database at ``path`` that cannot be read."""
    # The lowest byte is the kind of error, the rest says more of it.
    if error.sqlite_errorcode & 0xFF not in NEEDS_WRITING or is_at_rest(path):
        return unusable(path, error)
    return JournalError(
        f"{path}: cannot be read without the right to write: what is new is in {path.name}{LOG}, because a server "
        "runs or was killed; read it as the owner of the directory, or copy the whole directory to where you may write"
    )
