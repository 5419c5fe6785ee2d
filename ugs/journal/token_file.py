"""The file with the list of tokens, beside the journal in a data directory: opened, made, and whose it is.

Whoever owns the directory may have put there what is no list. So only a regular file without another name is opened,
by root too, and nothing that leads elsewhere.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shlex import quote
from typing import Final

from ugs.journal.journal_error import JournalError
from ugs.journal.own_files import strangeness

FILE: Final = "tokens.sqlite"
FILES: Final = (FILE, f"{FILE}-journal")
PATIENCE_S: Final = 5.0
"""Seconds to wait for another process that writes."""
_TABLE = """
    CREATE TABLE IF NOT EXISTS token (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        role TEXT NOT NULL,
        form TEXT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        game_type TEXT NOT NULL,
        key TEXT NOT NULL,
        why TEXT NOT NULL,
        who TEXT NOT NULL,
        at_us INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS token_name ON token (role, form);
"""


@contextmanager
def opened(directory: Path) -> Iterator[sqlite3.Connection]:
    """Open the list in a directory, or create it. Raises OSError, sqlite3.Error and JournalError."""
    path = directory / FILE
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make(path)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", timeout=PATIENCE_S, uri=True)) as db:
        db.execute("PRAGMA synchronous = FULL")
        # Or the old hashes would stay in free pages of the file.
        db.execute("PRAGMA secure_delete = ON")
        db.executescript(_TABLE)
        yield db


def _make(path: Path) -> None:
    """Create the file if there is none. Raises OSError, and JournalError for what is not taken for a list."""
    refuse_strange(path)
    try:
        # SQLite would take the umask.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    try:
        if os.geteuid() == 0:
            # The server of the directory's owner could not use a file of root. Only a new file gets an owner: any other
            # one could have been moved there.
            directory = path.parent.stat()
            os.fchown(handle, directory.st_uid, directory.st_gid)
    finally:
        os.close(handle)


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open a list that this process may not write; None if it is still empty. Raises sqlite3.Error."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", PATIENCE_S, uri=True)) as db:
        made = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'token'").fetchone()
        yield db if made else None


def misplaced(directory: Path) -> str:
    """Return what helps where a list belongs to another user than its directory, whose server cannot use it; empty for
    any other one. Only of what is a list, since the file gets the owner of the directory, who may have put it there."""
    path = directory / FILE
    try:
        if not _is_of_another(path):
            return ""
        with read_only(path) as db:
            if db is None:
                return ""
            db.execute("SELECT role, form, digest FROM token").fetchone()
    except (OSError, sqlite3.Error, JournalError):
        return ""
    remedy = f"chown -h --reference={quote(str(directory))} {quote(str(path))}"
    return f"{path}: belongs to another user than its directory, whose server cannot use it; as root: {remedy}"


def of_another_user(path: Path) -> str:
    """Return, for the end of an error text, who can help where the list at ``path`` does not belong to the owner of its
    directory; else nothing."""
    try:
        if os.geteuid() == 0 or not _is_of_another(path):
            return ""
    except (OSError, JournalError):
        return ""
    asks = f"ugs token list --data-dir {quote(str(path.parent))}"
    return f" (it belongs to another user; as root, `{asks}` shows what helps)"


def _is_of_another(path: Path) -> bool:
    """Whether a list belongs to another user than its directory. Raises OSError, and JournalError for what is none."""
    refuse_strange(path)
    return path.lstat().st_uid != path.parent.stat().st_uid


def refuse_strange(path: Path) -> None:
    """Raise JournalError for anything else than a regular file without another name."""
    for one in (path, path.with_name(f"{FILE}-journal")):
        if strange := strangeness(one):
            raise JournalError(strange if one == path else f"{one.name} {strange}")
