"""The worker process, seen from the server: it is asked, one question at a time, and never waited for by a game.

A thread would not do: it holds the interpreter for 5 ms at a time. The process starts with the first question, is in a
session of its own, so that Ctrl-C in a terminal does not reach it, is killed when the server stops, and ends by itself
when the server is gone. What an answer may take is measured in processor time, by the system: on a busy machine a
worker that goes last is slow without being stuck. One that waits for something for minutes is killed, too.

However many ask the same within a second, it is asked once. Those who wait are served by turns, address after address,
so that nobody who asks for much keeps others waiting; who asks for too much is refused.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Any

import structlog
import trio

from ugs.page.contract import Answer, Busy, Question, SiteSettings
from ugs.page.pipe import HEAD, MOST_CPU_S, Failure

COMMAND = (sys.executable, "-P", "-m", "ugs.page.worker")
"""It finds the modules where the server has found them, and looks for none in its working directory."""
FRESH_S = 1.0
"""Seconds for which an answer is kept."""
MAX_KEPT, MAX_KEPT_BYTES = 256, 16 * 1024 * 1024
"""Answers that are kept, and their bytes together."""
MAX_WAITING, MAX_WAITING_PER_ADDRESS = 400, 40
"""Questions that may wait for the worker."""
PATIENCE_S = 300.0
"""Seconds after which a worker that does not answer is killed, however little processor time it has had."""
LOOK_AGAIN_S = 0.2
"""Seconds between two looks whether an answer has been computed."""
OWN = ""
"""The address of the page itself."""


class WorkerLost(Exception):
    """The process ended, or did not answer in time; the text says which."""


class _Job:
    """A question, and what became of it."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.done = trio.Event()
        self.value: Any = None
        self.failed: str = ""


class Office:
    """The questions that wait, the answers that are kept, and the worker. :meth:`run` has to run for it."""

    def __init__(self, settings: SiteSettings, command: Sequence[str] = COMMAND) -> None:
        self._worker = _Worker(settings, command)
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        """By address, the next one to be served first."""
        self._waiting = 0
        self._something = trio.lowlevel.ParkingLot()
        self._going: dict[str, _Job] = {}
        """Questions that wait or are being answered, by their key."""
        self._kept: OrderedDict[str, tuple[Answer, float]] = OrderedDict()
        """What was answered, and until which moment of Trio's clock it is fresh; the latest comes last."""
        self._kept_bytes = 0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self) -> None:
        """Have questions answered until cancelled; then the worker is killed."""
        try:
            while True:
                while not self._queues:
                    await self._something.park()
                await self._answer(self._next())
        finally:
            await self._worker.end()

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> Answer:
        """See :meth:`ugs.page.contract.Reads.ask`."""
        until = trio.current_time() + patience_s
        while True:
            answer = await self._ask(question, address)
            if not answer.later or trio.current_time() >= until:
                return answer
            await trio.sleep(LOOK_AGAIN_S)

    async def call(self, question: Question, address: str = OWN) -> Any:
        """See :meth:`ugs.page.contract.Reads.call`."""
        job = _Job(question)
        self._put(job, address)
        return await self._value(job)

    async def _ask(self, question: Question, address: str) -> Answer:
        key = question.key
        kept = self._kept.get(key)
        if kept is not None and trio.current_time() < kept[1]:
            return kept[0]
        job = self._going.get(key)
        if job is None:
            job = _Job(question)
            self._put(job, address)
            self._going[key] = job
        answer: Answer = await self._value(job)
        return answer

    async def _value(self, job: _Job) -> Any:
        await job.done.wait()
        if job.failed:
            raise Busy(job.failed)
        return job.value

    def _put(self, job: _Job, address: str) -> None:
        queue = self._queues.get(address)
        if self._waiting >= MAX_WAITING or (queue is not None and len(queue) >= MAX_WAITING_PER_ADDRESS):
            raise Busy("too much is being asked at present; try again in a moment")
        self._queues.setdefault(address, deque()).append(job)
        self._waiting += 1
        self._something.unpark()

    def _next(self) -> _Job:
        address, queue = self._queues.popitem(last=False)
        job = queue.popleft()
        self._waiting -= 1
        if queue:
            self._queues[address] = queue  # behind all others
        return job

    async def _answer(self, job: _Job) -> None:
        question = job.question
        try:
            job.value = await self._worker.ask(question)
            if isinstance(job.value, Answer):
                if job.value.trouble:
                    self._log.warning("the page has no answer", during=question.name, reason=job.value.trouble)
                self._keep(question.key, job.value)
        except Failure as failure:
            self._log.error("bug in the page", during=question.name, exception=str(failure))
            job.failed = "a bug in the server; its log tells more"
        except WorkerLost as lost:
            self._log.warning("the page's worker is lost", during=question.name, reason=str(lost))
            job.failed = "this cannot be answered at present; the server's log tells more"
        finally:
            if not job.done.is_set() and job.value is None and not job.failed:
                job.failed = "the server is stopping"
            if self._going.get(question.key) is job:
                del self._going[question.key]
            job.done.set()

    def _keep(self, key: str, answer: Answer) -> None:
        old = self._kept.pop(key, None)
        self._kept_bytes -= _size(old[0]) if old is not None else 0
        self._kept[key] = (answer, trio.current_time() + (LOOK_AGAIN_S / 2 if answer.later else FRESH_S))
        self._kept_bytes += _size(answer)
        while len(self._kept) > MAX_KEPT or self._kept_bytes > MAX_KEPT_BYTES:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._kept_bytes -= _size(dropped)


def _size(answer: Answer) -> int:
    return len(answer.body) + len(answer.zipped) + len(answer.squeezed)


class _Worker:
    """The process and its two pipes."""

    def __init__(self, settings: SiteSettings, command: Sequence[str]) -> None:
        self._settings = settings
        self._command = command
        self._process: trio.Process | None = None

    async def ask(self, question: Question) -> Any:
        """Send a question, return the reply. Raises WorkerLost, and Failure when the worker met a bug."""
        reply: Any = None
        answered = False
        try:
            with trio.fail_after(PATIENCE_S):
                if self._process is None:
                    self._process = await self._start()
                    await self._send(self._settings)
                await self._send((question.name, dict(question.asked), dict(question.facts)))
                reply = await self._receive()
                answered = True
        except trio.TooSlowError:
            raise WorkerLost(f"no answer within {PATIENCE_S:g} s") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError, EOFError, OSError) as error:
            if await self.end() == -signal.SIGXCPU:
                raise WorkerLost(f"an answer took more than {MOST_CPU_S} s of processor time") from error
            raise WorkerLost(f"its process has ended: {error!r}") from error
        finally:
            if not answered:
                await self.end()
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
