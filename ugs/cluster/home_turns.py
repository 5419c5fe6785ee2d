"""Peers of a door that are on their way to the same home take turns: a home cannot be introduced to a thousand at once.

A home lets lines that have proven nothing yet wait for a while only, and the oldest ones go first when there are many.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

MAX_AT_ONCE: Final = 64
"""Peers that are on their way to one home; the next ones wait for their turn ..."""
TURN_S: Final = 10.0
"""... for so long."""


class HomeTurns:
    """The turns of one door, by node: one that hangs holds up no other."""

    def __init__(self) -> None:
        self._turns: dict[str, trio.Semaphore] = {}
        self._silent: dict[str, float] = {}
        """When a node has last taken too long."""

    @asynccontextmanager
    async def turn(self, name: str, seconds: float) -> AsyncIterator[None]:
        """Wait for a turn at this node, which ends with the block. Raises trio.TooSlowError, which names the reason,
        when none comes, when the block takes longer than ``seconds``, or when the block of another one has since this
        one came: those who wait for a node that hangs learn it from the first ones."""
        turns = self._turns.setdefault(name, trio.Semaphore(MAX_AT_ONCE))
        came = trio.current_time()
        with trio.move_on_after(TURN_S) as waiting:
            await turns.acquire()
        if waiting.cancelled_caught:
            raise trio.TooSlowError("too many are before it")
        try:
            if self._silent.get(name, came) > came:
                raise trio.TooSlowError(no_answer(seconds))
            with trio.move_on_after(seconds) as taking:
                yield
            if taking.cancelled_caught:
                self._silent[name] = trio.current_time()
                raise trio.TooSlowError(no_answer(seconds))
        finally:
            turns.release()


def no_answer(seconds: float) -> str:
    """Return the reason why a peer does not get to a home that hangs."""
    return f"no answer within {seconds:g} s"
