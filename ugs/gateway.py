"""The contract for gateways to programs that speak another protocol than UGS, and what a gateway may ask of the server.

A gateway translates. On its outer side are sockets that carry texts (the shell makes WebSockets of them). On its inner
side are players of UGS, any number of them; each is a connection to the broker like any other, but without bytes. A
gateway is a pure state machine: the shell calls it with what happens, and it calls the :class:`Server` it was given.
What a player says reaches the broker at once, and everything that follows from it is :meth:`Gateway.delivered` before
``say`` returns. Only what is said while a message is being delivered waits until the delivery is done.

A package with a gateway names its factory among the entry points ``ugs.gateways``, as :data:`Factory` describes it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from ugs.config import Config
from ugs.wire.messages import Message


class GatewayError(Exception):
    """A gateway that cannot be found or started; the text says which one, and why."""


class Server(Protocol):
    """What a gateway may ask for. No method raises, and none waits."""

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        ...

    def date(self) -> datetime:
        """The current time, in UTC."""
        ...

    def new_id(self) -> str:
        """Return a random UUID as text, which cannot be guessed."""
        ...

    def connect(self, address: str) -> int:
        """Connect a new player and return its number. It has to log in like any other."""
        ...

    def say(self, conn: int, message: Message) -> None:
        """Let a player say ``message`` to the broker."""
        ...

    def disconnect(self, conn: int) -> None:
        """Disconnect a player without a goodbye; nothing more is delivered to it."""
        ...

    def reachable(self, conn: int, there: bool) -> None:
        """Set whether messages can be delivered to a player who stays logged in. One who is not reachable leaves its
        game or table."""
        ...

    def send(self, socket: int, text: str) -> None:
        """Send a text to a socket. For a socket that is already closed, nothing happens."""
        ...

    def close(self, socket: int, code: int, reason: str) -> None:
        """Close a socket when all that was sent to it has gone out. For the gateway it is closed from now on:
        :meth:`Gateway.closed` is not called for it."""
        ...

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """Write a line to the log."""
        ...

    def start(self, timer: str, seconds: float) -> None:
        """Call :meth:`Gateway.timer` with this name in ``seconds`` seconds. A running timer of that name starts
        anew."""
        ...


class Gateway(Protocol):
    """What the shell tells a gateway. A bug in a method costs the socket that the call was about."""

    def started(self) -> None:
        """The doors open. This is the first call."""
        ...

    def opened(self, socket: int, address: str) -> None:
        """A client has connected. Numbers of sockets are never used twice."""
        ...

    def text(self, socket: int, text: str) -> None:
        """A whole text has arrived at a socket."""
        ...

    def binary(self, socket: int) -> None:
        """Data that is not text has arrived at a socket."""
        ...

    def closed(self, socket: int) -> None:
        """A socket was closed, though not by the gateway."""
        ...

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """The broker has sent this message to these players, which all belong to this gateway."""
        ...

    def hung_up(self, conn: int) -> None:
        """The broker has closed the connection of a player, who is no longer logged in."""
        ...

    def timer(self, timer: str) -> None:
        """A timer has expired."""
        ...

    def shutdown(self) -> None:
        """The server stops; the gateway may send last texts. All sockets are closed after this call."""
        ...


Factory: TypeAlias = Callable[[Config, Server], Gateway]
