"""A PostgreSQL server of its own in a temporary folder, reached through a socket in it."""

import os
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import psycopg

from ugs.places import DatabaseUrl

BOUND_S: Final = 60.0
PROGRAMS: Final = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Debian's; the last one is the newest."""
SETTINGS: Final = (
    "listen_addresses=",
    "shared_buffers=16MB",
    "max_connections=40",
    "wal_level=replica",
    "max_wal_senders=4",
    "log_min_messages=fatal",
    "autovacuum=off",
)
USER: Final = "postgres" if os.geteuid() == 0 else None
"""A database refuses to run as root."""


class DatabaseServer:
    """Started by the constructor, from new files; the owner calls :meth:`remove`."""

    def __init__(self, *, fsync: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ugs-pg-", dir="/tmp"))
        if USER is not None:
            shutil.chown(self.folder, USER)
        self.data = self.folder / "data"
        self._fsync = fsync
        self._names = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            initdb = ("--pgdata", self.data, "--username", "ugs", "--auth", "trust", "--no-sync", "--encoding", "UTF8")
            subprocess.run(
                [self._program("initdb"), *initdb, "--no-locale"],
                check=True,
                stdout=subprocess.DEVNULL,
                user=USER,
                cwd="/",
            )
            self.start()
        except BaseException:
            self.remove()
            raise

    def start(self) -> None:
        """Start it on the files that are there, and wait until it answers."""
        options = [
            part for setting in (*SETTINGS, f"fsync={'on' if self._fsync else 'off'}") for part in ("-c", setting)
        ]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program("postgres"), "-D", self.data, "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                user=USER,
                cwd="/",
            )
        until = monotonic() + BOUND_S
        while True:
            try:
                psycopg.connect(self.conninfo).close()
            except psycopg.OperationalError:
                assert monotonic() < until, (self.folder / "log").read_text()
                sleep(0.02)
            else:
                return

    @property
    def conninfo(self) -> str:
        """How to reach its first database."""
        return f"host={self.folder} user=ugs dbname=postgres"

    def journal(self, name: str = "") -> "JournalUrl":
        """The address of a new, empty journal: a schema of its own."""
        name = name or f"journal{next(self._names)}"
        self.execute(f'CREATE SCHEMA IF NOT EXISTS "{name}"')
        url = JournalUrl(f"postgresql://ugs@/postgres?host={self.folder}&options=-csearch_path%3D{name}")
        url.server, url.name = self, name
        return url

    def execute(self, statement: str) -> None:
        """Execute a statement behind everyone's back."""
        with psycopg.connect(self.conninfo, autocommit=True) as db:
            db.execute(statement)

    def cut(self) -> None:
        """Cut all connections but this one."""
        self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop it: at once and in order, or with SIGQUIT as in a crash."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait(BOUND_S)

    def remove(self) -> None:
        """Stop it, and remove its files."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _program(self, name: str) -> Path:
        return PROGRAMS[-1] / name


class JournalUrl(DatabaseUrl):
    """The address of a journal of that server; takes the place of a directory in tests of any journal."""

    server: DatabaseServer
    name: str

    def __truediv__(self, name: str) -> "JournalUrl":
        return self.server.journal(f"{self.name}_{name}")
