"""A real server and what plays on it, as processes: started, looked at, stopped or killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ugs.address import read_address
from ugs.bench.certificate import NoCertificate, make
from ugs.gateway import installed
from ugs.soak.set_clock import SetClock
from ugs.soak.target import ServerPlace
from ugs.soak.witness import GAME

START_S: Final = 180.0
"""Seconds until a server must listen, or a program must have printed the expected line: on a busy machine, too."""
STOP_S: Final = 15.0
POLL_S: Final = 0.01
TAIL_LINES: Final = 15


class SoakFailed(Exception):
    """The soak cannot go on; the text gives the reason, and ends with the last lines that the program has written."""


class SoakProgram:
    """A process whose standard error goes to a file; commands are lines that it reads, answers lines that it writes."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        directory: Path,
        *,
        spoken_to: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start Python with these arguments. Only a program that is ``spoken_to`` has pipes; without an ``environment``
        it has that of this process."""
        self.name = name
        self.errors = directory / f"{name}.log"
        pipe = subprocess.PIPE if spoken_to else None
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                stdin=pipe or subprocess.DEVNULL,
                stdout=pipe or errors,
                stderr=errors,
                text=True,
                env=environment,
                start_new_session=True,  # Ctrl-C in a terminal must not reach it
            )

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def ask(self, command: str = "") -> str:
        """Send a line if there is one, and wait for one. Raises SoakFailed when the program ends instead."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            if command:
                self.process.stdin.write(command + "\n")
                self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise self.failure("has ended")
        return line

    def failure(self, what: str) -> SoakFailed:
        """An error about this program."""
        lines = self.errors.read_text(errors="replace").splitlines()
        return SoakFailed("\n".join([f"{self.name} {what}", *lines[-TAIL_LINES:]]))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it; kill it when it does not end in time."""
        if self.running:
            self.process.send_signal(number)
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


class ServerProcess(SoakProgram):
    """`ugs serve` on a data directory, with HTTP and with every installed gateway."""

    def __init__(  # its log has the reason
        self,
        directory: Path,
        settings: str = "",
        plan: str = "",
        port: int = 0,
        *,
        tls: bool = False,
        clock: SetClock | None = None,
    ) -> None:
        """Start it, and wait until it listens. ``settings`` and ``plan`` (a championship) are TOML. With ``tls`` its
        port speaks TLS, and another one beside it does not; a ``clock`` is the one on its wall. Raises SoakFailed."""
        self.directory = directory
        self.clock = clock
        self.data = directory / "data"
        ready = directory / "ready.json"
        ready.unlink(missing_ok=True)
        config = directory / "ugs.toml"
        config.write_text(settings + (_encrypted(directory) if tls else ""), encoding="utf-8")
        arguments = ["-m", "ugs", "serve", "--config", str(config), "--data-dir", str(self.data), "--http-port", "0"]
        arguments += ["--port", str(port), "--ready-file", str(ready)]
        for name in installed():
            arguments += ["--gateway", f"{name}=127.0.0.1:0"]
        if plan:
            (directory / "plan.toml").write_text(plan, encoding="utf-8")
            arguments += ["--championship", str(directory / "plan.toml")]
        super().__init__("server", arguments, directory, environment=clock.environment() if clock is not None else None)
        try:
            until(ready.exists, lambda: self.running)
        except SoakFailed:
            self.stop()
            raise self.failure("does not listen") from None
        data = json.loads(ready.read_text(encoding="utf-8"))
        gateway = next(iter(data.get("gateways", {}).values()), None)
        self.place = ServerPlace(
            read_address(data["plain"]["game"] if tls else data["game"]),
            read_address(data["http"]),
            read_address(gateway.removeprefix("ws://").rstrip("/")) if gateway else None,
            tls=read_address(data["game"]) if tls else None,
        )
        """Where it listens."""

    def log(self, event: str) -> list[dict[str, Any]]:
        """The lines of the log with this event, of all lives of the server in this directory."""
        return [line for line in read_log(self.errors, event) if line.get("event") == event]

    def log_bytes(self) -> int:
        """How long its log is, in bytes."""
        return self.errors.stat().st_size

    def open_files(self) -> int:
        """How many file descriptors it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def _encrypted(directory: Path) -> str:
    """The table of settings for TLS towards players. Raises SoakFailed."""
    try:
        certificate = make(directory)
    except NoCertificate as error:
        raise SoakFailed(str(error)) from error
    return f"""
[tls]
certificate = {json.dumps(str(certificate))}
plain_game = "127.0.0.1:0"
http = false
gateways = false
"""


def read_log(path: Path, having: str = "") -> Iterator[dict[str, Any]]:
    """The lines of a log that are events, and have this in them. A log of hours is long, and few lines are wanted."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if having not in line:
            continue
        with suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


def master(server: ServerProcess, game_type: str, name: str, *more: str) -> SoakProgram:
    """A real game master of the game of the witness."""
    host, port = server.place.game
    arguments = ["-m", "ugs", "master", GAME, "--connect", f"{host}:{port}", "--game-type", game_type, "--id", name]
    return SoakProgram(f"master-{name}", [*arguments, "--log-level", "warning", *more], server.directory)


def until(is_so: Callable[[], bool], alive: Callable[[], bool] = lambda: True, within_s: float = START_S) -> None:
    """Wait for what other processes bring about. Raises SoakFailed when it does not come in time, or when what is
    ``alive`` no longer is."""
    deadline = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > deadline:
            raise SoakFailed(f"it has not come about within {within_s:g} s")
        if not alive():
            raise SoakFailed("the program has ended")
        time.sleep(POLL_S)


@contextmanager
def stopped_at_end(*programs: SoakProgram) -> Iterator[None]:
    """Stop these when the block is left, the first one first."""
    try:
        yield
    finally:
        for program in programs:
            program.stop()
