"""Many workers of a Dask scheduler in one process, for measurements: what they play is made up.

    python -m ugs.dask_pool.crew tcp://127.0.0.1:8786 500 30.0 2.5

A worker that loses its scheduler ends, as Dask's do, and another one takes its place after a random time, as where a
service manager or a cluster starts it again. The numbers are how many workers, the most of that time, and what a batch
takes on average, both in seconds. Each line of output is the time of a try to reach the scheduler, in seconds since
1970. The process ends with its standard input.
"""

import asyncio
import os
import random
import sys
import time
from contextlib import suppress
from typing import Final

import dask
from distributed.comm.core import Comm
from distributed.comm.tcp import TCPConnector

from ugs.broker.verdict import Outcome
from ugs.dask_pool.made_up_worker import MadeUpWorker
from ugs.match.batches import BatchJob, BatchUse, MatchBatch, PlayedBatch
from ugs.match.score import ScoredGame

CONNECT_S: Final = 120.0
"""Seconds of Dask's own tries to connect, at random times that grow apart."""
SETTINGS: Final = {"distributed.comm.timeouts.connect": f"{CONNECT_S}s"}


def pretend(_job: BatchJob, batch: MatchBatch, _key: str) -> PlayedBatch:
    """A batch that has been won by the first player."""
    results = tuple(
        ScoredGame(game.planned, "g", dict(zip(game.planned.bots, (Outcome.WON, Outcome.LOST), strict=True)))
        for game in batch.games
    )
    return PlayedBatch(batch.number, "w", results, use=BatchUse(seconds=1.0))


def note_tries(address: str) -> None:
    """From now on write a line for each try of this process to reach a scheduler."""
    place, connect = address.rpartition("/")[2], TCPConnector.connect

    async def connect_noted(self: TCPConnector, address: str, *args: object, **kwargs: object) -> Comm:
        if address == place:
            print(f"{time.time():.3f}", flush=True)
        return await connect(self, address, *args, **kwargs)

    TCPConnector.connect = connect_noted


async def keep(address: str, name: str, again_s: float, batch_s: float) -> None:
    """Keep a worker of this name there. It starts as it starts again: machines do not start all at the same moment."""
    while True:
        await asyncio.sleep(random.uniform(0, again_s))
        with suppress(OSError):
            await MadeUpWorker(address, name, batch_s).run()


async def main(address: str, number: int, again_s: float, batch_s: float) -> None:
    """Keep that many there, until standard input ends."""
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(keep(address, f"{os.getpid()}-{one}", again_s, batch_s)) for one in range(number)]
    await loop.run_in_executor(None, sys.stdin.read)
    del tasks
    os._exit(0)  # orderly goodbyes of hundreds would take their time


if __name__ == "__main__":
    dask.config.set(SETTINGS)
    note_tries(sys.argv[1])
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])))
