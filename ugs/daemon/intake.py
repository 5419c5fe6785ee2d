"""From bytes to events: what a peer sends is cut into documents, decoded, and told to the broker in order."""

from collections.abc import Callable
from time import perf_counter

import trio

from ugs.broker.events import Garbled, Misread, Received
from ugs.config import Config
from ugs.daemon.connection import Connection
from ugs.daemon.driver import Driver
from ugs.daemon.payload_log import payload_log, without_secrets
from ugs.daemon.shares import SHARE
from ugs.daemon.watchdog import HOLD_S, Watchdog
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.framing import WireError

UNFINISHED, REFUSED, MISREAD = "unfinished document", "no XML", "no message"
"""What the log says instead of the type of a message."""


def strict_check() -> Callable[[bytes], None]:
    """What holds a document against the XML schemas and raises WrongMessage. Only a server with
    ``validation = "strict"`` waits for the schemas to load."""
    from ugs.wire.schema import MessageSchemas

    return MessageSchemas().check


class Intake:
    """Reads what all peers of one server send. ``watchdog`` hears of documents that took long."""

    def __init__(self, config: Config, driver: Driver, watchdog: Watchdog) -> None:
        self._watchdog = watchdog
        self._decide = driver.decide
        self._check = strict_check() if config.validation == "strict" else None
        self._always_declares = config.xml_declaration == "always"
        self._payloads = payload_log(config)
        self._clock = trio.lowlevel.current_clock().current_time

    def received(self, connection: Connection, data: bytes, begun: float) -> float:
        """Tell the broker of each document that ends in these bytes, as far as the peer's share allows and until the
        broker closes the connection.

        ``begun`` is the moment (``perf_counter``) at which the peer's turn began; returns the moment at which it ended,
        and sets ``connection.leftover``. Raises nothing: a document with a mistake is told as Misread, bytes that
        are no document as Garbled.
        """
        connection.leftover = False
        documents, size, moment, until = 0, 0, begun, begun + SHARE.seconds
        message = UNFINISHED
        number = connection.number
        now = self._clock()
        try:
            for document in connection.framer.feed(data):
                if connection.unheard:
                    connection.unheard = False
                    connection.declares = document.declared or self._always_declares
                if self._payloads is not None:
                    self._payloads.debug("in", conn=number, document=without_secrets(document.raw))
                try:
                    if self._check is not None:
                        self._check(document.raw)
                    event: Received | Misread = Received(number, decode(document.raw))
                except WrongMessage as wrong:
                    event = Misread(number, str(wrong), wrong.kind, wrong.ref)
                self._decide(event, now)
                ended = perf_counter()
                if ended - moment > HOLD_S:
                    self._hold(connection, event, ended - moment)
                moment = ended
                if connection.closing:
                    break
                documents += 1
                size += len(document.raw)
                if documents >= SHARE.documents or size >= SHARE.bytes or moment > until:
                    connection.leftover = connection.framer.pending > 0
                    break
        except WireError as error:
            self._decide(Garbled(number, str(error)), now)
            message = REFUSED
        ended = perf_counter()
        if ended - moment > HOLD_S:
            self._watchdog.held(number, connection.transport.address, message, ended - moment)
        return ended

    def _hold(self, connection: Connection, event: Received | Misread, wall_s: float) -> None:
        message = event.message.TYPE if isinstance(event, Received) else event.kind or MISREAD
        self._watchdog.held(connection.number, connection.transport.address, message, wall_s)
