"""From bytes to events: what a peer sends is cut into documents, decoded, and passed to the broker in order."""

from collections.abc import Callable, Container
from time import perf_counter
from typing import Final, Protocol

import trio

from ugs.broker.events import Flooded, Garbled, Misread, Received
from ugs.config import Config
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.document_deadline import Unfinished
from ugs.daemon.connections.forwarded_document import InHand
from ugs.daemon.connections.payload_log import payload_log, without_secrets
from ugs.daemon.driver import Driver
from ugs.daemon.fairness.fair_queue import SHARE
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.watchdog import HOLD_S, Watchdog
from ugs.daemon.memory.growth import GrowthRoom
from ugs.daemon.processes.supervision import Tasks
from ugs.wire.codec import WrongMessage, decode_sent
from ugs.wire.extensions import Hello, Resume, Watch
from ugs.wire.framing import WireError
from ugs.wire.messages import GameMasterLogin, Message, PlayerLogin

UNFINISHED, REFUSED, MISREAD = "unfinished document", "no XML", "no message"
"""What the log has instead of the type of a message."""


ROUTED: Final = frozenset({Hello, PlayerLogin, GameMasterLogin, Resume, Watch})
"""What a peer sends before it is in a game, or looks on."""


class LoginRouter(Protocol):
    """Knows which peers are for another server."""

    def takes(self, connection: Connection, message: Message, raw: bytes, rest: Callable[[], bytes], /) -> bool:
        """Whether a peer that sends this message, one of :data:`ROUTED`, is for another server: it is passed on then,
        with ``raw``, which is its document, and the ``rest`` of what it has sent."""
        ...


def strict_check() -> Callable[[bytes], None]:
    """What holds a document against the XML schemas and raises WrongMessage. Only a server with
    ``validation = "strict"`` waits for the schemas to load."""
    from ugs.wire.schema import MessageSchemas

    return MessageSchemas().check


class Intake:
    """Reads what all peers of one server send.

    ``watchdog`` gets the documents that took long, ``rates`` knows when a peer's messages have to be counted,
    ``unheard`` gives how many bytes of a connection wait to be read, ``tasks`` is the nursery of a task that looks for
    documents that do not end, ``room`` counts the bytes of those. ``lists`` are the requests that only ask for
    something: a peer that has gone does not get them answered. ``in_hand`` holds the document being handled. ``router``
    knows which peers are for another server.
    """

    def __init__(
        self,
        config: Config,
        driver: Driver,
        watchdog: Watchdog,
        rates: Rates,
        unheard: Callable[[int], int],
        tasks: Tasks,
        lists: Container[type[Message]],
        room: GrowthRoom,
        in_hand: InHand,
        router: LoginRouter | None = None,
    ) -> None:
        self.documents = self.bytes = 0
        """Bytes that all peers have ever sent."""
        self._unheard = unheard
        self._lists = lists
        self._room = room
        self._in_hand = in_hand
        self._router = router
        self._rates = rates
        self._unfinished = Unfinished(config.document_timeout_s, tasks, self._expired)
        self._document_timeout_s = config.document_timeout_s
        self._watchdog = watchdog
        self._decide = driver.decide
        self._check = strict_check() if config.validation == "strict" else None
        self._always_declares = config.xml_declaration == "always"
        self._payloads = payload_log(config)
        self._clock = trio.lowlevel.current_clock().current_time
        self._broker_clock = driver.clock

    def received(self, connection: Connection, data: bytes, begun: float) -> float:
        """Pass each document that ends in these bytes to the broker, as far as the peer's share allows and until the
        broker closes the connection.

        ``begun`` is the moment (``perf_counter``) when the peer's turn began; returns the moment when it ended, and
        sets ``connection.leftover`` and ``connection.pause_s``. Raises nothing: a document with a mistake becomes a
        Misread event, bytes that are no document a Garbled one.
        """
        connection.leftover = False
        documents, size, moment, until = 0, 0, begun, begun + SHARE.seconds
        message = UNFINISHED
        number, outbox, framer = connection.number, connection.outbox, connection.framer
        payloads, check, in_hand, router = self._payloads, self._check, self._in_hand, self._router
        now = self._clock()
        at = self._broker_clock.at(now)
        try:
            for document in framer.feed(data):
                if connection.unheard:
                    # Mirrored: old peers go deaf when two documents with declarations arrive in one segment (D1).
                    connection.unheard = False
                    connection.declares = document.declared or self._always_declares
                if payloads is not None:
                    payloads.debug("in", conn=number, document=without_secrets(document.raw))
                try:
                    event: Received | Misread = Received(number, document.message or decode_sent(document.raw))
                    if check is not None:  # the more expensive of the two comes last
                        check(document.raw)
                except WrongMessage as wrong:
                    event = Misread(number, str(wrong), wrong.kind, wrong.ref)
                if (
                    router is not None
                    and type(event) is Received
                    and type(event.message) in ROUTED
                    and router.takes(connection, event.message, document.raw, framer.take_rest)
                ):
                    documents += 1
                    break
                in_hand.message, in_hand.raw = document.message, document.raw
                # A question of a peer that has gone needs no answer; its move still counts.
                if not outbox.gone or self._matters(event):
                    self._decide(event, at)
                ended = perf_counter()
                if ended - moment > HOLD_S:
                    self._hold(connection, event, ended - moment)
                moment = ended
                documents += 1
                if connection.closing:
                    break
                size += len(document.raw)
                if documents >= SHARE.documents or size >= SHARE.bytes or moment > until:
                    connection.leftover = framer.pending > 0
                    break
        except WireError as error:
            refused = f"document refused at byte {error.offset}: {error.reason}"
            self._decide(Garbled(number, refused, error.excerpt, error.around), at)
            message = REFUSED
        # A long document is read a step at a time, and its next step waits for the next turn.
        if framer.paused:
            connection.leftover = True
        # Nothing of a document is kept once it has been handled: a silent peer holds no memory.
        in_hand.message, in_hand.raw = None, b""
        if connection.unfinished or framer.pending:
            # Only what cannot be handled yet counts: complete documents leave the memory at once.
            self._room.take(len(data))
            self._look_for_end(connection, documents, now)
        meter = connection.meter
        meter.messages += documents
        meter.received += len(data)
        self.documents += documents
        self.bytes += len(data)
        rates = self._rates
        if meter.messages >= rates.messages_together or meter.received >= rates.bytes_together:
            self._count(connection, now)
        ended = perf_counter()
        if ended - moment > HOLD_S:
            self._watchdog.held(number, connection.transport.address, message, ended - moment)
        return ended

    def forget(self, connection: Connection) -> None:
        """This connection has ended."""
        self._unfinished.over(connection)

    def _look_for_end(self, connection: Connection, documents: int, now: float) -> None:
        """There is the beginning of a document, or was when bytes last came."""
        # A document has ended, or the server did not read on: what has begun since has all of its time.
        if documents or connection.leftover:
            self._unfinished.over(connection)
        connection.unfinished = connection.framer.pending > 0 and not connection.leftover
        if connection.unfinished:
            self._unfinished.begun(connection, now)

    def _expired(self, connection: Connection) -> None:
        if self._unheard(connection.number):  # the rest may have come: the disk is behind, or the peer has to wait
            self._unfinished.begun(connection, self._clock())
        elif not connection.closing:
            reason = f"document refused: it has not ended within {self._document_timeout_s:g} s"
            self._decide(Garbled(connection.number, reason), self._broker_clock.now())

    def _count(self, connection: Connection, now: float) -> None:
        """Enough has come to be counted: a peer that sends too much is warned once, then slowed down, then closed."""
        overrun = connection.meter.judge(now)
        if overrun is None or connection.closing:
            return
        self._rates.overruns += 1
        # The pause is what keeps the rate; the warning is for people.
        connection.pause_s = overrun.wait_s
        if overrun.last:
            self._decide(Flooded(connection.number, overrun.text), self._broker_clock.now())
        elif overrun.first:
            self._decide(Misread(connection.number, overrun.text), self._broker_clock.now())

    def _matters(self, event: Received | Misread) -> bool:
        """Whether something that a peer sent before it went has to be handled: a move counts, a question does not."""
        return isinstance(event, Received) and type(event.message) not in self._lists

    def _hold(self, connection: Connection, event: Received | Misread, wall_s: float) -> None:
        message = event.message.TYPE if isinstance(event, Received) else event.kind or MISREAD
        self._watchdog.held(connection.number, connection.transport.address, message, wall_s)
