"""A data directory is for its owner only: it holds the hands and seeds of running games."""

import os
import stat
from pathlib import Path
from typing import Final

from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE
from ugs.journal.database_contract import Exposed
from ugs.journal.lock import LOCK
from ugs.journal.tokens import FILES as TOKENS
from ugs.journal.write_ahead import NAMES

FILES: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", COMMITTED, LOCK, *NAMES, *TOKENS)
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private(directory: Path) -> list[Exposed]:
    """Remove the permissions of all but the owner from a data directory and its files. Returns those that had any."""
    found = []
    for path in (directory, *(directory / name for name in FILES)):
        try:
            status = path.lstat()
        except OSError:
            continue
        # A link may lead to files of others, whose permissions are not ours to change.
        if not status.st_mode & OTHERS or stat.S_ISLNK(status.st_mode):
            continue
        try:
            os.chmod(path, stat.S_IMODE(status.st_mode) & ~OTHERS)
            mended = True
        except OSError:
            mended = False
        found.append(Exposed(path, stat.S_IMODE(status.st_mode), mended))
    return found
