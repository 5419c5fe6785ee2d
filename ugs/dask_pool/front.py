"""What it costs to hand out batches to many workers and to take their results: the match's own side and Dask's
scheduler are the front, workers are made up, and the scheduler is killed once."""

import itertools
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

import trio
from distributed import Client

from ugs import __version__
from ugs.dask_pool.crew import pretend
from ugs.dask_pool.opening import quiet
from ugs.dask_pool.worker_pool import DaskPool
from ugs.match.batch_runner import MAX_OUT, OUT_PER_WORKER
from ugs.match.batches import BatchBook, BatchJob, PlayedBatch
from ugs.match.match_settings import parse_wanted
from ugs.match.planner import GivenGame, PlannedGame
from ugs.match.programs import MatchFailed, cpu_s

GOAL_CALLS: Final = 750
"""Calls in a second of one processor: a batch handed out is one, a result taken another one."""
GOAL_WORKERS: Final = 1000
PACE: Final = 1.07 * GOAL_CALLS
"""Calls a second of all workers together: what a batch takes follows from it."""
CREWS: Final = 2
AGAIN_S: Final = 10.0
"""Seconds until a worker that has ended is started again, at most."""
AWAY_S: Final = 5.0
"""Seconds that the scheduler is away."""
PATIENCE_S: Final = 300.0


class NoFront(Exception):
    """The measurement did not come about. The text gives the reason."""


@dataclass(frozen=True, slots=True)
class FrontFigures:
    """The result; times in seconds."""

    workers: int
    calls: int
    """In the measured window."""
    seconds: float
    scheduler_s: float
    """Processor time of Dask's scheduler, in the window."""
    match_s: float
    """Processor time of the match's own side."""
    most_out: int
    """Batches that were out at once, at most."""
    tries_per_second: int
    """Of all workers together to reach the scheduler, in the worst second after it was killed."""
    back_s: float
    """From its start until all workers were there again."""
    games: int
    """That were counted in all."""
    doubled: int
    missing: int

    @property
    def calls_per_second(self) -> float:
        """As it was."""
        return self.calls / self.seconds

    @property
    def calls_per_core(self) -> float:
        """In a second of processor time of the front."""
        return self.calls / max(1e-9, self.scheduler_s + self.match_s)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None for fewer workers than it is about."""
        if self.workers < GOAL_WORKERS:
            return None
        return self.calls_per_core >= GOAL_CALLS and not self.doubled and not self.missing

    def as_text(self) -> str:
        """For people, in lines."""
        verdict = {True: "met", False: "MISSED", None: f"it is about {GOAL_WORKERS} workers"}[self.met]
        per_call_us = 1e6 / max(1, self.calls)
        return (
            f"{self.workers} simulated workers: {self.calls_per_second:.0f} calls a second for {self.seconds:.0f} s; "
            f"{self.calls_per_core:.0f} in a second of one processor (goal: {GOAL_CALLS}: {verdict})\n"
            f"a call cost the scheduler {self.scheduler_s * per_call_us:.0f} µs of processor time, the match "
            f"{self.match_s * per_call_us:.0f}; at most {self.most_out} batches were out\n"
            f"scheduler killed, away for {AWAY_S:.0f} s: at most {self.tries_per_second} tries a second to reach it, "
            f"all workers back after {self.back_s:.0f} s; "
            f"of {self.games} games {self.doubled} doubled, {self.missing} missing"
        )


def measure_front(workers: int, seconds: float, on_step: Callable[[str], None]) -> FrontFigures:
    """Measure with that many workers for that long. Raises NoFront."""
    try:
        return trio.run(_measure, workers, seconds, on_step)
    except BaseExceptionGroup as group:
        cause: BaseException = group
        while isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        if isinstance(cause, NoFront | MatchFailed):
            raise NoFront(str(cause)) from group
        raise


@contextmanager
def _program(errors: IO[bytes], *words: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
    ) as process:
        try:
            yield process
        finally:
            process.kill()


async def _measure(workers: int, seconds: float, on_step: Callable[[str], None]) -> FrontFigures:
    # A port that is free now: the scheduler has to come back to the same one.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    tries: list[float] = []
    with ExitStack() as stack:
        stack.enter_context(quiet())
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="ugs-front-")))
        errors = stack.enter_context((folder / "errors").open("wb"))
        start = partial(
            _program,
            errors,
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--no-dashboard",
        )
        scheduler = stack.enter_context(start())
        batch_s = str(2 * workers / PACE)
        settings = parse_wanted({"game": "-", "bots": {"a": "-", "b": "-"}}, "bench")
        pool = DaskPool(
            address,
            lambda: Client(address, timeout=30, set_as_default=False),
            pretend,
            BatchJob(__version__, settings, packets=False),
            on_step,
            "front",
        )
        async with trio.open_nursery() as nursery:
            await nursery.start(pool.run)
            on_step("starting workers")
            for share in (workers // CREWS, workers - workers // CREWS):
                words = ("ugs.dask_pool.crew", address, str(share), str(AGAIN_S), batch_s)
                nursery.start_soon(_read, stack.enter_context(_program(errors, *words)), tries)
            await _until(lambda: pool.room >= workers, "the workers did not come")
            on_step("measuring")
            traffic = Traffic(pool)
            nursery.start_soon(traffic.run)
            await _until(lambda: traffic.counted >= workers, "the first results did not come")
            calls, began = traffic.calls, time.monotonic()
            scheduler_s, match_s = cpu_s(scheduler.pid), time.process_time()
            await trio.sleep(seconds)
            calls, took_s = traffic.calls - calls, time.monotonic() - began
            scheduler_s, match_s = cpu_s(scheduler.pid) - scheduler_s, time.process_time() - match_s
            on_step("killing the scheduler")
            scheduler.kill()
            killed = time.time()
            await trio.sleep(AWAY_S)
            stack.enter_context(start())
            again = time.monotonic()
            counted = traffic.counted
            await _until(lambda: pool.room >= workers and traffic.counted > counted, "the workers did not come back")
            back_s = time.monotonic() - again
            on_step("emptying")
            traffic.ends = True
            await _until(lambda: traffic.empty, "batches did not come back")
            nursery.cancel_scope.cancel()
    after = Counter(int(one - killed) for one in tries if one >= killed)
    return FrontFigures(
        workers, calls, took_s, scheduler_s, match_s, traffic.most_out, max(after.values(), default=0), back_s,
        traffic.counted, traffic.doubled, traffic.missing,
    )  # fmt: skip


async def _read(crew: subprocess.Popen[bytes], tries: list[float]) -> None:
    assert crew.stdout is not None
    async with trio.lowlevel.FdStream(os.dup(crew.stdout.fileno())) as stream:
        rest = b""
        async for data in stream:
            *lines, rest = (rest + bytes(data)).split(b"\n")
            tries += map(float, lines)


async def _until(holds: Callable[[], bool], otherwise: str) -> None:
    with trio.move_on_after(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  (Dask reports no such event)
            await trio.sleep(0.1)
        return
    raise NoFront(f"{otherwise} within {PATIENCE_S:.0f} s")


class Traffic:
    """Batches of one game, handed out as a match does, for as long as wanted."""

    def __init__(self, pool: DaskPool) -> None:
        self._pool = pool
        self._numbers = itertools.count(1)
        self._book = BatchBook(self._take, 1, lambda: 0)
        self._given = 0
        self._seen: set[int] = set()
        self.calls = 0
        self.counted = 0
        """Games."""
        self.doubled = 0
        self.most_out = 0
        self.ends = False

    @property
    def empty(self) -> bool:
        """Whether all that was given out has come back."""
        return self._book.empty

    @property
    def missing(self) -> int:
        """Games that were given out and have no result."""
        return self._given - len(self._seen)

    def _take(self) -> GivenGame | None:
        if self.ends:
            return None
        self._given += 1
        number = next(self._numbers)
        return GivenGame(PlannedGame(number, ("a", "b"), (number + 1) // 2), "")

    async def run(self) -> None:
        """Hand out and take until cancelled."""
        while True:
            room = self._pool.room
            if batches := self._book.fill(min(OUT_PER_WORKER * room, MAX_OUT), room):
                await self._pool.submit(batches)
            self.calls += len(batches)
            self.most_out = max(self.most_out, len(self._book.out))
            end = None
            with trio.move_on_after(0.5):
                end = await self._pool.next_end()
            if isinstance(end, PlayedBatch):
                self.calls += 1
                for result in self._book.played(end):
                    self.counted += 1
                    self.doubled += result.planned.number in self._seen
                    self._seen.add(result.planned.number)
            elif end is not None:
                self._book.back(end.number)
