"""When too much waits for all peers together, those for whom most waits have to go."""

from collections.abc import Mapping

import structlog

from ugs.daemon.connection import Connection
from ugs.daemon.outbox import Unsent


class Shedding:
    """Keeps what waits for all ``connections`` of one server at or below ``max_bytes``."""

    def __init__(self, connections: Mapping[int, Connection], unsent: Unsent, max_bytes: int) -> None:
        self._connections = connections
        self._unsent = unsent
        self._max_bytes = max_bytes
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def shed(self) -> None:
        """Drop peers, the one with the largest backlog first, until there is room again."""
        if self._unsent.bytes <= self._max_bytes:
            return
        before = self._unsent.bytes
        heaviest = sorted(self._connections.values(), key=lambda connection: connection.outbox.backlog_bytes)
        dropped = 0
        while self._unsent.bytes > self._max_bytes and heaviest:
            connection = heaviest.pop()
            size = connection.outbox.backlog_bytes
            if not size:
                break
            dropped += 1
            connection.lose(f"does not read: {size} bytes wait for it, and too many for all peers together")
        self._log.warning("unsent bytes shed", bytes=before, limit=self._max_bytes, peers=dropped)
