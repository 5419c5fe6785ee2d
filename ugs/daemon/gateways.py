"""The shell of gateways: WebSockets outside, players without bytes inside."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import entry_points
from typing import ParamSpec

import trio

from ugs.broker.events import Disconnected, Presence, Received
from ugs.config import Config
from ugs.daemon.connection import DISK_PATIENCE_S
from ugs.daemon.driver import Driver, without_secrets
from ugs.daemon.listening import Doorkeeper
from ugs.daemon.transport import Transport
from ugs.daemon.websocket import WebSocket
from ugs.gateway import Factory, Gateway, GatewayError
from ugs.wire.codec import encode
from ugs.wire.messages import Message

GROUP = "ugs.gateways"
"""The entry points among which gateways are found."""

GOING_AWAY, BUG = 1001, 1011
"""Codes with which we close."""

BUG_TEXT = "bug in the server"

P = ParamSpec("P")


def load_gateway(name: str) -> Factory:
    """What makes the gateway of this name. Raises GatewayError when no installed package has one that can be loaded."""
    found = [entry for entry in entry_points(group=GROUP) if entry.name == name]
    if not found:
        raise GatewayError(f"gateway {name}: no installed package has one (entry point {name} of {GROUP})")
    try:
        factory: Factory = found[0].load()
    except Exception as error:  # whatever somebody else's package does wrong
        raise GatewayError(f"gateway {name}: {found[0].value} cannot be loaded: {error}") from error
    return factory


class GatewayServer(Doorkeeper):
    """One gateway, its clients and its players: what the gateway asks (:class:`ugs.gateway.Server`), carried out.

    Its limits per address are counted apart from those of players and masters.
    """

    def __init__(self, config: Config, driver: Driver, factory: Factory) -> None:
        """Make and start the gateway. Raises GatewayError when that fails."""
        super().__init__(driver)
        self.config = config
        self._numbers = 0
        self._clients: dict[int, WebSocket] = {}
        """All connections."""
        self._known: dict[int, WebSocket] = {}
        """Those of which the gateway knows."""
        self._nobody_left = trio.Event()
        self._timers: dict[str, trio.CancelScope] = {}
        self._clock = trio.lowlevel.current_clock().current_time
        try:
            self.gateway: Gateway = factory(config, self)
            self.gateway.started()
        except Exception as error:  # whatever somebody else's package does wrong
            raise GatewayError(f"the gateway cannot be started: {error!r}") from error

    # What the shell needs.

    def attach(self, transport: Transport) -> WebSocket:
        """A client has connected: its :meth:`WebSocket.run` has to be started by the caller."""
        self._numbers += 1
        client = WebSocket(self._numbers, transport, self)
        self._clients[client.number] = client
        return client

    def opened(self, client: WebSocket) -> None:
        """Hands have been shaken."""
        self._known[client.number] = client
        self.tell(client.number, self.gateway.opened, client.number, client.address)

    def lost(self, socket: int) -> None:
        """Nothing more comes from a client; the gateway hears of it, unless it has forgotten it already."""
        if self._known.pop(socket, None) is not None:
            self.tell(socket, self.gateway.closed, socket)

    def gone(self, client: WebSocket) -> None:
        """A connection is no more."""
        del self._clients[client.number]
        if not self._clients:
            self._nobody_left.set()

    def tell(self, socket: int, call: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell the gateway something. A bug in it costs this one client, if it is about one."""
        try:
            call(*args, **kwargs)
        except Exception:
            self._log.exception("bug in a gateway", during=getattr(call, "__name__", ""), socket=socket)
            client = self._known.get(socket)
            if client is not None:
                client.close(BUG, BUG_TEXT)
                self.lost(socket)

    async def disk_ready(self) -> None:
        """Wait while the disk is so slow that nothing more should be heard."""
        while self._driver.behind:  # noqa: ASYNC110  (the thread of the disk sets no event of ours)
            await trio.sleep(DISK_PATIENCE_S)

    def shutdown(self) -> None:
        """The server has stopped: the gateway says its last words, then all its clients are closed."""
        self.tell(0, self.gateway.shutdown)
        for scope in self._timers.values():
            scope.cancel()
        self._timers.clear()
        self._known.clear()
        for client in self._clients.values():
            client.close(GOING_AWAY, "the server stops")

    async def all_gone(self) -> None:
        """Wait until no client is left."""
        while self._clients:
            self._nobody_left = trio.Event()
            await self._nobody_left.wait()

    def _inside(self) -> int:
        return len(self._clients)

    def _let_in(self, transport: Transport) -> WebSocket:
        return self.attach(transport)

    def _refusal(self, why: str) -> bytes:
        return (
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%b\n" % (len(why) + 1, why.encode())
        )

    # What the gateway asks.

    def now(self) -> float:
        """See :meth:`ugs.gateway.Server.now`."""
        return self._clock()

    def date(self) -> datetime:
        """See :meth:`ugs.gateway.Server.date`."""
        return datetime.now(UTC)

    def new_id(self) -> str:
        """See :meth:`ugs.gateway.Server.new_id`."""
        return str(uuid.uuid4())

    def connect(self, address: str) -> int:
        """See :meth:`ugs.gateway.Server.connect`."""
        return self._driver.welcome(self.gateway, address)

    def say(self, conn: int, message: Message) -> None:
        """See :meth:`ugs.gateway.Server.say`."""
        if conn in self._driver.guests:
            if self.config.log_level == "debug":
                self._log.debug("in", conn=conn, document=without_secrets(encode(message)))
            self._driver.said(Received(conn, message))

    def disconnect(self, conn: int) -> None:
        """See :meth:`ugs.gateway.Server.disconnect`."""
        if self._driver.guests.pop(conn, None) is not None:
            self._driver.said(Disconnected(conn, "disconnected by its gateway"))

    def reachable(self, conn: int, there: bool) -> None:
        """See :meth:`ugs.gateway.Server.reachable`."""
        if conn in self._driver.guests:
            self._driver.said(Presence(conn, there))

    def send(self, socket: int, text: str) -> None:
        """See :meth:`ugs.gateway.Server.send`."""
        client = self._known.get(socket)
        if client is not None:
            client.send(text)

    def close(self, socket: int, code: int, reason: str) -> None:
        """See :meth:`ugs.gateway.Server.close`."""
        client = self._known.pop(socket, None)
        if client is not None:
            client.close(code, reason)

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """See :meth:`ugs.gateway.Server.note`."""
        log = self._log.warning if warning else self._log.info
        log(event, **fields)

    def start(self, timer: str, seconds: float) -> None:
        """See :meth:`ugs.gateway.Server.start`."""
        running = self._timers.get(timer)
        if running is not None:
            running.cancel()
        self._timers[timer] = scope = trio.CancelScope()
        self._driver.tasks.start_soon(self._count_down, timer, scope, self._clock() + seconds)

    async def _count_down(self, timer: str, scope: trio.CancelScope, deadline: float) -> None:
        with scope:
            await trio.sleep_until(deadline)
        if self._timers.get(timer) is scope:
            del self._timers[timer]
            self.tell(0, self.gateway.timer, timer)
