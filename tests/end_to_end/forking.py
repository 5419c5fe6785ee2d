"""Commands of ``ugs`` as processes of their own, without loading everything each time.

A process beside the tests has loaded the package; each command is a fork of it, which then does what ``python -m ugs``
does: it has its own command line, environment, folder, output, signals and exit code. Loading is most of what a start
costs, and the tests have hundreds of starts.

``UGS_STARTS=python`` lets each of them load for itself.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

MODULE: Final = "tests.end_to_end.forking"
TOP: Final = Path(__file__).parents[2]
WARNINGS: Final = "PYTHONWARNINGS"
LOADED: Final = (
    "ugs.commands.app",
    "ugs.commands.serve_run",
    "ugs.daemon.http.whole_page",
    "ugs.journal.writer",
    "ugs.page.html",
    "game_masters.commands.master",
    "game_masters.commands.bot",
    "game_masters.commands.playing",
    "game_masters.tic_tac_toe",
    "importlib.metadata",
    "ssl",
)
"""What most commands load; heavy packages of single games are not here."""
MAX_ORDER: Final = 1 << 20
"""Bytes of an order: a command line with its environment."""


class Fork:
    """A command that runs; it can be waited for and ended as a :class:`subprocess.Popen` can."""

    def __init__(self, pid: int, status: int, output: int) -> None:
        """``status`` and ``output`` are ends of pipes that belong to it now: of its exit code and of what it writes."""
        self.pid = pid
        self.returncode: int | None = None
        self.stdout = os.fdopen(output, "r", encoding="utf-8")
        self._status = status

    def poll(self) -> int | None:
        """The exit code, None while it runs; a signal that ended it is a negative number."""
        return self._look(0)

    def wait(self, timeout: float) -> int:
        """The exit code, once it has ended. Raises TimeoutExpired."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("ugs", timeout)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], seconds)[0]:
            said = os.read(self._status, 16)
            os.close(self._status)
            self.returncode = int(said) if said else -signal.SIGKILL  # nothing: who would know is gone
        return self.returncode


def start(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Fork:
    """Start ``ugs`` with these arguments; its output and its errors are one pipe."""
    (read, write), (status, reports) = os.pipe(), os.pipe()
    order = json.dumps([arguments, str(folder), dict(environment)]).encode()
    orders = _loaded().orders
    socket.send_fds(orders, [order], [write, reports])
    os.close(write)
    os.close(reports)
    return Fork(int(orders.recv(16)), status, read)


class Loaded(NamedTuple):
    """The process that has loaded everything; it ends when there are no more orders."""

    process: "subprocess.Popen[bytes]"
    orders: socket.socket


@cache
def _loaded() -> Loaded:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for size in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        here.setsockopt(socket.SOL_SOCKET, size, MAX_ORDER)
    with there:
        process = subprocess.Popen(
            [sys.executable, "-m", MODULE, str(there.fileno())],
            pass_fds=[there.fileno()],
            cwd=TOP,
            env={**os.environ, WARNINGS: "error"},
        )
    atexit.register(_end, Loaded(process, here))
    return Loaded(process, here)


def _end(loaded: Loaded) -> None:
    loaded.orders.close()
    loaded.process.wait()


def obey(line: socket.socket) -> list[str] | None:
    """Start what is ordered. Returns in each new process, with its arguments; None when there are no more orders."""
    running: dict[int, tuple[int, int]] = {}
    while True:
        ready, _, _ = select.select([line.fileno(), *running], [], [])
        for ended in set(ready) & set(running):
            pid, reports = running.pop(ended)
            os.write(reports, str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
            os.close(reports)
            os.close(ended)
        if line.fileno() not in ready:
            continue
        order, handed, _, _ = socket.recv_fds(line, MAX_ORDER, 2)
        if not order:
            return None
        output, reports = handed
        pid = os.fork()
        if pid == 0:
            for ended, (_, other) in running.items():
                os.close(ended)
                os.close(other)
            os.close(reports)
            return _become(output, *json.loads(order))
        os.close(output)
        running[os.pidfd_open(pid)] = (pid, reports)
        line.send(str(pid).encode())


def _become(output: int, arguments: list[str], folder: str, environment: Mapping[str, str]) -> list[str]:
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return arguments


def load() -> None:
    """Load what commands need."""
    from ugs.loading import spare_extras

    spare_extras()
    for module in LOADED:
        importlib.import_module(module)
    gc.freeze()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the tests means them
    load()
    with socket.socket(fileno=int(sys.argv[1])) as orders:
        given = obey(orders)
    if given is not None:
        sys.argv = ["ugs", *given]
        runpy.run_module("ugs", run_name="__main__", alter_sys=True)
