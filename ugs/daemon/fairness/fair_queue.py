"""Who is served next: of all peers that have sent something, the one that has used least.

Each peer has an account of the time spent on it. A turn serves the peer with the lowest account and is short
(:data:`SHARE`); what the peer sends beyond it waits for its next turn. A peer that comes back after a pause begins one
share before the others: so a peer that sends little is served before all that send much, however many there are, and
silence earns no more than that. When no peer waits, all have had enough, and all accounts start again. This is
start-time fair queueing, with time instead of packets; short turns count alike (:data:`USUAL_S`), and of a long one the
group pays the most (:data:`DEAR_S`).

The same is done twice. Peers are in groups: those from one address that are in a game, and the others from that
address. First it is a group's turn, then that of a peer in it. So however many connections a program opens, and
what they ask, players in a game wait no longer than for one. A group of such players has as many shares as it has
waiting peers, since each of them has a game that waits.

What holds, in the time that is charged: while two members of a queue wait all the time, what they are served for each
of their shares differs by at most a share and a turn of each. Before one is served that waits, each other one is served
for at most what the last turn of the one has cost, a share, and a turn.
"""

import math
from collections.abc import Hashable
from heapq import heappop, heappush
from typing import Any, Generic, NamedTuple, TypeVar

from ugs.value import value

MIN_S = 1e-6
"""Seconds that a turn costs at least: a clock that stands still must not give one peer all turns."""
USUAL_S = 0.0005
"""Seconds that a turn costs a peer at least, among those of its group. Any message is expensive at times: a game ends
and a new one begins, or the machine does something else meanwhile. A player that paid for ten moves at once would stand
back for ten rounds of all others. A peer that comes back to its group begins one such turn before the others."""
DEAR_S = 2 * USUAL_S
"""Seconds that a turn costs a peer at most, among those of its group. What a document takes beyond that its group pays:
in a round of a thousand, its player would stand back for seconds."""
FEW_GROUPS = 1000
"""Groups that are remembered before any are checked for being forgotten."""


@value
class Share:
    """What one turn may take. The document that reaches a limit is still served."""

    documents: int
    bytes: int
    """So one large document ends the turn."""
    seconds: float


SHARE = Share(documents=64, bytes=65_536, seconds=0.002)


class PeerStanding(NamedTuple):
    """What a peer is to the others."""

    origin: Hashable
    """Where it comes from."""
    plays: bool
    """Whether it is in a game, or leads one."""
    weight: int = 1
    """As many shares it has."""


class Usage:
    """What one member of a queue has used."""

    __slots__ = ("used", "waits")

    def __init__(self) -> None:
        self.used = -math.inf
        """Seconds, counted from where the others were when it came."""
        self.waits = False
        """Whether it is in the queue."""


A = TypeVar("A", bound=Usage)


class Queue(Generic[A]):
    """Those who wait for a turn. Who comes back begins ``ahead_s`` before the others."""

    __slots__ = ("_ahead_s", "_arrivals", "_furthest", "_now", "_waiting")

    def __init__(self, ahead_s: float = SHARE.seconds) -> None:
        self._ahead_s = ahead_s
        self._waiting: list[tuple[float, int, A]] = []
        self._arrivals = 0
        self._now = 0.0
        """The highest account that a served member had before its turn."""
        self._furthest = 0.0
        """The highest account."""

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def arrives(self, member: A) -> None:
        """This member wants a turn. Does nothing when it waits already."""
        if member.waits:
            return
        member.waits = True
        # No member waited, so no account matters: all start again.
        if not self._waiting:
            self._now = self._furthest
        least = self._now - self._ahead_s
        if member.used < least:
            member.used = least
        self._arrivals += 1
        heappush(self._waiting, (member.used, self._arrivals, member))

    def next(self) -> A:
        """Take the member out of the queue whose turn it is. After its turn call :meth:`spent`, and :meth:`arrives` if
        it wants more. Raises IndexError when no member waits."""
        used, _, member = heappop(self._waiting)
        if used > self._now:  # else each newcomer, a share ahead, would let the next one begin a share before it
            self._now = used
        member.waits = False
        return member

    def spent(self, member: A, seconds: float) -> None:
        """A turn of this member has cost this time."""
        used = member.used = max(member.used, self._now - self._ahead_s) + (seconds if seconds > MIN_S else MIN_S)
        if used > self._furthest:
            self._furthest = used

    def owes(self, member: A) -> bool:
        """Whether what this member has used matters: whether others would be served first for it."""
        return bool(self._waiting) and member.used > self._now - self._ahead_s / 2


class QueueMember(Usage):
    """One who is served. What is served are subclasses."""

    __slots__ = ("group", "weight")

    def __init__(self) -> None:
        super().__init__()
        self.group: Group[Any] | None = None
        """The group where it waits, or was served last."""
        self.weight = 1
        """As many shares of the group it has."""


P = TypeVar("P", bound=QueueMember)


class Group(Usage, Generic[P]):
    """Peers that share what they get."""

    __slots__ = ("peers", "plays", "weight")

    def __init__(self, plays: bool) -> None:
        super().__init__()
        self.peers: Queue[P] = Queue(USUAL_S)
        self.plays = plays
        self.weight = 0
        """The shares of its peers that wait, together."""


class Shares(Generic[P]):
    """The peers of one server that wait for a turn."""

    def __init__(self) -> None:
        self._queue: Queue[Group[P]] = Queue()
        self._groups: dict[tuple[Hashable, bool], Group[P]] = {}
        """By origin, and whether they play. Those that have used too little to have to wait may be missing."""
        self._look_at = FEW_GROUPS

    def __len__(self) -> int:
        """How many groups wait."""
        return len(self._queue)

    def arrives(self, peer: P, standing: PeerStanding) -> None:
        """Queue this peer, which has sent something. Does nothing when it waits already."""
        if peer.waits:
            return
        group = self._group_of(peer, standing)
        group.peers.arrives(peer)
        group.weight += peer.weight
        self._queue.arrives(group)

    def known(self, peer: P, standing: PeerStanding) -> None:
        """This peer pays for its turns from now on, whether it waits for them or not."""
        if peer.group is None:
            self._group_of(peer, standing)

    def next(self) -> P:
        """Take the peer out of the queue whose turn it is. After its turn call :meth:`spent`, and :meth:`arrives` if
        more of its bytes wait. Raises IndexError when no peer waits."""
        group = self._queue.next()
        peer = group.peers.next()
        group.weight -= peer.weight
        return peer

    def spent(self, peer: P, seconds: float) -> None:
        """A turn of this peer has cost this time; it may have had it without waiting in the queue, if it is
        :meth:`known`."""
        group = peer.group
        assert group is not None
        # The peer was taken out of the queue for its turn, and has a part in what its group used.
        self._queue.spent(group, seconds / (group.weight + peer.weight) if group.plays else seconds)
        group.peers.spent(peer, min(max(seconds, USUAL_S), DEAR_S) / peer.weight)
        if group.peers:
            self._queue.arrives(group)

    def _group_of(self, peer: P, standing: PeerStanding) -> Group[P]:
        """The group that a peer belongs to from now on, with the weight that it has now."""
        key = standing[:2]
        if key not in self._groups:
            self._forget_idle()
            self._groups[key] = Group(standing.plays)
        group = self._groups[key]
        if group is not peer.group:
            peer.group = group
            peer.used = -math.inf  # what it has used elsewhere does not count here
        peer.weight = standing.weight
        return group

    def _forget_idle(self) -> None:
        if len(self._groups) >= self._look_at:
            queue = self._queue
            self._groups = {key: one for key, one in self._groups.items() if one.waits or queue.owes(one)}
            # Doubled, so that a server with many addresses does not go through all of them for each new one.
            self._look_at = max(FEW_GROUPS, 2 * len(self._groups))
