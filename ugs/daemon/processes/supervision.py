"""The tasks of a server, and what a failure of each may cost.

:data:`TASKS` names every task that runs as long as the server does. Where nothing is at stake, a task that fails is
logged, counted and started again, after a longer wait each time. Where moves, results or clocks are at stake it ends
the server, in order: what was recorded reaches the disk, and after a restart the games go on. Going on as if nothing
had happened could make a player lose through no fault of its own.

Every other task serves one peer, or does one thing for it: its failure is logged and counted, and costs that peer.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, Protocol

import structlog
import trio

MIN_AGAIN_S: Final = 1.0
"""Seconds until a task that failed begins again; each time twice as long ..."""
MAX_AGAIN_S: Final = 60.0
"""... but not longer than this. A task that has run for so long begins at MIN_AGAIN_S."""
PEER: Final = "one peer"
"""What failures of tasks that serve a single peer are counted as."""


class Stake(Enum):
    """What is at stake in a task that fails."""

    NOTHING = "nothing"
    """It begins again."""
    GAMES = "games"
    """The server ends."""


TASKS: Final[Mapping[str, Stake]] = MappingProxyType(
    {
        "deliveries": Stake.GAMES,  # writes the journal before it sends
        "reading": Stake.GAMES,  # what it does not read is too late
        "timers": Stake.GAMES,  # a clock that is lost lets a game hang
        "account": Stake.NOTHING,
        "garbage": Stake.NOTHING,
        "wall clock": Stake.NOTHING,
        "signals": Stake.NOTHING,
        "signs of life": Stake.NOTHING,
        "listener": Stake.NOTHING,
        "spectators": Stake.NOTHING,
        "gateway timers": Stake.NOTHING,
        "joined lines": Stake.NOTHING,
        "admin": Stake.NOTHING,
        "page": Stake.NOTHING,
        "worker": Stake.NOTHING,
        "open pages": Stake.NOTHING,
        "node port": Stake.NOTHING,
        "relays": Stake.NOTHING,
        "homes": Stake.NOTHING,
    }
)
"""By name, as in the log and the figures."""


class Tasks(Protocol):
    """Where tasks are started that serve one peer: a nursery, or :class:`Spared`."""

    def start_soon(self, run: Callable[..., Awaitable[object]], /, *args: object) -> None:
        """Start ``run(*args)`` in a task of its own."""
        ...


class TaskFailed(Exception):
    """A task with games at stake has failed; the cause is the error. It is logged already."""


class Supervisor:
    """Runs the tasks of one server."""

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter(dict.fromkeys([*TASKS, PEER], 0))
        """How often each has failed."""
        self.ends: Callable[[], object] = lambda: None
        """Called when a task with games at stake has failed."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self, name: str, run: Callable[[], Awaitable[object]]) -> None:
        """Run one of :data:`TASKS` until it returns or is cancelled. It begins again when it fails; where games are at
        stake, raises TaskFailed instead."""
        wait = MIN_AGAIN_S
        while True:
            began = trio.current_time()
            try:
                await run()
            except Exception as error:
                self.failures[name] += 1
                if TASKS[name] is Stake.GAMES:
                    self._log.critical("bug in the server", during=name, exc_info=True, then="the server ends")
                    # First of all: a broker that may be wrong decides nothing more.
                    self.ends()
                    raise TaskFailed(f"a bug in the server, in its task {name!r}: {error!r}") from error
                if trio.current_time() - began >= MAX_AGAIN_S:
                    wait = MIN_AGAIN_S
                self._log.exception("bug in the server", during=name, again_in_s=wait)
            else:
                return
            await trio.sleep(wait)
            wait = min(2 * wait, MAX_AGAIN_S)

    async def spare(self, run: Callable[..., Awaitable[object]], *args: object) -> None:
        """Run something for one peer. Raises nothing: what it was for has to see to that when it fails."""
        try:
            await run(*args)
        except Exception:
            self.failures[PEER] += 1
            self._log.exception("bug in the server", during=getattr(run, "__qualname__", "a task"))


class Spared:
    """A nursery whose tasks each serve one peer, and fail alone."""

    def __init__(self, supervisor: Supervisor, nursery: trio.Nursery) -> None:
        self._supervisor = supervisor
        self._nursery = nursery

    def start_soon(self, run: Callable[..., Awaitable[object]], /, *args: object) -> None:
        """Start ``run(*args)`` in a task of its own."""
        self._nursery.start_soon(self._supervisor.spare, run, *args)
