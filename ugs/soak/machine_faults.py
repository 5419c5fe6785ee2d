"""What befalls the machine of a server: a disk that is full or slow, sleep, a clock that is set. Nothing in the server
helps with it."""

import random
import resource
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ugs.journal.database import DATABASE
from ugs.soak.line_faults import LineFault
from ugs.soak.server_process import ServerProcess, SoakProgram

NO_BYTES: Final = 1
"""How large a file may still become on a full disk. 0 would not let go of what is there."""


def disk_is_full(server: ServerProcess, seconds: float) -> None:
    """No file of the server can grow, its log included: each write fails, as on a full disk."""
    with suppress(ProcessLookupError):
        soft, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        # Of this process alone: a disk that is really full would hit the soak, too.
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (NO_BYTES, hard))
        try:
            time.sleep(seconds)
        finally:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (soft, hard))


def disk_is_slow(server: ServerProcess, seconds: float) -> None:
    """Each transaction waits: another connection holds the database."""
    db = sqlite3.connect(server.data / DATABASE, isolation_level=None)
    try:
        with suppress(sqlite3.OperationalError):  # the server is writing just now, for longer than SQLite waits
            # The lock of writers, which one connection has at a time.
            db.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            db.execute("ROLLBACK")
    finally:
        db.close()


def sleeps(program: SoakProgram, seconds: float) -> None:
    """It stands still as on a machine that is put to sleep; when it goes on, its clocks have jumped."""
    if not program.running:
        return
    program.process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        program.process.send_signal(signal.SIGCONT)


def clock_is_set(server: ServerProcess, seconds: float) -> None:
    """The clock on its wall jumps, and stays so."""
    if server.clock is not None:
        server.clock.jumps(random.Random(seconds))


OF_THE_SERVER: Final[dict[LineFault, Callable[[ServerProcess, float], None]]] = {
    LineFault.DISK_FULL: disk_is_full,
    LineFault.DISK_SLOW: disk_is_slow,
    LineFault.SERVER_SLEEPS: sleeps,
    LineFault.CLOCK_SET: clock_is_set,
}
"""Troubles of a server, each for a number of seconds; each returns when it is over."""
