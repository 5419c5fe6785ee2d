"""The brokers that can be measured: a table from name to what starts it, and a running one.

To add a target, add an entry to :data:`TARGETS`.
"""

import json
import pstats
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from ugs.bench.certificate import NoCertificate, make
from ugs.bench.load import Load
from ugs.bench.process import resident_bytes
from ugs.bench.ready import Ready, parse_ready
from ugs.setting_tables import as_toml

START_SECONDS = 60.0
"""At most this many seconds until a target listens."""

STOP_SECONDS = 10.0
"""At most this many seconds until a target has ended after SIGTERM; then it is killed."""

POLL_SECONDS = 0.02
STDERR_TAIL_LINES = 15
PROFILE_LINES = 25

_SPARE_CONNECTIONS = 64
_OUTBOX_BYTES = 1024**3


class TargetFailed(Exception):
    """A target did not start, or ended while it was measured; the text ends with the last lines of its stderr."""


@dataclass(frozen=True, slots=True)
class Target:
    """A broker as the bench starts it."""

    name: str
    description: str
    arguments: Callable[[Path, Load], list[str]]
    """Takes a directory for its files and the load to come; returns the arguments of ``python``."""
    tls: bool = False
    """Whether it speaks TLS, with a certificate in its directory."""


def serve_config(load: Load, settings: Mapping[str, float | str] = MappingProxyType({})) -> str:
    """Return a configuration (TOML) that lets ``ugs serve`` admit the whole load from one address, with these
    settings besides.

    The outbox is as good as unbounded: a master that leads a thousand games is sent more at once than one that leads a
    reasonable number, and closing its connection would end the measurement.
    """
    connections = load.connections + _SPARE_CONNECTIONS
    return as_toml(
        {
            "max_connections": connections,
            "max_connections_per_ip": connections,
            "max_logins": connections,
            "max_pool": connections,
            "max_logins_per_second_per_ip": 0,
            "max_outbox_bytes": _OUTBOX_BYTES,
            "masters_per_game": load.masters,
            **settings,
        }
    )


def serving(settings: Mapping[str, float | str] = MappingProxyType({})) -> Callable[[Path, Load], list[str]]:
    """Return the ``arguments`` of a target: ``ugs serve`` with these settings besides those that admit the load."""

    def arguments(directory: Path, load: Load) -> list[str]:
        config = directory / "ugs.toml"
        config.write_text(serve_config(load, settings))
        return ["-m", "ugs", "serve", "--port", "0", "--config", str(config)]

    return arguments


_serve = serving()


def _serve_with_journal(directory: Path, load: Load) -> list[str]:
    # With a journal the page opens as well, and its usual port may be taken.
    return [*_serve(directory, load), "--http-port", "0", "--data-dir", str(directory / "data")]


def _serve_tls(directory: Path, load: Load) -> list[str]:
    arguments = _serve(directory, load)
    with (directory / "ugs.toml").open("a") as config:
        config.write(f"[tls]\ncertificate = {json.dumps(str(make(directory)))}\n")
        # All come from one address.
        config.write("max_handshakes_per_second_per_ip = 0\n")
    return arguments


def in_database(journal: str) -> Target:
    """Return `ugs serve` with its journal in the database of this URL; what it writes stays there."""

    def arguments(directory: Path, load: Load) -> list[str]:
        return [*_serve(directory, load), "--http-port", "0", "--journal", journal]

    return Target("postgresql", "the same with `--journal`: everything is written down in a database", arguments)


def _yardstick(module: str) -> Callable[[Path, Load], list[str]]:
    return lambda directory, load: ["-m", module]


TARGETS = MappingProxyType(
    {
        target.name: target
        for target in (
            Target("ugs", "`ugs serve` with its default settings", _serve),
            Target("journal", "the same with `--data-dir`: everything is written down", _serve_with_journal),
            Target("tls", "the same with TLS", _serve_tls, tls=True),
            Target("bare", "Trio relay without any XML work", _yardstick("ugs.bench.bare")),
            Target("naive", "asyncio streams and ElementTree, no checks", _yardstick("ugs.bench.naive")),
        )
    }
)
"""All targets by name, in the order of the report."""


class RunningTarget:
    """A target that listens."""

    def __init__(self, target: Target, process: subprocess.Popen[bytes], ready: Ready, directory: Path) -> None:
        self.ready = ready
        self.idle_bytes = resident_bytes(ready.pid)
        """Memory in bytes before the first connection."""
        self.ca = str(directory / "server.pem") if target.tls else ""
        """The file that lets clients trust it; empty without TLS."""
        self._process = process
        self._directory = directory

    def check(self, within_s: float = 0.0) -> None:
        """Raise TargetFailed when the target has ended, or ends within ``within_s`` seconds."""
        try:
            code = self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            return
        raise TargetFailed(f"ended with exit code {code}\n{stderr_tail(self._directory)}".rstrip())

    def stop(self) -> None:
        """End it as an operator would; kill it when it does not end in time."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def profile(self) -> str:
        """Return where its time went, by time in the function itself; only after :meth:`stop` of a profiled target."""
        report = self._directory / "profile.txt"
        with report.open("w") as stream:
            statistics = pstats.Stats(str(self._directory / "profile"), stream=stream)
            statistics.strip_dirs().sort_stats("tottime").print_stats(PROFILE_LINES)
        return report.read_text()


@contextmanager
def started(target: Target, load: Load, *, profiled: bool = False) -> Iterator[RunningTarget]:
    """Run a target for the time of the block, in a process of its own and a directory that is removed afterwards.

    ``profiled`` runs it under cProfile: several times slower, but it shows where the time goes. Raises TargetFailed
    when it does not begin to listen.
    """
    with TemporaryDirectory(prefix=f"ugs-bench-{target.name}-") as name:
        directory = Path(name)
        ready_file = directory / "ready.json"
        command = [sys.executable]
        if profiled:
            command += ["-m", "cProfile", "-o", str(directory / "profile")]
        try:
            command += [*target.arguments(directory, load), "--ready-file", str(ready_file)]
        except NoCertificate as error:
            raise TargetFailed(str(error)) from error
        with (directory / "stderr").open("wb") as stderr:
            # A file: a pipe that is full and not read would stop the target.
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr)
        try:
            running = RunningTarget(target, process, _wait_until_ready(process, ready_file), directory)
            try:
                yield running
            finally:
                running.stop()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], ready_file: Path) -> Ready:
    deadline = time.monotonic() + START_SECONDS
    while not ready_file.exists():
        code = process.poll()
        if code is not None:
            tail = stderr_tail(ready_file.parent)
            raise TargetFailed(f"did not start: exit code {code}\n{tail}".rstrip())
        if time.monotonic() > deadline:
            tail = stderr_tail(ready_file.parent)
            raise TargetFailed(f"does not listen after {START_SECONDS:g} s\n{tail}".rstrip())
        time.sleep(POLL_SECONDS)
    return parse_ready(ready_file.read_text())


def stderr_tail(directory: Path) -> str:
    """Return the last lines that the target of this directory wrote to stderr."""
    lines = (directory / "stderr").read_text(errors="replace").splitlines()
    return "\n".join(lines[-STDERR_TAIL_LINES:])
