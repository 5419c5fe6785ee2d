"""A data directory of another user, and being a user who may not write there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

STRANGER: Final = 65534
"""A user who owns nothing."""


@contextmanager
def directory_for_all() -> Iterator[Path]:
    """A new directory that all users reach; those of pytest are for one user only."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@contextmanager
def only_reading(*directories: Path) -> Iterator[None]:
    """Within the block, this process may read all of these directories, and write none."""
    before = {path: path.stat().st_mode & 0o777 for one in directories for path in (one, *one.iterdir())}
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with another_user():
            yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


@contextmanager
def another_user() -> Iterator[None]:
    """Within the block, this process has not the rights of root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(STRANGER)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
