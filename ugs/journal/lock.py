"""One server per data directory: a lock that ends with the process that holds it, however the process ends."""

import fcntl
import os
from pathlib import Path

from ugs.journal.schema import JournalError

LOCK = "lock"


class DirectoryLock:
    """Holds a data directory, which is created if it does not exist, until :meth:`release`."""

    def __init__(self, directory: Path) -> None:
        """Raises :class:`JournalError` when the directory cannot be used or another process holds it."""
        path = directory / LOCK
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalError(f"data directory {directory}: cannot be used: {error.strerror}") from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._handle)
            raise JournalError(f"data directory {directory}: in use by another process (pid {holder})") from error
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Release the directory. The file stays: removing it could remove the lock of the next process."""
        os.close(self._handle)
