"""The one door between what happens and what is decided.

``happens`` hands an event to the broker and carries out its effects, in order and without waiting, so that nothing
can come between. What is sent to a peer while all those run who were ready at the same time goes out together when
they have run: with many games at a time this is one system call for many messages.
"""

from collections.abc import Callable, Iterable
from typing import Any

import structlog
import trio

from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Admit,
    Close,
    Effect,
    Note,
    RecordResult,
    Send,
    StartTimer,
    Stopped,
    StopTimer,
)
from ugs.broker.events import Connected, Disconnected, Event, Garbled, Misread, Received, Timer, TimerFired
from ugs.config import Config
from ugs.daemon.connection import Connection
from ugs.daemon.tablewriter import TableWriter
from ugs.daemon.timers import Timers
from ugs.daemon.transport import Transport
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.framing import Framer, Limits, WireError
from ugs.wire.messages import ChampionsList


def strict_check() -> Callable[[bytes], None]:
    """The check of the strict validation; loading the XML schemas takes longer than all else at the start."""
    from ugs.wire.schema import MessageSchemas

    return MessageSchemas().check


class Driver:
    """Runs one broker over its connections and timers. ``tasks`` is the nursery of everything it starts."""

    def __init__(self, config: Config, broker: Broker, tasks: trio.Nursery) -> None:
        self.config = config
        self.tasks = tasks
        self.timers = Timers(self._timer_fired)
        self.stopped = trio.Event()
        self._nobody_left = trio.Event()
        self._broker = broker
        self._check = strict_check() if config.validation == "strict" else None
        self._connections: dict[int, Connection] = {}
        self._numbers = 0
        self._clock = trio.lowlevel.current_clock().current_time
        self._now = 0.0
        self._unsent: list[Connection] = []
        self._something_to_send = trio.lowlevel.ParkingLot()
        self._after_sending: dict[Timer, tuple[Connection, float]] = {}
        """Timers that count from when a peer has been handed what was sent to it, and their seconds."""
        self._table_writer = TableWriter()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()
        self._payloads_logged = config.log_level == "debug"
        self._limits_before = self._limits(config.max_message_bytes_before_login)
        self._limits_after = self._limits(config.max_message_bytes)
        self._perform: dict[type[Effect], Callable[[Any], None]] = {
            Send: self._send,
            Admit: self._admit,
            Close: self._close,
            StartTimer: self._start_timer,
            StopTimer: self._stop_timer,
            RecordResult: self._record_result,
            Note: self._note,
            Stopped: self._stop,
        }

    @property
    def connections(self) -> int:
        """How many connections there are, those that are closing included."""
        return len(self._connections)

    def connected(self, transport: Transport) -> Connection:
        """A peer has connected: its :meth:`Connection.run` has to be started by the caller."""
        self._numbers += 1
        connection = Connection(self._numbers, transport, Framer(self._limits_before), self)
        self._connections[connection.number] = connection
        self.happens(Connected(connection.number, transport.address))
        return connection

    def received(self, connection: Connection, data: bytes) -> None:
        """Bytes have come from a peer: each document in them happens, in order."""
        number = connection.number
        now = self._clock()
        try:
            for document in connection.framer.feed(data):
                if connection.unheard:
                    connection.unheard = False
                    connection.declares = document.declared or self.config.xml_declaration == "always"
                if self._payloads_logged:
                    self._log.debug("in", conn=number, document=document.raw.decode("utf-8", "replace"))
                try:
                    if self._check is not None:
                        self._check(document.raw)
                    event: Event = Received(number, decode(document.raw))
                except WrongMessage as wrong:
                    event = Misread(number, str(wrong))
                self._decide(event, now)
                if connection.closing:
                    break
        except WireError as error:
            self._decide(Garbled(number, str(error)), now)

    def happens(self, event: Event) -> None:
        """Let the broker decide about an event and carry out what it wants."""
        self._decide(event, self._clock())

    def sent(self, connection: Connection, timers: Iterable[Timer], now: float) -> None:
        """All has been sent to this peer: timers that count from now begin, unless they were started or stopped
        in another way meanwhile."""
        for timer in timers:
            waiting = self._after_sending.get(timer)
            if waiting is not None and waiting[0] is connection:
                del self._after_sending[timer]
                self.timers.start(timer, now + waiting[1])

    async def send_out(self) -> None:
        """Send what was put into the outboxes, each time that all who were ready have run; for ever."""
        while True:
            if not self._unsent:
                await self._something_to_send.park()
            self._flush()

    def lose(self, connection: Connection, reason: str) -> None:
        """Drop a peer through its own fault."""
        connection.drop()
        self.happens(Disconnected(connection.number, reason))

    def left(self, connection: Connection, reason: str) -> None:
        """Nothing more comes from this peer."""
        if not connection.closing:
            connection.closing = True
            self.happens(Disconnected(connection.number, reason))

    def ended(self, connection: Connection, reason: str) -> None:
        """A connection is no more: nothing comes or goes."""
        del self._connections[connection.number]
        self.left(connection, reason)
        if not self._connections:
            self._nobody_left.set()

    async def all_gone(self) -> None:
        """Wait until there is no connection left."""
        while self._connections:
            self._nobody_left = trio.Event()
            await self._nobody_left.wait()

    def _limits(self, max_message_bytes: int) -> Limits:
        return Limits(max_message_bytes, self.config.max_depth, self.config.max_attributes)

    def _decide(self, event: Event, now: float) -> None:
        self._now = now
        perform = self._perform
        try:
            for effect in self._broker.handle(event, now):
                perform[type(effect)](effect)
        except Exception:  # a bug of ours: it may cost the peer that met it, not a contest
            self._survive(event)

    def _survive(self, event: Event) -> None:
        """Something in here went wrong over this event: tell the log all about it, and drop the peer it came from."""
        number = getattr(event, "conn", 0)
        self._log.exception("bug in the server", during=type(event).__name__, conn=number)
        connection = self._connections.get(number)
        if connection is not None and not connection.closing:
            self.lose(connection, "bug in the server")

    def _flush(self) -> None:
        now = self._clock()
        while self._unsent:
            unsent, self._unsent = self._unsent, []
            for connection in unsent:
                too_slow = connection.flush(now)
                if too_slow is not None:
                    connection.drop()
                    self.happens(Disconnected(connection.number, too_slow))

    def _timer_fired(self, timer: Timer) -> None:
        self._after_sending.pop(timer, None)
        self.happens(TimerFired(timer))

    # The effects.

    def _send(self, effect: Send) -> None:
        message = effect.message
        bare = self._table_writer.write(message) if type(message) is ChampionsList else encode(message)
        declared = b""
        for number in effect.to:
            connection = self._connections.get(number)
            if connection is None or connection.closing:
                continue  # lost in this very moment; the broker hears of it next
            if connection.declares:
                declared = declared or DECLARATION + bare
            if not connection.batch:
                if not self._unsent:
                    self._something_to_send.unpark()
                self._unsent.append(connection)
            connection.batch.append(declared if connection.declares else bare)
            if self._payloads_logged:
                self._log.debug("out", conn=number, document=bare.decode())

    def _admit(self, effect: Admit) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.framer.limits = self._limits_after

    def _close(self, effect: Close) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.close()

    def _start_timer(self, effect: StartTimer) -> None:
        timer, after = effect.timer, effect.after
        self._after_sending.pop(timer, None)
        connection = self._connections.get(after) if after is not None else None
        if connection is None or connection.closing:
            self.timers.start(timer, self._now + effect.seconds)
        else:
            # Who takes its bytes in trickles cannot keep the others waiting for ever.
            self.timers.start(timer, self._now + self.config.write_timeout_s + effect.seconds)
            self._after_sending[timer] = (connection, effect.seconds)
            connection.start_after_sending(timer)

    def _stop_timer(self, effect: StopTimer) -> None:
        self._after_sending.pop(effect.timer, None)
        self.timers.stop(effect.timer)

    def _record_result(self, effect: RecordResult) -> None:
        """Results are kept in the broker's tables; nothing is written to disk."""

    def _note(self, effect: Note) -> None:
        log = self._log.warning if effect.warning else self._log.info
        log(effect.event, **effect.fields)

    def _stop(self, _effect: Stopped) -> None:
        self.stopped.set()
