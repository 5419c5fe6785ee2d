"""Folders for what is thrown away at the end, also when the end is a kill.

A killed program cannot remove its folder; the next one of the same user that wants such a folder does. While the owner
of a folder lives, it holds a lock (``flock``) on it, which the system releases however the owner ends.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Final

MARK: Final = "-unkept"
"""How the names of these folders end: a folder that people have made themselves is never taken for one."""
_NAME: Final = re.compile(rf"(.+)-[a-z0-9_]{{8}}{MARK}")
"""A kind, and what mkdtemp() adds to it."""
_TAKES: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def unkept_folder(what: str) -> Iterator[Path]:
    """An empty folder for this user alone, whose name begins with ``what``; it is removed at the end of the block.
    Folders of the same kind whose owners were killed are removed first. Raises OSError where none can be made."""
    remove_abandoned(what)
    folder, lock = _held(what)
    try:
        yield folder
    finally:
        # What cannot be removed now, the next one removes.
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned(what: str) -> None:
    """Remove the folders of this kind and user whose owners have ended. One that cannot be removed stays."""
    try:
        with os.scandir(gettempdir()) as entries:
            found = [entry.path for entry in entries if (name := _NAME.fullmatch(entry.name)) and name[1] == what]
    except OSError:
        return
    for path in found:
        try:
            lock = os.open(path, _TAKES)
        except OSError:  # of another user, or removed in this moment
            continue
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        except OSError:  # its owner lives, or the file system has no locks: then no lock shows that it does not
            pass
        finally:
            os.close(lock)


def _held(what: str) -> tuple[Path, int]:
    """A new folder and the file that locks it."""
    while True:
        folder = Path(mkdtemp(prefix=f"{what}-", suffix=MARK))
        # Before it is locked, another program may take it for one whose owner has ended; then there is another try.
        try:
            lock = os.open(folder, _TAKES)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # no locks here: nothing is going to remove it but us
            fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder, lock
        os.close(lock)
