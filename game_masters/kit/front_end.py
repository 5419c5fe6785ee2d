"""The reverse of an engine: a program for people or tests that drives engines has a player's seat of a server.

To the front end this is an engine, whose moves are those of the opponent on the server; the front end's own moves go to
the server. A package announces a protocol as an entry point of the group ``ugs.front_ends``: a
:class:`FrontEndProtocol` under its name on the command line.
"""

import random
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Final, Generic, Protocol, TypeVar

import trio

from game_masters.kit.rules import Bot, M, Options, V

GROUP: Final = "ugs.front_ends"


class Stopped(Exception):
    """A choice that does not matter any more."""


V_in = TypeVar("V_in", contravariant=True)
M_out = TypeVar("M_out", covariant=True)


class Dialogue(Protocol[M_out, V_in]):
    """The dialogue between a front end and us, line by line, without I/O. What is returned is written to it."""

    @property
    def wants_game(self) -> bool:
        """Whether it wants to play, and there is no game for it."""

    @property
    def leaves(self) -> bool:
        """Whether it has gone, and nothing is left to be done for it."""

    @property
    def move(self) -> M_out | None:
        """What it plays in the position that it was asked about; None: it has not decided."""

    def receives(self, line: str) -> list[str]:
        """Handle a line of it."""

    def closes(self) -> list[str]:
        """Its input has ended."""

    def joins(self) -> list[str]:
        """A game is looked for."""

    def shown(self, view: V_in) -> list[str]:
        """The game is shown, at its beginning, after each move and at its end."""

    def asks(self, view: V_in) -> list[str]:
        """The server waits for a move in this position. It may ask again."""

    def has_moved(self) -> None:
        """Its move is on its way."""

    def has_clock(self, own_s: float, other_s: float) -> list[str]:
        """What is left of the budgets of both sides on the server, in seconds."""

    def ends(self, result: str) -> list[str]:
        """The game is over; ``result`` is how for the front end: ``won``, ``lost``, ``drawn``."""

    def remarks(self, text: str) -> list[str]:
        """Something happened that people should know of."""

    def gone(self) -> list[str]:
        """The server has been left, with or without a game."""


@dataclass(frozen=True)
class FrontEndProtocol:
    """A protocol that front ends speak."""

    name: str
    games: tuple[str, ...]
    """The installed games that can be played by it."""
    start: Callable[[Options], Dialogue[Any, Any]]
    """Begins a dialogue about games with these options."""


def front_end_protocols() -> Iterator[FrontEndProtocol]:
    """All protocols whose packages can be loaded, by name."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found = point.load()
        # The package of a protocol may be there without the library that it needs.
        except ImportError:
            continue
        if isinstance(found, FrontEndProtocol):
            yield found


class FrontEnd(Generic[M, V]):
    """A front end at work: its lines come in, ours go out with ``write``."""

    def __init__(self, dialogue: Dialogue[M, V], write: Callable[[str], None]) -> None:
        self._dialogue = dialogue
        self._write = write
        self._stopped = False
        self._news = trio.Event()
        self._remarked = ""

    def bot(self) -> Bot[M, V]:
        """Return the front end as a bot. It chooses in a thread of Trio."""
        return Bot("front end", "what a front end plays", self._choose, self.has_clock, stop=self._stop, observer=self)

    def shown(self, view: V) -> None:
        """Show it the game."""
        self._send(self._dialogue.shown(view))

    def ended(self, result: str) -> None:
        """Report how the game has ended."""
        self._send(self._dialogue.ends(result))

    def has_clock(self, own_s: float, other_s: float) -> None:
        """Show it the budgets."""
        self._send(self._dialogue.has_clock(own_s, other_s))

    def remarks(self, text: str) -> None:
        """Report something to people, unless it was the last report."""
        # A server that cannot be reached is reported once, not with each attempt.
        if text != self._remarked:
            self._remarked = text
            self._send(self._dialogue.remarks(text))

    async def receives(self, lines: AsyncIterable[str]) -> None:
        """Receive its lines until its input ends."""
        async for line in lines:
            self._send(self._dialogue.receives(line))
        self._send(self._dialogue.closes())

    async def plays(self, play: Callable[[], Awaitable[int]]) -> int:
        """Call ``play`` for each game that it wants, until it leaves. Returns the exit code of the last ``play``."""
        # No game, no failure: it may leave before it has played any.
        code = 0
        while True:
            await self._until(lambda: self._dialogue.wants_game or self._dialogue.leaves)
            if self._dialogue.leaves:
                return code
            self._send(self._dialogue.joins())
            async with trio.open_nursery() as nursery:
                # A person who closes the program does not wait for the end of the game.
                nursery.start_soon(self._cancel_when_it_leaves, nursery.cancel_scope)
                code = await play()
                nursery.cancel_scope.cancel()
            self._remarked = ""
            self._send(self._dialogue.gone())

    async def _cancel_when_it_leaves(self, scope: trio.CancelScope) -> None:
        await self._until(lambda: self._dialogue.leaves)
        scope.cancel()

    def _choose(self, view: V, rng: random.Random) -> M:
        """Wait for its move, in a thread. Raises Stopped."""
        return trio.from_thread.run(self._decided, view)

    async def _decided(self, view: V) -> M:
        self._stopped = False
        self._send(self._dialogue.asks(view))
        await self._until(lambda: self._stopped or self._dialogue.move is not None)
        move = self._dialogue.move
        if self._stopped or move is None:
            raise Stopped
        self._dialogue.has_moved()
        return move

    def _stop(self) -> None:
        self._stopped = True
        # No lines, but news: it wakes the wait for a move.
        self._send([])

    async def _until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so; what it depends on is news."""
        while not so():
            await self._news.wait()

    def _send(self, lines: list[str]) -> None:
        for line in lines:
            self._write(line)
        # A new event each time, so that those who wait see every piece of news.
        self._news.set()
        self._news = trio.Event()
