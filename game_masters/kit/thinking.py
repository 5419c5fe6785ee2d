"""Work in a thread beside the conversation with the server: a bot that thinks goes on to receive messages.

One piece of work goes on at a time; the next one begins when the one before has ended. So a bot is never asked for two
moves at once, also when a game ends while it thinks.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import trio

from game_masters.kit.client import Effect, Think

ASK_AGAIN_S: Final = 1.0
"""Seconds after that work is asked once more to stop: it may have missed the first request."""

InThread: TypeAlias = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Calls a function in a thread and returns what it returns, like :func:`trio.to_thread.run_sync`."""


class Thinking:
    """The work of one connection. It has ended when the nursery that it was given has."""

    def __init__(self, nursery: trio.Nursery, in_thread: InThread) -> None:
        self._nursery = nursery
        self._in_thread = in_thread
        self.wake: Callable[[], None] | None = None
        """Called when there is something to :meth:`take`."""
        self._one_at_a_time = trio.Lock()
        self._wanted: Think | None = None
        """The work whose result matters; None: no result does."""
        self._result: Callable[[], list[Effect]] | None = None
        self._idle = trio.Event()
        self._idle.set()

    def begins(self, work: Think) -> None:
        """Begin as soon as earlier work has ended."""
        self.stops()
        self._wanted = work
        self._nursery.start_soon(self._think, work)

    def stops(self) -> None:
        """Nothing follows from what goes on; it is asked to stop."""
        if self._wanted is not None and not self._idle.is_set():
            self._nursery.start_soon(self._stop, self._wanted, self._idle)
        self._wanted = self._result = None

    def is_done(self) -> bool:
        """Whether there is something to take."""
        return self._result is not None

    def take(self) -> list[Effect]:
        """Return what follows from the work that is done, once."""
        result, self._result, self._wanted = self._result, None, None
        return [] if result is None else result()

    async def _think(self, work: Think) -> None:
        async with self._one_at_a_time:
            # It was to stop before it began.
            if work is not self._wanted:
                return
            self._idle = trio.Event()
            # Not to be cancelled: what ends the connection stops the work, and the thread is gone after it.
            with trio.CancelScope(shield=True):
                result = await self._in_thread(work.work)
            self._idle.set()
            if work is self._wanted:
                self._result = result
                if self.wake is not None:
                    self.wake()

    @staticmethod
    async def _stop(work: Think, idle: trio.Event) -> None:
        # Also when the connection has ended: a thread that works on would keep the program from ending.
        with trio.CancelScope(shield=True):
            while not idle.is_set():
                work.stop()
                with trio.move_on_after(ASK_AGAIN_S):
                    await idle.wait()
