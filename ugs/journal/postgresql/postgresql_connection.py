"""A connection to a journal in PostgreSQL, as :class:`ugs.journal.database_contract.Database` expects it."""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from ugs.journal.checksums import BY_SEAT, CHECKED, part_checksum, row_checksum
from ugs.journal.database_contract import Rows
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql.dialect import VIEW, storable, translated
from ugs.journal.postgresql.postgresql_schema import column_types, version_of
from ugs.journal.schema_versions import MIGRATIONS
from ugs.places import DatabaseUrl

LOCK_CLASS: Final = 0x55475334
"""The first key of all advisory locks; the second is what each is about: the table of its journal, or a number."""
ANSWER_S: Final = 3
"""Either end gives a connection up after this many seconds without a sign of life."""
CONNECTS_S: Final = 5
"""How long a connection may take to be made."""
_OPTIONS: Final[Mapping[str, str | int]] = {
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": ANSWER_S,
    "tcp_user_timeout": ANSWER_S * 1000,
    "application_name": "ugs",
}
# The database gives up a server whose machine has gone as fast: only then another one can have the lock.
_SETTINGS: Final = (
    "SET tcp_keepalives_idle = 1",
    "SET tcp_keepalives_interval = 1",
    f"SET tcp_keepalives_count = {ANSWER_S}",
    # Without it the first second, in which nothing is sent, comes on top.
    f"SET tcp_user_timeout = {ANSWER_S * 1000}",
    "SET idle_in_transaction_session_timeout = '30s'",
)
_DAMAGES: Final = (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)
_GONE: Final = (psycopg.OperationalError, psycopg.InterfaceError)


if TYPE_CHECKING:
    from psycopg.abc import PQGen

T = TypeVar("T")

logging.getLogger("psycopg").addHandler(logging.NullHandler())  # what it meets is raised, too


class Connection(psycopg.Connection[Any]):
    """A connection that is given up when the database does not answer.

    The options above see a machine that has gone. A database whose processes are stopped or hang in its disk is another
    matter: its system goes on acknowledging what comes, and no limit of its own can run out.
    """

    answers_in_s: float = math.inf
    """Within this many seconds something has to come back, whatever was asked."""

    def wait(self, gen: "PQGen[T]", *args: Any, **options: Any) -> T:
        """Wait for an answer. Raises psycopg.OperationalError, and is closed then, when there is none in time."""
        if self.answers_in_s == math.inf:
            return super().wait(gen, *args, **options)
        try:
            return super().wait(_bounded(gen, self.answers_in_s), *args, **options)
        except Silent:
            self.pgconn.finish()
            raise


class Silent(psycopg.OperationalError):
    """The database keeps a connection, and does not answer."""


def _bounded(gen: "PQGen[T]", seconds: float) -> "PQGen[T]":
    """The same dialogue with the database, where each answer has to come within ``seconds``."""
    until = monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            now = monotonic()
            if ready:
                until = now + seconds
            elif now > until:
                raise Silent(f"the database has not answered for {seconds:g} s")
            wanted = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value


def connected(url: DatabaseUrl, answers_in_s: float = math.inf) -> Connection:
    """Return a connection that is in no transaction; it is given up when the database does not answer for
    ``answers_in_s`` seconds. Raises psycopg.Error."""
    given = psycopg.conninfo.conninfo_to_dict(url.text)
    options = {**_OPTIONS, "connect_timeout": math.ceil(min(answers_in_s, CONNECTS_S))}
    text = psycopg.conninfo.make_conninfo(url.text, **{name: at for name, at in options.items() if name not in given})
    db = Connection.connect(text, autocommit=True)
    db.answers_in_s = answers_in_s
    try:
        with db.pipeline():
            for setting in _SETTINGS:
                db.execute(setting)
    except BaseException:
        db.close()
        raise
    return db


class PostgresqlDatabase:
    """A connection to a journal in PostgreSQL. With ``pipelined``, the statements of a transaction do not wait for each
    other; an error then shows when something is read, or at the end."""

    Error: type[Exception] = psycopg.Error

    def __init__(
        self, url: DatabaseUrl, *, readonly: bool = False, pipelined: bool = False, answers_in_s: float = math.inf
    ) -> None:
        """Connect; ``answers_in_s`` as for :func:`connected`. Raises :class:`JournalError` when that fails, or there is
        no journal of this version."""
        self.url = url
        self._pipelined = pipelined
        self._readonly = readonly
        self._is_whole = False
        """Whether it reads the journals of all nodes together."""
        self._first_id = 0
        """The id of the first row of each table, once it has been asked for."""
        try:
            self.raw = connected(url, answers_in_s)
        except psycopg.Error as error:
            raise self.unusable(error) from error
        try:
            if readonly:
                self.raw.execute("SET default_transaction_read_only = on")
                self._read_whole()
                self._require_version()
        except psycopg.Error as error:
            self.close()
            raise self.unusable(error) from error
        except BaseException:
            self.close()
            raise

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.raw.info.transaction_status is not TransactionStatus.IDLE

    @property
    def first_id(self) -> int:
        """The id of the first row of each table: that of a node's journal is in a table (ugs.cluster.node_places)."""
        if not self._first_id:
            self._first_id = self._one_cell("first_id", "SELECT id FROM first_id") or 1
        return self._first_id

    def last_id(self, table: str) -> int:
        """Return a number that grows with each row added to a table."""
        query = f"SELECT sum(id) FROM last_{table}" if self._is_whole else f"SELECT max(id) FROM {table}"
        found = self.raw.execute(query.encode()).fetchone()
        return int(found[0] or 0) if found is not None else 0

    @property
    def lost(self) -> bool:
        """Whether the connection is broken."""
        return self.raw.closed

    def execute(self, statement: str, parameters: Any = (), /) -> Rows:
        """Execute one statement, in the words of SQLite."""
        if statement == "BEGIN" and self._readonly:
            return self.raw.execute(VIEW)
        query, adapt = translated(statement)
        return self.raw.execute(query, adapt(parameters), binary=True)

    def executemany(self, statement: str, rows: Iterable[Any], /) -> Rows:
        """Execute one statement for each of these parameters."""
        query, adapt = translated(statement)
        cursor = self.raw.cursor()
        cursor.executemany(query, [adapt(row) for row in rows])
        return cursor

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()

    def insert(self, table: str, rows: Sequence[Sequence[Any]], known: str = "", target: str = "") -> None:
        """Insert rows, a column as an array."""
        cells = [[storable(cell) for cell in row] for row in rows]
        for row, ours in zip(cells, rows, strict=True):
            if row != list(ours):  # what PostgreSQL cannot keep was replaced
                row[-1] = row_checksum(table, row[:-1])
        self.raw.execute(_insertion(table, known, target), list(map(list, zip(*cells, strict=True))))

    def add_bodies(self, table: str, rows: Sequence[tuple[int, int, bytes, int]]) -> None:
        """Insert rows into ``part`` or ``packed``."""
        query = f"""
            INSERT INTO {table} (id, game, body, crc)
            SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bytea[], %s::bigint[])
        """
        self.raw.execute(query, list(map(list, zip(*rows, strict=True))))

    def seal(self, table: str, condition: str = "", parameters: Sequence[Any] = ()) -> None:
        """Renew the checksums of rows: they are read, and their checksums written."""
        keys = ("game", "seat") if table in BY_SEAT else ("id",)
        found = self.execute(f"SELECT {', '.join(keys)}, {CHECKED[table]} FROM {table} {condition}", parameters)
        sealed = [(*row[: len(keys)], _checksum(table, row[len(keys) :])) for row in found.fetchall()]
        if sealed:
            arrays = ", ".join(["%s::bigint[]"] * (len(keys) + 1))
            same = " AND ".join(f"t.{key} = v.{key}" for key in keys)
            query = f"""
                UPDATE {table} AS t SET crc = v.crc FROM unnest({arrays}) AS v({", ".join(keys)}, crc) WHERE {same}
            """
            self.raw.execute(query, list(map(list, zip(*sealed, strict=True))))

    def delete_parts(self, parts: Sequence[tuple[int, int]]) -> None:
        """Delete rows of ``part``."""
        if parts:
            query = """
                DELETE FROM part AS t USING unnest(%s::bigint[], %s::bigint[]) AS v(id, game)
                WHERE t.id = v.id AND t.game = v.game
            """
            self.raw.execute(query, list(map(list, zip(*parts, strict=True))))

    def used_bytes(self) -> int:
        """Return the size of all tables and indexes. PostgreSQL uses the space of deleted rows again, but does not give
        it back: rows that autovacuum has not reached yet count."""
        tables = [*column_types()]
        query = "SELECT coalesce(sum(pg_total_relation_size(to_regclass(t))), 0)::bigint FROM unnest(%s::text[]) AS t"
        found = self.raw.execute(query, (tables,)).fetchone()
        return int(found[0]) if found is not None else 0

    def give_back(self, _pages: int) -> bool:
        """Do nothing: autovacuum does that."""
        return False

    def much_is_free(self) -> bool:
        """Return False: autovacuum takes care."""
        return False

    def verify_place(self) -> None:
        """Raise psycopg.OperationalError when the connection is broken."""
        if self.raw.closed:
            raise psycopg.OperationalError("the connection is broken")

    def finish(self) -> None:
        """Do nothing."""

    def unusable(self, error: Exception) -> JournalError:
        """Return the error for a failure of the database."""
        # Only these mean that rows are wrong; all else may pass, and restoring a backup would lose results.
        if isinstance(error, _DAMAGES):
            return self.damaged(error)
        return JournalError(f"{self.url}: cannot be used: {' '.join(str(error).split())}")

    def damaged(self, what: object) -> JournalError:
        """Return the error for wrong content."""
        return JournalError(f"{self.url}: damaged: {what} (nothing was changed; restore it from a backup)")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction around the block: on disk when it ends, as far as the database promises it."""
        try:
            if self._pipelined:
                with self.raw.pipeline():
                    self.raw.execute("BEGIN")
                    yield
                    self.raw.execute("COMMIT")
            else:
                self.raw.execute("BEGIN")
                yield
                self.raw.execute("COMMIT")
        except BaseException:
            try:
                if not self.raw.closed and self.in_transaction:
                    self.raw.execute("ROLLBACK")
            except psycopg.Error:
                self.raw.close()
            raise

    def _read_whole(self) -> None:
        """Read the views over the journals of all nodes, where there are any (ugs.cluster.node_places)."""
        schema = self._one_cell("read_in", "SELECT schema_name FROM read_in")
        if schema:
            self.raw.execute("SELECT set_config('search_path', %s, false)", (f'"{schema}"',))
            self.raw.execute("SET jit = off")  # it takes seconds to compile what then runs for a millisecond
            self._is_whole = True

    def _one_cell(self, table: str, query: str) -> Any:
        """Return what a query finds; None if it finds nothing, or there is no such table."""
        there = self.raw.execute("SELECT to_regclass(%s)", (table,)).fetchone()
        if there is None or there[0] is None:
            return None
        found = self.raw.execute(query.encode()).fetchone()
        return found[0] if found is not None else None

    def _require_version(self) -> None:
        version = version_of(self.raw, self.url)
        if not version:
            raise JournalError(f"{self.url}: there is no journal in this database")
        if version < max(MIGRATIONS):
            raise JournalError(
                f"{self.url}: of version {version}, this program reads version {max(MIGRATIONS)}: "
                "start a server on it to bring it up to date"
            )


def broken(error: BaseException) -> bool:
    """Return whether an error means that the connection is gone, so that another one may do better."""
    # A full disk is an operational error, too, and no new connection makes room.
    return isinstance(error, _GONE) and not isinstance(error, psycopg.errors.DiskFull)


def _checksum(table: str, cells: Sequence[Any]) -> int:
    if table in ("part", "packed"):
        row, game, body = cells
        return part_checksum(row, game, body, table)
    return row_checksum(table, cells)


@lru_cache(maxsize=64)
def _insertion(table: str, known: str, target: str) -> str:
    columns = [*CHECKED[table].split(", "), "crc"]
    types = column_types()[table]
    arrays = ", ".join(f"%s::{types[column]}[]" for column in columns)
    conflict = f"ON CONFLICT {f'({target})' if target else ''} {known}" if known else ""
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT * FROM unnest({arrays}) {conflict}"
