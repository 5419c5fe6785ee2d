"""How one server takes over from another: a standby waits until the lock of the database is free, and takes it.

A server that hangs keeps its connection and the lock with it, since its machine answers. So the holder asks something
through the connection that has the lock once a second, whatever else it waits for. The database knows when each
connection was last used. Where that moment stays the same for :data:`HUNG_S`, while the database answers the standby,
the holder hangs, and the database is asked to end its connection: the lock is free then. A holder that goes on
afterwards finds its connection gone, and the fence raised.
"""

from time import monotonic, sleep
from typing import Any, Final

import psycopg

from ugs.journal.postgresql.fencing import AGAIN_S, WriterLock
from ugs.journal.postgresql.postgresql_connection import LOCK_CLASS

HUNG_S: Final = 15.0
"""Seconds without a sign of life of the holder, as the standby sees it."""
MAX_STEP_S: Final = 1.0
"""Seconds between two looks that count: when the database or the standby stood still, the holder may not have."""
HEAD_START_S: Final = 3.0
"""How much later than its holder another server asks for the lock of a database that has left both."""
FREE_S: Final = 0.3
"""How long a standby must see the lock free: a database that leaves all its servers may end the holder's connection
first, and the standby's a moment later."""
HOLDER: Final = """
    SELECT a.pid, a.backend_start, a.state_change FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.classid = %s::bigint::oid AND l.objid = 'writer'::regclass
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
END: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = %s AND backend_start = %s AND state_change = %s
"""


def wait_for(lock: WriterLock, watch: "HolderWatch") -> None:
    """Take the lock as soon as it is free. A database that is away for a while is waited for, too: it may be the other
    server's machine that has gone with it. But where it was the database that left both, the other server has a head
    start, since a game pauses for longer when it changes its server."""
    not_before, held_at = 0.0, monotonic()
    while True:
        try:
            if lock.db is not None and watch.look(lock.db):
                held_at = monotonic()
            if monotonic() >= max(not_before, held_at + FREE_S) and lock.take():
                return
            if lock.connect():
                not_before = monotonic() + HEAD_START_S
        except psycopg.OperationalError:
            lock.hang_up()
            not_before = monotonic() + HEAD_START_S
        sleep(AGAIN_S)


class HolderWatch:
    """What one standby has seen."""

    def __init__(self) -> None:
        self.ended = 0
        """How many holders' connections were ended."""
        self._seen: tuple[Any, ...] | None = None
        self._still_s = 0.0
        self._looked_at = monotonic()

    def look(self, db: "psycopg.Connection[Any]") -> bool:
        """Look at the holder, and end its connection when it hangs. Return whether there was one. Raises
        psycopg.Error."""
        now = monotonic()
        step_s, self._looked_at = min(now - self._looked_at, MAX_STEP_S), now
        seen = db.execute(HOLDER, (LOCK_CLASS,)).fetchone()
        if seen is None or seen != self._seen or seen[-1] is None:
            self._seen, self._still_s = seen, 0.0
            return seen is not None
        self._still_s += step_s
        if self._still_s < HUNG_S:
            return True
        self._still_s = 0.0
        try:
            # With all that was seen: a holder that has moved since, or another one with its process id, is left alone.
            found = db.execute(END, seen).fetchone()
        except psycopg.errors.InsufficientPrivilege:  # of another role: it cannot be helped
            return True
        self.ended += bool(found and found[0])
        return True
