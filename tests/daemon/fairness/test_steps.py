"""Tasks of the page are watched: what they return and raise stays the same, and long steps are counted and named."""

import pytest
import trio
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from tests.daemon.fairness.test_watchdog import Clocks
from ugs.daemon.fairness import steps
from ugs.daemon.fairness.steps import WatchedSteps, watched_app, watched_task
from ugs.daemon.fairness.watchdog import Watchdog


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks(monkeypatch)
    monkeypatch.setattr(steps, "perf_counter", lambda: clocks.wall)
    return clocks


def dog() -> Watchdog:
    return Watchdog(lambda number: "")


async def test_a_step_that_takes_long_is_counted_and_named(clocks: Clocks) -> None:
    watchdog = dog()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        clocks.pass_by(0.015, 0.015)
        await trio.lowlevel.checkpoint()
        clocks.pass_by(0.030, 0.030)
        await trio.lowlevel.checkpoint()
        clocks.pass_by(0.015, 0.015)

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        pass

    with capture_logs() as lines:
        await watched_app(app, watchdog)({"path": "/" + "x" * 500, "client": ("192.0.2.7", 1)}, receive, send)
    assert (watchdog.holds, round(watchdog.longest_s, 6)) == (1, 0.030)
    (line,) = lines
    assert (line["address"], line["milliseconds"]) == ("192.0.2.7", 30.0)
    assert line["message"] == "page /" + "x" * 74


async def test_time_in_which_others_go_on_does_not_count(clocks: Clocks) -> None:
    watchdog = dog()

    async def others() -> None:
        clocks.pass_by(5.0, 5.0)

    async def task() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others)

    await watched_task(task, watchdog, "open pages")()
    assert watchdog.holds == 0


async def test_the_last_step_counts_also_when_it_fails(clocks: Clocks) -> None:
    watchdog = dog()

    async def task() -> None:
        await trio.lowlevel.checkpoint()
        clocks.pass_by(0.1, 0.1)
        raise ZeroDivisionError

    with capture_logs(), pytest.raises(ZeroDivisionError):
        await watched_task(task, watchdog, "worker")()
    assert watchdog.holds == 1


async def test_what_it_gets_and_gives_stays_the_same(clocks: Clocks) -> None:
    sending, receiving = trio.open_memory_channel[int](1)

    async def work() -> int:
        return await receiving.receive() + 1

    sending.send_nowait(41)
    assert await WatchedSteps(dog(), work(), "work") == 42


async def test_it_can_be_cancelled(clocks: Clocks) -> None:
    ended = []

    async def task() -> None:
        try:
            await trio.sleep_forever()
        finally:
            ended.append(True)

    with trio.CancelScope() as scope:
        scope.cancel()
        await watched_task(task, dog(), "open pages")()
    assert scope.cancelled_caught
    assert ended == [True]
