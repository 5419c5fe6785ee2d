"""The one door between what happens and what is decided.

``happens`` hands an event to the broker and carries out its effects, in order and without waiting, so that nothing
can come between. What is sent to a peer while all those run who were ready at the same time goes out together when
they have run: with many games at a time this is one system call for many messages.
"""

import math
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import structlog
import trio

from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Admit,
    Answer,
    Close,
    Effect,
    Note,
    Publish,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    Recording,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
    Send,
    StartTimer,
    Stopped,
    StopTimer,
    Subscribe,
    Unsubscribe,
)
from ugs.broker.events import (
    Asked,
    Connected,
    Disconnected,
    Event,
    Garbled,
    JournalBack,
    JournalLost,
    Misread,
    Received,
    ResultKept,
    Timer,
    TimerBegun,
    TimerFired,
    TimerKind,
)
from ugs.broker.questions import Question
from ugs.broker.record import EntryKind
from ugs.config import Config
from ugs.daemon.audience import Audience
from ugs.daemon.connection import Connection
from ugs.daemon.guests import Guests
from ugs.daemon.tablewriter import TableWriter
from ugs.daemon.timers import Timers
from ugs.daemon.transport import Transport
from ugs.gateway import Gateway
from ugs.journal.journal import Journal
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.framing import Framer, Limits, WireError
from ugs.wire.messages import ChampionsList, Message

MICRO = 1_000_000
MOST_UNWRITTEN = 64 * 1024 * 1024
"""Bytes that may wait to be written before the peers have to wait instead."""

REACHES_MASTER = frozenset({EntryKind.BEGIN, EntryKind.MOVE})
"""Entries after which the master has to act."""


SECRET = re.compile(r"""(<session\b[^>]*?\btoken\s*=\s*|<seed\b[^>]*?\bvalue\s*=\s*)("[^"]*"|'[^']*')""")
"""Tokens and seeds, as they stand in a document."""


def without_secrets(document: bytes) -> str:
    """A document as it may be read in the log: whoever reads a token there could take a player's seat, and whoever
    reads a seed knows all cards."""
    return SECRET.sub(r'\1"…"', document.decode("utf-8", "replace"))


def wall_offset_us(now: float) -> int:
    """Microseconds from our clock, which shows ``now``, to the one on the wall."""
    return time.time_ns() // 1000 - int(now * MICRO)


def strict_check() -> Callable[[bytes], None]:
    """The check of the strict validation; loading the XML schemas takes longer than all else at the start."""
    from ugs.wire.schema import MessageSchemas

    return MessageSchemas().check


class Driver:
    """Runs one broker over its connections and timers. ``tasks`` is the nursery of everything it starts; without a
    ``journal`` nothing is written down, and every result is as good as kept."""

    def __init__(self, config: Config, broker: Broker, tasks: trio.Nursery, journal: Journal | None = None) -> None:
        self.config = config
        self.tasks = tasks
        self.timers = Timers(self._timer_fired)
        self.stopped = trio.Event()
        self._nobody_left = trio.Event()
        self._broker = broker
        self._check = strict_check() if config.validation == "strict" else None
        self._connections: dict[int, Connection] = {}
        self.guests = Guests()
        self._numbers = 0
        self._deciding = False
        self._said: deque[Event] = deque()
        """What gateways have let happen while something else was being carried out."""
        self._clock = trio.lowlevel.current_clock().current_time
        self._now = 0.0
        self._unsent: list[Connection] = []
        self._something_to_send = trio.lowlevel.ParkingLot()
        self._after_sending: dict[Timer, tuple[Connection, float, bool]] = {}
        """Timers that count from when a peer has been handed what was sent to it: the peer, their seconds, and whether
        the broker wants to know the moment."""
        self._audience = Audience(
            self._connections,
            self._write_published,
            lambda: self._now,
            self._lose_spectator,
            config.max_watch_backlog_bytes,
        )
        self._watched = False
        """Whether anybody has ever watched anything."""
        self._journal = journal
        self._unwritten = False
        """Whether something was recorded since the journal was last told to write."""
        self._kept: list[str] = []
        """Results that need not wait for any disk."""
        self._handed: dict[str, int] = {}
        """For each running game when whoever has to act was handed the reason to, in microseconds."""
        self._wall_offset = 0
        """Microseconds from our clock to the one on the wall, looked up anew when a second has gone by."""
        self._wall_read_at = -math.inf
        self._handed_next: list[str] = []
        """Games whose master gets something with the next flush."""
        self._answers: dict[int, Mapping[str, object]] = {}
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
            RecordEntry: self._record_entry,
            RecordResult: self._record_result,
            RecordBegin: self._record,
            RecordLogin: self._record,
            RecordLogout: self._record,
            RecordSession: self._record,
            RecordSessionOver: self._record,
            RecordChampionship: self._record,
            Subscribe: self._subscribe,
            Unsubscribe: self._unsubscribe,
            Publish: self._publish,
            Answer: self._answer,
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

    def welcome(self, gateway: Gateway, address: str) -> int:
        """A player comes for whom ``gateway`` speaks; its number."""
        self._numbers += 1
        self.guests[self._numbers] = gateway
        self.said(Connected(self._numbers, address, by_gateway=True))
        return self._numbers

    def said(self, event: Event) -> None:
        """Let happen what a gateway wants: at once, or right after what is being carried out."""
        if self._deciding:
            self._said.append(event)
        else:
            self.happens(event)

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
                    self._log.debug("in", conn=number, document=without_secrets(document.raw))
                try:
                    if self._check is not None:
                        self._check(document.raw)
                    event: Event = Received(number, decode(document.raw))
                except WrongMessage as wrong:
                    event = Misread(number, str(wrong), wrong.kind, wrong.ref)
                self._decide(event, now)
                if connection.closing:
                    break
        except WireError as error:
            self._decide(Garbled(number, str(error)), now)

    def happens(self, event: Event) -> None:
        """Let the broker decide about an event and carry out what it wants."""
        self._decide(event, self._clock())

    def ask(self, question: Question) -> Mapping[str, object]:
        """Ask the broker, or order it; its answer."""
        ticket = len(self._answers) + 1
        self._answers[ticket] = {"ok": False, "error": "the server is stopping"}
        self.happens(Asked(ticket, question))
        return self._answers.pop(ticket)

    def round_trip_us(self, number: int) -> int:
        """How long the network takes to this peer and back, in microseconds; 0 when that is not known."""
        connection = self._connections.get(number)
        return connection.transport.round_trip_us() if connection is not None and not connection.closing else 0

    def results_kept(self, game_ids: Iterable[str]) -> None:
        """The journal has these results for good."""
        for game_id in game_ids:
            self.happens(ResultKept(game_id))

    def journal_lost(self, reason: str) -> None:
        """The journal cannot be written. What was recorded before this moment and is not on file is forgotten."""
        if self._journal is not None:
            self._journal.accept_loss()
        self.happens(JournalLost(reason))

    def journal_back(self) -> None:
        """The journal can be written again."""
        self.happens(JournalBack())

    @property
    def behind(self) -> bool:
        """Whether the disk is so slow that nothing more should be read for now."""
        return self._journal is not None and self._journal.pending_bytes > MOST_UNWRITTEN

    def sent(self, connection: Connection, timers: Iterable[Timer], now: float) -> None:
        """All has been sent to this peer: timers that count from now begin, unless they were started or stopped
        in another way meanwhile."""
        for timer in timers:
            waiting = self._after_sending.get(timer)
            if waiting is not None and waiting[0] is connection:
                del self._after_sending[timer]
                self.timers.start(timer, now + waiting[1])
                if timer.kind is TimerKind.GAME:
                    self._handed[str(timer.subject)] = int(now * MICRO)
                if waiting[2]:
                    self._decide(TimerBegun(timer), now)

    async def send_out(self) -> None:
        """Send what was put into the outboxes, each time that all who were ready have run; for ever."""
        while True:
            if not self._unsent and not self._unwritten:
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
        self._audience.forget(connection.number)
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
        outermost, self._deciding = not self._deciding, True
        self._now = now
        if now - self._wall_read_at > 1:
            self._wall_read_at, self._wall_offset = now, wall_offset_us(now)
        perform = self._perform
        try:
            for effect in self._broker.handle(event, now):
                perform[type(effect)](effect)
            if self._unwritten and not self._unsent:
                self._something_to_send.unpark()
            while self._kept:
                self._decide(ResultKept(self._kept.pop(0)), now)
        except Exception:  # a bug of ours: it may cost the peer that met it, not a contest
            self._survive(event)
        if outermost:
            while self._said:
                self._decide(self._said.popleft(), self._clock())
            self._deciding = False

    def _survive(self, event: Event) -> None:
        """Something in here went wrong over this event: tell the log all about it, and drop the peer it came from."""
        number = getattr(event, "conn", 0)
        self._log.exception("bug in the server", during=type(event).__name__, conn=number)
        connection = self._connections.get(number)
        if connection is not None and not connection.closing:
            self.lose(connection, "bug in the server")
        elif number in self.guests:
            self.guests.hang_up(number)
            self.said(Disconnected(number, "bug in the server"))

    def _flush(self) -> None:
        now = self._clock()
        if self._unwritten and self._journal is not None:
            self._unwritten = False
            self._journal.flush()
        while self._unsent:
            unsent, self._unsent = self._unsent, []
            for connection in unsent:
                too_slow = connection.flush(now)
                if too_slow is not None:
                    connection.drop()
                    self.happens(Disconnected(connection.number, too_slow))
        if self._handed_next:
            self._handed.update(dict.fromkeys(self._handed_next, int(now * MICRO)))
            self._handed_next.clear()

    def _lose_spectator(self, connection: Connection, reason: str) -> None:
        self._log.warning("slow spectator", conn=connection.number, reason=reason)
        self.lose(connection, reason)

    def _timer_fired(self, timer: Timer) -> None:
        self._after_sending.pop(timer, None)
        self.happens(TimerFired(timer))

    # The effects.

    def _send(self, effect: Send) -> None:
        message = effect.message
        bare = declared = b""
        guests: list[int] = []
        watching = self._audience.subscriptions
        for number in effect.to:
            connection = self._connections.get(number)
            if connection is None or connection.closing:
                if connection is None and number in self.guests:
                    guests.append(number)
                continue  # else lost in this very moment; the broker hears of it next
            if not bare:
                bare = self._table_writer.write(message) if type(message) is ChampionsList else encode(message)
            if connection.declares:
                declared = declared or DECLARATION + bare
            if not connection.batch:
                if not self._unsent:
                    self._something_to_send.unpark()
                self._unsent.append(connection)
            if number in watching:
                self._audience.catch_up(connection)
            connection.batch.append(declared if connection.declares else bare)
            if self._payloads_logged:
                self._log.debug("out", conn=number, document=without_secrets(bare))
        if guests:
            if self._payloads_logged:
                self._log.debug("out", conn=guests, document=without_secrets(bare or encode(message)))
            self.guests.deliver(guests, message)

    def _admit(self, effect: Admit) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.framer.limits = self._limits_after

    def _close(self, effect: Close) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.close()
        elif effect.conn in self.guests:
            self.guests.hang_up(effect.conn)

    def _start_timer(self, effect: StartTimer) -> None:
        timer, after = effect.timer, effect.after
        self._after_sending.pop(timer, None)
        connection = self._connections.get(after) if after is not None else None
        if connection is None or connection.closing or connection.all_sent:
            self.timers.start(timer, self._now + effect.seconds)
        else:
            # Who takes its bytes in trickles cannot keep the others waiting for ever.
            self.timers.start(timer, self._now + self.config.write_timeout_s + effect.seconds)
            self._after_sending[timer] = (connection, effect.seconds, effect.report)
            connection.start_after_sending(timer)

    def _stop_timer(self, effect: StopTimer) -> None:
        self._after_sending.pop(effect.timer, None)
        self.timers.stop(effect.timer)

    def _subscribe(self, effect: Subscribe) -> None:
        if not self._watched:
            self._watched = True
            self.tasks.start_soon(self._audience.run)
        self._audience.subscribe(effect.conn, effect.channel)

    def _unsubscribe(self, effect: Unsubscribe) -> None:
        if effect.conn is None:
            self._audience.close(effect.channel)
        else:
            self._audience.unsubscribe(effect.channel, effect.conn)

    def _publish(self, effect: Publish) -> None:
        self._audience.publish(effect.channel, effect.message)

    def _write_published(self, message: Message) -> bytes:
        try:
            document = encode(message)
        except ValueError:  # a bug of ours: it may cost spectators an event, not a contest
            self._log.exception("bug in the server", during="publishing", message=message.TYPE)
            return b""
        if self._payloads_logged:
            self._log.debug("out", conn="spectators", document=document.decode())
        return document

    def _record_entry(self, effect: RecordEntry) -> None:
        journal = self._journal
        if journal is None:
            return
        self._unwritten = True
        handed = self._handed.pop(effect.game_id, 0)
        mono = int(self._now * MICRO)
        journal.entry(effect, mono + self._wall_offset, mono, handed)
        if effect.kind in REACHES_MASTER:
            self._handed_next.append(effect.game_id)

    def _record_result(self, effect: RecordResult) -> None:
        result = effect.result
        if self._journal is None:
            if not result.verdict.void:
                self._kept.append(result.game_id)
            return
        self._unwritten = True
        round_trips = tuple([self.round_trip_us(number) for number in effect.conns])
        mono = int(self._now * MICRO)
        self._journal.record(effect, mono + self._wall_offset, mono, round_trips_us=round_trips)
        self._handed.pop(result.game_id, None)

    def _record(self, effect: Recording) -> None:
        if self._journal is not None:
            self._unwritten = True
            mono = int(self._now * MICRO)
            self._journal.record(effect, mono + self._wall_offset, mono)

    def _answer(self, effect: Answer) -> None:
        self._answers[effect.ticket] = effect.answer

    def _note(self, effect: Note) -> None:
        log = self._log.warning if effect.warning else self._log.info
        log(effect.event, **effect.fields)

    def _stop(self, _effect: Stopped) -> None:
        self.stopped.set()
