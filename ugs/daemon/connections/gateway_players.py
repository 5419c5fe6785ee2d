"""Players that a gateway speaks for: they have numbers as connections have, but no bytes."""

from collections.abc import Iterator, Sequence

import structlog

from ugs.broker.events import Connected, Disconnected, Presence, Received
from ugs.daemon.driver import Driver
from ugs.gateway import Gateway
from ugs.wire.messages import Message


class GatewayPlayers:
    """All such players of one server. A bug in a gateway is logged and harms no other gateway.

    ``numbers`` is the source of connection numbers, too. Events of players whose number is unknown are dropped: their
    gateway does not know yet that they are gone.
    """

    def __init__(self, numbers: Iterator[int], driver: Driver) -> None:
        self.gateways: dict[int, Gateway] = {}
        """By the number of the player."""
        self._numbers = numbers
        self._driver = driver
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    # From the gateway.

    def connect(self, gateway: Gateway, address: str) -> int:
        """A player comes; its number."""
        number = next(self._numbers)
        self.gateways[number] = gateway
        # Not at once: a gateway may call this while it is handed a message, in the middle of the broker's effects.
        self._driver.happens_next(Connected(number, address, by_gateway=True))
        return number

    def send_message(self, conn: int, message: Message) -> None:
        """A player sends something."""
        if conn in self.gateways:
            self._driver.happens_next(Received(conn, message))

    def reachable(self, conn: int, there: bool) -> None:
        """A player can be reached from now on, or no longer."""
        if conn in self.gateways:
            self._driver.happens_next(Presence(conn, there))

    def disconnect(self, conn: int) -> None:
        """A player leaves."""
        if self.gateways.pop(conn, None) is not None:
            self._driver.happens_next(Disconnected(conn, "disconnected by its gateway"))

    # To the gateway.

    def deliver(self, conns: Sequence[int], message: Message) -> None:
        """Hand a message for these players to their gateways, once to each gateway."""
        by_gateway: dict[int, tuple[Gateway, list[int]]] = {}
        for conn in conns:
            gateway = self.gateways[conn]
            by_gateway.setdefault(id(gateway), (gateway, []))[1].append(conn)
        for gateway, its_conns in by_gateway.values():
            try:
                gateway.delivered(tuple(its_conns), message)
            except Exception:  # the players of other gateways get their message all the same
                self._log.exception("bug in a gateway", during="delivered", conns=its_conns, message=message.TYPE)

    def hang_up(self, conn: int) -> None:
        """The broker has closed this player: forget it and notify its gateway."""
        gateway = self.gateways.pop(conn)
        try:
            gateway.hung_up(conn)
        except Exception:
            self._log.exception("bug in a gateway", during="hung_up", conn=conn)

    def lose(self, conn: int, reason: str) -> None:
        """Hang up on a player and pass the reason to the broker."""
        self.hang_up(conn)
        self._driver.happens_next(Disconnected(conn, reason, bug=True))
