"""The workers, seen from the server: they are asked, each one question at a time, and never waited for by a game.

A thread would not do: it holds the interpreter for 5 ms at a time. There are several workers, so that an expensive
question (a long game, position by position) does not delay other questions: :mod:`ugs.page.server.worker_duties`.

However many ask the same within a second, it is asked once. Clients that wait for a worker are served in turns, address
after address, so that one that asks for much does not keep others waiting; one that asks for too much is refused. A
game that was too expensive is remembered as such: :mod:`ugs.page.server.too_expensive`.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any

import structlog
import trio

from ugs.page.contract import Busy, PageAnswer, Question, SiteSettings, TooDear
from ugs.page.pipe import Failure, WorkerLimits
from ugs.page.server.code_on_disk import REPLACED, CodeBelow
from ugs.page.server.too_expensive import Dear
from ugs.page.server.worker_duties import WORKERS, worker_of
from ugs.page.server.worker_process import COMMAND, WorkerLost, WorkerProcess

FRESH_S = 1.0
"""Seconds that an answer is kept."""
MAX_KEPT, MAX_KEPT_BYTES = 256, 16 * 1024 * 1024
"""Answers that are kept, and their bytes together."""
MAX_WAITING, MAX_WAITING_PER_ADDRESS = 400, 40
"""Questions that may wait for one worker."""
LOOK_AGAIN_S = 0.2
"""Seconds between two looks whether an answer has been computed."""
OWN = ""
"""The address of the page itself."""


class _Job:
    """A question, and what became of it."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.done = trio.Event()
        self.value: Any = None
        self.failed: Busy | None = None


class _WorkerQueue:
    """A worker, and the questions that wait for it."""

    def __init__(self, worker: WorkerProcess) -> None:
        self.worker = worker
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        """By address, the next one to be served first."""
        self._waiting = 0
        self._something = trio.lowlevel.ParkingLot()

    def put(self, job: _Job, address: str) -> None:
        """One more. Raises Busy."""
        queue = self._queues.get(address)
        if self._waiting >= MAX_WAITING or (queue is not None and len(queue) >= MAX_WAITING_PER_ADDRESS):
            raise Busy("too much is being asked at present; try again in a moment")
        self._queues.setdefault(address, deque()).append(job)
        self._waiting += 1
        self._something.unpark()

    async def next(self) -> _Job:
        """Whose turn it is, as soon as there is one."""
        while not self._queues:
            await self._something.park()
        address, queue = self._queues.popitem(last=False)
        job = queue.popleft()
        self._waiting -= 1
        if queue:
            self._queues[address] = queue  # behind all others
        return job


class WorkerClient:
    """Asks the workers, and keeps their answers for a while. :meth:`run` has to run for it."""

    def __init__(
        self,
        settings: SiteSettings,
        worker_bytes: int = 0,
        command: Sequence[str] = COMMAND,
        code: CodeBelow | None = None,
        replaced: Callable[[], None] = lambda: None,
    ) -> None:
        """Each worker may have ``worker_bytes`` of memory; 0: as much as there is. ``replaced`` is called when workers
        fail since the ``code`` on disk is no longer that of the server."""
        self._workers = {
            name: _WorkerQueue(WorkerProcess(settings, WorkerLimits(kind.cpu_s, worker_bytes), command))
            for name, kind in WORKERS.items()
        }
        self._going: dict[str, _Job] = {}
        """Questions that wait or are being answered, by their key."""
        self._kept: OrderedDict[str, tuple[PageAnswer, float]] = OrderedDict()
        """What was answered, and the moment of Trio's clock until when it is fresh; the latest comes last."""
        self._kept_bytes = 0
        self._dear = Dear()
        self._code = code or CodeBelow()
        self._replaced = replaced
        self._is_replaced = False
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self) -> None:
        """Have questions answered until cancelled; then the workers are killed."""
        async with trio.open_nursery() as nursery:
            for queue in self._workers.values():
                nursery.start_soon(self._serve, queue)

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        """Answer a question for a client at this address."""
        until = trio.current_time() + patience_s
        while True:
            answer = await self._ask(question, address)
            if not answer.later or trio.current_time() >= until:
                return answer
            await trio.sleep(LOOK_AGAIN_S)

    async def call(self, question: Question, address: str = OWN) -> Any:
        """What the entry returns, as it is, for the page itself or for a client at this address."""
        return await self._value(self._put(question, address))

    async def _ask(self, question: Question, address: str) -> PageAnswer:
        key = question.key
        kept = self._kept.get(key)
        if kept is not None and trio.current_time() < kept[1]:
            return kept[0]
        job = self._going.get(key)
        if job is None:
            job = self._put(question, address)
            self._going[key] = job
        answer: PageAnswer = await self._value(job)
        return answer

    async def _value(self, job: _Job) -> Any:
        await job.done.wait()
        if job.failed is not None:
            raise type(job.failed)(*job.failed.args)  # several may wait for it: each gets one of its own
        return job.value

    def _put(self, question: Question, address: str) -> _Job:
        refusal = self._dear.refusal(question)
        if refusal:
            raise TooDear(_cannot(refusal))
        job = _Job(question)
        self._workers[worker_of(question)].put(job, address)
        return job

    async def _serve(self, queue: _WorkerQueue) -> None:
        try:
            while True:
                await self._answer(queue.worker, await queue.next())
        finally:
            await queue.worker.end()

    async def _answer(self, worker: WorkerProcess, job: _Job) -> None:
        question = job.question
        try:
            job.value = await self._reply(worker, question)
            if isinstance(job.value, PageAnswer):
                if job.value.trouble:
                    self._log.warning("the page has no answer", during=question.name, reason=job.value.trouble)
                self._keep(question.key, job.value)
        except Failure as failure:
            if await self._has_new_code():
                job.failed = Busy(REPLACED)
                return
            self._log.error("bug in the page", during=question.name, for_visitor=str(failure))
            job.failed = Busy("a bug in the server; see its log")
        except WorkerLost as lost:
            job.failed = Busy(REPLACED) if self._is_replaced else TooDear(_cannot(lost.for_visitor))
        finally:
            if not job.done.is_set() and job.value is None and job.failed is None:
                job.failed = Busy("the server is stopping")
            # What came by call() may have the same key, and is not in there.
            if self._going.get(question.key) is job:
                del self._going[question.key]
            job.done.set()

    async def _reply(self, worker: WorkerProcess, question: Question) -> Any:
        """A worker's reply, if need be from a new worker: where the answers before may have been to blame, and where
        there is an answer without pictures. Raises WorkerLost and Failure."""
        while True:
            asked = self._dear.asked(question)
            try:
                return await worker.ask(asked)
            except WorkerLost as lost:
                if not (lost.for_visitor or lost.innocent) and await self._has_new_code():
                    raise
                self._log.warning("the page's worker is lost", during=question.name, reason=str(lost))
                if not lost.innocent and not (lost.for_visitor and self._dear.learn(asked, lost.for_visitor)):
                    raise

    async def _has_new_code(self) -> bool:
        """A worker has failed: whether that is since it starts with other code than the server's."""
        # It looks at every file of the package, for some milliseconds.
        if not self._is_replaced and await trio.to_thread.run_sync(self._code.is_replaced):
            self._is_replaced = True
            self._log.error("the code was replaced while the server runs; the page needs a restart")
            self._replaced()
        return self._is_replaced

    def _keep(self, key: str, answer: PageAnswer) -> None:
        old = self._kept.pop(key, None)
        self._kept_bytes -= _size(old[0]) if old is not None else 0
        # An answer that is not final must not be found again by the next look.
        self._kept[key] = (answer, trio.current_time() + (LOOK_AGAIN_S / 2 if answer.later else FRESH_S))
        self._kept_bytes += _size(answer)
        while len(self._kept) > MAX_KEPT or self._kept_bytes > MAX_KEPT_BYTES:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._kept_bytes -= _size(dropped)


def _cannot(why: str) -> str:
    if not why:
        return "this cannot be answered at present; see the server's log"
    return f"this cannot be shown: {why}. The organiser of this server has the record of every game (ugs record show)"


def _size(answer: PageAnswer) -> int:
    return len(answer.body) + len(answer.zipped) + len(answer.compressed)
