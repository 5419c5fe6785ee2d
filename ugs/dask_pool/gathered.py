"""What comes one by one is taken together: a call to Dask's client costs much more than what it carries."""

from typing import Final, Generic, TypeVar

import trio

T = TypeVar("T")

GATHER_S: Final = 0.25
"""Seconds for things to come together: a worker has another batch meanwhile."""


class Gathered(Generic[T]):
    """Things by the number of their batch, until they are taken."""

    def __init__(self) -> None:
        self._things: dict[int, T] = {}
        self._came = trio.Event()

    def __contains__(self, number: int) -> bool:
        """Whether something of this batch waits."""
        return number in self._things

    def put(self, number: int, thing: T) -> None:
        """Something waits to be taken."""
        self._things[number] = thing
        self._came.set()

    async def take(self) -> dict[int, T]:
        """Wait until something is there, and a little for more; return all of it."""
        await self._came.wait()
        await trio.sleep(GATHER_S)
        things, self._things, self._came = self._things, {}, trio.Event()
        return things
