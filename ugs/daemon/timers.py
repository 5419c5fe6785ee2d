"""Named timers: starting one again moves it, and one task waits for the earliest.

A timer that is moved to a later moment costs a dictionary entry and nothing else: its old place in the heap is found
out of date when its moment comes. A running game restarts its clock with every message, so this is the common case.
"""

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import trio

from ugs.broker.events import Timer


@dataclass(slots=True, eq=False)
class Running:
    """A timer that was started and has not fired."""

    deadline: float
    in_heap: float
    """The earliest moment at which the heap will look at this timer."""


class Timers:
    """All timers of one server; ``fire`` is called, without waiting, with each one whose time is over."""

    def __init__(self, fire: Callable[[Timer], None]) -> None:
        self._fire = fire
        self._running: dict[Timer, Running] = {}
        self._heap: list[tuple[float, int, Timer]] = []
        self._pushed = 0
        self._sleep = trio.CancelScope()

    def start(self, timer: Timer, seconds: float) -> Running:
        """(Re)start a timer; returns a token that is good for :meth:`hold` and :meth:`release`."""
        deadline = trio.current_time() + seconds
        before = self._running.get(timer)
        if before is not None and before.in_heap <= deadline:
            running = Running(deadline, before.in_heap)
        else:
            running = Running(deadline, deadline)
            self._push(timer, deadline)
        self._running[timer] = running
        return running

    def stop(self, timer: Timer) -> None:
        """Forget a timer; one that does not run is no matter."""
        self._running.pop(timer, None)

    def hold(self, timer: Timer, token: Running) -> None:
        """Let a timer wait for :meth:`release`, unless it was stopped or started anew meanwhile."""
        if self._running.get(timer) is token:
            token.deadline = math.inf

    def release(self, timer: Timer, token: Running, seconds: float) -> None:
        """A timer on hold begins to run now, unless it was stopped or started anew meanwhile."""
        if self._running.get(timer) is token:
            self.start(timer, seconds)

    async def run(self) -> None:
        """Fire timers as their moments come, for ever."""
        while True:
            with trio.CancelScope(deadline=self._heap[0][0] if self._heap else math.inf) as self._sleep:
                await trio.sleep_forever()
            # Whatever has arrived by now was in time: let the readers go first.
            await trio.lowlevel.checkpoint()
            self._fire_due(trio.current_time())

    def _push(self, timer: Timer, deadline: float) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (deadline, self._pushed, timer))
        if deadline < self._sleep.deadline:
            self._sleep.deadline = deadline

    def _fire_due(self, now: float) -> None:
        while self._heap and self._heap[0][0] <= now:
            place, _, timer = heapq.heappop(self._heap)
            running = self._running.get(timer)
            if running is None or running.in_heap != place:
                continue  # stopped, or started anew with an earlier place of its own
            if running.deadline <= now:
                del self._running[timer]
                self._fire(timer)
            elif running.deadline == math.inf:
                running.in_heap = math.inf  # on hold: release() will push it again
            else:
                running.in_heap = running.deadline
                self._push(timer, running.deadline)
