"""A data directory is for its owner only: it holds the hands and seeds of running games."""

import os
import stat
from pathlib import Path
from typing import Final

from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE, NEW
from ugs.journal.database_contract import Exposed
from ugs.journal.lock import LOCK
from ugs.journal.token_file import FILES as TOKENS
from ugs.journal.write_ahead import NAMES

FILES: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", COMMITTED, LOCK, *NAMES, *TOKENS)
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private(directory: Path) -> list[Exposed]:
    """Remove the permissions of all but the owner from the files of a journal, and from their directory where that is
    one of a journal. Returns those that had any."""
    ours = _is_of_journal(directory)
    places = {directory: ours, **{directory / name: True for name in FILES}}
    found = [_without_others(path, mend) for path, mend in places.items()]
    return [one for one in found if one is not None]


def _is_of_journal(directory: Path) -> bool:
    """Whether a directory of this user holds a journal, or nothing else. One that was named by mistake, such as that
    for temporary files, would be closed to all others."""
    try:
        status, names = directory.stat(), set(os.listdir(directory))
    except OSError:
        return False
    foreign = status.st_uid != os.geteuid() or bool(status.st_mode & stat.S_ISVTX)
    return not foreign and (DATABASE in names or names <= {*FILES, NEW})


def _without_others(path: Path, mend: bool) -> Exposed | None:
    """Remove the permissions of others, if ``mend``; None where they have none. A link may lead to files of others,
    whose permissions are not ours to change."""
    try:
        # The very file that is looked at is changed; closing one that was opened in full would end locks of SQLite.
        handle = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISLNK(status.st_mode) or not mode & OTHERS:
            return None
        mended = mend and (stat.S_ISDIR(status.st_mode) or status.st_nlink == 1)
        try:
            if mended:
                os.chmod(f"/proc/self/fd/{handle}", mode & ~OTHERS)
        except OSError:
            mended = False
        return Exposed(path, mode, mended)
    finally:
        os.close(handle)
