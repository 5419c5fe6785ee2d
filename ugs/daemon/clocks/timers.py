"""Named timers: starting one again moves it, and one task waits for the earliest.

A timer that is stopped, or moved to a later moment, costs one assignment: its old place in the heap is found out of
date when its moment comes. A running game moves its clock with every message, so this is the common case.
"""

import heapq
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import trio

from ugs.daemon.server_clock import ServerClock

NEVER = math.inf

Name = TypeVar("Name", bound=Hashable)


@dataclass(slots=True, eq=False)
class TimerEntry:
    """A timer that has a place in the heap."""

    deadline: float
    """When it fires; NEVER while it is stopped."""
    place: float
    """When the heap will look at it, never later than the deadline."""


class Timers(Generic[Name]):
    """The timers of one server, or of one gateway; ``fire`` is called with each whose time is over, and must not
    wait. They go by ``clock`` (default: one that never stands)."""

    def __init__(self, fire: Callable[[Name], None], clock: ServerClock | None = None) -> None:
        self._fire = fire
        self._clock = clock or ServerClock()
        self._entries: dict[Name, TimerEntry] = {}
        self._heap: list[tuple[float, int, Name]] = []
        self._pushed = 0
        self._sleep = trio.CancelScope()
        self._clock.on_going_on.append(self._clock_goes_on)

    @property
    def running(self) -> list[Name]:
        """The timers that are going to fire."""
        return [timer for timer, entry in self._entries.items() if entry.deadline != NEVER]

    def __len__(self) -> int:
        """How many timers are known, those that were stopped and not yet forgotten included."""
        return len(self._entries)

    def start(self, timer: Name, deadline: float) -> None:
        """(Re)start a timer: it fires at ``deadline``, a moment of the clock."""
        entry = self._entries.get(timer)
        if entry is not None and entry.place <= deadline:
            entry.deadline = deadline
        else:
            # Earlier than its place in the heap, so it needs a new one; the old place is skipped when it comes up.
            self._entries[timer] = TimerEntry(deadline, deadline)
            self._push(timer, deadline)

    def stop(self, timer: Name) -> None:
        """Keep a timer from firing. Does nothing when it does not run."""
        entry = self._entries.get(timer)
        if entry is not None:
            entry.deadline = NEVER

    async def run(self) -> None:
        """Fire timers as their moments come, for ever."""
        while True:
            with trio.CancelScope(deadline=self._next_moment()) as self._sleep:
                await trio.sleep_forever()
            # What has arrived by now was in time: let the readers go first.
            await trio.lowlevel.checkpoint()
            self._fire_due(trio.current_time())

    def _clock_goes_on(self) -> None:
        self._sleep.deadline = self._next_moment()

    def _next_moment(self) -> float:
        """When to look for a timer that is due, by Trio's clock."""
        return self._clock.moment_of(self._heap[0][0]) if self._heap else NEVER

    def _push(self, timer: Name, place: float) -> None:
        self._pushed += 1
        # The number keeps heapq from comparing names, which have no order, where two places are equal.
        heapq.heappush(self._heap, (place, self._pushed, timer))
        moment = self._clock.moment_of(place)
        if moment < self._sleep.deadline:
            self._sleep.deadline = moment

    def _fire_due(self, now: float) -> None:
        # Compared by Trio's clock, on which the sleep has ended: a rounded difference of two clocks could be too small.
        moment_of = self._clock.moment_of
        while self._heap and moment_of(self._heap[0][0]) <= now:
            place, _, timer = heapq.heappop(self._heap)
            entry = self._entries.get(timer)
            if entry is None or entry.place != place:
                continue  # it was started again with an earlier place
            if moment_of(entry.deadline) <= now:
                del self._entries[timer]  # first: firing it may start it again
                self._fire(timer)
            elif entry.deadline == NEVER:
                del self._entries[timer]
            else:
                entry.place = entry.deadline
                self._push(timer, entry.deadline)
