"""Turns of clients over HTTP: for a new connection, for each request, for each piece that is read from a WebSocket.

One at a time; while games are played, with gaps for them: thousands of clients that ask at once must not keep a player
waiting. Who plays at a browser, who checks the server's health, and all others wait in lines of their own, which are
served in the order of :data:`ROUND`. In each line addresses take turns, and so do the connections of one address, as
peers do (:mod:`ugs.daemon.fairness.fair_queue`): however many connections a client has, one more waits for one turn of
it.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final

import trio

from ugs.daemon.fairness.fair_queue import PeerStanding, QueueMember, Shares

PLAYING_GAP_S: Final = 0.004
"""Seconds between two turns while games are played: taking a request takes about a quarter of that."""
HEALTH: Final = frozenset({b"/healthz", b"/readyz", b"/metrics"})
"""Paths that programs ask which watch the server."""


class TurnKind(Enum):
    """What a turn is for."""

    PLAY = "a piece from the WebSocket of a player in a game"
    HEALTH = "a request for one of the paths in HEALTH"
    PAGE = "anything else"


ROUND: Final = (TurnKind.PLAY, TurnKind.HEALTH, TurnKind.PLAY, TurnKind.PAGE)
"""Whose turn it is, in rotation; a line where no caller waits is passed over. So a player waits for at most one turn of
others, and no caller waits for ever."""


def kind_of(target: bytes) -> TurnKind:
    """What a request for this target is."""
    return TurnKind.HEALTH if target.partition(b"?")[0] in HEALTH else TurnKind.PAGE


class Caller(QueueMember):
    """One connection. ``wanted`` is whether it still wants turns."""

    __slots__ = ("called", "origin", "plays", "wanted")

    def __init__(self, origin: str, wanted: Callable[[], bool] = lambda: True) -> None:
        super().__init__()
        self.origin = origin
        self.wanted = wanted
        self.plays = False
        """Whether a person plays there (:class:`ugs.page.contract.SocketPlace`)."""
        self.called = trio.Event()

    @property
    def standing(self) -> PeerStanding:
        """Its standing among others of its line. Connections of one address share what one gets, those that play too: a
        person sends little, and a program can have many of them in games."""
        return PeerStanding(self.origin, plays=False)


class RequestTurns:
    """Who is served next. :meth:`run` has to run for it; ``playing`` is whether games are played."""

    def __init__(self, playing: Callable[[], bool]) -> None:
        self._playing = playing
        self._lines: dict[TurnKind, Shares[Caller]] = {kind: Shares() for kind in TurnKind}
        self._place = 0
        """In the round."""
        self._something = trio.lowlevel.ParkingLot()

    async def wait(self, caller: Caller, kind: TurnKind) -> None:
        """Wait for the next turn of this connection."""
        if not caller.waits:
            caller.called = trio.Event()
            self._lines[kind].arrives(caller, caller.standing)
            self._something.unpark()
        await caller.called.wait()

    async def run(self) -> None:
        """Give turns until cancelled."""
        while True:
            line = self._next_line()
            if line is None:
                await self._something.park()
                continue
            caller = line.next()
            line.spent(caller, PLAYING_GAP_S)
            caller.called.set()
            if caller.wanted():  # else it finds out on its own, and costs nothing
                await trio.sleep(PLAYING_GAP_S if self._playing() else 0)

    def _next_line(self) -> Shares[Caller] | None:
        """The next line of the round where a caller waits."""
        for _ in ROUND:
            line = self._lines[ROUND[self._place]]
            self._place = (self._place + 1) % len(ROUND)
            if line:
                return line
        return None
