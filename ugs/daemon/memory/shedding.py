"""When too much memory is held, those who hold the most have to give it back.

There are three limits: for what waits for all peers together (looked at whenever something is sent), for all that the
peers and games of one address hold, and for all that the process holds (looked at by
:mod:`ugs.daemon.memory.memory_account`).

Those that hold the most for their weight go first. So a holder with less than its weight's share of the limit never has
to go, no matter what others do.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import structlog

from ugs.config import Config
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.connection import Connection
from ugs.daemon.memory.memory_account import Holding, MemoryLook

MIN_SHARE = 0.5
"""The part of the limit of the process that is always left to peers and games: closing all peers would not help against
a slow disk."""
MAX_LINES = 20
"""A look writes at most this many lines about single peers to the log."""


class Shedding:
    """Keeps what is held within the limits of ``config``, for all ``connections`` of one server.

    ``most_held_bytes`` is the limit of the process: ``max_held_bytes``, or less where the machine has less.
    """

    def __init__(
        self, connections: Mapping[int, Connection], unsent: Unsent, config: Config, most_held_bytes: int
    ) -> None:
        self.most_held_bytes = most_held_bytes
        self.counts: Counter[str] = Counter()
        """How many peers and games had to give back, by the limit."""
        self._connections = connections
        self._unsent = unsent
        self._max_unsent = config.max_outbox_total_bytes
        self._max_per_ip = config.max_held_bytes_per_ip
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def shed(self) -> None:
        """Drop peers, the one with the largest backlog first, until what waits for all of them has room again."""
        if self._unsent.bytes <= self._max_unsent:
            return
        before = self._unsent.bytes
        heaviest = sorted(self._connections.values(), key=lambda connection: connection.outbox.held_bytes)
        dropped = 0
        while self._unsent.bytes > self._max_unsent and heaviest:
            connection = heaviest.pop()
            size = connection.outbox.backlog_bytes
            # The rest have batches at most, which are not among the unsent bytes.
            if not size:
                break
            dropped += 1
            connection.lose(
                f"does not read: {size} bytes wait for it, and too many for all peers together", unread=True
            )
        self.counts["max_outbox_total_bytes"] += dropped
        self._log.warning("unsent bytes shed", bytes=before, limit=self._max_unsent, peers=dropped)

    def judge(self, look: MemoryLook) -> int:
        """Let those give back who hold the most where the limit of an address or of the process is passed. Returns the
        bytes of room that were left before, for the process or for the address that has the least."""
        gone: set[int] = set()
        most, origin = max([(size, origin) for origin, size in look.by_origin.items()], default=(0, ""))
        if most > self._max_per_ip:
            own: defaultdict[str, list[Holding]] = defaultdict(list)
            for holding in look.holdings:
                if look.by_origin[holding.holder.origin] > self._max_per_ip:
                    own[holding.holder.origin].append(holding)
            for origin, holdings in own.items():
                excess = look.by_origin[origin] - self._max_per_ip
                gone |= self._give_back(
                    holdings, excess, "max_held_bytes_per_ip", self._max_per_ip, f"address {origin}"
                )
        room = max(self.most_held_bytes - look.fixed, int(self.most_held_bytes * MIN_SHARE))
        left = [holding for holding in look.holdings if id(holding) not in gone] if gone else look.holdings
        held = sum([holding.bytes for holding in left])
        if held > room:
            self._give_back(left, held - room, "max_held_bytes", self.most_held_bytes, "all peers together")
        return max(0, min(room - held, self._max_per_ip - most))

    def _give_back(self, holdings: Iterable[Holding], excess: int, limit: str, most: int, whose: str) -> set[int]:
        """Make the heaviest give back ``excess`` bytes. Returns the ids of what they held."""
        chosen = heaviest(holdings, excess)
        for number, holding in enumerate(chosen):
            holder, held = holding.holder, holding.holder.held_bytes()
            # It may have gone since it was looked at.
            if not held:
                continue
            self.counts[limit] += 1
            if number < MAX_LINES:
                about = {"held_bytes": held, "limit": limit, "most_bytes": most}
                self._log.warning("memory shed", **holder.describe(), **about)
            holder.give_back(held, f"too much memory: {held} bytes held, and more than {most} for {whose}", limit)
        self._log.warning("too much memory", limit=limit, most_bytes=most, excess_bytes=excess, holders=len(chosen))
        return {id(holding) for holding in chosen}


def heaviest(holdings: Iterable[Holding], excess: int) -> list[Holding]:
    """Those with the highest load, as many as it takes to come to ``excess`` bytes."""
    chosen: list[Holding] = []
    for holding in sorted(holdings, key=lambda one: one.load, reverse=True):
        if excess <= 0:
            break
        chosen.append(holding)
        excess -= holding.bytes
    return chosen
