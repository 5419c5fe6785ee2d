"""Players for whom a gateway speaks: they have numbers as connections have, but no bytes."""

from collections.abc import Sequence

import structlog

from ugs.gateway import Gateway
from ugs.wire.messages import Message


class Guests(dict[int, Gateway]):
    """The gateway of every such player. A bug in one of them is told to the log, and to nobody else."""

    def __init__(self) -> None:
        super().__init__()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def deliver(self, conns: Sequence[int], message: Message) -> None:
        """Hand a message to the gateways of these players, once to each."""
        by_gateway: dict[int, tuple[Gateway, list[int]]] = {}
        for conn in conns:
            gateway = self[conn]
            by_gateway.setdefault(id(gateway), (gateway, []))[1].append(conn)
        for gateway, its_conns in by_gateway.values():
            try:
                gateway.delivered(tuple(its_conns), message)
            except Exception:  # somebody else's bug: the other players are to have their message
                self._log.exception("bug in a gateway", during="delivered", conns=its_conns, message=message.TYPE)

    def hang_up(self, conn: int) -> None:
        """A player is no longer one: forget it and tell its gateway."""
        gateway = self.pop(conn)
        try:
            gateway.hung_up(conn)
        except Exception:
            self._log.exception("bug in a gateway", during="hung_up", conn=conn)
