"""The connections of one server: they come, and end. What peers send goes through here to the parts of the shell."""

import math
from collections import deque
from typing import Final

import trio

from ugs.address import origin_of
from ugs.broker.effects import Admit, Close
from ugs.broker.events import Connected, Disconnected, Flooded, Misread
from ugs.config import Config
from ugs.daemon.clocks.timers_after_sending import TimersAfterSending
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.connection import Connection, Heir
from ugs.daemon.connections.gateway_players import GatewayPlayers
from ugs.daemon.connections.outbox import Patience
from ugs.daemon.connections.reading import Reading
from ugs.daemon.connections.roster import Roster
from ugs.daemon.driver import Driver
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.intake import Intake
from ugs.daemon.network.transport import Transport
from ugs.daemon.processes.supervision import Tasks
from ugs.daemon.watch.spectators import Spectators
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.fragment_cache import Familiar
from ugs.wire.framing import Framer, Limits
from ugs.wire.messages import Error

MAX_STEP: Final = 16_384
"""Bytes of a document that are read token by token in one turn: 64 KiB of tags would take 20 ms."""
MAX_LOST_AT_ONCE: Final = 16
"""Peers that may be lost within LOSING_S before the broker is notified of the others a little later."""
LOSING_S: Final = 0.002
"""Seconds that the broker spends on lost peers before it handles other events again."""


class Losses:
    """Reports lost peers to the broker. Where very many are lost at the same moment, such as all that did not read one
    large state, it reports a few at a time, and other peers are served in between."""

    def __init__(self, tasks: Tasks, driver: Driver) -> None:
        self._tasks = tasks
        self._driver = driver
        self._waiting: deque[Disconnected] = deque()
        self._since = -math.inf
        self._reported = 0
        """How many peers were lost since then."""

    def report(self, lost: Disconnected) -> None:
        """Report a lost peer, now or soon."""
        now = trio.current_time()
        if now - self._since > LOSING_S:
            self._since, self._reported = now, 0
        self._reported += 1
        if self._reported <= MAX_LOST_AT_ONCE and not self._waiting:
            # Not at once: a peer may be lost while the effects of another one's event are performed.
            self._driver.happens_next(lost)
            return
        self._waiting.append(lost)
        if len(self._waiting) == 1:
            self._tasks.start_soon(self._report_waiting)

    async def _report_waiting(self) -> None:
        while self._waiting:
            until = trio.current_time() + LOSING_S
            while self._waiting and trio.current_time() < until:
                self._driver.happens_next(self._waiting[0])
                # Removed only now: a loss that is reported meanwhile has to see the queue, and start no second task.
                self._waiting.popleft()
            await trio.lowlevel.checkpoint()


class Peers:
    """All connections; for each it is the :class:`ugs.daemon.connections.connection.ConnectionHost`, and for the
    listeners the :class:`ugs.daemon.network.listening.ListeningDoor`. They are entered in ``roster``."""

    def __init__(
        self,
        config: Config,
        tasks: Tasks,
        driver: Driver,
        roster: Roster,
        gateway_players: GatewayPlayers,
        spectators: Spectators,
        *,
        unsent: Unsent,
        reading: Reading,
        intake: Intake,
        rates: Rates,
        timers: TimersAfterSending,
    ) -> None:
        self.tasks = tasks
        self.patience = Patience(config.max_outbox_bytes, config.write_timeout_s)
        # Straight to the parts: every message comes this way.
        self.read = reading.read
        self.handed = timers.handed
        self.unsent = unsent
        self.closings = trio.Lock()
        self.gateway_players = gateway_players
        self._driver = driver
        self._intake = intake
        self._rates = rates
        self._login_timeout_s = config.login_timeout_s
        self._roster = roster
        self._spectators = spectators
        self._limits = [
            Limits(size, config.max_depth, config.max_attributes, config.max_markup)
            for size in (config.max_message_bytes_before_login, config.max_message_bytes)
        ]
        """Before and after the login."""
        self._familiar = Familiar(config.max_attributes)
        self._empty = trio.Event()
        self._losses = Losses(tasks, driver)

    # For the listeners.

    def count(self) -> int:
        """How many connections there are, those that are closing or passed on included."""
        return len(self._roster.connections) + self._roster.passed_on

    def let_in(self, transport: Transport) -> Connection:
        """A peer has connected: the caller has to start :meth:`Connection.run`."""
        number = next(self._roster.numbers)
        now = trio.current_time()
        meter = self._rates.meter(origin_of(transport.address), now)
        connection = Connection(number, transport, Framer(self._limits[0], self._familiar, MAX_STEP), self, meter)
        self._roster.connections[number] = connection
        self._driver.happens(Connected(number, transport.address))
        overrun = meter.logs_in(now)
        if overrun is not None:
            self._rates.overruns += 1
            # It could not log in in time anyway: better closed, with the reason.
            too_long = overrun.wait_s >= self._login_timeout_s
            self._driver.happens((Flooded if too_long else Misread)(number, overrun.text))
            connection.pause_s = overrun.wait_s
        return connection

    def refusal(self, why: str) -> bytes:
        """What a peer is sent when there is no room for it."""
        return DECLARATION + encode(Error(why))

    # For the connections.

    def lost(self, connection: Connection, reason: str, *, unread: bool = False, bug: bool = False) -> None:
        """Nothing more comes from this peer; ``unread``: since it does not read what it is sent; ``bug``: since the
        server has one."""
        self._losses.report(Disconnected(connection.number, reason, unread, bug))

    def ended(self, connection: Connection) -> None:
        """A transport is closed, or passed on."""
        del self._roster.connections[connection.number]
        self._intake.forget(connection)
        self._rates.forget(connection.meter)
        self._spectators.forget(connection.number)
        if not self._roster.connections:
            self._empty.set()

    async def pass_on(self, transport: Transport, heir: Heir) -> None:
        """Let ``heir`` serve a peer to its end."""
        self._roster.passed_on += 1
        try:
            await heir(transport)
        finally:
            self._roster.passed_on -= 1

    # For the server.

    async def all_gone(self) -> None:
        """Wait until there is no connection left."""
        while self._roster.connections:
            self._empty = trio.Event()
            await self._empty.wait()

    def blame(self, number: int) -> None:
        """An event of this peer has met a bug in the server: drop the peer. Does nothing for other numbers."""
        reason = "bug in the server"
        connection = self._roster.connections.get(number)
        if connection is not None and not connection.closing:
            connection.lose(reason, bug=True)
        elif number in self.gateway_players.gateways:
            self.gateway_players.lose(number, reason)

    # Effects.

    def admit(self, effect: Admit, _now: float) -> None:
        """Perform: a peer has logged in, and may send larger messages."""
        connection = self._roster.connections.get(effect.conn)
        if connection is not None:
            connection.framer.limits = self._limits[1]

    def close(self, effect: Close, _now: float) -> None:
        """Perform: close a peer when it has been sent everything."""
        connection = self._roster.connections.get(effect.conn)
        if connection is not None:
            connection.close()
        elif effect.conn in self.gateway_players.gateways:
            self.gateway_players.hang_up(effect.conn)
