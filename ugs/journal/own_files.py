"""Files that are taken for a journal's own: regular files without another name.

A data directory often belongs to the user of a server, and its commands are run by root, too. Whoever owns a directory
can put a link there that leads to any file, and root would read, write or empty that one.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ugs.journal.journal_error import JournalError

IRREGULAR: Final = "is no regular file"


def strangeness(path: Path) -> str:
    """Why what is at ``path`` is not taken for a file of a journal; empty for one that is, or where nothing is. Raises
    OSError where that cannot be seen."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return ""
    if stat.S_ISLNK(status.st_mode):
        return "is a link, which could lead to any file"
    if not stat.S_ISREG(status.st_mode):
        return IRREGULAR
    return "has another name, too (a hard link), and could be any file" if status.st_nlink > 1 else ""


def refuse_strange_files(directory: Path, names: Iterable[str]) -> None:
    """Raise :class:`JournalError` where a directory has anything under these names that no link leads to and that is no
    regular file, such as a pipe, which would be waited for; and where root works in a directory of another user that
    has anything else there than regular files without another name."""
    try:
        # Others can harm only what is theirs, and a link of their own may be meant so.
        foreign = os.geteuid() == 0 and directory.stat().st_uid != 0
        for path in (directory / name for name in names):
            strange = strangeness(path)
            if strange == IRREGULAR:
                raise JournalError(f"{path}: {strange}")
            if strange and foreign:
                raise JournalError(f"{path}: {strange}: root uses no such file in a directory of another user")
    except OSError:
        return  # what cannot be seen fails when it is opened
