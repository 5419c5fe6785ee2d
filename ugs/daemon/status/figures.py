"""What a running server is doing, as data with names.

:data:`FIGURES` is the one table of all numbers; ``ugs why --server`` shows it. What depends on how many peers there are
comes from the latest look of :mod:`ugs.daemon.memory.memory_account`, so an answer takes the same short time however
many there are, and is as old as that look.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from heapq import nlargest
from typing import Literal, NamedTuple, TypeAlias

import trio

from ugs import __version__
from ugs.broker.events import Timer
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.node_overview import NodeCounts
from ugs.broker.values.questions import Question, ServerAsked
from ugs.broker.verdict import Cause
from ugs.broker.views.whole import counts_of
from ugs.config import Config
from ugs.daemon.clocks.timers import Timers
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.watchdog import Watchdog
from ugs.daemon.intake import Intake
from ugs.daemon.journal.recorder import MAX_UNWRITTEN_BYTES, Recorder
from ugs.daemon.memory.memory_account import HEAVIEST, Holding, MemoryAccount, MemoryPlace
from ugs.daemon.memory.shedding import Shedding
from ugs.daemon.network.handshakes import Handshakes
from ugs.daemon.processes.process import open_files, peak_bytes, resident_bytes
from ugs.daemon.processes.supervision import Supervisor
from ugs.daemon.status.cluster_status import ClusterStatus
from ugs.daemon.status.health import Health
from ugs.daemon.status.tally import Tally
from ugs.value import value

Number: TypeAlias = int | float
Answer: TypeAlias = Mapping[str, object]


@value
class Parts:
    """The parts of a server that figures are reported of."""

    config: Config
    account: MemoryAccount
    shedding: Shedding
    unsent: Unsent
    watchdog: Watchdog
    recorder: Recorder
    timers: Timers[Timer]
    rates: Rates
    server: ServerState
    tally: Tally
    intake: Intake
    health: Health
    handshakes: Handshakes
    supervisor: Supervisor
    cluster: ClusterStatus


class Figure(NamedTuple):
    """A number, or one for each value of ``label``. The unit is in the name; a ``counter`` never falls while the server
    runs; a ``histogram`` has counts by their upper bound, and the ``sum`` of all. The values of a label are words of
    the source or of the settings, so no peer can make more of them. ``limit`` is what the number may be at most, where
    there is a limit."""

    name: str
    help: str
    read: Callable[[Parts], Number | Mapping[str, Number]]
    kind: Literal["gauge", "counter", "histogram"] = "gauge"
    label: str = ""
    limit: Callable[[Parts], Number | None] = lambda parts: None


OTHERS = "others"


def _by_type(parts: Parts, count: Callable[[GameType], int]) -> dict[str, Number]:
    """A number for each game type of the settings; any login can name a new one, and those are one together."""
    named = {*parts.config.game_types, *parts.config.allowed_game_types}
    found: dict[str, Number] = {**dict.fromkeys(sorted(named), 0), OTHERS: 0}
    for one in parts.server.types.values():
        found[one.name if one.name in named else OTHERS] += count(one)
    return found


def _by_node(parts: Parts, count: Callable[[NodeCounts], int]) -> dict[str, Number]:
    """A number for each node that answers, the others as this one has seen them last; nothing without a cluster."""
    name = parts.config.node
    return {node: count(one) for node, one in {name: counts_of(parts.server), **parts.cluster.counts()}.items() if node}


FIGURES: Sequence[Figure] = (
    Figure(
        "connections",
        "connections, by what is at their far end",
        lambda parts: dict(parts.account.latest.kinds),
        label="kind",
        limit=lambda parts: parts.config.max_connections,
    ),
    Figure("addresses", "addresses with a connection", lambda parts: len(parts.account.latest.connections)),
    Figure("players", "players, by what they do", lambda parts: dict(parts.account.latest.states), label="state"),
    Figure(
        "held_bytes",
        "memory held for peers and games, by place",
        lambda parts: {place: parts.account.latest.bytes[place] for place in MemoryPlace},
        label="place",
        limit=lambda parts: parts.shedding.most_held_bytes,
    ),
    Figure(
        "held_things",
        "how many things are in each place",
        lambda parts: {place: parts.account.latest.number[place] for place in MemoryPlace},
        label="place",
    ),
    Figure(
        "unsent_bytes",
        "bytes that the network has not taken, of all peers",
        lambda parts: parts.unsent.bytes,
        limit=lambda parts: parts.config.max_outbox_total_bytes,
    ),
    Figure(
        "crowded",
        "peers with so full an outbox that senders to them wait",
        lambda parts: parts.unsent.crowded,
    ),
    Figure(
        "spared_total",
        "messages of others that a peer far behind with reading did without",
        lambda parts: parts.unsent.spared,
        "counter",
    ),
    Figure(
        "shed_total",
        "peers and games that had to give memory back, by the limit",
        lambda parts: dict(parts.shedding.counts),
        "counter",
        "limit",
    ),
    Figure("resident_bytes", "memory of the process", lambda parts: resident_bytes()),
    Figure("resident_peak_bytes", "the most it ever was", lambda parts: peak_bytes()),
    Figure("holds_total", "documents that held the loop", lambda parts: parts.watchdog.holds, "counter"),
    Figure("longest_hold_s", "processor time of the longest of them", lambda parts: parts.watchdog.longest_s),
    Figure(
        "failures_total",
        "tasks of the server that met a bug, by task; where nothing is at stake they begin again",
        lambda parts: dict(parts.supervisor.failures),
        "counter",
        "task",
    ),
    Figure("timers", "timers that are known", lambda parts: len(parts.timers)),
    Figure(
        "journal_pending_bytes",
        "recorded and not on disk; above the limit nothing is read",
        lambda parts: parts.recorder.pending_bytes,
        limit=lambda parts: MAX_UNWRITTEN_BYTES,
    ),
    Figure("rate_overruns_total", "times that a peer sent too much", lambda parts: parts.rates.overruns, "counter"),
    Figure("journal_lag_s", "for how long the oldest of it has waited", lambda parts: parts.recorder.lag_s),
    Figure(
        "journal_lost",
        "1 while nothing can be written down",
        lambda parts: int(bool(parts.server.condition.journal_lost)),
    ),
    Figure("disk_free_bytes", "free for the journal; 0 where nothing is kept", lambda p: p.health.free_disk_bytes()),
    Figure("ready", "1 while peers are welcome, as in /readyz", lambda parts: int(not parts.health.obstacles())),
    Figure(
        "running_games",
        "games whose end has not been announced, by game type; those without settings of their own are others",
        lambda parts: _by_type(parts, lambda one: one.running),
        label="game_type",
    ),
    Figure(
        "waiting_players",
        "players in the pools, by game type",
        lambda parts: _by_type(parts, lambda one: len(one.waiting)),
        label="game_type",
    ),
    Figure("tables", "tables that are set up", lambda parts: len(parts.server.tables)),
    Figure(
        "bans",
        "bans of names and addresses",
        lambda parts: len(parts.server.entry.access.bans.standing(parts.server.now)),
    ),
    Figure("tokens", "names that have tokens", lambda parts: len(parts.server.entry.identities.of)),
    Figure(
        "logins_total",
        "logins, by their outcome",
        lambda parts: dict(parts.tally.logins),
        "counter",
        "outcome",
    ),
    Figure(
        "games_total",
        "games that have ended, by the cause",
        lambda parts: {str(cause): parts.tally.games[str(cause)] for cause in Cause},
        "counter",
        "verdict",
    ),
    Figure(
        "messages_total",
        "messages of peers with a connection of their own, by the direction",
        lambda parts: {"received": parts.intake.documents, "sent": parts.unsent.sent_messages},
        "counter",
        "direction",
    ),
    Figure(
        "bytes_total",
        "their bytes",
        lambda parts: {"received": parts.intake.bytes, "sent": parts.unsent.sent_bytes},
        "counter",
        "direction",
    ),
    Figure(
        "round_trip_s",
        "network round trips of masters and players, as measured at the end of their games",
        lambda parts: parts.tally.round_trips.read(),
        "histogram",
        "le",
    ),
    Figure(
        "turned_away_total",
        "connections that found no room, by the reason",
        lambda parts: dict(parts.tally.turned_away),
        "counter",
        "reason",
    ),
    Figure(
        "tls_handshakes",
        "TLS handshakes that go on",
        lambda parts: len(parts.handshakes),
        limit=lambda parts: parts.config.tls.max_handshakes,
    ),
    Figure(
        "tls_handshakes_total",
        "TLS handshakes, by their outcome",
        lambda parts: dict(parts.handshakes.counts),
        "counter",
        "outcome",
    ),
    Figure(
        "tls_certificate_valid_s",
        "seconds until the certificate expires; 0 without TLS",
        lambda parts: parts.handshakes.certificates.valid_s if parts.handshakes.certificates is not None else 0,
    ),
    Figure(
        "events_total",
        "lines of the broker in the log, by what has happened",
        lambda parts: dict(parts.tally.events),
        "counter",
        "event",
    ),
    Figure("nodes", "1 for each node that answers, by name", lambda parts: parts.cluster.nodes(), label="node"),
    Figure("homes", "game types at home, by node", lambda parts: parts.cluster.homes(), label="node"),
    Figure("node_games", "running games, by node", lambda p: _by_node(p, lambda one: one.games), label="node"),
    Figure(
        "node_players", "players who are here, by node", lambda p: _by_node(p, lambda one: one.players), label="node"
    ),
    Figure(
        "node_waiting", "players in the pools, by node", lambda p: _by_node(p, lambda one: one.waiting), label="node"
    ),
    Figure("node_masters", "game masters, by node", lambda p: _by_node(p, lambda one: one.masters), label="node"),
    Figure("relayed_peers", "peers relayed to their homes, by node", lambda p: p.cluster.relayed(), label="node"),
    Figure(
        "relays_total",
        "peers that were for another node, by what became of them",
        lambda parts: parts.cluster.outcomes(),
        "counter",
        "outcome",
    ),
    Figure(
        "node_strangers_total",
        "lines at the port of nodes that were no node's",
        lambda parts: parts.cluster.strangers(),
        "counter",
    ),
    Figure("open_files", "open files", lambda parts: open_files()[0], limit=lambda parts: open_files()[1]),
)


class Status:
    """Reports the figures of ``parts``; ``ask`` asks the broker."""

    def __init__(self, parts: Parts, ask: Callable[[Question], Answer]) -> None:
        self.parts = parts
        self._ask = ask
        # Two clocks: a moment for people, and a length of time that setting the clock does not change.
        self._since = time.time()
        self._began = trio.current_time()

    def answer(self) -> Answer:
        """The whole report, ready to be JSON."""
        parts, now = self.parts, trio.current_time()
        look = parts.account.latest
        heaviest = nlargest(HEAVIEST, look.holdings, key=lambda holding: holding.bytes)
        return {
            "version": __version__,
            "pid": os.getpid(),
            "since": datetime.fromtimestamp(self._since, UTC).isoformat(timespec="seconds"),
            "up_s": now - self._began,
            "look_age_s": now - look.at if look.at is not None else None,
            "figures": [self._figure(figure) for figure in FIGURES],
            "heaviest": [_holding(holding) for holding in heaviest],
            "addresses": self._addresses(),
            **self._ask(ServerAsked()),
        }

    def _figure(self, figure: Figure) -> Answer:
        value = figure.read(self.parts)
        return {
            "name": figure.name,
            "help": figure.help,
            "kind": figure.kind,
            "label": figure.label,
            "value": value,
            "limit": figure.limit(self.parts),
        }

    def _addresses(self) -> list[Answer]:
        """The addresses that hold the most, then those with the most connections; no more than HEAVIEST together."""
        config, look = self.parts.config, self.parts.account.latest
        first = [
            origin for origin, size in nlargest(HEAVIEST // 2, look.by_origin.items(), key=lambda one: one[1]) if size
        ]
        known = dict.fromkeys([*first, *(origin for origin, _ in look.connections.most_common(HEAVIEST))])
        return [
            {
                "address": origin,
                "held_bytes": look.by_origin[origin],
                "most_held_bytes": config.max_held_bytes_per_ip,
                "connections": look.connections[origin],
                "most_connections": config.max_connections_per_ip,
            }
            for origin in list(known)[:HEAVIEST]
        ]


def _holding(holding: Holding) -> Answer:
    return {**holding.holder.describe(), "held_bytes": holding.bytes}
