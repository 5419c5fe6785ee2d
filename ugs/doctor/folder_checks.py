"""The data directory: is there room, is it private, is it on a disk that keeps its word, is its journal readable?"""

import os
from pathlib import Path
from typing import Final

from ugs.doctor.diagnosis import Diagnosis, bad, good, warning
from ugs.journal.database import DATABASE, connect
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import refuse_if_held
from ugs.tokens import others_may_read

MIN_FREE_BYTES: Final = 1 << 30
"""Less than this on the disk of the journal is soon full."""
MIN_FREE_TO_START_BYTES: Final = 8 << 20
"""With less a new journal and its write-ahead log do not fit, and the server refuses to start."""
REMOTE: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
"""File systems of other machines: SQLite's locks and write-ahead logs cannot be trusted there."""
MOUNTS: Final = Path("/proc/mounts")
SUBJECT: Final = "data directory"


def examine_folder(path: Path, free: int, kind: str, writable: bool) -> list[Diagnosis]:
    """Judge a data directory, which need not exist yet: ``free`` bytes on its disk, a file system of this ``kind``, and
    whether this user may write there."""
    if not writable:
        return [
            bad(SUBJECT, f"{path}: this user may not write there", f"as root: install -d -o USER -m 700 {path}"),
        ]
    found = []
    if kind in REMOTE:
        found.append(
            bad(SUBJECT, f"{path}: on {kind}, where SQLite loses what it has written", "take a local disk for data_dir")
        )
    if path.is_dir() and others_may_read(path):
        found.append(
            warning(SUBJECT, f"{path}: others may read it: it holds hands and seeds", f"chmod 700 {path}"),
        )
    if free < MIN_FREE_TO_START_BYTES:
        found.append(
            bad(SUBJECT, f"{path}: the disk is full: {free >> 10} KiB are free", "make room, or take another disk")
        )
    elif free < MIN_FREE_BYTES:
        found.append(
            warning(SUBJECT, f"{path}: {free >> 20} MiB are free", "make room, or lower journal_max_bytes in [journal]")
        )
    return found or [good(SUBJECT, f"{path}: {free / 2**30:.0f} GiB are free")]


def examine_journal(path: Path) -> list[Diagnosis]:
    """Judge the journal of a data directory; none where there is none yet."""
    if not (path / DATABASE).is_file():
        return []
    try:
        refuse_if_held(path)
    except JournalError as error:
        return [good("journal", f"{error}: the server runs")]
    try:
        connect(path, readonly=True).close()
    except JournalError as error:
        return [bad("journal", str(error), f"ugs record rescue --data-dir {path} NEW_DIR saves what can be read")]
    return [good("journal", f"{(path / DATABASE).stat().st_size >> 20} MiB")]


def written_s(path: Path) -> float | None:
    """When the journal of a data directory was last written, in seconds since 1970; None where there is none."""
    try:
        return (path / DATABASE).stat().st_mtime
    except OSError:
        return None


def first_existing(path: Path) -> Path:
    """The folder itself, or the nearest one above that exists."""
    return next((one for one in (path, *path.absolute().parents) if one.exists()), Path("/"))


def free_in(path: Path) -> int:
    """Bytes that may still be written where this folder is, or will be."""
    # Not f_bfree, which counts what is kept for root.
    disk = os.statvfs(first_existing(path))
    return disk.f_bavail * disk.f_frsize


def may_write(path: Path) -> bool:
    """Whether this user may write into the folder, or make it."""
    return os.access(first_existing(path), os.W_OK | os.X_OK)


def kind_of(path: Path, mounts: str) -> str:
    """The kind of the file system that the folder is on, by the text of ``/proc/mounts``; empty where that is
    unknown."""
    place = str(first_existing(path).resolve())
    found = ("", "")
    for line in mounts.splitlines():
        _, where, kind, *_ = (*line.split(" "), "", "", "")
        inside = place == where or place.startswith(where.rstrip("/") + "/")
        # Of mounts within each other the innermost counts, of two at one place the later one.
        if inside and len(where) >= len(found[0]):
            found = (where, kind)
    return found[1]


def read_mounts() -> str:
    """What is mounted where; empty where the system does not list it."""
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
