"""Nicks that are claimed at all nodes, and released: many in one transaction of the database, and never more than a few
transactions in a second, whatever peers do.

A nick that is in use elsewhere is asked for again for a moment before it is refused: a player who leaves one node and
comes to another at once may be faster than the word that its nick is free.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Protocol

import structlog
import trio

from ugs.broker.effects import ClaimNick, ReleaseNick
from ugs.broker.events import Event, NickClaimed, NickLost
from ugs.cluster.nick_table import SharedNick
from ugs.journal.journal_error import JournalError

ROUND_S: Final = 0.05
"""Seconds between the beginnings of two transactions."""
IN_USE_S: Final = 1.0
"""How long a nick that is in use at another node is asked for again."""
ANSWER_S: Final = 5.0
"""Seconds that a login waits for the database at most."""
MAX_TOGETHER: Final = 1000
"""Nicks that one transaction claims, and as many that it releases."""
SILENT: Final = "the server cannot ask the other nodes whether this nick is free: try again in a moment"


class AllNicks(Protocol):
    """The nicks of all nodes: :class:`ugs.cluster.nick_table.NickTable`."""

    def exchange(
        self, node: str, fence: int, free: Iterable[SharedNick], wanted: Iterable[SharedNick], /
    ) -> Mapping[SharedNick, str]:
        """Release nicks and claim others. Returns who has the latter."""
        ...

    def begin(self, node: str, fence: int, kept: Iterable[SharedNick], /) -> Mapping[SharedNick, str]:
        """Release all nicks of a node but these. Returns who has them."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class NickSharing:
    """Performs ``ClaimNick`` and ``ReleaseNick`` for the node ``name``, whose broker's events go to ``happens``."""

    def __init__(self, name: str, table: AllNicks) -> None:
        self.happens: Callable[[Event], None] = lambda _event: None
        self._name = name
        self._table = table
        self._fence = 0
        self._wanted: dict[SharedNick, float] = {}
        """Since when, in seconds of Trio's clock. A nick stands here until its claim is answered."""
        self._free: dict[SharedNick, None] = {}
        self._work = trio.Event()
        self._one_at_a_time = trio.Lock()
        self._threads = trio.CapacityLimiter(1)
        """Not those of all: one that the database lets hang must not hold up others."""
        self._silent = False
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    # The effects.

    def claim(self, effect: ClaimNick, _now: float) -> None:
        """Perform: a nick is wanted."""
        nick = SharedNick(effect.form, effect.watches)
        # The row is still ours, or is not there any more; the claim is good with either.
        self._free.pop(nick, None)
        self._wanted[nick] = trio.current_time()
        self._work.set()

    def release(self, effect: ReleaseNick, _now: float) -> None:
        """Perform: a nick is free."""
        nick = SharedNick(effect.form, effect.watches)
        self._free[nick] = None
        self._work.set()

    # The work.

    async def begin(self, fence: int, in_use: Callable[[], Iterable[SharedNick]]) -> None:
        """The journal has this fence, and the nicks that ``in_use`` returns are kept: after the start, and after a
        silence in which others may have thought that this node was gone. Raises JournalError."""
        self._fence = fence
        async with self._one_at_a_time:
            # What is freed or wanted meanwhile is sent after it.
            self._free.clear()
            found = await self._in_thread(partial(self._table.begin, self._name, fence, list(in_use())))
        for nick, holder in found.items():
            if holder and holder != self._name and not nick.watches:
                self.happens(NickLost(nick.form, holder))

    async def run(self) -> None:
        """Ask and release, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch)
            while True:
                await self._work.wait()
                self._work = trio.Event()
                await self._round()
                if self._free or self._wanted:
                    self._work.set()
                await trio.sleep(ROUND_S)

    async def _round(self) -> None:
        """One transaction with what is to be done."""
        async with self._one_at_a_time:
            free = list(self._free)[:MAX_TOGETHER]
            wanted = list(self._wanted)[:MAX_TOGETHER]
            if not free and not wanted:
                return
            for nick in free:
                del self._free[nick]
            try:
                exchange = partial(self._table.exchange, self._name, self._fence, free, wanted)
                found = await self._in_thread(exchange)
            except JournalError as error:
                # Those that have been claimed again meanwhile are not free.
                self._free |= {nick: None for nick in free if nick not in self._wanted}
                if not self._silent:
                    self._log.warning("nicks cannot be shared", reason=str(error))
                self._silent = True
                found = {}
            else:
                self._silent = False
        now = trio.current_time()
        for nick, holder in found.items():
            since = self._wanted.get(nick)
            if since is None:
                # Answered meanwhile, since the database took too long.
                if holder == self._name:
                    self._free[nick] = None
            elif holder == self._name:
                self._answer(nick)
            elif now - since >= IN_USE_S:
                self._answer(nick, holder=holder, failure="" if holder else SILENT)
            else:
                # Behind those that have not been asked for yet.
                self._wanted[nick] = self._wanted.pop(nick)

    async def _in_thread(self, ask: Callable[[], Mapping[SharedNick, str]]) -> Mapping[SharedNick, str]:
        return await trio.to_thread.run_sync(ask, limiter=self._threads, abandon_on_cancel=True)

    async def _watch(self) -> None:
        """Let no peer wait for too long, however long the database does."""
        while True:
            await trio.sleep(ANSWER_S / 5)
            late = trio.current_time() - ANSWER_S
            for nick in [nick for nick, since in self._wanted.items() if since <= late]:
                self._answer(nick, failure=SILENT)

    def _answer(self, nick: SharedNick, holder: str = "", failure: str = "") -> None:
        del self._wanted[nick]
        self.happens(NickClaimed(nick.form, nick.watches, holder, failure))

    def close(self) -> None:
        """Close the connection. The nicks of a node that has left are free."""
        self._table.close()
