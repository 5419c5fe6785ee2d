"""The server of one gateway: WebSockets outside, players without bytes inside."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, ParamSpec

import structlog
import trio

from ugs.address import origin_of
from ugs.config import Config
from ugs.daemon.clocks.timers import Timers
from ugs.daemon.connections.payload_log import payload_log, without_secrets
from ugs.daemon.fairness.watchdog import HOLD_S
from ugs.daemon.gateways.websocket import WebSocket
from ugs.daemon.network.transport import Transport
from ugs.daemon.shell import Shell
from ugs.gateway import Factory, Gateway, GatewayError, GatewaySettings
from ugs.wire.codec import encode
from ugs.wire.messages import Message

GOING_AWAY, BUG = 1001, 1011
"""The server's close codes."""

BUG_TEXT = "bug in the server"

P = ParamSpec("P")


class GatewayServer:
    """One gateway, its clients and its timers.

    It carries out what the gateway asks (:class:`ugs.gateway.GatewayHost`). It is the
    :class:`ugs.daemon.gateways.websocket.WebSocketHost` of each client, and the
    :class:`ugs.daemon.network.listening.ListeningDoor` for new ones.
    """

    def __init__(self, shell: Shell, factory: Factory[Any], settings: GatewaySettings) -> None:
        """Make and start the gateway. Raises GatewayError when that fails."""
        self.config: Config = shell.config
        self.settings = settings
        self._shell = shell
        self._players = shell.peers.gateway_players
        self._numbers = 0
        self._clients: dict[int, WebSocket] = {}
        """All connections."""
        shell.memory.holders.clients.append(self._clients.values)
        self._known: dict[int, WebSocket] = {}
        """The connections that the gateway knows."""
        self._empty = trio.Event()
        self._timers: Timers[str] = Timers(lambda timer: self._inform(0, self.gateway.timer, timer), shell.driver.clock)
        self._payloads = payload_log(shell.config)
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        shell.tasks.start_soon(shell.supervisor.run, "gateway timers", self._timers.run)
        try:
            self.gateway: Gateway = factory(shell.config, settings, self)
            self.gateway.started()
        except Exception as error:  # a package of others may do anything wrong
            raise GatewayError(f"the gateway cannot be started: {error!r}") from error

    # For the listeners.

    def count(self) -> int:
        """How many connections there are."""
        return len(self._clients)

    def let_in(self, transport: Transport) -> WebSocket:
        """A client has connected: the caller has to start :meth:`WebSocket.run`."""
        self._numbers += 1
        meter = self._shell.fairness.rates.meter(origin_of(transport.address), trio.current_time())
        client = WebSocket(self._numbers, transport, self, meter, self._shell.reading.guest(meter.origin))
        self._clients[client.number] = client
        return client

    def refusal(self, why: str) -> bytes:
        """What a client is sent when there is no room for it."""
        return (
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%b\n" % (len(why) + 1, why.encode())
        )

    # For the clients.

    def opened(self, client: WebSocket) -> None:
        """Hands have been shaken."""
        self._known[client.number] = client
        self._inform(client.number, self.gateway.opened, client.number, client.address)

    def received(self, socket: int, message: str | bytes) -> None:
        """A whole message has come from a client."""
        watchdog = self._shell.fairness.watchdog
        # Read for each message: it must not be blamed for what the loop did before.
        watchdog.begin()
        begun = perf_counter()
        if isinstance(message, bytes):
            self._inform(socket, self.gateway.binary, socket)
        else:
            self._inform(socket, self.gateway.text, socket, message)
        seconds = perf_counter() - begun
        # After the call, which may have closed the client.
        client = self._known.get(socket)
        if client is None:
            return
        client.guest.spent_s += seconds
        if seconds > HOLD_S:
            watchdog.held(0, client.address, "WebSocket message", seconds)

    def lost(self, socket: int) -> None:
        """Nothing more comes from a client: notify the gateway, unless it has forgotten the client already."""
        if self._known.pop(socket, None) is not None:
            self._inform(socket, self.gateway.closed, socket)

    def gone(self, client: WebSocket) -> None:
        """The transport of a client is closed."""
        del self._clients[client.number]
        self._shell.fairness.rates.forget(client.meter)
        if not self._clients:
            self._empty.set()

    async def disk_ready(self) -> None:
        """Wait while the disk is too slow to read more."""
        await self._shell.keeping.recorder.caught_up()

    # For the server.

    def shutdown(self) -> None:
        """The server has stopped: the gateway sends its last messages, then all its clients are closed."""
        self._inform(0, self.gateway.shutdown)
        # The gateway has sent its last messages: nothing may call it any more.
        for timer in self._timers.running:
            self._timers.stop(timer)
        self._known.clear()
        for client in self._clients.values():
            client.close(GOING_AWAY, "the server stops")

    async def all_gone(self) -> None:
        """Wait until no client is left."""
        while self._clients:
            self._empty = trio.Event()
            await self._empty.wait()

    # For the gateway.

    def now(self) -> float:
        """Seconds of a clock that never goes back, and stands still while peers wait for the journal."""
        return self._shell.driver.clock.now()

    def date(self) -> datetime:
        """The current time, in UTC."""
        return datetime.now(UTC)

    def new_id(self) -> str:
        """A random UUID as text."""
        return str(uuid.uuid4())

    def connect(self, address: str) -> int:
        """Register a new player; returns its number."""
        return self._players.connect(self.gateway, address)

    def send_message(self, conn: int, message: Message) -> None:
        """Pass ``message`` from a player to the broker."""
        if self._payloads is not None and conn in self._players.gateways:
            self._payloads.debug("in", conn=conn, document=without_secrets(encode(message)))
        self._players.send_message(conn, message)

    def disconnect(self, conn: int) -> None:
        """A player leaves without logging out; nothing more is delivered to it."""
        self._players.disconnect(conn)

    def reachable(self, conn: int, there: bool) -> None:
        """Set whether anything can be delivered to a player that stays logged in."""
        self._players.reachable(conn, there)

    def send(self, socket: int, text: str) -> None:
        """Send a text to a socket."""
        client = self._known.get(socket)
        if client is not None:
            client.send(text)

    def close(self, socket: int, code: int, reason: str) -> None:
        """Close a socket when everything sent to it has gone out."""
        client = self._known.pop(socket, None)
        if client is not None:
            client.close(code, reason)

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """Write a line to the log."""
        log = self._log.warning if warning else self._log.info
        log(event, **fields)

    def start(self, timer: str, seconds: float) -> None:
        """Call :meth:`Gateway.timer` with this name after ``seconds``."""
        self._timers.start(timer, self.now() + seconds)

    def _inform(self, socket: int, call: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call the gateway. A bug in it costs the client that the call is about; 0 is none."""
        try:
            call(*args, **kwargs)
        except Exception:
            self._log.exception("bug in a gateway", during=getattr(call, "__name__", ""), socket=socket)
            client = self._known.get(socket)
            if client is not None:
                client.close(BUG, BUG_TEXT)
                self.lost(socket)
