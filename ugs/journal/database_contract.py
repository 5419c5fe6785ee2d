"""The contract between what a journal is and the database that holds it.

Everything else in this package speaks plain SQL through :class:`Database` and leaves to it the few statements that
databases express differently. :mod:`ugs.journal.sqlite_connection` is the embedded one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ugs.places import Place

if TYPE_CHECKING:
    from ugs.journal.journal_error import JournalError
    from ugs.journal.write_ahead import WriteAhead

MAX_AT_ONCE: Final = 1024 * 1024
"""At most this many bytes of bodies are passed to :meth:`Database.add_bodies` (or one body, if that is larger)."""


class Exposed(NamedTuple):
    """A directory or file that others than its owner could use."""

    path: Path
    mode: int
    """Its permissions: what others could do."""
    mended: bool
    """Whether the permissions are fixed. False when the directory or file belongs to another user."""


class Rows(Protocol):
    """The rows that a statement has found, or the number of those that it has changed."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        ...

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all further rows."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield all further rows."""
        ...


class Database(Protocol):
    """A connection to a journal, for one thread at a time.

    Statements are SQL with ``?`` or ``?1`` for parameters; a list is passed as JSON to ``IN (SELECT value FROM
    json_each(?))``. A joined table with a condition is written as ``CROSS JOIN … ON``, which keeps the written order
    where the database would otherwise choose.
    """

    @property
    def Error(self) -> type[Exception]:
        """What any method raises when the database fails."""
        ...

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    @property
    def first_id(self) -> int:
        """The id of the first row of each table. Journals that are read together have ids of their own."""
        ...

    def last_id(self, table: str) -> int:
        """Return a number that grows with each row added to a table; 0 if it is empty."""
        ...

    def execute(self, statement: str, parameters: Any = (), /) -> Rows:
        """Execute one statement."""
        ...

    def executemany(self, statement: str, rows: Iterable[Any], /) -> Rows:
        """Execute one statement for each of these parameters."""
        ...

    def close(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        ...

    def insert(self, table: str, rows: Sequence[Sequence[Any]], known: str = "", target: str = "") -> None:
        """Insert rows with the cells of :data:`ugs.journal.checksums.CHECKED` and the checksum. ``known`` is what
        becomes of rows that already exist (``DO …``; empty: an error), ``target`` the columns that identify them."""
        ...

    def add_bodies(self, table: str, rows: Sequence[tuple[int, int, bytes, int]]) -> None:
        """Insert rows into ``part`` or ``packed``: id, game, body, checksum."""
        ...

    def seal(self, table: str, condition: str = "", parameters: Sequence[Any] = ()) -> None:
        """Renew the checksums of the rows that meet the condition (``WHERE …``). For rare changes: costly per row."""
        ...

    def delete_parts(self, parts: Sequence[tuple[int, int]]) -> None:
        """Delete these rows of ``part``, each only if it still belongs to this game: pairs of id and game."""
        ...

    def used_bytes(self) -> int:
        """Return the size of what is stored, without free space."""
        ...

    def give_back(self, pages: int) -> bool:
        """Return free space to the system, at most this many pages. Returns whether there was any; False where the
        database does that by itself."""
        ...

    def much_is_free(self) -> bool:
        """Return whether enough space is free to be given back."""
        ...

    def verify_place(self) -> None:
        """Raise JournalError, or OSError, when the journal is no longer where this connection writes."""
        ...

    def finish(self) -> None:
        """The server ends in order: leave everything where a copy of the files would find it."""
        ...

    def unusable(self, error: Exception) -> "JournalError":
        """Return the error for a failure of the database."""
        ...

    def damaged(self, what: object) -> "JournalError":
        """Return the error for content that no server has written."""
        ...


class Transactions(Protocol):
    """Runs the transactions of the one writer."""

    def transaction(self, db: Database) -> AbstractContextManager[None]:
        """A transaction around the block: on disk when it ends, nothing of it if it raises. Raises
        :class:`~ugs.journal.journal_error.FencedOff` when another server has written since the last one."""
        ...

    @property
    def patience_s(self) -> float:
        """For how long a batch is tried again that :meth:`may_pass`, in seconds."""
        ...

    @property
    def beat_s(self) -> float | None:
        """Seconds between two calls of :meth:`holds` while nothing is written; None where a lock cannot be lost."""
        ...

    @property
    def ends_when_lost(self) -> bool:
        """Whether a server ends that cannot write for longer: another one may go on with its games, so it must not
        declare them void."""
        ...

    def may_pass(self, error: Exception) -> bool:
        """Return whether this failure of a transaction may pass with a new connection."""
        ...

    def regain(self, db: Database) -> bool:
        """Make sure on a new connection that this server still holds the journal. Returns whether the transaction that
        failed last is on disk after all. Raises FencedOff."""
        ...

    def holds(self) -> bool:
        """Return whether this server still holds the journal, as far as is known."""
        ...

    def end(self, db: Database) -> None:
        """Record within the last transaction that the server ends in order."""
        ...

    def close(self) -> None:
        """No transaction may follow."""
        ...


class JournalStore(Protocol):
    """A journal held by one server, from the constructor to :meth:`close`: no other can write it meanwhile."""

    @property
    def place(self) -> Place:
        """Where it is."""
        ...

    @property
    def exposed(self) -> list[Exposed]:
        """Files that others than the owner could use until now."""
        ...

    @property
    def facts(self) -> Mapping[str, str]:
        """What people should know of the database, for the log; may be empty."""
        ...

    @property
    def doubt(self) -> str:
        """Why what it confirms may be lost; empty if it keeps its promises."""
        ...

    @property
    def missing(self) -> Sequence[str]:
        """What is missing beside the database, so that games cannot continue."""
        ...

    @property
    def transactions(self) -> Transactions:
        """What runs the writer's transactions."""
        ...

    def open(self) -> Database:
        """Return a connection to the journal, created or updated if needed."""
        ...

    def connect(self) -> Database:
        """Return a connection of the writer to the journal, which must exist."""
        ...

    def begin_tail(self) -> "WriteAhead | None":
        """Return the files for entries that are not in the database yet, emptied; None where there are none."""
        ...

    def close(self) -> None:
        """Let another server have it. A second call does nothing."""
        ...
