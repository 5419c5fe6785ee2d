"""No storm after an outage: many workers and matches lose their scheduler for two minutes, in made-up time."""

import asyncio
import random
import selectors
from collections import Counter
from collections.abc import Iterator

import dask
import pytest
import trio
import trio.testing
from distributed.comm import connect
from distributed.comm.core import Comm
from distributed.comm.tcp import TCPConnector

from tests.profile import sized
from ugs.dask_pool import crew, worker_pool
from ugs.dask_pool.front import AGAIN_S
from ugs.dask_pool.made_up_worker import MadeUpWorker
from ugs.dask_pool.worker_pool import MAX_AGAIN_S, DaskPool
from ugs.match.batches import BatchJob
from ugs.match.match_settings import parse_wanted
from ugs.match.programs import MatchFailed

AWAY_S = 120
WORKERS = sized(quick=200, deep=1000)
MATCHES = 100
REFUSED_S = 0.001
"""Seconds until a machine without a scheduler has refused a connection."""
ADDRESS = "tcp://127.0.0.1:1"


class JumpingLoop(asyncio.SelectorEventLoop):
    """Nobody waits in it: its time jumps to what is due next."""

    def __init__(self) -> None:
        super().__init__(JumpingSelector(self))
        self.now = 0.0

    def time(self) -> float:
        return self.now


class JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop: JumpingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._loop.now += timeout or 0.0
        return super().select(0)


class ThereAgain(Exception):
    """A worker has reached the scheduler."""


@pytest.fixture
def loop() -> Iterator[JumpingLoop]:
    made = JumpingLoop()
    yield made
    made.close()


def test_workers_that_have_lost_their_scheduler_make_no_storm(
    loop: JumpingLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[float] = []

    async def try_it(_connector: TCPConnector, _address: str, **_: object) -> Comm:
        tries.append(loop.now)
        await asyncio.sleep(REFUSED_S)
        raise OSError if loop.now < AWAY_S else ThereAgain

    async def run(_worker: MadeUpWorker) -> None:
        await connect(ADDRESS)

    # How long a worker waits is Dask's own decision; here it reads another clock.
    monkeypatch.setattr(TCPConnector, "connect", try_it)
    monkeypatch.setattr("distributed.comm.core.time", loop.time)
    monkeypatch.setattr("distributed.comm.core.random", random.Random(7))
    monkeypatch.setattr(crew, "random", random.Random(8))
    monkeypatch.setattr(MadeUpWorker, "run", run)

    async def lose_all() -> list[BaseException | None]:
        # They have lost it at the same moment, and start again.
        kept = [crew.keep(ADDRESS, str(number), AGAIN_S, 1.0) for number in range(WORKERS)]
        return await asyncio.gather(*kept, return_exceptions=True)

    with dask.config.set(crew.SETTINGS):
        assert {type(one) for one in loop.run_until_complete(lose_all())} == {ThereAgain}
    per_second = Counter(map(int, tries))
    print(per_second, loop.now)
    assert max(per_second.values()) < 1.3 * WORKERS, "while they start again"
    assert max(per_second[second] for second in range(30, AWAY_S - 10)) < WORKERS / 10, "while they wait"
    assert max(per_second[second] for second in range(AWAY_S - 10, AWAY_S + 60)) < WORKERS / 2, "when it is back"
    assert loop.now < AWAY_S + 2 * AGAIN_S, "until all are there again"


async def test_matches_that_have_lost_their_scheduler_make_no_storm(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[float] = []
    began = trio.current_time()

    async def open_it(_pool: DaskPool) -> None:
        tries.append(trio.current_time() - began)
        if tries[-1] < AWAY_S:
            raise MatchFailed("away")

    monkeypatch.setattr(DaskPool, "_open", open_it)
    monkeypatch.setattr(worker_pool, "random", random.Random(7))
    job = BatchJob("", parse_wanted({"game": "-", "bots": {"a": "-", "b": "-"}}, "test"), packets=False)
    async with trio.open_nursery() as nursery:
        for number in range(MATCHES):
            pool = DaskPool("here", lambda: pytest.fail("not asked"), crew.pretend, job, lambda _: None, str(number))
            nursery.start_soon(pool._come_back)
    per_second = Counter(map(int, tries))
    print(per_second)
    assert max(per_second.values()) < 3 * MATCHES, "at once after the loss"
    assert max(per_second[second] for second in range(20, AWAY_S + 60)) < MATCHES / 4, "later"
    assert trio.current_time() - began < AWAY_S + MAX_AGAIN_S
