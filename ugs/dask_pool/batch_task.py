"""What a Dask worker runs: one batch, by the code that plays a match on one machine."""

from functools import cache
from typing import Final

from distributed import get_worker
from distributed.worker import Worker

from ugs.match.batch_player import BatchSites
from ugs.match.batches import BatchJob, MatchBatch, PlayedBatch

WANTED: Final = frozenset({"executing", "long-running"})
"""States of a task that runs and whose result is wanted; Dask gives it another one when it is cancelled."""


def play(job: BatchJob, batch: MatchBatch, key: str) -> PlayedBatch:
    """Play a batch as the task with this key. Raises BatchStopped when it is not wanted any more, and OSError."""
    worker = get_worker()

    def stopped() -> bool:
        # Dask cannot stop a thread: its task has to look itself.
        task = worker.state.tasks.get(key)
        return task is None or task.state not in WANTED or worker.status.name.startswith("clos")

    return sites().play(job, batch, name_of(worker), stopped)


@cache
def sites() -> BatchSites:
    """Those of this process: they outlive a task."""
    return BatchSites()


def name_of(worker: Worker) -> str:
    """What people call a worker: its name and its address, which is the last word."""
    name = str(worker.name)
    return worker.address if name == worker.address else f"{name} at {worker.address}"
