"""From messages to bytes: what the broker sends is written once and put into the batches of those who get it.

Batches go out after each pass over the readable sockets; those of other tasks when all that were ready at the same time
have run. With many games at a time this is one system call for many messages. What was recorded reaches the journal
first, so a killed server remembers every move that it has sent on.
"""

from collections.abc import Mapping

import trio

from ugs.broker.effects import Send
from ugs.config import Config
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.forwarded_document import InHand
from ugs.daemon.connections.gateway_players import GatewayPlayers
from ugs.daemon.connections.payload_log import payload_log, without_secrets
from ugs.daemon.connections.standings_writer import StandingsWriter
from ugs.daemon.journal.recorder import Recorder
from ugs.daemon.memory.shedding import Shedding
from ugs.daemon.watch.spectators import Spectators
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import Invitation, Said
from ugs.wire.messages import ChampionsList, Message

FROM_OTHERS: frozenset[type[Message]] = frozenset({ChampionsList, Invitation, Said})
"""What peers are sent unasked and do not need for their game. A peer that is far behind with reading does without, so
that no other peer can crowd its line with it."""


class Deliveries:
    """Sends to the peers of one server. ``in_hand`` is what is being handled: messages that are handed on need not be
    written again. ``work`` is where :meth:`run` waits; the recorder unparks it, too."""

    def __init__(
        self,
        config: Config,
        connections: Mapping[int, Connection],
        gateway_players: GatewayPlayers,
        spectators: Spectators,
        recorder: Recorder,
        shedding: Shedding,
        in_hand: InHand,
        work: trio.lowlevel.ParkingLot,
    ) -> None:
        self._connections = connections
        self._gateway_players = gateway_players
        self._spectators = spectators
        self._recorder = recorder
        self._shedding = shedding
        self._in_hand = in_hand
        self._work = work
        self._unsent: list[Connection] = []
        """Connections with a batch."""
        self._standings_writer = StandingsWriter()
        self._clock = trio.lowlevel.current_clock().current_time
        self._payloads = payload_log(config)
        recorder.deliver = self.flush

    def send(self, effect: Send, _now: float) -> None:
        """Perform: put a message into the batches of ``effect.to``, and hand it to the gateways among them."""
        message = effect.message
        needless = type(message) in FROM_OTHERS
        bare = declared = b""
        through_gateways: list[int] = []
        connections, watching, payloads = self._connections, self._spectators.subscriptions, self._payloads
        for number in effect.to:
            connection = connections.get(number)
            if connection is None or connection.closing:
                if connection is None and number in self._gateway_players.gateways:
                    through_gateways.append(number)
                continue  # else lost in this very moment; the broker is notified next
            # Each of the two forms is written for the first receiver that needs it.
            if not bare and not declared:
                bare, declared = self._written(message)
            if connection.declares:
                document = declared = declared or DECLARATION + bare
            else:
                document = bare = bare or declared[len(DECLARATION) :]
            outbox = connection.outbox
            # Only what others cause is left out; what a game needs closes the line of a peer that does not read.
            if needless and outbox.spares():
                continue
            if not outbox.batch:
                if not self._unsent and not self._recorder.unwritten:  # else the task knows already
                    self._work.unpark()
                self._unsent.append(connection)
            too_much = self._spectators.catch_up(connection) if watching and number in watching else None
            too_much = too_much or outbox.put(document)
            if too_much is not None:
                connection.lose(too_much, unread=True)
                continue
            if payloads is not None:
                payloads.debug("out", conn=number, document=without_secrets(document))
        if through_gateways:
            if self._payloads is not None:
                self._payloads.debug("out", conn=through_gateways, document=without_secrets(encode(message)))
            self._gateway_players.deliver(through_gateways, message)

    def _written(self, message: Message) -> tuple[bytes, bytes]:
        """The document of a message without declaration, and with it; one of them may be missing."""
        if message is self._in_hand.message:
            raw = self._in_hand.raw
            return (b"", raw) if raw.startswith(DECLARATION) else (raw, b"")
        return self._standings_writer.write(message) if type(message) is ChampionsList else encode(message), b""

    def gather(self) -> None:
        """The caller is going to call :meth:`flush`, before any other task runs: the task need not."""
        self._recorder.unwritten = True

    async def run(self) -> None:
        """Write what was recorded and send the batches, each time that all tasks that were ready have run; for ever."""
        while True:
            if (not self._unsent and not self._recorder.unwritten) or self._recorder.holds():
                await self._work.park()
            self.flush()

    def flush(self) -> None:
        """Write what was recorded, then send the batches; later, if what was recorded must be on disk first."""
        now = self._clock()
        recorder = self._recorder
        if recorder.unwritten:
            # The journal comes first: a killed server must remember every move that a peer has seen.
            recorder.write()
        if not recorder.lets_go():
            return
        # Flushing may let a clock begin or lose a peer, so there can be more to send.
        while self._unsent:
            unsent, self._unsent = self._unsent, []
            for connection in unsent:
                too_slow = connection.outbox.flush(now)
                if too_slow is not None:
                    connection.lose(too_slow, unread=True)
        if recorder.to_master:
            recorder.masters_handed(now)
        self._shedding.shed()
