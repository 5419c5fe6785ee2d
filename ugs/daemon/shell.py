"""The parts of the shell put together, and the table that says which part performs which effect."""

from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trio

from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Admit,
    Answer,
    AskWhy,
    Close,
    Draw,
    KeepPast,
    Note,
    Prove,
    Publish,
    Recall,
    RecordAct,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
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
from ugs.broker.events import ClockSet
from ugs.broker.state.model import Master, Player
from ugs.config import Config
from ugs.daemon.access import AccessFile
from ugs.daemon.clocks.timer_deferral import HeardOut
from ugs.daemon.clocks.timers_after_sending import TimersAfterSending
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.forwarded_document import InHand
from ugs.daemon.connections.gateway_players import GatewayPlayers
from ugs.daemon.connections.outbox import Outbox, Unsent
from ugs.daemon.connections.reading import Reading
from ugs.daemon.deliveries import Deliveries
from ugs.daemon.driver import Driver, Perform
from ugs.daemon.fairness.fair_queue import Standing
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.watchdog import Watchdog
from ugs.daemon.intake import Intake
from ugs.daemon.journal.pasts import Pasts, Store
from ugs.daemon.journal.recorder import Recorder
from ugs.daemon.journal.why import Accounts
from ugs.daemon.memory.growth import Growth, Room
from ugs.daemon.memory.holders import Holders
from ugs.daemon.memory.memory_account import RECORD_BYTES, Account, Place
from ugs.daemon.memory.shedding import Shedding
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.handshakes import Handshakes
from ugs.daemon.peers import Peers
from ugs.daemon.processes.draws import Draws
from ugs.daemon.processes.process import memory_bytes
from ugs.daemon.processes.supervision import Supervisor, Tasks
from ugs.daemon.proofs import Proofs
from ugs.daemon.questions import Questions
from ugs.daemon.status.figures import Parts, Status
from ugs.daemon.status.health import Health
from ugs.daemon.status.tally import Tally
from ugs.daemon.watch.spectators import Spectators

if TYPE_CHECKING:
    from ugs.journal.journal import Journal


class Shell:
    """One broker with its connections and timers, without listeners.

    ``tasks`` is where all is started that it starts. Without a ``journal`` nothing is written down, and every result is
    as good as kept. ``certificates`` are for ports that speak TLS. The caller runs ``deliveries.run``, ``reading.run``,
    ``account.run`` and ``timers.run``; ``supervisor`` runs what the shell itself starts for as long as it lasts.
    """

    def __init__(
        self,
        config: Config,
        broker: Broker,
        tasks: Tasks,
        journal: "Journal | None" = None,
        certificates: Certificates | None = None,
        supervisor: Supervisor | None = None,
    ) -> None:
        connections: dict[int, Connection] = {}
        numbers = count(1)
        work = trio.lowlevel.ParkingLot()
        self.config = config
        self.broker = broker
        self.tasks = tasks
        self.supervisor = supervisor or Supervisor()
        self.driver = driver = Driver(broker)
        self.supervisor.ends = driver.halt
        self.questions = Questions(driver, connections)
        self.gateway_players = GatewayPlayers(numbers, driver)
        self.tally = tally = Tally()
        self.wall = wall = WallClock()
        self.recorder = Recorder(journal, connections, driver.follows, work, tally.measured, wall)
        known = broker.desk.connections

        def name_of(number: int) -> str:
            """With which a connection has logged in."""
            return known[number].peer.name if number in known else ""

        self.watchdog = Watchdog(name_of)
        self.rates = rates = Rates(config)
        room, in_hand = Room(), InHand()
        self.intake = intake = Intake(
            config,
            driver,
            self.watchdog,
            rates,
            lambda number: reading.unheard(number),
            tasks,
            broker.lists,
            room,
            in_hand,
        )

        def standing_of(connection: Connection) -> Standing:
            """A master has the shares of all the players of its games: what it says is for them."""
            origin = connection.meter.origin
            peer = known[connection.number].peer if connection.number in known else None
            if isinstance(peer, Master):
                return Standing(origin, bool(peer.games), 1 + 2 * len(peer.games))
            return Standing(origin, isinstance(peer, Player) and peer.game is not None)

        def way_of(connection: Connection) -> Outbox | None:
            """What a player says in its game is for the master."""
            peer = known[connection.number].peer if connection.number in known else None
            if not isinstance(peer, Player) or peer.game is None or peer.game.master.conn not in connections:
                return None
            return connections[peer.game.master.conn].outbox

        unsent = Unsent()
        most_held = min(config.max_held_bytes, memory_bytes() // 2)
        shedding = Shedding(connections, unsent, config, most_held)
        spectators = Spectators(config, driver, connections, tasks, shedding, self.supervisor)
        self.deliveries = Deliveries(
            config, connections, self.gateway_players, spectators, self.recorder, shedding, in_hand, work
        )
        self.reading = reading = Reading(
            intake.received,
            self.recorder.caught_up,
            self.watchdog,
            standing_of,
            way_of,
            unsent,
            self.deliveries,
            tasks,
        )
        heard_out = HeardOut(broker.awaited, reading)
        handed_us = self.recorder.handed_us if journal is not None else None
        clocks = TimersAfterSending(driver, connections, name_of, handed_us, heard_out)
        self.timers = clocks.timers
        self.peers = Peers(
            config,
            tasks,
            driver,
            connections,
            numbers,
            self.gateway_players,
            spectators,
            unsent=unsent,
            reading=self.reading,
            intake=intake,
            rates=rates,
            timers=clocks,
        )
        self.holders = Holders(
            broker.desk,
            driver.happens,
            connections.values,
            lambda connection: standing_of(connection).weight,
            lambda: self.recorder.pending_bytes + self.pasts.pending_bytes,
            spectators.waiting_bytes,
            lambda: self.handshakes.lines,
        )
        self.handshakes = Handshakes(config.tls, certificates, reading.guest, rates, self.watchdog)

        def line_bytes() -> int:
            """What connections take by themselves."""
            tls = self.handshakes.lines * RECORD_BYTES[Place.TLS]
            return len(connections) * RECORD_BYTES[Place.CONNECTIONS] + tls

        self.account = Account(
            self.holders.parts(),
            shedding.judge,
            Growth(lambda: intake.bytes, lambda: unsent.bytes, line_bytes, lambda: self.holders.has_clients),
            room,
        )
        self.health = Health(broker.desk, self.recorder, config.data_dir if journal is not None else "")
        self.parts = Parts(
            config,
            self.account,
            shedding,
            unsent,
            self.watchdog,
            self.recorder,
            self.timers,
            rates,
            broker.desk,
            tally,
            intake,
            self.health,
            self.handshakes,
            self.supervisor,
        )
        self.status = Status(self.parts, self.questions.ask)
        directory = Path(config.data_dir) if journal is not None and config.data_dir else None
        self.proofs = Proofs(directory, broker.desk.identities, driver.happens_next, tasks)
        self.access_file = AccessFile(Path(config.access_file) if config.access_file else None, driver.happens_next)
        self.pasts = pasts = Pasts(partial(_store, config, directory), driver.happens_next, tasks)
        perform: Perform = {
            Send: self.deliveries.send,
            Admit: self.peers.admit,
            Close: self.peers.close,
            StartTimer: clocks.start,
            StopTimer: clocks.stop,
            RecordEntry: self.recorder.entry if journal is not None else None,
            RecordResult: _both(tally.ended, _each(pasts.over, _each(clocks.over, self.recorder.result))),
            RecordBegin: self.recorder.record,
            RecordLogin: _both(tally.logged_in, self.recorder.record),
            RecordLogout: self.recorder.record,
            RecordSession: self.recorder.session,
            RecordSessionOver: self.recorder.record,
            RecordChampionship: self.recorder.record,
            RecordAct: self.recorder.record,
            Subscribe: spectators.subscribe,
            Unsubscribe: spectators.unsubscribe,
            Publish: spectators.publish,
            Answer: self.questions.answer,
            Draw: Draws(driver.happens_next, tasks).draw,
            Prove: self.proofs.prove,
            AskWhy: Accounts(directory, driver.happens_next, tasks, wall).explain,
            KeepPast: pasts.keep,
            Recall: pasts.recall,
            Note: _both(tally.noted, driver.note),
            Stopped: driver.stop,
        }
        driver.connect(perform, self.peers.blame)

    def clock_set(self, date_s: float) -> None:
        """The clock on the wall was set, and shows ``date_s`` seconds since 1970."""
        self.driver.happens(ClockSet(date_s))
        self.access_file.read()

    def read_again(self) -> str:
        """Read what organisers may have changed: the list of tokens, the certificate, and who may come in. Returns what
        is wrong with the latter two; empty when all is well."""
        self.proofs.read_soon()
        certificates = self.handshakes.certificates
        wrong = [self.access_file.read(), certificates.read_again() if certificates is not None else ""]
        return "; ".join(filter(None, wrong))


def _store(config: Config, directory: Path | None) -> Store:
    """Where the past of running games is kept: in the journal of this directory, or else in a temporary file."""
    if directory is not None:
        from ugs.journal.recalling import JournalPast

        return JournalPast(directory)
    from ugs.journal.temporary import TemporaryPast  # a server of short games does not wait for this to load

    return TemporaryPast(config.max_past_bytes)


def _each(first: Callable[[Any, float], None], second: Callable[[Any, float], None]) -> Callable[[Any, float], None]:
    """Perform an effect in two parts."""

    def performed(effect: Any, now: float) -> None:
        first(effect, now)
        second(effect, now)

    return performed


def _both(count: Callable[[Any], None], perform: Callable[[Any, float], None]) -> Callable[[Any, float], None]:
    """Count an effect, and perform it."""

    def performed(effect: Any, now: float) -> None:
        count(effect)
        perform(effect, now)

    return performed
