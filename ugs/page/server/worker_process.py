"""A worker, seen from the server: a process and its two pipes.

It starts with the first question, is in a session of its own, so that Ctrl-C in a terminal does not reach it, is killed
when the server stops, and ends on its own when the server is gone. What an answer may take is measured in processor
time, by the system: on a busy machine a worker that goes last is slow without being stuck. One that waits for something
for minutes is killed, too.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

import trio

from ugs.page.contract import Question, SiteSettings
from ugs.page.pipe import HEAD, NO_MEMORY, Failure, WorkerLimits

COMMAND: Final = (sys.executable, "-P", "-m", "ugs.page.worker.process")
"""It finds the modules where the server has found them, and looks for none in its working directory."""
PATIENCE_S = 300.0
"""A worker that does not answer is killed after this many seconds, however little processor time it has had."""
MEGABYTE: Final = 1024 * 1024


class WorkerLost(Exception):
    """The process ended, or did not answer in time; the text names the cause, for the log."""

    def __init__(self, text: str, *, for_visitor: str = "", innocent: bool = False) -> None:
        """``for_visitor`` is what a visitor may know; ``innocent`` is whether the answers before may be to blame."""
        super().__init__(text)
        self.for_visitor = for_visitor
        self.innocent = innocent


class WorkerProcess:
    """The process; another one after it was lost."""

    def __init__(self, settings: SiteSettings, limits: WorkerLimits, command: Sequence[str] = COMMAND) -> None:
        self._settings = settings
        self._limits = limits
        self._command = command
        self._process: trio.Process | None = None
        self._answered = 0

    async def ask(self, question: Question) -> Any:
        """Send a question, return the reply. Raises WorkerLost, and Failure when the worker met a bug."""
        reply: Any = None
        answered = False
        try:
            with trio.fail_after(PATIENCE_S):
                if self._process is None:
                    self._process, self._answered = await self._start(), 0
                    await self._send((self._settings, self._limits))
                await self._send((question.name, dict(question.asked), dict(question.facts)))
                reply = await self._receive()
                answered = True
        except trio.TooSlowError:
            raise WorkerLost(f"no answer within {PATIENCE_S:g} s", for_visitor="it takes too long") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError, OSError) as error:
            raise self._lost(await self.end(), error) from error
        finally:
            # Or the reply, when it came, would be taken for that of the next question.
            if not answered:
                await self.end()
        self._answered += 1
        if isinstance(reply, Failure):
            raise reply
        return reply

    async def end(self) -> int | None:
        """Kill the process, if there is one; the next question starts another. Returns how it has ended, as the
        ``returncode`` of a process."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()  # it is dead, or about to be
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            await trio.aclose_forcefully(stream)
        return process.returncode

    def _lost(self, code: int | None, error: Exception) -> WorkerLost:
        # The first answer of a process has none before it to blame.
        innocent = self._answered > 0
        if code == -signal.SIGXCPU:
            why = f"it takes more than {self._limits.cpu_s} s of processor time"
            return WorkerLost(why, for_visitor=why)
        if code == NO_MEMORY:
            why = f"it takes more than {self._limits.memory_bytes // MEGABYTE} MB of memory"
            return WorkerLost(why, for_visitor=why, innocent=innocent)
        return WorkerLost(f"its process has ended: {error!r}", innocent=innocent)

    async def _start(self) -> trio.Process:
        modules = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        pipe = subprocess.PIPE
        return await trio.lowlevel.open_process(
            self._command, stdin=pipe, stdout=pipe, start_new_session=True, env=modules
        )

    async def _send(self, what: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        data = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
        await self._process.stdin.send_all(HEAD.pack(len(data)) + data)

    async def _receive(self) -> Any:
        (length,) = HEAD.unpack(await self._exactly(HEAD.size))
        return pickle.loads(await self._exactly(length))

    async def _exactly(self, size: int) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        parts: list[bytes] = []
        while size:
            part = await self._process.stdout.receive_some(min(size, 1_048_576))
            if not part:
                raise EOFError("nothing more came")
            parts.append(bytes(part))
            size -= len(part)
        return b"".join(parts)
