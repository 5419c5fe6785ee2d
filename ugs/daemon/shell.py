"""The parts of the shell put together, and the table of effects with the part that performs each."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import trio

from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Admit,
    Answer,
    AskWhy,
    ClaimNick,
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
    ReleaseNick,
    Send,
    StartTimer,
    Stopped,
    StopTimer,
    Subscribe,
    Unsubscribe,
)
from ugs.broker.events import ClockSet
from ugs.config import Config
from ugs.daemon.access import AccessFile
from ugs.daemon.clocks.timer_deferral import TimerDeferral
from ugs.daemon.clocks.timers_after_sending import TimersAfterSending
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.forwarded_document import InHand
from ugs.daemon.connections.gateway_players import GatewayPlayers
from ugs.daemon.connections.readers import Readers
from ugs.daemon.connections.reading import Reading
from ugs.daemon.connections.roster import Roster
from ugs.daemon.deliveries import Deliveries
from ugs.daemon.driver import Driver, Perform
from ugs.daemon.fairness.fairness import Fairness
from ugs.daemon.intake import Intake, LoginRouter
from ugs.daemon.journal.keeping import Keeping
from ugs.daemon.memory.growth import GrowthRoom
from ugs.daemon.memory.memory import Memory
from ugs.daemon.memory.shedding import Shedding
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.handshakes import Handshakes
from ugs.daemon.peers import Peers
from ugs.daemon.processes.pairing_draws import Draws
from ugs.daemon.processes.process import memory_bytes
from ugs.daemon.processes.supervision import Supervisor, Tasks
from ugs.daemon.proofs import Proofs
from ugs.daemon.questions import Questions
from ugs.daemon.status.cluster_status import ALONE, ClusterStatus
from ugs.daemon.status.figures import Parts, Status
from ugs.daemon.status.health import Health
from ugs.daemon.status.tally import Tally
from ugs.daemon.watch.spectators import Spectators

if TYPE_CHECKING:
    from ugs.journal.journal import Journal


class SharedNicks(Protocol):
    """Knows which nicks are in use at other servers."""

    def claim(self, effect: ClaimNick, now: float, /) -> None:
        """A nick is wanted here."""
        ...

    def release(self, effect: ReleaseNick, now: float, /) -> None:
        """A nick is free."""
        ...


class Shell:
    """One broker with its connections and timers, without listeners.

    ``tasks`` is where all is started that it starts. Without a ``journal`` nothing is written down, and every result is
    as good as kept. ``certificates`` are for ports that speak TLS. The caller runs ``deliveries.run``, ``reading.run``,
    ``memory.account.run`` and ``timers.run``; ``supervisor`` runs what the shell itself starts for as long as it lasts.
    ``router`` knows which peers are for another server, ``cluster`` what there is of those, ``nicks`` which
    nicks they use.
    """

    def __init__(
        self,
        config: Config,
        broker: Broker,
        tasks: Tasks,
        journal: "Journal | None" = None,
        certificates: Certificates | None = None,
        supervisor: Supervisor | None = None,
        router: LoginRouter | None = None,
        cluster: ClusterStatus = ALONE,
        nicks: SharedNicks | None = None,
    ) -> None:
        # Each part is given those above it.
        server = broker.server
        self.config, self.broker, self.tasks = config, broker, tasks
        self.driver = driver = Driver(broker)
        self.supervisor = supervisor or Supervisor()
        self.supervisor.ends = driver.halt
        self.wall = WallClock(clock=driver.clock)
        tally, work = Tally(), trio.lowlevel.ParkingLot()

        roster = Roster(server)
        gateway_players = GatewayPlayers(roster.numbers, driver)
        self.questions = Questions(driver, roster.connections)
        self.fairness = Fairness(config, roster.name_of)
        watchdog, rates = self.fairness.watchdog, self.fairness.rates
        self.keeping = Keeping(config, journal, driver, roster, tasks, self.wall, work, tally.measured)
        recorder = self.keeping.recorder

        unsent, room, in_hand, readers = Unsent(), GrowthRoom(), InHand(), Readers()
        # Half of the machine at most: what is counted is not all that the process takes.
        most_held = min(config.max_held_bytes, memory_bytes() // 2)
        shedding = Shedding(roster.connections, unsent, config, most_held)
        spectators = Spectators(config, driver, roster.connections, tasks, shedding, self.supervisor)
        intake = Intake(config, driver, watchdog, rates, readers.unheard, tasks, broker.lists, room, in_hand, router)
        self.deliveries = Deliveries(
            config, roster.connections, gateway_players, spectators, recorder, shedding, in_hand, work
        )
        self.reading = Reading(
            readers,
            intake.received,
            recorder.caught_up,
            watchdog,
            roster.standing_of,
            roster.way_of,
            unsent,
            self.deliveries,
            tasks,
        )
        handed_us = recorder.handed_us if journal is not None else None
        clocks = TimersAfterSending(
            driver, roster.connections, roster.name_of, handed_us, TimerDeferral(broker.awaited, readers)
        )
        self.timers = clocks.timers
        self.peers = Peers(
            config,
            tasks,
            driver,
            roster,
            gateway_players,
            spectators,
            unsent=unsent,
            reading=self.reading,
            intake=intake,
            rates=rates,
            timers=clocks,
        )
        self.handshakes = Handshakes(config.tls, certificates, self.reading.guest, rates, watchdog)
        self.proofs = Proofs(self.keeping.place, server.entry.identities, driver.happens_next, tasks, driver.clock.now)
        self.access_file = AccessFile(Path(config.access_file) if config.access_file else None, driver.happens_next)
        self.memory = Memory(
            server,
            driver.happens,
            roster,
            received_bytes=lambda: intake.bytes,
            unsent=unsent,
            journal_bytes=self.keeping.pending_bytes,
            channel_bytes=spectators.waiting_bytes,
            tls_lines=lambda: self.handshakes.lines,
            shedding=shedding,
            room=room,
        )
        parts = Parts(
            config=config,
            account=self.memory.account,
            shedding=shedding,
            unsent=unsent,
            watchdog=watchdog,
            recorder=recorder,
            timers=self.timers,
            rates=rates,
            server=server,
            tally=tally,
            intake=intake,
            health=Health(server, recorder, config.data_dir if journal is not None else "", cluster=cluster),
            handshakes=self.handshakes,
            supervisor=self.supervisor,
            cluster=cluster,
        )
        self.status = Status(parts, self.questions.ask)
        driver.connect(self._performers(clocks, spectators, nicks), self.peers.blame)

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

    def _performers(self, clocks: TimersAfterSending, spectators: Spectators, nicks: SharedNicks | None) -> Perform:
        """The table: which part performs which effect."""
        tally, keeping = self.status.parts.tally, self.keeping
        recorder, pasts = keeping.recorder, keeping.pasts
        return {
            Send: self.deliveries.send,
            Admit: self.peers.admit,
            Close: self.peers.close,
            StartTimer: clocks.start,
            StopTimer: clocks.stop,
            RecordEntry: recorder.entry if keeping.has_journal else None,
            RecordResult: _both(tally.ended, _each(pasts.over, _each(clocks.over, recorder.result))),
            RecordBegin: recorder.record,
            RecordLogin: _both(tally.logged_in, recorder.record),
            RecordLogout: recorder.record,
            RecordSession: recorder.session,
            RecordSessionOver: recorder.record,
            RecordChampionship: recorder.record,
            RecordAct: recorder.record,
            Subscribe: spectators.subscribe,
            Unsubscribe: spectators.unsubscribe,
            Publish: spectators.publish,
            Answer: self.questions.answer,
            Draw: Draws(self.driver.happens_next, self.tasks).draw,
            Prove: self.proofs.prove,
            ClaimNick: nicks.claim if nicks is not None else None,
            ReleaseNick: nicks.release if nicks is not None else None,
            AskWhy: keeping.accounts.explain,
            KeepPast: pasts.keep,
            Recall: pasts.recall,
            Note: _both(tally.noted, self.driver.note),
            Stopped: self.driver.stop,
        }


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
