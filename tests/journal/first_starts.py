"""First starts that are killed: ``python -m tests.journal.first_starts KIND DIR LIMIT...``.

For each limit a child begins in a directory of that name in DIR. With a number of bytes the system kills it as soon as
it makes a file longer than that; with ``0.002s`` it is killed after so many seconds. Prints the statuses.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.journal.servers import JournalServer
from ugs.broker.values.identity import Role
from ugs.journal.database import DATABASE, open_database
from ugs.journal.tokens import NewRow, add


def journal(directory: Path) -> None:
    """Open a journal, and never close it."""
    JournalServer(directory)


def in_place(directory: Path) -> None:
    """Make the database under its own name, as servers did that are out there."""
    directory.mkdir()
    (directory / DATABASE).touch(0o600)
    db = open_database(directory / DATABASE, "rw")
    db.execute("PRAGMA auto_vacuum = INCREMENTAL")
    db.execute("PRAGMA journal_mode = WAL")


def tokens(directory: Path) -> None:
    """Make the list of tokens."""
    add(directory, [NewRow(Role.PLAYER, "ann", "digest")], "organiser", 0)


KINDS: Final[Mapping[str, Callable[[Path], None]]] = {one.__name__: one for one in (journal, in_place, tokens)}


def begin(kind: str, directory: Path, limit: str) -> None:
    """Begin, in a child; it does not survive this."""
    if not limit.endswith("s"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    KINDS[kind](directory)
    os.kill(os.getpid(), signal.SIGKILL)


def main(kind: str, room: Path, limits: list[str]) -> None:
    """Start a child for each limit, one after another."""
    for limit in limits:
        child = os.fork()
        if not child:
            try:
                begin(kind, room / limit, limit)
            finally:
                os._exit(1)
        if limit.endswith("s"):
            time.sleep(float(limit[:-1]))
            os.kill(child, signal.SIGKILL)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
