"""The contract for gateways to programs that speak another protocol than UGS, and what a gateway may ask of the server.

A gateway translates. On its outer side are sockets that carry texts (the shell makes WebSockets of them); on its inner
side are players of UGS, as many as it likes. Each of them is a connection to the broker like any other, only without
bytes. A gateway is a pure state machine: the shell calls it with what happens, it calls the :class:`GatewayHost` it was
given. What a player sends reaches the broker at once, and everything that follows from it is :meth:`Gateway.delivered`
before ``send_message`` returns; only what is sent while something is being delivered waits until that is done.

A package names its :class:`Factory` among the entry points ``ugs.gateways``. The name of the entry point is the NAME of
the table ``[gateways.NAME]`` in the settings, whose keys are the fields of :attr:`Factory.settings`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ugs.address import read_listening
from ugs.config import Config, ConfigError
from ugs.declared import Declared, declared
from ugs.loading import entry_points
from ugs.setting_types import Listening, Seconds
from ugs.wire.messages import Message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "ugs.gateways"
"""The entry points among which gateways are found."""


class GatewayError(ConfigError):
    """A gateway that is not installed, or cannot be loaded or started; the text names it and the reason."""


class GatewaySettings(Declared):
    """What the shell enforces for every gateway. A gateway adds fields of its own in a subclass; each needs a default
    and a description, which ``ugs config`` prints."""

    listen: Listening = declared(
        "", description="HOST:PORT where its clients connect with WebSockets; port 0 picks a free one; empty: off"
    )
    max_message_bytes: int = declared(65_536, ge=1024, description="bytes of one message of a client")
    ping_s: Seconds = declared(20, gt=0, description="seconds between two pings to a client")
    pong_timeout_s: Seconds = declared(20, gt=0, description="seconds for a client to answer a ping")
    close_s: Seconds = declared(10, gt=0, description="seconds that closing a connection may take")

    @property
    def address(self) -> tuple[str, int] | None:
        """Host and port of :attr:`listen`, or None when it is empty. The brackets of an IPv6 address are left out."""
        return read_listening(self.listen) if self.listen else None


class GatewayHost(Protocol):
    """What a gateway may ask for. None of this raises or waits."""

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        ...

    def date(self) -> datetime:
        """The current time, in UTC."""
        ...

    def new_id(self) -> str:
        """A random UUID as text."""
        ...

    def connect(self, address: str) -> int:
        """Register a new player; returns its number. It has to log in like any other."""
        ...

    def send_message(self, conn: int, message: Message) -> None:
        """Send ``message`` from a player to the broker."""
        ...

    def disconnect(self, conn: int) -> None:
        """A player leaves without logging out; nothing more is delivered to it."""
        ...

    def reachable(self, conn: int, there: bool) -> None:
        """Set whether anything can be delivered to a player that stays logged in. A player that cannot be reached
        leaves its game or table."""
        ...

    def send(self, socket: int, text: str) -> None:
        """Send a text to a socket. Does nothing when the socket is closed."""
        ...

    def close(self, socket: int, code: int, reason: str) -> None:
        """Close a socket when everything sent to it has gone out. :meth:`Gateway.closed` is not called for it."""
        ...

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """Write a line to the log."""
        ...

    def start(self, timer: str, seconds: float) -> None:
        """Call :meth:`Gateway.timer` with this name after ``seconds``. A running timer of that name starts again."""
        ...


class Gateway(Protocol):
    """What the shell calls in a gateway. An exception here is logged, and closes the socket that the call is about."""

    def started(self) -> None:
        """The server starts; the first call."""
        ...

    def opened(self, socket: int, address: str) -> None:
        """A client has connected. Numbers of sockets are never used twice."""
        ...

    def text(self, socket: int, text: str) -> None:
        """A whole text has arrived at a socket."""
        ...

    def binary(self, socket: int) -> None:
        """A binary message has come from a socket."""
        ...

    def closed(self, socket: int) -> None:
        """A socket is closed, but not by :meth:`GatewayHost.close`."""
        ...

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """The broker has this message for these players, all of them of this gateway."""
        ...

    def hung_up(self, conn: int) -> None:
        """The broker has closed the connection of a player, which is logged in no longer."""
        ...

    def timer(self, timer: str) -> None:
        """A timer has expired."""
        ...

    def shutdown(self) -> None:
        """The server stops; the gateway may send last texts. All sockets are closed after this call."""
        ...


S = TypeVar("S", bound=GatewaySettings)


class Factory(Protocol[S]):
    """Makes a gateway; a class with this constructor and this class attribute is one."""

    settings: type[S]
    """What may stand in the gateway's table of the settings."""

    def __call__(self, config: Config, settings: S, server: GatewayHost, /) -> Gateway:
        """A new gateway. ``config`` holds the settings of the server."""
        ...


def installed() -> "dict[str, EntryPoint]":
    """The entry points of all installed gateways by name, in alphabetical order."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def load_gateway(name: str) -> Factory[Any]:
    """The factory of the gateway of this name. Raises GatewayError when it is not installed, naming the installed ones,
    or when it cannot be loaded."""
    found = installed()
    if name not in found:
        names = ", ".join(found) or "none"
        raise GatewayError(f"gateways.{name}: no gateway of this name is installed; installed: {names}")
    try:
        factory: Factory[Any] = found[name].load()
        if not issubclass(factory.settings, GatewaySettings):
            raise TypeError(f"{factory.settings!r} is no subclass of GatewaySettings")
    except Exception as error:  # a package of others may do anything wrong
        raise GatewayError(f"gateways.{name}: {found[name].value} cannot be loaded: {error}") from error
    return factory


def settings_of(name: str) -> type[GatewaySettings]:
    """The settings that the gateway of this name declares. Raises GatewayError as :func:`load_gateway` does."""
    settings: type[GatewaySettings] = load_gateway(name).settings
    return settings


def all_settings() -> dict[str, type[GatewaySettings]]:
    """The settings of all installed gateways by name. Raises GatewayError when one of them cannot be loaded."""
    return {name: settings_of(name) for name in installed()}


def read_options(options: Sequence[str]) -> dict[str, dict[str, str]]:
    """What follows ``--gateway`` on the command line, ``NAME=HOST:PORT``, as tables of settings by name. Raises
    ConfigError for a text without ``=``, and for a gateway that is given twice."""
    tables: dict[str, dict[str, str]] = {}
    for option in options:
        name, sign, address = option.partition("=")
        if not name or not sign or not address:
            raise ConfigError(f"command line: --gateway {option!r}: allowed: NAME=HOST:PORT")
        if name in tables:
            raise ConfigError(f"command line: --gateway {option!r}: {name} is given twice")
        tables[name] = {"listen": address}
    return tables


def listening(config: Config) -> dict[str, GatewaySettings]:
    """The settings of the gateways that ``config`` wants open, by name."""
    return {
        name: settings
        for name, settings in config.gateways.items()
        if isinstance(settings, GatewaySettings) and settings.listen
    }
