"""A journal in PostgreSQL, held by one server: see :class:`ugs.journal.database_contract.JournalStore`."""

import math
from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Final

import psycopg

from ugs.journal.database_contract import Exposed
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql.fencing import PATIENCE_S, FencedTransactions, WriterLock
from ugs.journal.postgresql.postgresql_connection import LOCK_CLASS, PostgresqlDatabase, connected
from ugs.journal.postgresql.postgresql_schema import update, version_of
from ugs.journal.postgresql.standby import HolderWatch, wait_for
from ugs.journal.schema_versions import MIGRATIONS
from ugs.places import DatabaseUrl

UPDATING: Final = "SELECT pg_advisory_lock(%s, 0)"
MUST_BE_ON: Final = ("synchronous_commit", "fsync")
OLDEST_SERVER: Final = 13_00_00
ENCODING: Final = "UTF8"
"""In any other one not all texts can be kept."""
NO_PROOF: Final = "last moves"
"""What is missing where the last server was lost and had not promised to keep moves before they are sent."""

SOON_S: Final = 0.5
"""Seconds that a server which has just ended may seem to hold its journal: the database gives the lock back."""
LOOK_S: Final = 0.05
"""Seconds between two looks."""
WAYS_ON: Final = "--standby waits until that has ended, --node with a name of its own plays beside it"


class PostgresqlStore:
    """Held from the constructor to :meth:`close`."""

    exposed: Final[list[Exposed]] = []

    def __init__(
        self, url: DatabaseUrl, *, keep: str = "results", waits: Callable[[], object] | None = None, make: bool = True
    ) -> None:
        """Update the tables if needed, or ``make`` them, and hold the journal. ``keep`` is what this server promises.
        With ``waits``, another server is waited for, however long, and ``waits`` called first. Raises
        :class:`JournalError` when it cannot be used, another server holds it, or there is none to be made."""
        self.place = url
        self.facts: dict[str, str] = {}
        # With moves kept everything waits for a database that hangs, and another server may do better. Else only
        # results wait, as long as it takes.
        self._answers_in_s = PATIENCE_S if keep == "moves" else math.inf
        self._lock, watch = WriterLock(url, self._answers_in_s), HolderWatch()
        try:
            create(url, update_old=False, make=make)  # those of an earlier version may still be in use
            if not (self._lock.take() if waits is not None else self._takes_soon()):
                if waits is None:
                    raise JournalError(f"{url}: in use by another server ({holder(url)}); {WAYS_ON}")
                waits()
                wait_for(self._lock, watch)
            create(url)
            self.transactions = FencedTransactions(self._lock, keep)
            self._first = PostgresqlDatabase(url)
            # The fence is raised before anything is read: an earlier holder that still runs cannot write from here on.
            complete = self.transactions.begin(self._first)
            self.missing: Sequence[str] = [] if complete else [NO_PROOF]
            self.facts = _how_safe(self._first)
            if watch.ended:
                self.facts["taken_from"] = "a server that hangs"
        except psycopg.Error as error:
            self.close()
            raise JournalError(f"{url}: cannot be used: {' '.join(str(error).split())}") from error
        except BaseException:
            self.close()
            raise

    def _takes_soon(self) -> bool:
        """Take the lock, also of a server that has just ended: the database gives it back a moment later."""
        until = monotonic() + SOON_S
        while not self._lock.take():
            if monotonic() > until:
                return False
            sleep(LOOK_S)
        return True

    @property
    def doubt(self) -> str:
        """Why what the database has confirmed may be lost."""
        unsafe = [f"{name} = off" for name in MUST_BE_ON if self.facts.get(name) == "off"]
        return f"{' and '.join(unsafe)}: what it has confirmed is lost when its machine stops" if unsafe else ""

    def open(self) -> PostgresqlDatabase:
        """Return a connection to the journal."""
        return self._first

    def connect(self) -> PostgresqlDatabase:
        """Return a connection of the writer."""
        return PostgresqlDatabase(self.place, pipelined=True, answers_in_s=self._answers_in_s)

    def begin_tail(self) -> None:
        """There are no files: what is on one machine's disk does not outlive it."""

    def close(self) -> None:
        """Let another server have it."""
        self._lock.release()


def create(url: DatabaseUrl, *, update_old: bool = True, make: bool = True) -> None:
    """Create the tables, or bring those of an earlier version up to date, unless ``update_old`` is False. Raises
    psycopg.Error and JournalError, also for tables of a later version, and without ``make`` where there are none."""
    db = PostgresqlDatabase(url)
    try:
        if db.raw.info.server_version < OLDEST_SERVER:
            raise JournalError(f"{url}: PostgreSQL {OLDEST_SERVER // 10000} or newer is needed")
        if (encoding := db.raw.info.parameter_status("server_encoding")) != ENCODING:
            hint = f"CREATE DATABASE … ENCODING '{ENCODING}' TEMPLATE template0"
            raise JournalError(f"{url}: its encoding is {encoding}, and {ENCODING} is needed: {hint}")
        version = version_of(db.raw, url)
        if not version and not make:
            raise JournalError(f"{url}: there is no journal in this database")
        if version == max(MIGRATIONS) or (version and not update_old):
            return
        # The lock is taken before the transaction: one that has begun may not see the tables of a server that had it.
        db.raw.execute(UPDATING, (LOCK_CLASS,))
        with db.transaction():
            version = version_of(db.raw, url)  # another server may have done it meanwhile
            if version < max(MIGRATIONS):
                for table in update(db.raw, version):
                    db.seal(table)
    finally:
        db.close()


def holder(url: DatabaseUrl) -> str:
    """Return which server holds the journal, for people. Raises psycopg.Error."""
    with connected(url) as db:
        found = db.execute("SELECT server FROM writer").fetchone()
        return str(found[0]) if found is not None and found[0] else "not known yet"


def _how_safe(db: PostgresqlDatabase) -> dict[str, str]:
    """Return what a commit promises."""
    names = ("server_version", "synchronous_commit", "fsync", "full_page_writes", "synchronous_standby_names")
    query = "SELECT " + ", ".join(f"current_setting('{name}')" for name in names)
    return dict(zip(names, db.raw.execute(query).fetchone() or (), strict=True))
