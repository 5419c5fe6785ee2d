"""A PostgreSQL server of its own in a folder, reached through a socket in it: started, killed, copied, promoted.

Only programs of PostgreSQL are used here, none of its libraries.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

BOUND_S: Final = 120.0
POLL_S: Final = 0.02
PROGRAMS: Final = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Debian's; the last one is the newest."""
ENCODING: Final = "UTF8"
SETTINGS: Final = (
    "listen_addresses=",
    "shared_buffers=16MB",
    "max_connections=40",
    "wal_level=replica",
    "max_wal_senders=4",
    "log_min_messages=fatal",
    "autovacuum=off",
    "recovery_init_sync_method=syncfs",  # one call for the file system instead of one for each file
    "wal_retrieve_retry_interval=200ms",  # a replica looks for its primary again, by default after 5 s
)
USER: Final = "postgres" if os.geteuid() == 0 else None
"""A database refuses to run as root."""


class DatabaseFailed(Exception):
    """A program of PostgreSQL has failed; the text has what it has written."""


class DatabaseProcess:
    """Its files are in ``folder / "data"``, made by :meth:`create` or :meth:`copy`; then :meth:`start`."""

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        """Use ``folder``, which its user may write. ``settings`` are added to those that keep it small."""
        self.folder = folder
        self.data = folder / "data"
        self._settings = (*SETTINGS, *settings)
        self._process: subprocess.Popen[bytes] | None = None
        if USER is not None:
            shutil.chown(folder, USER)

    @property
    def conninfo(self) -> str:
        """How to reach its first database, in the words of libpq."""
        return f"host={self.folder} user=ugs dbname=postgres"

    @property
    def running(self) -> bool:
        """Whether its process has not ended."""
        return self._process is not None and self._process.poll() is None

    def create(self) -> None:
        """Make new files. Raises DatabaseFailed."""
        files = ("--pgdata", self.data, "--no-sync", "--no-locale", "--encoding", ENCODING)
        self._run("initdb", *files, "--username", "ugs", "--auth", "trust")

    def copy(self, primary: "DatabaseProcess") -> None:
        """Make the files of a replica of ``primary`` in place of those that are there. Raises DatabaseFailed."""
        shutil.rmtree(self.data, ignore_errors=True)
        where = ("--host", primary.folder, "--username", "ugs", "--pgdata", self.data)
        self._run("pg_basebackup", *where, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")

    def start(self, *, waits: bool = True) -> None:
        """Start it on the files that are there, and wait until it answers. Raises DatabaseFailed."""
        options = [word for setting in self._settings for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program("postgres"), "-D", self.data, "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                user=USER,  # its user may not enter our directory
                cwd="/",
            )
        until = monotonic() + BOUND_S
        while waits and not self.answers():
            if not self.running or monotonic() > until:
                raise DatabaseFailed(f"PostgreSQL in {self.folder} does not answer: {self._last_words()}")
            sleep(POLL_S)

    def answers(self) -> bool:
        """Whether it takes connections."""
        ready: list[str | Path] = [_program("pg_isready"), "--quiet", "--host", self.folder]
        return subprocess.run(ready, check=False, cwd="/").returncode == 0

    def sql(self, statement: str) -> str:
        """Execute one statement, and return the cells of its rows as text. Raises DatabaseFailed."""
        where = ("--host", self.folder, "--username", "ugs", "--dbname", "postgres")
        return self._run("psql", *where, "--no-psqlrc", "--tuples-only", "--no-align", "--command", statement)

    def cut(self) -> None:
        """End all its connections to servers of games. Raises DatabaseFailed."""
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ugs'")

    def follow_only(self, names: str) -> None:
        """From now on a commit waits for these replicas (``*``: any; nothing: none). Raises DatabaseFailed."""
        self.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.sql("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Make the primary of a replica; returns when it takes writes. Raises DatabaseFailed."""
        self._run("pg_ctl", "promote", "--wait", "--pgdata", self.data)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop it: at once and in order, or with SIGQUIT as in a crash."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait(BOUND_S)

    def kill(self) -> None:
        """Kill all its processes at once, as the loss of its machine would."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGSTOP)  # so that it starts none meanwhile
        children = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
        for pid in (process.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(BOUND_S)
        # A new start is refused as long as one of them has the shared memory.
        until = monotonic() + BOUND_S
        while any(_lives(pid) for pid in children) and monotonic() < until:
            sleep(POLL_S)

    def _run(self, name: str, *arguments: str | Path) -> str:
        done = subprocess.run(
            [_program(name), *arguments], check=False, capture_output=True, text=True, user=USER, cwd="/"
        )
        if done.returncode:
            raise DatabaseFailed(f"{name} in {self.folder}: {' '.join(done.stderr.split())}")
        return done.stdout.strip()

    def _last_words(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]


def _program(name: str) -> Path:
    return PROGRAMS[-1] / name


def _lives(pid: int) -> bool:
    """Whether a process runs that is no child of ours."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
