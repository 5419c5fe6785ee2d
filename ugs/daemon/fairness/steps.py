"""Tasks of the page, watched like the documents of peers: no step of them may hold the loop for long.

A step is what a task does between two moments when others may go on.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator
from time import perf_counter
from typing import Any, Generic, TypeVar

from starlette.types import ASGIApp, Receive, Scope, Send

from ugs.daemon.fairness.watchdog import HOLD_S, Watchdog

T = TypeVar("T")
MAX_NAME = 80
"""Most characters of a path in the log."""


class WatchedSteps(Generic[T]):
    """An awaitable whose steps are reported to the watchdog when they take long; ``what`` names it in the log."""

    def __init__(self, watchdog: Watchdog, work: Coroutine[Any, Any, T], what: str, address: str = "") -> None:
        self._watchdog = watchdog
        self._work = work
        self._what = what
        self._address = address

    def __await__(self) -> Generator[Any, Any, T]:
        value: Any = None
        error: BaseException | None = None
        while True:
            self._watchdog.begin()
            began = perf_counter()
            try:
                awaited = self._work.send(value) if error is None else self._work.throw(error)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                seconds = perf_counter() - began
                if seconds > HOLD_S:
                    self._watchdog.held(0, self._address, self._what, seconds)
            value, error = None, None
            try:
                value = yield awaited
            except BaseException as raised:  # for the work to see, a cancellation too
                error = raised


def watched_app(app: ASGIApp, watchdog: Watchdog) -> ASGIApp:
    """The same application, watched."""

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        what = f"page {scope.get('path', '')}"[:MAX_NAME]
        await WatchedSteps(watchdog, _run(app(scope, receive, send)), what, str(client[0]) if client else "")

    return watched


def watched_task(run: Callable[[], Awaitable[None]], watchdog: Watchdog, what: str) -> Callable[[], Awaitable[None]]:
    """The same task, watched."""
    return lambda: WatchedSteps(watchdog, _run(run()), what)


async def _run(work: Awaitable[None]) -> None:
    await work
