"""One server per data directory: a lock that ends with its process, however the process ends."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from ugs.journal.database import sync_directory
from ugs.journal.journal_error import JournalError
from ugs.journal.own_files import refuse_strange_files
from ugs.path_faults import reason_of

LOCK = "lock"


class DirectoryLock:
    """Holds a data directory, which is created if it does not exist, until :meth:`release`."""

    def __init__(self, directory: Path) -> None:
        """Raises :class:`JournalError` when the directory cannot be used or another process holds it."""
        path = directory / LOCK
        try:
            _make(directory)
            refuse_strange_files(directory, (LOCK,))
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _cannot_be_used(directory, error) from error
        try:
            # The system releases it with the process, however that ends; a file with a process id could be left behind.
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._handle)
            os.close(self._handle)
            raise JournalError(f"data directory {directory}: in use by another process (pid {holder})") from error
        if not _is_still(path, self._handle):
            os.close(self._handle)
            raise JournalError(f"data directory {directory}: removed by another process: try again")
        with suppress(OSError):  # a full disk: the id of the holder is only for error messages
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Release the directory. The file stays: removing it could remove the lock of the next process."""
        os.close(self._handle)


def refuse_if_held(directory: Path) -> None:
    """Raise :class:`JournalError` when a process holds ``directory`` or it cannot be read. Changes nothing in it."""
    try:
        handle = os.open(directory / LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _cannot_be_used(directory, error) from error
    try:
        # Shared: several readers may ask at once, and only a server has it alone.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        holder = _holder(handle)
        raise JournalError(f"data directory {directory}: in use by another process (pid {holder})") from error
    finally:
        os.close(handle)


def is_held(directory: Path) -> bool:
    """Whether a process holds ``directory``, as far as that can be seen."""
    try:
        refuse_if_held(directory)
    except JournalError as error:
        return isinstance(error.__cause__, BlockingIOError)
    return False


def _make(directory: Path) -> None:
    """Create a directory that only its owner may use, if there is none. Raises OSError."""
    try:
        directory.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        if not directory.is_dir():
            raise
        return
    directory.chmod(0o700)  # regardless of the umask
    sync_directory(directory.parent)


def _is_still(path: Path, handle: int) -> bool:
    """Whether an open file is the one at ``path``: locking one that was removed keeps no other process out."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def _holder(handle: int) -> str:
    return os.read(handle, 20).decode("ascii", "replace").strip() or "unknown"


def _cannot_be_used(directory: Path, error: OSError) -> JournalError:
    return JournalError(f"data directory {directory}: cannot be used: {reason_of(error)}")
