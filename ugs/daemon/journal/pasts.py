"""The past of running games, which is not in memory: kept, and read again on request, by threads.

What a game waits for comes first. What spectators want is read one piece at a time, and after each there is a rest of
twice as long, so that no number of spectators takes much from the games.
"""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

import structlog
import trio

from ugs.broker.effects import KeepPast, Recall, RecordResult
from ugs.broker.events import Event, Recalled
from ugs.broker.values.recollection import Recollected, Use, Wish
from ugs.daemon.processes.supervision import Tasks
from ugs.journal.journal_error import JournalError

RESTS: Final = 2.0
"""For how many times as long as a piece took to be read no other one is read, unless a game waits for it."""
RESTS_OF_PLAYERS: Final = 0.5
"""The same for players who have come back, whose clocks run: a thousand may come at once."""
AGAIN_S: Final = 0.05
"""Seconds until it is looked again for what is not written yet."""
PATIENCE_S: Final = 60.0
"""Longest wait for a busy disk, in seconds."""


class Store(Protocol):
    """Where the past is kept: :class:`ugs.journal.recalling.JournalPast` or
    :class:`ugs.journal.temporary.TemporaryPast`."""

    @property
    def pending_bytes(self) -> int:
        """What is not on disk, and not counted elsewhere."""
        ...

    def keep(self, effect: KeepPast) -> None:
        """Keep this; returns at once."""
        ...

    def over(self, game_id: str) -> None:
        """This game is over; returns at once."""
        ...

    def forgotten(self) -> Iterable[tuple[str, int, str]]:
        """The games that were forgotten since it was last asked: id, bytes, reason."""
        ...

    def read(self, wish: Wish) -> Recollected | None:
        """What is wished, or None when it is not written yet. For a thread. Raises JournalError."""
        ...


class Turns:
    """Those who wait for a piece of the past, one after the other."""

    def __init__(self) -> None:
        self.one_at_a_time = trio.Lock()
        self.rest_until = 0.0
        """No piece is read before this time."""


class Pasts:
    """Performs ``KeepPast`` and ``Recall``. ``opens`` gives the store as soon as one is needed, ``happens`` takes the
    events, ``tasks`` holds a task for each wish."""

    def __init__(self, opens: Callable[[], Store], happens: Callable[[Event], None], tasks: Tasks) -> None:
        self._opens = opens
        self._opened: Store | None = None
        self._happens = happens
        self._tasks = tasks
        self._of_games = trio.Lock()
        self._of_spectators, self._of_players = Turns(), Turns()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    @property
    def store(self) -> Store:
        """Where the past is kept."""
        # Few servers need it: it is opened with the first game that outgrows its memory.
        if self._opened is None:
            self._opened = self._opens()
        return self._opened

    @property
    def pending_bytes(self) -> int:
        """What is not on disk, and not counted elsewhere."""
        return self._opened.pending_bytes if self._opened is not None else 0

    def keep(self, effect: KeepPast, _now: float) -> None:
        """Perform: these events leave the memory."""
        self.store.keep(effect)
        for game_id, size, reason in self.store.forgotten():
            self._log.warning("past of a game forgotten", game=game_id, bytes=size, reason=reason)

    def over(self, effect: RecordResult, _now: float) -> None:
        """A game has ended."""
        if self._opened is not None:
            self._opened.over(effect.result.game_id)

    def recall(self, effect: Recall, _now: float) -> None:
        """Perform: this is going to be read."""
        self._tasks.start_soon(self._recall, effect.wish)

    async def read(self, wish: Wish) -> Recollected:
        """What is wished."""
        until = trio.current_time() + PATIENCE_S
        while trio.current_time() < until:
            try:
                found = await self._turn(wish)
            except JournalError as error:
                self._log.warning("past of a game not read", game=wish.game_id, reason=str(error))
                break
            if found is not None:
                return found
            # Under load an entry waits for its transaction for up to 0.8 s.
            await trio.sleep(AGAIN_S)
        return Recollected(forgotten=True)

    async def _recall(self, wish: Wish) -> None:
        found = Recollected(forgotten=True)
        try:
            found = await self.read(wish)
        finally:
            self._happens(Recalled(wish, found))

    async def _turn(self, wish: Wish) -> Recollected | None:
        if wish.use is Use.TAKEOVER:
            # A lock of its own: a game waits for its successor, while spectators can wait for each other.
            async with self._of_games:
                # Abandoned, so that a thread that hangs in the disk does not keep the server from ending.
                return await trio.to_thread.run_sync(self.store.read, wish, abandon_on_cancel=True)
        if wish.use is Use.PLAYER:
            return await self._in_turn(wish, self._of_players, RESTS_OF_PLAYERS)
        return await self._in_turn(wish, self._of_spectators, RESTS)

    async def _in_turn(self, wish: Wish, turns: Turns, rests: float) -> Recollected | None:
        async with turns.one_at_a_time:
            await trio.sleep_until(turns.rest_until)
            began = trio.current_time()
            try:
                return await trio.to_thread.run_sync(self.store.read, wish, abandon_on_cancel=True)
            finally:
                now = trio.current_time()
                turns.rest_until = now + rests * (now - began)
