"""Files of a site: each is there whole or not at all, also for those who read while it is written and after a kill."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".new"
"""How the name of a file ends until it is whole."""


def write_file(path: Path, content: bytes) -> None:
    """Write a file, in the place of one that is there; a link is replaced, and what it leads to stays as it is. Raises
    OSError."""
    new = path.with_name(f".{path.name}{UNFINISHED}")
    with suppress(FileNotFoundError):
        new.unlink()  # of a process that was killed
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
