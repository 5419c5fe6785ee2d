"""One peer: reading what it sends, and its end. What it is sent waits in its
:class:`ugs.daemon.connections.outbox.Outbox`.

When the server closes a connection, it shuts its own side and goes on reading, and throwing away, for a moment: closing
with unread bytes would make the network throw away the server's last words instead.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

import trio

from ugs.address import origin_of
from ugs.broker.events import Timer
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.outbox import NO_MARK, Outbox, Patience
from ugs.daemon.fairness.rates import Meter
from ugs.daemon.network.transport import LINGER_S, Gone, Transport
from ugs.daemon.processes.supervision import Tasks
from ugs.wire.framing import Framer

Heir: TypeAlias = Callable[[Transport], Awaitable[None]]
"""What takes a peer over from the broker, and closes its transport in the end."""


class ConnectionHost(Protocol):
    """What a connection reports to the server and asks of it."""

    @property
    def tasks(self) -> Tasks:
        """Where the connection starts tasks of its own."""
        ...

    @property
    def patience(self) -> Patience:
        """How long the server waits for a peer that does not read."""
        ...

    @property
    def unsent(self) -> Unsent:
        """What waits for all peers together."""
        ...

    @property
    def closings(self) -> trio.Lock:
        """The turns that close transports, one in each pass of the loop."""
        ...

    async def read(self, connection: "Connection", /) -> None:
        """Read what the peer sends until it has closed its side. Raises :class:`ugs.daemon.network.transport.Gone`."""
        ...

    def handed(self, connection: "Connection", timers: Sequence[Timer], now: float, /) -> None:
        """The network has taken all that these timers waited for: they may start."""
        ...

    def lost(self, connection: "Connection", reason: str, /, *, unread: bool = False, bug: bool = False) -> None:
        """Nothing more comes from this peer; ``unread``: since it does not read what it is sent; ``bug``: since the
        server has one."""
        ...

    def ended(self, connection: "Connection", /) -> None:
        """The transport is closed, or passed on; a connection whose :meth:`lost` was not called follows with that."""
        ...

    async def pass_on(self, transport: Transport, heir: Heir, /) -> None:
        """The peer is no longer the broker's: let ``heir`` serve it to its end."""
        ...


class Succession:
    """A peer is passed on when it has an heir."""

    __slots__ = ("all_sent", "greeting", "heir")

    def __init__(self) -> None:
        self.greeting = b""
        """What the peer has sent as its greeting, where it may be passed on."""
        self.heir: Heir | None = None
        self.all_sent: trio.Event | None = None
        """There when the peer has been passed on; set when all that waited is sent."""


class Connection:
    """The shell's side of one connection. ``number`` is what the broker knows it by."""

    __slots__ = (
        "_all_received",
        "_host",
        "_scope",
        "_timers",
        "closing",
        "declares",
        "framer",
        "leftover",
        "meter",
        "number",
        "origin",
        "outbox",
        "pause_s",
        "succession",
        "thrown_away",
        "transport",
        "unfinished",
        "unheard",
    )

    def __init__(self, number: int, transport: Transport, framer: Framer, host: ConnectionHost, meter: Meter) -> None:
        self.number = number
        self.transport = transport
        self.origin = origin_of(transport.address)
        """What limits per address count."""
        self.framer = framer
        self.outbox = Outbox(
            transport, host.tasks, host.patience, host.unsent, self._emptied, self._stuck, self._passed
        )
        self.declares = True
        """Whether what the peer is sent begins with an XML declaration."""
        self.unheard = True
        """Whether no whole document has come yet."""
        self.closing = False
        """Whether the broker wants nothing more from the peer, or knows that nothing will come."""
        self.leftover = False
        """Whether the framer may hold whole documents that did not fit into the peer's share."""
        self.thrown_away = 0
        """Bytes that came while it was closing."""
        self.unfinished = False
        """Whether a document has begun to come and has not ended."""
        self.meter = meter
        self.pause_s = 0.0
        """Seconds before the peer may be read again, since it sent too much."""
        self._host = host
        self.succession = Succession()
        """Whether another one takes the peer over."""
        self._all_received = False
        self._timers: list[tuple[int, Timer]] = []
        """Timers, each with how many bytes the network has taken when it starts; the first to start first."""
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Read until the peer or the server has had enough; leaves the transport closed."""
        reason = "closed by the peer"
        heir = None
        try:
            with self._scope:
                await self._host.read(self)
                if self.succession.all_sent is None:
                    self._leave(reason)
                    await self._answers_sent()
                else:
                    await self.succession.all_sent.wait()
            heir = self.succession.heir
        except Gone as gone:
            reason = f"connection lost: {gone}"
        finally:
            if heir is None:
                await self._end(reason)
        if heir is not None:
            self._host.ended(self)
            self.outbox.forget()
            await self._host.pass_on(self.transport, heir)

    async def _end(self, reason: str) -> None:
        """Let go of the transport, and report that the peer has gone."""
        try:
            # Closing a socket takes the system 0.2 ms: of a thousand that hang up at once, one goes in each pass of
            # the loop, and moves of others pass between them.
            # Shielded: where this is cancelled at the lock, the socket would stay open.
            with trio.CancelScope(shield=True):
                async with self._host.closings:
                    pass
            await self.transport.aclose()
        finally:
            self._host.ended(self)
            self._leave(reason)
            self.outbox.forget()

    @property
    def held_bytes(self) -> int:
        """Bytes that the server keeps of what the peer has sent and was sent."""
        return self.framer.pending + self.outbox.held_bytes

    def round_trip_us(self) -> int:
        """Microseconds that the network takes to this peer and back; 0 when that is not known."""
        return 0 if self.closing else self.transport.round_trip_us()

    def start_after_sending(self, timer: Timer) -> None:
        """Call :meth:`ConnectionHost.handed` with this timer when the network has taken all that waits now."""
        outbox, timers = self.outbox, self._timers
        if timers:  # mostly there is none: the network takes messages at once
            timers = self._timers = [pair for pair in timers if pair[1] != timer]
        timers.append((outbox.taken_bytes + outbox.waiting_bytes, timer))
        outbox.mark = timers[0][0]

    def close(self) -> None:
        """Send what waits, signal the end of the stream to the peer, and let go of it soon."""
        self.closing = self.outbox.watched = True
        if self.outbox.empty:
            self._emptied(trio.current_time())

    def pass_on(self, heir: Heir, reason: str) -> None:
        """Send what waits, and let ``heir`` have the peer; for the broker it has gone, for this ``reason``. Nothing
        that it has sent may be left to be read here."""
        self.succession.heir, self.succession.all_sent = heir, trio.Event()
        self.closing = self.outbox.watched = True
        self._host.lost(self, reason)
        if self.outbox.empty:
            self._emptied(trio.current_time())

    def lose(self, reason: str, *, unread: bool = False, bug: bool = False) -> None:
        """Drop the peer; ``unread``: since it does not read what it is sent; ``bug``: by a bug in the server."""
        self.drop()
        self._host.lost(self, reason, unread=unread, bug=bug)

    def drop(self) -> None:
        """Let go of the peer at once, with all that waits for it."""
        self.closing = True
        self.succession.heir = None
        self.outbox.clear()
        self._timers.clear()
        self._scope.cancel()

    def _leave(self, reason: str) -> None:
        if not self.closing:
            self.closing = self.outbox.watched = True
            self._host.lost(self, reason)

    def _stuck(self, reason: str, unread: bool) -> None:
        self.lose(reason, unread=unread, bug=not unread)

    def _emptied(self, now: float) -> None:
        self.outbox.watched = False
        if self.succession.all_sent is not None:
            self.succession.all_sent.set()
        elif self.closing:
            self._host.tasks.start_soon(self._send_end)

    def _passed(self, now: float) -> None:
        outbox, waiting = self.outbox, self._timers
        if len(waiting) == 1:  # nearly always; and then it is the one whose mark was passed
            timers = [waiting.pop()[1]]
        else:
            taken = outbox.taken_bytes
            timers = [timer for mark, timer in waiting if mark <= taken]
            del waiting[: len(timers)]
        outbox.mark = waiting[0][0] if waiting else NO_MARK
        # Last, since the broker may react by closing the connection or sending it something.
        self._host.handed(self, timers, now)

    async def _send_end(self) -> None:
        try:
            await self.transport.send_eof()
        finally:
            # When all has been received, no unread byte can make the network drop the last words.
            self._scope.deadline = trio.current_time() + (0 if self._all_received else LINGER_S)

    async def _answers_sent(self) -> None:
        """The peer has closed its side, and may still read the answers to what it sent before."""
        self._all_received = True
        if not self.outbox.empty:
            self._scope.deadline = trio.current_time() + LINGER_S
            await trio.sleep_forever()
