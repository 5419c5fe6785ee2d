"""The list of tokens of a server, in its own file beside the journal, or in its own table of the same database; only
hashes of tokens are stored.

Rows are added and never changed, except that a new row about a name removes the hash from older ones. So a running
server reads only rows added since it last looked, and any command of this user may add rows.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol

from ugs.broker.values.identity import Identity, Role
from ugs.broker.values.name_rules import unique_form
from ugs.journal.database_contract import Rows
from ugs.journal.immutable_database import may_write
from ugs.journal.journal_error import JournalError
from ugs.journal.open_journal import no_driver
from ugs.journal.token_file import FILE, of_another_user, opened, read_only, refuse_strange
from ugs.path_faults import reason_of
from ugs.places import Place

REGISTERED: Final = "itself"
"""Who has made a token that a player registered with."""
_COLUMNS = "number, role, name, digest, game_type, key, at_us, why"
_WRITTEN = "role, form, name, digest, game_type, key, why, who, at_us"
HASH: Final = _WRITTEN.split(", ").index("digest")
_ADD = f"INSERT INTO token ({_WRITTEN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


_CHANGED = """
    SELECT role, form, name, digest, game_type, key, why, who, at_us FROM token
    WHERE (role, form) IN (SELECT role, form FROM token WHERE who <> ?) ORDER BY number
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


class TokenChange(NamedTuple):
    """What an organiser did to a token, in words, and when (microseconds since 1970)."""

    who: str
    text: str
    at_us: int


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


def changes(place: Place) -> list[TokenChange]:
    """Return what organisers did to tokens, in order; what players have registered is left out. Raises
    IdentitiesError."""
    with _reading(place) as db:
        found = db.execute(_CHANGED, (REGISTERED,)).fetchall() if db is not None else []
    done: list[TokenChange] = []
    last = {(role, form): number for number, (role, form, *_) in enumerate(found)}
    has: dict[tuple[str, str], bool | None] = {}
    for number, (role, form, name, digest, game_type, key, why, who, at_us) in enumerate(found):
        before = has.get((role, form), False)
        if digest or key or who == REGISTERED:
            what, after = "replaced" if before else "made", True
        elif number == last[role, form]:
            what, after = "revoked", False
        elif before is False:
            what, after = "made", True
        else:
            # Its hash is gone, if it had one, and a token that was chosen has no public beginning either.
            what, after = "changed", None
        has[role, form] = after
        if who != REGISTERED:
            only = f" for {game_type}" if game_type else ""
            text = f"token of {role} {name}{only} {what}{f' ({why})' if why else ''}"
            done.append(TokenChange(who, text, at_us))
    return done


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
        refuse_strange(path)
        found, mine = path.exists(), may_write(path)
    if not found:
        yield None
        return
    # With the right to write, what a killed command left open is undone.
    with _errors(path), opened(place) if mine else read_only(path) as db:
        yield db


@contextmanager
def _writing(place: Place) -> Iterator[_Tokens]:
    """Open the list, or create it, in a transaction around the block. Every error becomes an IdentitiesError."""
    if not isinstance(place, Path):
        with _errors(place), _token_table(place).writing(place) as shared:
            yield shared
    else:
        with _errors(place / FILE), opened(place) as db, db:
            # Any command of this user may write: the lock is taken before anything is read.
            db.execute("BEGIN IMMEDIATE")
            yield db


@contextmanager
def _errors(where: object) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, ValueError, JournalError) as error:
        why = reason_of(error) if isinstance(error, OSError) else str(error)
        hint = of_another_user(where) if isinstance(where, Path) else ""
        raise IdentitiesError(f"{where}: the list of tokens cannot be used: {why}{hint}") from error


def _token_table(place: Place) -> ModuleType:
    try:
        from ugs.journal.postgresql import token_table  # nothing else needs its packages
    except ImportError as error:
        raise no_driver(place, error) from error
    return token_table


def copy_tokens(source: Place, target: Place) -> int:
    """Copy the whole list to a place that has none, or has the beginning of this one, from a copy that was killed;
    returns the number of rows. Raises IdentitiesError."""
    with _reading(source) as db:
        found = _all_rows(db) if db is not None else []
    if found:
        with _writing(target) as db:
            if _differs(_all_rows(db), found):
                raise _is_there(target)
            db.execute("DELETE FROM token")  # a token may have been revoked since
            for row in found:
                db.execute(_ADD, row)
    return len(found)


def refuse_second_list(source: Place, target: Place) -> None:
    """Raise IdentitiesError when a list cannot be copied, because there is another one. Makes none."""
    with _reading(source) as db:
        found = _all_rows(db) if db is not None else []
    with _reading(target) as db:
        there = _all_rows(db) if db is not None else []
    if found and _differs(there, found):
        raise _is_there(target)


def _all_rows(db: _Tokens) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute(f"SELECT {_WRITTEN} FROM token ORDER BY number").fetchall()]


def _differs(there: Sequence[tuple[Any, ...]], source: Sequence[tuple[Any, ...]]) -> bool:
    """Whether a list is another one than ``source`` was before."""
    # The hash of an older row goes when its name gets a new one.
    return any(
        one[:HASH] + one[HASH + 1 :] != other[:HASH] + other[HASH + 1 :]
        for one, other in zip_longest(there, source[: len(there)], fillvalue=())
    )


def _is_there(place: Place) -> IdentitiesError:
    return IdentitiesError(f"{place}: there is a list of tokens already")
