"""A backup of a journal in a directory, with the tokens beside it; the server may go on meanwhile.

It holds all results that were on disk when it began. What was played in games that run is partly in files that the
server writes over again and again: a server that starts on the backup finds these games void.

The number of its transactions is beside it, as beside any journal. A backup of a copy that lacks it has none either:
what the copy may lack, no later backup can prove.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from ugs.journal.committed import COMMITTED, UNFINISHED, prove, refuse_unfinished, transactions, transactions_known
from ugs.journal.database import DATABASE, connect, sync_directory
from ugs.journal.journal_error import JournalError, damaged, unusable
from ugs.journal.new_directory import new_directory
from ugs.journal.own_files import refuse_strange_files, strangeness
from ugs.journal.repair.checking import check
from ugs.journal.token_file import FILE as TOKENS
from ugs.journal.token_file import FILES as TOKEN_FILES
from ugs.journal.token_file import read_only
from ugs.path_faults import reason_of


class BackedUp(NamedTuple):
    """What a backup holds."""

    results: int
    tokens: int
    """Rows of the list of tokens, revoked ones included."""


def back_up(source: Path, target: Path) -> BackedUp:
    """Back up the journal and the tokens of a directory into a new one, which only its owner can read. Every row of the
    backup is compared with its checksum before this returns.

    Raises :class:`JournalError` when there is no journal, when it is damaged, and when ``target`` is not empty or
    cannot be written; then nothing of the backup stays."""
    if target.is_dir() and any(target.iterdir()):
        raise JournalError(f"{target}: not empty: each backup has a directory of its own")
    with closing(connect(source, readonly=True)) as db, new_directory(target):
        try:
            # Else a backup of it would pass for a whole one.
            refuse_strange_files(source, (COMMITTED,))
            refuse_unfinished(source)
            # Before the copy: what is certain then must be in it.
            known = _certain(source)
            with _unfinished(target):
                _copy(db, target / DATABASE)
                tokens = _copy_tokens(source / TOKENS, target / TOKENS)
                sync_directory(target)
            check(target)
            with closing(connect(target, readonly=True)) as backup:
                (results,) = backup.execute("SELECT count(*) FROM result").fetchone()
                found = transactions(backup)
            if known is not None and found < known:
                raise damaged(source / DATABASE, f"of {known} transactions the last {known - found} are lost")
            if known is not None:
                prove(target, found)
                sync_directory(target)
        except sqlite3.Error as error:
            raise unusable(target, error) from error
        except ValueError as error:
            raise damaged(source / DATABASE, error) from error
        except OSError as error:
            raise JournalError(f"{error.filename or target}: {reason_of(error)}") from error
    return BackedUp(int(results), tokens)


def _certain(source: Path) -> int | None:
    """The number of transactions that are on disk for certain; None if nothing proves any."""
    try:
        return transactions_known(source)
    except JournalError:
        # It may have been read while the server wrote it.
        return transactions_known(source)


@contextmanager
def _unfinished(directory: Path) -> Iterator[None]:
    """No server starts on what is in a directory before the block has ended: killed in it, a backup could be a journal
    without results, or without the tokens that protect names."""
    mark = directory / COMMITTED
    with _owned(mark):
        mark.write_bytes(UNFINISHED)
    sync_directory(directory)
    yield
    mark.unlink()
    sync_directory(directory)


def _copy_tokens(source: Path, target: Path) -> int:
    if not source.exists() and not source.is_symlink():
        return 0
    for path in (source.with_name(name) for name in TOKEN_FILES):
        if strange := strangeness(path):
            raise JournalError(f"{path}: {strange}")
    with read_only(source) as db:
        if db is None:  # made, and without a token yet
            return 0
        _copy(db, target)
        (tokens,) = db.execute("SELECT count(*) FROM token").fetchone()
    return int(tokens)


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy a whole database as it is at one moment, and wait until it is on disk."""
    with _owned(target), closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # Without it the backup would be several files.
        copy.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _owned(path: Path) -> Iterator[None]:
    """A new file that only its owner can read; on disk after the block."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        yield
        os.fsync(handle)
    finally:
        os.close(handle)
