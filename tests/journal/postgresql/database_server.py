"""A PostgreSQL server of its own in a temporary folder, reached through a socket in it."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg

from ugs.places import DatabaseUrl
from ugs.soak.cluster.database_process import PROGRAMS as PROGRAMS
from ugs.soak.cluster.database_process import DatabaseProcess


class DatabaseServer(DatabaseProcess):
    """Started by the constructor, from new files or as a replica; the owner calls :meth:`remove`."""

    def __init__(
        self,
        *,
        fsync: bool = False,
        primary: DatabaseProcess | None = None,
        folder: Path | None = None,
        settings: Sequence[str] = (),
    ) -> None:
        folder = folder or Path(tempfile.mkdtemp(prefix="ugs-pg-", dir="/tmp"))
        super().__init__(folder, [f"fsync={'on' if fsync else 'off'}", *settings])
        self._names = count(1)
        try:
            if primary is None:
                self.create()
            else:
                self.copy(primary)
            self.start()
        except BaseException:
            self.remove()
            raise

    def journal(self, name: str = "", *more: DatabaseProcess) -> "JournalUrl":
        """The address of a new, empty journal: a schema of its own. ``more`` are databases that may be the primary
        later."""
        name = name or f"journal{next(self._names)}"
        self.execute(f'CREATE SCHEMA IF NOT EXISTS "{name}"')
        hosts = ",".join(str(one.folder) for one in (self, *more))
        options = f"-csearch_path%3D{name}" + ("&target_session_attrs=read-write" if more else "")
        url = JournalUrl(f"postgresql://ugs@/postgres?host={hosts}&options={options}")
        url.server, url.name = self, name
        return url

    def execute(self, statement: str) -> None:
        """Execute a statement behind everyone's back."""
        with psycopg.connect(self.conninfo, autocommit=True) as db:
            db.execute(statement)

    def cut(self) -> None:
        """Cut all connections but this one."""
        self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    @contextmanager
    def hangs(self) -> Iterator[None]:
        """Stop all its processes during the block: its system takes what comes, and nothing answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)  # first, so that it starts none meanwhile
        of_it = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        children = [int(pid) for pid in of_it.read_text().split()]
        for pid in children:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in (*children, self._process.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def remove(self) -> None:
        """Stop it, and remove its files."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


class JournalUrl(DatabaseUrl):
    """The address of a journal of that server; takes the place of a directory in tests of any journal."""

    server: DatabaseServer
    name: str

    def __truediv__(self, name: str) -> "JournalUrl":
        return self.server.journal(f"{self.name}_{name}")
