"""Where other nodes connect: each line carries one of their peers, once the door has proven that it is a node."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
import trio

from ugs.cluster.introduction import HomeIntroduction, NoNode
from ugs.cluster.known_homes import Homes
from ugs.cluster.node_lines import read_line, send_whole
from ugs.cluster.relayed_transport import RelayedTransport
from ugs.daemon.network.transport import Gone, Transport

PATIENCE_S: Final = 3.0
"""Seconds that a door may take to introduce itself."""
MAX_UNKNOWN: Final = 256
"""Lines that have proven nothing yet; the oldest gives way to the next, which may be a node's."""
REPORT_S: Final = 10.0
"""Seconds between two lines of the log about strangers."""


class NodePort:
    """The :class:`ugs.daemon.network.listening.Shakes` of the node ``name``."""

    def __init__(self, name: str, look: Callable[[], Homes]) -> None:
        self.strangers = 0
        """Lines that were no node's."""
        self._name = name
        self._look = look
        self._unknown: dict[trio.CancelScope, None] = {}
        self._quiet_until = 0.0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def shake(self, wire: Transport) -> RelayedTransport:
        """Read the introduction of a door. Returns the transport of its peer. Raises Gone when it is none; the caller
        has to close the line then."""
        return RelayedTransport(wire, *await self.introduced(wire))

    async def introduced(self, wire: Transport) -> tuple[str, bytes]:
        """Read the introduction of a door. Returns the address of its peer, and what has come after its lines. Raises
        Gone as :meth:`shake` does."""
        if len(self._unknown) >= MAX_UNKNOWN:
            oldest = next(iter(self._unknown))
            del self._unknown[oldest]
            oldest.cancel()
        scope = trio.CancelScope(deadline=trio.current_time() + PATIENCE_S)
        self._unknown[scope] = None
        why = "it has not introduced itself in time"
        try:
            with scope:
                introduction = HomeIntroduction(self._name, self._look().secret, secrets.token_hex(16))
                line, more = await read_line(wire)
                # A recorded introduction does not wait: its proof is for an earlier answer.
                if more:
                    raise NoNode("it does not wait for the answer")
                await send_whole(wire, introduction.answer(line), PATIENCE_S)
                line, first = await read_line(wire)
                return introduction.address(line), first
        except (NoNode, Gone) as error:
            why = str(error)
        finally:
            self._unknown.pop(scope, None)
        self.strangers += 1
        self._report(wire.address, why)
        raise Gone(why)

    def _report(self, address: str, why: str) -> None:
        now = trio.current_time()
        if now >= self._quiet_until:
            self._quiet_until = now + REPORT_S
            with suppress(OSError):
                self._log.warning("no node", address=address, reason=why, strangers=self.strangers)
