"""What is wrong with a path, in words: one that an argument names, or one that the system has refused."""

import errno
import os
import re
import shutil
import stat
from pathlib import Path
from typing import Final

TOO_LONG: Final = "a name in it is longer than file systems take"
CIRCLE: Final = "its links lead in a circle"
LINK: Final = "is a link, and none is followed here"
NO_DIRECTORY: Final = "is a file, not a directory"
THERE: Final = "there is a file already"
LEADS_NOWHERE: Final = "is a link to what does not exist"
_OF_SYSTEM: Final = re.compile(r"\[Errno \d{1,5}\] (?P<reason>[^:]*+): '(?:[^']*' -> ')?(?P<file>[^']*+)'")
WITHOUT_NAME: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS)
"""What writing fails with, where the system names no file."""


def path_fault(text: str) -> str:
    """Why there can be no file and no directory at this path, or none that this user reaches; empty where there is one,
    or may be one."""
    if not text:
        return "is empty: name a path; the current directory is ."
    if "\0" in text:
        return "holds a NUL, which no path does"
    try:
        os.stat(text)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return _lookup_fault(Path(text), error)
    return ""


def directory_fault(text: str) -> str:
    """The same for a directory: also why what is at this path is none."""
    fault = path_fault(text)
    if fault:
        return fault
    path = Path(text)
    return "" if path.is_dir() or not os.path.lexists(path) else _no_directory(path)


def reason_of(error: OSError) -> str:
    """Why the system has refused a path, without its number, in words of ours where the system's mislead."""
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):  # of a whole folder: the first file's
        _, _, why = error.args[0][0]  # as the text of an OSError: [Errno 28] No space left on device: 'FILE' -> …
        found = _OF_SYSTEM.match(str(why))
        return f"{found['file']}: {found['reason']}" if found is not None else str(why)
    if not error.strerror:
        return str(error)
    path = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    if path is None:
        return error.strerror
    if error.errno == errno.EEXIST:  # a directory was to be made, or a new file
        return THERE if path.is_file() else error.strerror if path.exists() else LEADS_NOWHERE
    if error.errno in (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR):
        return _lookup_fault(path, error)
    return error.strerror


def is_of_files(error: OSError) -> bool:
    """Whether an error is about a file or about the disk, not about a connection or a program."""
    return isinstance(error.filename, str | bytes) or error.errno in WITHOUT_NAME


def _lookup_fault(path: Path, error: OSError) -> str:
    if error.errno == errno.ENAMETOOLONG:
        return TOO_LONG
    if error.errno == errno.ELOOP:
        return CIRCLE if _is_circle(path) else LINK
    if error.errno in (errno.ENOTDIR, errno.EACCES):
        found = _first_in_the_way(path)
        if found is not None:
            return f"{found} {NO_DIRECTORY}" if error.errno == errno.ENOTDIR else f"this user may not look into {found}"
    return error.strerror or str(error)


def _first_in_the_way(path: Path) -> Path | None:
    """The folder above ``path`` at which the look-up ends: no directory, or one that this user may not search."""
    for folder in reversed(path.parents):
        try:
            if not stat.S_ISDIR(os.stat(folder).st_mode) or not os.access(folder, os.X_OK, effective_ids=True):
                return folder
        except OSError:
            return None
    return None


def _is_circle(path: Path) -> bool:
    """Whether a look-up ends nowhere; one that follows no link at the end fails alike at any of them."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _no_directory(path: Path) -> str:
    if path.is_file():
        return NO_DIRECTORY
    return "is no directory" if path.exists() else LEADS_NOWHERE
