"""Directories that are made for what is written at once; they are removed again when that fails."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ugs.journal.committed import COMMITTED
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import LOCK, DirectoryLock, is_held


@contextmanager
def new_directory(directory: Path) -> Iterator[None]:
    """Hold an empty directory, made if there is none, within the block. When it raises, the directory is as before.
    Raises :class:`~ugs.journal.journal_error.JournalError` when it cannot be held."""
    with removed_again(missing(directory)):
        lock = DirectoryLock(directory)
        try:
            # Under the lock: what another process has put there since its caller looked must stay.
            if any(path.name != LOCK for path in directory.iterdir()):
                raise JournalError(f"{directory}: not empty: another process has filled it")
            with _emptied_again(directory):
                yield
        finally:
            lock.release()


@contextmanager
def _emptied_again(directory: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for path in directory.iterdir():
            with suppress(OSError):
                path.unlink()
        raise


def missing(directory: Path) -> list[Path]:
    """Return which of a directory and those above it do not exist, the innermost first."""
    return [path for path in (directory, *directory.parents) if not path.exists()]


@contextmanager
def removed_again(directories: Sequence[Path]) -> Iterator[None]:
    """Remove directories that did not exist, the innermost first, when the block raises."""
    try:
        yield
    except BaseException:
        for path in directories[:1]:
            if is_held(path):  # another process has come first
                break
            for name in (LOCK, COMMITTED):  # where not even these two could be written
                with suppress(OSError):
                    (path / name).unlink()
        for path in directories:
            with suppress(OSError):  # something else is in it
                path.rmdir()
        raise
