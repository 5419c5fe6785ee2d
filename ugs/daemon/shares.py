"""Who is served next: of all peers that have something to say, the one that has used least.

Each peer has an account of the time spent on it. A turn serves the peer with the lowest account and is short
(:data:`SHARE`); what the peer says beyond it waits for its next turn. A peer that comes back after a pause begins one
share before the others: so a peer that says little is served before all that say much, however many these are, and
silence earns no more than that. When nobody waits, everybody has had enough, and all begin anew. This is start-time
fair queueing, with time instead of packets.

What holds, whatever the peers do: while two peers wait all the time, what they are served differs by at most a share
and a turn of each. Before a peer is served that waits, each other peer is served for at most what the last turn of the
one has cost, a share, and a turn.
"""

import math
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

LEAST_S = 1e-6
"""Seconds that a turn costs at least: a clock that stands still must not let anybody have all turns."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one turn may take. The document that reaches a limit is still served."""

    documents: int
    bytes: int
    """So one large document ends the turn."""
    seconds: float


SHARE = Share(documents=64, bytes=65_536, seconds=0.002)


class Account:
    """What one peer has used. Peers are subclasses of it."""

    __slots__ = ("used", "waits")

    def __init__(self) -> None:
        self.used = -math.inf
        """Seconds, counted from where the others were when it came."""
        self.waits = False
        """Whether it is in the queue."""


A = TypeVar("A", bound=Account)


class Shares(Generic[A]):
    """The queue of those who wait for a turn."""

    __slots__ = ("_arrivals", "_furthest", "_now", "_queue")

    def __init__(self) -> None:
        self._queue: list[tuple[float, int, A]] = []
        self._arrivals = 0
        self._now = 0.0
        """The account of the peer that was served last, before its turn."""
        self._furthest = 0.0
        """The highest account."""

    def __len__(self) -> int:
        """How many wait."""
        return len(self._queue)

    def arrives(self, peer: A) -> None:
        """This peer has something to say. Does nothing when it waits already."""
        if peer.waits:
            return
        peer.waits = True
        if not self._queue:
            self._now = self._furthest
        least = self._now - SHARE.seconds
        if peer.used < least:
            peer.used = least
        self._arrivals += 1
        heappush(self._queue, (peer.used, self._arrivals, peer))

    def next(self) -> A:
        """Take the peer out of the queue whose turn it is. After its turn call :meth:`spent`, and :meth:`arrives` if it
        has more to say. Raises IndexError when nobody waits."""
        self._now, _, peer = heappop(self._queue)
        peer.waits = False
        return peer

    def spent(self, peer: A, seconds: float) -> None:
        """A turn of this peer has cost this time."""
        used = peer.used = peer.used + (seconds if seconds > LEAST_S else LEAST_S)
        if used > self._furthest:
            self._furthest = used
