"""Opens the pools of ``ugs match --cluster``: ``tcp://HOST:PORT`` and ``tls://HOST:PORT`` are Dask schedulers,
``local:N`` is one with N workers that lives as long as the match."""

import logging
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, Final

import trio
from distributed import Client, LocalCluster

from ugs import __version__
from ugs.dask_pool.batch_task import play
from ugs.dask_pool.worker_pool import DaskPool
from ugs.match.batches import BatchJob
from ugs.match.programs import MatchFailed
from ugs.unkept_folders import unkept_folder

LOCAL: Final = "local:"
MAX_LOCAL: Final = 256
CONNECT_S: Final = 20.0
"""Seconds to reach a scheduler."""
MAX_NAMED: Final = 5
"""Workers that a remark names."""


class NoUgs(Exception):
    """The scheduler lacks ugs. The text advises what to do."""


@asynccontextmanager
async def open_pool(where: str, job: BatchJob, note: Callable[[str], None]) -> AsyncIterator[DaskPool]:
    """The pool of this text; see :data:`ugs.match.batch_runner.PoolOpener`. Raises MatchFailed."""
    with quiet():
        if not where.startswith(LOCAL):
            async with _pool(where, where, job, note) as pool:
                yield pool
            return
        number = where.removeprefix(LOCAL)
        if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= MAX_LOCAL):
            raise MatchFailed(f"--cluster {where}: allowed: local:N, with N from 1 to {MAX_LOCAL}")
        with unkept_folder("ugs-dask") as folder:
            cluster = await trio.to_thread.run_sync(_local, int(number), str(folder))
            try:
                async with _pool(where, cluster.scheduler_address, job, note) as pool:
                    yield pool
            finally:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(cluster.close, CONNECT_S)


@asynccontextmanager
async def _pool(where: str, address: str, job: BatchJob, note: Callable[[str], None]) -> AsyncIterator[DaskPool]:
    pool = DaskPool(where, partial(connect, address, note), play, job, note, secrets.token_hex(4))
    async with trio.open_nursery() as nursery:
        await nursery.start(pool.run)
        yield pool
        nursery.cancel_scope.cancel()


def connect(address: str, note: Callable[[str], None]) -> Client:
    """Connect to a scheduler, and see whether it and its workers can play. Raises OSError, and NoUgs."""
    client = Client(address, timeout=CONNECT_S, set_as_default=False, name="ugs-match")
    try:
        found = client.get_versions(packages=["ugs"])
    except BaseException:
        client.close()  # or its thread and its connection would stay
        raise
    there = found["scheduler"]["packages"].get("ugs")
    if there != __version__:
        client.close()
        raise NoUgs(f"the scheduler has {_named(there)}: install ugs {__version__} there, as on all workers")
    wrong = {worker: one["packages"].get("ugs") for worker, one in found["workers"].items()}
    wrong = {worker: version for worker, version in wrong.items() if version != __version__}
    for worker, version in list(wrong.items())[:MAX_NAMED]:
        note(f"worker {worker} has {_named(version)}: install ugs {__version__} there")
    if len(wrong) > MAX_NAMED:
        note(f"… and {len(wrong) - MAX_NAMED} workers more")
    return client


def _named(version: str | None) -> str:
    return f"ugs {version}" if version else "no ugs"


def _local(workers: int, folder: str) -> LocalCluster:
    """Start a scheduler and its workers; blocks until they are there."""
    with ctrl_c_for_us_alone():
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            local_directory=folder,
            memory_limit=0,  # bots are processes of their own, which Dask does not see
            silence_logs=logging.CRITICAL,
        )


@contextmanager
def ctrl_c_for_us_alone() -> Iterator[None]:
    """Threads that begin within the block start processes that neither Ctrl-C nor Ctrl-\\ on the terminal reaches: the
    match ends its workers itself, in order."""
    resource_tracker.ensure_running()  # it would let the signal in again when it is started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGQUIT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def quiet() -> Iterator[None]:
    """Within the block Dask writes no lines of its own to the terminal: the match reports what matters."""
    before: dict[Any, int] = {}
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logger = logging.getLogger(name)
        before[logger] = logger.level
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)
