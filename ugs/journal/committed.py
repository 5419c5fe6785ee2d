"""The number of transactions on disk, stored twice: in the database, and in a small file beside it.

SQLite treats the first frame with a wrong checksum as the end of its write-ahead log. That is right for a transaction
that a power cut has cut off, but one changed byte makes it silently forget all later transactions. So each transaction
is counted in the database and, after its COMMIT, in the file. However a server ends, the file can only be behind; a
file that is ahead of the database proves that transactions were lost.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from zlib import crc32

from ugs.journal.checksums import row_checksum
from ugs.journal.database_contract import Database
from ugs.journal.journal_error import JournalError, damaged
from ugs.journal.sqlite_connection import SqliteDatabase

COMMITTED: Final = "committed"
"""The file in the data directory."""
UNFINISHED: Final = b"unfinished backup\n"
"""What is in the file while the directory is filled by a backup: a process that is killed then leaves a part of one."""
COUNTED: Final = "UPDATE committed SET transactions = {0}, crc = {1} WHERE id = 1"


class Committed:
    """Runs the transactions of a journal, each by :meth:`transaction`, and counts them."""

    patience_s: float = 0.0
    beat_s: float | None = None
    ends_when_lost: bool = False

    def __init__(self, directory: Path) -> None:
        """Open the file in ``directory``, or create it. Raises OSError."""
        self._count: int | None = None
        """The number of transactions in the database, once it is known: no other process writes."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.open(directory / COMMITTED, flags, 0o600)

    @contextmanager
    def transaction(self, db: Database) -> Iterator[None]:
        """A transaction around the block: on disk when it ends, nothing of it if it raises. The connection is then
        outside of any transaction, unless SQLite cannot even roll back."""
        # Unknown until it is committed: after a failure the database is asked, since COMMIT may have reached the disk.
        known, self._count = self._count, None
        assert isinstance(db, SqliteDatabase)
        db.announce()
        try:
            yield
            count = (transactions(db) if known is None else known) + 1
            db.end_with(COUNTED, (str(count), str(row_checksum("committed", (1, count)))))
        except BaseException:
            with suppress(db.Error):
                db.undo()
            raise
        self._count = count
        # After COMMIT, and without fsync: it can only be behind the database.
        with suppress(OSError):  # a file that is behind claims nothing
            os.pwrite(self._file, _written(count), 0)

    def may_pass(self, _error: Exception) -> bool:
        """Return False: a disk that fails does not get better with a new connection."""
        return False

    def regain(self, _db: Database) -> bool:
        """Return False: a transaction that failed is not there."""
        return False

    def holds(self) -> bool:
        """Return True: the lock of a directory ends with its process."""
        return True

    def end(self, _db: Database) -> None:
        """Do nothing: the row of the run is enough."""

    def close(self) -> None:
        """Close the file. No transaction may follow."""
        os.close(self._file)


def transactions(db: Database) -> int:
    """Return the number of transactions in the database."""
    found = db.execute("SELECT transactions FROM committed WHERE id = 1").fetchone()
    if found is None:
        raise ValueError("table committed: its row is missing")
    return int(found[0])


def transactions_known(directory: Path) -> int | None:
    """Return the number of transactions that were certainly on disk; None if unknown: there is no file, or a power cut
    kept its content from the disk. Raises OSError when the file cannot be read, JournalError when it is damaged."""
    path = directory / COMMITTED
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    if not content.strip(b"\0"):
        return None
    _refuse_unfinished(directory, content)
    number = content[:20]
    if not number.isdigit() or content != _written(int(number)):
        raise damaged(path, "it does not hold a number of transactions with its checksum")
    return int(number)


def prove(directory: Path, count: int) -> None:
    """Write down, on disk when this returns, that the database in ``directory`` has ``count`` transactions. Raises
    OSError."""
    handle = os.open(directory / COMMITTED, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, _written(count))
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_unfinished(directory: Path) -> None:
    """Raise JournalError where a backup was interrupted, and OSError when the file cannot be read."""
    with suppress(FileNotFoundError):
        _refuse_unfinished(directory, (directory / COMMITTED).read_bytes())


def _refuse_unfinished(directory: Path, content: bytes) -> None:
    if content == UNFINISHED:
        raise JournalError(f"{directory}: a backup that was interrupted: take another one, in a new directory")


def _written(count: int) -> bytes:
    number = b"%020d" % count
    # Always of the same length, so that each number covers the one before.
    return b"%b %08x\n" % (number, crc32(number))
