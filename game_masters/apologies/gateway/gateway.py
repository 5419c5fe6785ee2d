"""The gateway as the shell sees it: clients come, send requests and go, and some are silent for too long.

Requests are handled one after another, each of them completely. Only what the game master has to answer takes time:
meanwhile the requests of the players in that game wait, and with each the later requests of its client.
"""

from collections.abc import Callable, Sequence
from functools import partial

from game_masters.apologies.gateway import events
from game_masters.apologies.gateway.deliveries import Deliveries
from game_masters.apologies.gateway.events import Reason
from game_masters.apologies.gateway.registry import Client, Incoming, Player, Registry
from game_masters.apologies.gateway.requests import FromPlayer, Limits, Malformed, ReregisterPlayer, read
from game_masters.apologies.gateway.service import Service
from game_masters.apologies.gateway.settings import ApologiesSettings
from ugs.config import Config
from ugs.gateway import GatewayHost
from ugs.wire.messages import Error, LoginResponse, Message, ServerShutdown

NORMAL, TOO_MUCH, TRY_LATER = 1000, 1008, 1013
"""Codes for closing WebSockets."""

HELD = "held"
CLIENTS, PLAYERS, FINISHED = "clients", "players", "finished"
"""Timers."""

MAX_HELD = 1000
"""At most this many requests of one client wait at a time."""

ROUNDING = 1e-6
"""Timers and sums of times are exact to this many seconds."""


class ApologiesGateway:
    """Clients of the JSON protocol on one side, players of UGS on the other; see :class:`ugs.gateway.Gateway`."""

    settings = ApologiesSettings

    def __init__(self, config: Config, settings: ApologiesSettings, server: GatewayHost) -> None:
        self._config = config
        self._settings = settings
        self._server = server
        self._registry = Registry(config, settings, server)
        self._service = Service(self._registry)
        self._deliveries = Deliveries(self._registry)
        self._limits = Limits(config.max_table_name, config.max_chat_characters)
        self._releasing = False
        """Whether a timer is set to look at waiting requests."""
        self._stopping = False
        looks: dict[str, tuple[Callable[[], None], float]] = {
            CLIENTS: (self._look_at_clients, config.idle_check_s),
            PLAYERS: (self._look_at_players, config.idle_check_s),
            FINISHED: (self._forget_finished, settings.obsolete_check_s),
        }
        self._timers: dict[str, Callable[[], None]] = {HELD: self._release}
        for name, (look, seconds) in looks.items():
            self._timers[name] = partial(self._look, name, look, seconds)

    # Clients.

    def started(self) -> None:
        """The server starts: begin to look for idle clients and players."""
        self._server.start(CLIENTS, self._config.first_idle_check_s)
        self._server.start(PLAYERS, self._config.first_idle_check_s)
        self._server.start(FINISHED, self._settings.obsolete_check_s)

    def opened(self, socket: int, address: str) -> None:
        """A client has connected; it is refused where there are as many as there may be."""
        if len(self._registry.clients) >= self._settings.max_connections:
            text = "as many are connected as there may be; try again later"
            self._server.note("turned away", warning=True, address=address, reason="too many clients")
            self._server.send(socket, events.request_failed(Reason.WEBSOCKET_LIMIT, text, None))
            self._server.close(socket, TRY_LATER, "too many clients")
            return
        self._registry.clients[socket] = Client(socket, address, self._server.now())

    def text(self, socket: int, text: str) -> None:
        """A request has arrived from a client."""
        try:
            request: Incoming = read(text, self._limits)
        except Malformed as wrong:
            request = wrong
        self._handles(socket, request)

    def binary(self, socket: int) -> None:
        """A binary message has arrived: it is refused."""
        self._handles(socket, Malformed("this is binary; requests are JSON, as text"))

    def closed(self, socket: int) -> None:
        """A socket is closed. The client's waiting requests are handled first, unless it was still to
        have a player."""
        client = self._registry.clients.get(socket)
        if client is None:
            return
        if client.entering is not None:
            client.held.clear()
        while client.held:
            self._do(client, client.held.popleft())
        self._forget(client)

    # The broker.

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """The broker has a message for players of this gateway."""
        if isinstance(message, ServerShutdown):
            self._stopping = True
        self._deliveries.delivered(conns, message)
        if isinstance(message, LoginResponse | Error):
            for conn in [one for one in conns if one in self._registry.entering]:
                self._entering_gets(conn, message)
        self._release_soon()

    def hung_up(self, conn: int) -> None:
        """The broker has closed the connection of a player."""
        player, entering = self._registry.by_conn.get(conn), self._registry.entering.get(conn)
        if player is None:
            self._registry.turned_away = conn
        if entering is not None and not self._registry.asking:
            self._service.answered(entering, None)
            self._release_soon()
        if player is not None and not self._stopping:
            self._registry.send([player], events.player_unregistered(player.handle))
            self._registry.forget(player)
            self._release_soon()

    def _entering_gets(self, conn: int, message: LoginResponse | Error) -> None:
        """A player is let in or refused; if that comes during a request, the request gets the answer."""
        if not self._registry.asking:
            answer = message if isinstance(message, LoginResponse) else None
            self._service.answered(self._registry.entering[conn], answer)
        elif isinstance(message, Error):
            self._registry.turned_away = conn

    def shutdown(self) -> None:
        """The server stops: all clients get a last event."""
        self._stopping = True
        for client in self._registry.clients.values():
            self._server.send(client.number, events.server_shutdown())

    # Requests.

    def _handles(self, socket: int, request: Incoming) -> None:
        client = self._registry.clients.get(socket)
        if client is None:
            return
        # Behind a request that waits, all later ones of its client wait, so that they keep their order.
        if not client.held and not self._waits(client, request):
            self._do(client, request)
        elif len(client.held) < MAX_HELD:
            client.held.append(request)
        else:
            client.held.clear()
            self._close(client, TOO_MUCH, "too many requests at a time")

    def _waits(self, client: Client, request: Incoming) -> bool:
        """Return whether the player's game master has to answer first. A request that will be refused in any case does
        not wait."""
        if client.entering is not None:
            return True
        player = self._registry.players.get(request.player_id) if isinstance(request, FromPlayer) else None
        if player is None or (player.client is not client and not isinstance(request, ReregisterPlayer)):
            return False
        return player.match is not None and player.match.busy

    def _do(self, client: Client, request: Incoming) -> None:
        if isinstance(request, Malformed):
            self._server.note("wrong request", warning=True, address=client.address, reason=request.logged)
            self._registry.refuse(client, Reason.INVALID_REQUEST, request.reason)
            most = self._config.max_errors_per_minute
            if not client.within_errors(self._server.now(), most):
                self._close(client, TOO_MUCH, f"too many wrong requests; allowed: {most} a minute")
        else:
            self._service.serve(client, request)
        self._release_soon()

    def _release_soon(self) -> None:
        """Set a timer to look at waiting requests, since what they wait for may have happened."""
        if not self._releasing and any(client.held for client in self._registry.clients.values()):
            self._releasing = True
            self._server.start(HELD, 0)

    def _release(self) -> None:
        """Handle the waiting requests that need not wait any longer."""
        self._releasing = False
        for client in list(self._registry.clients.values()):
            while client.held and not self._waits(client, client.held[0]):
                self._do(client, client.held.popleft())

    def _close(self, client: Client, code: int, reason: str) -> None:
        self._forget(client)
        self._server.close(client.number, code, reason)

    def _forget(self, client: Client) -> None:
        """Forget a client. Its players stay registered for a while, and leave their games."""
        del self._registry.clients[client.number]
        if client.entering is not None:
            del self._registry.entering[client.entering.conn]
            self._server.disconnect(client.entering.conn)
        players, client.players = client.players, []
        # None of them can be reached before the first one leaves: what follows is for those who stay.
        for player in players:
            player.client = None
        for player in players:
            self._registry.leaves(player)
            self._server.reachable(player.conn, there=False)
        self._release_soon()

    # Silence.

    def timer(self, timer: str) -> None:
        """A timer has expired."""
        self._timers[timer]()

    def _look(self, name: str, look: Callable[[], None], seconds: float) -> None:
        look()
        self._server.start(name, seconds)
        self._release_soon()

    def _look_at_clients(self) -> None:
        """Warn clients without players, and close them at a later check. Clients with players are judged by their
        players."""
        settings, now = self._settings, self._server.now() + ROUNDING
        for client in [one for one in self._registry.clients.values() if not one.players]:
            silent_s = now - client.active_at
            warned = client.warned_of == client.active_at
            if warned and silent_s >= settings.connection_inactive_s:
                self._server.send(client.number, events.websocket_inactive())
                self._close(client, NORMAL, "inactive")
            elif not warned and silent_s >= settings.connection_idle_s:
                client.warned_of = client.active_at
                self._server.send(client.number, events.websocket_idle())

    def _look_at_players(self) -> None:
        """Warn silent players, and remove them at a later check. Disconnected players are removed without a warning."""
        config, now = self._config, self._server.now() + ROUNDING
        for player in list(self._registry.players.values()):
            silent_s = now - player.active_at
            warned = player.warned_of == player.active_at
            if player.client is None:
                if silent_s >= config.player_idle_s:
                    self._service.remove(player, "has not come back")
            elif warned and silent_s >= config.player_inactive_s:
                self._give_up(player, player.client)
            elif not warned and silent_s >= config.player_idle_s:
                player.warned_of = player.active_at
                self._registry.send([player], events.player_idle(player.handle))

    def _give_up(self, player: Player, client: Client) -> None:
        self._server.note("player silent for too long", warning=True, nick=player.handle)
        self._registry.send([player], events.player_inactive(player.handle))
        self._service.remove(player, "has been silent for too long")
        # Other players may share the connection.
        if not client.players:
            self._close(client, NORMAL, "inactive")

    def _forget_finished(self) -> None:
        """Forget games that ended long ago."""
        before = self._server.now() - self._settings.finished_keep_s + ROUNDING
        finished = self._registry.finished
        for game_id in [game_id for game_id, ended_at in finished.items() if ended_at <= before]:
            del finished[game_id]
