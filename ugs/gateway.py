"""The door for programs that speak another protocol than UGS: what a gateway is, and what it may ask of the server.

A gateway translates. On its outer side are sockets, which carry texts (the shell makes WebSockets of them); on its
inner side are players of UGS, as many as it likes, each of them a connection to the broker like any other, only
without bytes. It is a pure state machine: the shell calls it with what happens, it calls the :class:`Server` it was
given. What a player says reaches the broker at once, and everything that follows from it is
:meth:`Gateway.delivered` before ``say`` returns; only what is said while something is being delivered waits until that
is done.

A package that has one names its factory among the entry points ``ugs.gateways``, as :data:`Factory` describes it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from ugs.config import Config
from ugs.wire.messages import Message


class GatewayError(Exception):
    """A gateway that cannot be had or started; the text says which, and why."""


class Server(Protocol):
    """What a gateway may ask for. None of this raises, and none of it waits."""

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        ...

    def date(self) -> datetime:
        """The time on the wall, in UTC."""
        ...

    def new_id(self) -> str:
        """A UUID as text, which nobody can guess."""
        ...

    def connect(self, address: str) -> int:
        """A new player comes; its number. It has to log in, as everybody has to."""
        ...

    def say(self, conn: int, message: Message) -> None:
        """A player says this."""
        ...

    def disconnect(self, conn: int) -> None:
        """A player is gone without a word; nothing more is delivered to it."""
        ...

    def reachable(self, conn: int, there: bool) -> None:
        """Whether anything can be delivered to a player who stays logged in. One who cannot be reached leaves its game
        or table."""
        ...

    def send(self, socket: int, text: str) -> None:
        """Hand a text to a socket; one that is closed already gets nothing."""
        ...

    def close(self, socket: int, code: int, reason: str) -> None:
        """Close a socket when all that was sent to it has gone out. The gateway has forgotten it already, and is not
        told that it is closed."""
        ...

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """A line for the log."""
        ...

    def start(self, timer: str, seconds: float) -> None:
        """Call :meth:`Gateway.timer` with this name in so many seconds; one of that name that runs is started anew."""
        ...


class Gateway(Protocol):
    """What the shell tells a gateway. A bug in one of these costs the socket it was about."""

    def started(self) -> None:
        """The doors open; the first call there is."""
        ...

    def opened(self, socket: int, address: str) -> None:
        """Somebody has connected. Numbers of sockets are never used twice."""
        ...

    def text(self, socket: int, text: str) -> None:
        """A whole text has come from a socket."""
        ...

    def binary(self, socket: int) -> None:
        """Something that is no text has come from a socket."""
        ...

    def closed(self, socket: int) -> None:
        """A socket is closed, though not by us."""
        ...

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """The broker has this message for these players, all of them ours."""
        ...

    def hung_up(self, conn: int) -> None:
        """The broker has closed the connection of a player, who is logged in no longer."""
        ...

    def timer(self, timer: str) -> None:
        """The time of a timer is over."""
        ...

    def shutdown(self) -> None:
        """The server stops: last words. All sockets are closed after this."""
        ...


Factory: TypeAlias = Callable[[Config, Server], Gateway]
