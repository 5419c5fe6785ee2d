"""What is raised when a journal cannot be used."""

import sqlite3
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be used, or does not contain what was requested. The text is for people and names the file."""


class FencedOff(JournalError):
    """This server no longer holds its journal: it must send nothing more to any peer."""


def damaged(path: Path, what: object) -> JournalError:
    """Return the error for a damaged file in a data directory; ``what`` is the place and the damage."""
    rescue = f"`ugs record rescue --data-dir {path.parent} NEW_DIR` saves what can be read"
    return JournalError(f"{path}: damaged: {what} (nothing was changed; {rescue})")


def unusable(path: Path, error: Exception) -> JournalError:
    """Return the error for a database at ``path`` that fails with ``error``."""
    if type(error) is sqlite3.DatabaseError:  # its subclasses mean other errors
        return damaged(path, error)
    return JournalError(f"{path}: cannot be used: {error}")
