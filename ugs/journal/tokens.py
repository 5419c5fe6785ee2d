"""The list of tokens of a server, in its own file beside the journal, or in its own table of the same database; only
hashes of tokens are stored.

Rows are added and never changed, except that a new row about a name removes the hash from older ones. So a running
server reads only rows added since it last looked, and any command of this user may add rows.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol

from ugs.broker.values.identity import Identity, Role
from ugs.broker.values.name_rules import unique_form
from ugs.journal.database_contract import Rows
from ugs.journal.immutable_database import may_write
from ugs.journal.journal_error import JournalError
from ugs.journal.open_journal import no_driver
from ugs.places import Place

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
_COLUMNS = "number, role, name, digest, game_type, key, at_us, why"
_ADD = """
    INSERT INTO token (role, form, name, digest, game_type, key, why, who, at_us)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


class IdentitiesError(Exception):
    """The list cannot be read or written; the text gives the file and the reason."""


class NewRow(NamedTuple):
    """The content of a new row; see :class:`~ugs.broker.values.identity.Identity`."""

    role: Role
    name: str
    digest: str = ""
    game_type: str = ""
    key: str = ""
    why: str = ""


class ListedToken(NamedTuple):
    """A valid token: whose it is, who made it, and when (microseconds since 1970)."""

    role: Role
    name: str
    game_type: str
    who: str
    at_us: int

    @property
    def line(self) -> str:
        """Return a line for people."""
        when = datetime.fromtimestamp(self.at_us / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M")
        only = f" for {self.game_type}" if self.game_type else ""
        return f"{self.role} {self.name}{only}, made by {self.who} on {when} UTC"


def rows(place: Place, after: int = 0) -> list[Identity]:
    """Return the rows after number ``after``, in order; none if there is no list. Raises IdentitiesError."""
    with _reading(place) as db:
        query = f"SELECT {_COLUMNS} FROM token WHERE number > ? ORDER BY number"
        found = db.execute(query, (after,)).fetchall() if db is not None else []
    return [Identity(number, Role(role), *rest) for number, role, *rest in found]


def listed(place: Place) -> list[ListedToken]:
    """Return the valid tokens, by role and name. Raises IdentitiesError."""
    with _reading(place) as db:
        query = "SELECT role, name, game_type, who, at_us FROM token WHERE digest <> '' ORDER BY role, form"
        found = db.execute(query).fetchall() if db is not None else []
    return [ListedToken(Role(role), *rest) for role, *rest in found]


def add(place: Place, new: Sequence[NewRow], who: str, at_us: int) -> None:
    """Add rows, all or none; they survive a kill and a power cut. Raises IdentitiesError."""
    with _writing(place) as db:
        for row in new:
            _add(db, row, who, at_us)


def register(place: Place, row: NewRow, who: str, at_us: int) -> bool:
    """Add a row for a name without a token; return False if it has got one meanwhile. Raises IdentitiesError."""
    with _writing(place) as db:
        if _holds(db, row.role, row.name):
            return False
        _add(db, row, who, at_us)
        return True


def unknown(place: Place, role: Role, names: Sequence[str]) -> list[str]:
    """Return the names that have no token. Raises IdentitiesError."""
    with _reading(place) as db:
        return list(names) if db is None else [name for name in names if not _holds(db, role, name)]


class _Tokens(Protocol):
    """A database with the list."""

    def execute(self, statement: str, parameters: Any = (), /) -> Rows:
        """Execute one statement."""
        ...


def _holds(db: _Tokens, role: Role, name: str) -> bool:
    query = "SELECT 1 FROM token WHERE role = ? AND form = ? AND digest <> ''"
    return db.execute(query, (role.value, unique_form(name))).fetchone() is not None


def _add(db: _Tokens, row: NewRow, who: str, at_us: int) -> None:
    form = unique_form(row.name)
    # A hash that is no longer needed is a secret that can still be guessed.
    db.execute("UPDATE token SET digest = '' WHERE role = ? AND form = ? AND digest <> ''", (row.role.value, form))
    db.execute(_ADD, (row.role.value, form, row.name, row.digest, row.game_type, row.key, row.why, who, at_us))


@contextmanager
def _reading(place: Place) -> Iterator[_Tokens | None]:
    """Open the list; None if there is none. Every error becomes an IdentitiesError."""
    if not isinstance(place, Path):
        with _errors(place), _token_table(place).reading(place) as shared:
            yield shared
        return
    path = place / FILE
    with _errors(path):
        found, mine = path.exists(), may_write(path)
    if not found:
        yield None
        return
    # With the right to write, what a killed command left open is undone.
    with _opened(place) if mine else _read_only(path) as db:
        yield db


@contextmanager
def _writing(place: Place) -> Iterator[_Tokens]:
    """Open the list, or create it, in a transaction around the block. Every error becomes an IdentitiesError."""
    if not isinstance(place, Path):
        with _errors(place), _token_table(place).writing(place) as shared:
            yield shared
    else:
        with _opened(place) as db, db:
            # Any command of this user may write: the lock is taken before anything is read.
            db.execute("BEGIN IMMEDIATE")
            yield db


@contextmanager
def _opened(directory: Path) -> Iterator[sqlite3.Connection]:
    """Open the list in a directory, or create it."""
    path = directory / FILE
    with _errors(path):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(path)
        db = sqlite3.connect(path, timeout=PATIENCE_S)
        try:
            db.execute("PRAGMA synchronous = FULL")
            # Or the old hashes would stay in free pages of the file.
            db.execute("PRAGMA secure_delete = ON")
            db.executescript(_TABLE)
            yield db
        finally:
            db.close()


def _make(path: Path) -> None:
    """Create the file if there is none. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC  # SQLite would take the umask
    try:
        handle = os.open(path, flags | os.O_EXCL, 0o600)
    except FileExistsError:
        os.close(os.open(path, flags, 0o600))  # a link may lead to where there is none yet
        return
    try:
        if os.geteuid() == 0:
            # The server of the directory's owner could not use a file of root. Only a new file gets an owner: the
            # directory's could have put a link to any other one there.
            directory = path.parent.stat()
            os.fchown(handle, directory.st_uid, directory.st_gid)
    finally:
        os.close(handle)


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open a list that this process may not write; None if it is still empty."""
    with _errors(path), closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", PATIENCE_S, uri=True)) as db:
        made = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'token'").fetchone()
        yield db if made else None


@contextmanager
def _errors(where: object) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, ValueError, JournalError) as error:
        hint = _of_another_user(where) if isinstance(where, Path) else ""
        raise IdentitiesError(f"{where}: the list of tokens cannot be used: {error}{hint}") from error


def _of_another_user(path: Path) -> str:
    """Return a remedy where the file does not belong to the owner of its directory; else nothing."""
    try:
        same = path.stat().st_uid == path.parent.stat().st_uid
    except OSError:
        return ""
    return "" if same else f" (it belongs to another user; as root: chown --reference={path.parent} {path})"


def _token_table(place: Place) -> ModuleType:
    try:
        from ugs.journal.postgresql import token_table  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    return token_table


def copy_tokens(source: Place, target: Place) -> int:
    """Copy the whole list to a place that has none; returns the number of rows. Raises IdentitiesError."""
    columns = "role, form, name, digest, game_type, key, why, who, at_us"
    with _reading(source) as db:
        found = db.execute(f"SELECT {columns} FROM token ORDER BY number").fetchall() if db is not None else []
    if found:
        with _writing(target) as db:
            if db.execute("SELECT 1 FROM token LIMIT 1").fetchone() is not None:
                raise _is_there(target)
            for row in found:
                db.execute(_ADD, tuple(row))
    return len(found)


def refuse_second_list(source: Place, target: Place) -> None:
    """Raise IdentitiesError when a list cannot be copied, because there is another one. Makes none."""
    if rows(source) and rows(target):
        raise _is_there(target)


def _is_there(place: Place) -> IdentitiesError:
    return IdentitiesError(f"{place}: there is a list of tokens already")
