"""A journal in the data directory of one machine, held by the server that runs there."""

from pathlib import Path

from ugs.journal.committed import Committed
from ugs.journal.database import connect, require_database, roll_back
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import DirectoryLock
from ugs.journal.own_files import refuse_strange_files
from ugs.journal.owner_only import FILES, make_private
from ugs.journal.repair.checking import check, missing_files
from ugs.journal.sqlite_connection import SqliteDatabase
from ugs.journal.write_ahead import WriteAhead
from ugs.path_faults import reason_of


class SqliteStore:
    """The journal in a directory: a SQLite database and write-ahead files."""

    def __init__(self, directory: Path, *, make: bool = True) -> None:
        """Hold and check the journal in ``directory``. Raises :class:`JournalError` when it cannot be used, another
        server uses it, it is damaged, or there is none and none is to be made."""
        if not make:
            require_database(directory)
        self.place = directory
        self.facts: dict[str, str] = {}
        self.doubt = ""
        self._lock: DirectoryLock | None = DirectoryLock(directory)
        try:
            refuse_strange_files(directory, FILES)
            self.exposed = make_private(directory)
            # Before the check, which opens the database read-only and could not undo a transaction of a killed server.
            roll_back(directory)
            check(directory)
            self.missing = missing_files(directory)
            self.transactions = Committed(directory)
        except OSError as error:
            self._release()
            raise JournalError(f"{directory}: cannot be used: {reason_of(error)}") from error
        except BaseException:
            self._release()
            raise

    def open(self) -> SqliteDatabase:
        """Return a connection to the journal, created or updated if needed."""
        return connect(self.place)

    def connect(self) -> SqliteDatabase:
        """Return a connection to the journal, which must exist."""
        return connect(self.place, create=False)

    def begin_tail(self) -> WriteAhead:
        """Empty the write-ahead files, or create them. Raises JournalError."""
        try:
            return WriteAhead(self.place)
        except OSError as error:
            raise JournalError(f"{self.place}: cannot be used: {reason_of(error)}") from error

    def close(self) -> None:
        """Release the directory."""
        if self._lock is not None:
            self.transactions.close()
            self._release()

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()
