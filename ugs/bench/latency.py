"""How soon a player has the state that follows its move, at a given load.

Beside the broker the bare relay gets the same load, and a timer shows what the machine itself adds: how late a process
wakes up that only waits for the due moments of moves. They take turns, round after round.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from ugs.bench.connections import STANDARD_FILES
from ugs.bench.goals import BROKER, LATENCY_ABOVE_MS, LATENCY_DELIVERIES, LATENCY_TO_BARE, QUIET_MS
from ugs.bench.load import Load, Timing
from ugs.bench.message_counts import percentile
from ugs.bench.paced import PacedPlan, PacedSample
from ugs.bench.process import allow_open_files
from ugs.bench.run import BenchFailed, LoadProcess
from ugs.bench.targets import TARGETS, Target, TargetFailed, serving, started
from ugs.bench.watched import part_of_load

TIMER, RELAY = "timer", "bare"
ORDER = (TIMER, RELAY, BROKER)
PATIENT: Final = MappingProxyType({"move_timeout_s": 86400})
"""Games stand still while others are measured."""


@dataclass(frozen=True, slots=True)
class Latency:
    """The result: the windows of each by name, all in the same order."""

    deliveries_per_second: float
    """That were asked for."""
    load: Load
    windows: Mapping[str, Sequence[PacedSample]]

    def moves(self, name: str) -> int:
        """Return how many round trips were measured."""
        return sum(len(window.trips_ns) for window in self.windows[name])

    def ms(self, name: str, percent: float) -> float:
        """Return a percentile of all rounds together, in milliseconds; 100 is the worst."""
        return percentile(sorted(chain.from_iterable(window.trips_ns for window in self.windows[name])), percent) / 1e6

    def pace(self, name: str) -> float:
        """Return deliveries per second, as they came."""
        windows = self.windows[name]
        return sum(window.deliveries for window in windows) / sum(window.seconds for window in windows)

    def busy(self, name: str) -> float:
        """Return the share of one processor that the target used."""
        windows = self.windows[name]
        return sum(window.broker_cpu_seconds for window in windows) / sum(window.seconds for window in windows)

    @property
    def quiet(self) -> bool:
        """Whether the machine did nothing else: it wakes a process that waits in time."""
        return self.ms(TIMER, 99) <= QUIET_MS

    @property
    def goal_ms(self) -> float | None:
        """The most that the broker's p99 may be; None at a smaller load than the goal is about, or another number of
        games."""
        above = LATENCY_ABOVE_MS.get(self.load.games)
        if above is None or self.deliveries_per_second < LATENCY_DELIVERIES:
            return None
        return LATENCY_TO_BARE * self.ms(RELAY, 99) + above

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none, and where it is missed on a machine that was not quiet."""
        if self.goal_ms is None:
            return None
        met = self.ms(BROKER, 99) <= self.goal_ms
        return met if met or self.quiet else None


def measure_latency(
    deliveries_per_second: float, load: Load, timing: Timing, on_round: Callable[[int], None]
) -> Latency:
    """Play ``timing.rounds`` rounds. ``on_round`` is called with the number of finished rounds. Raises BenchFailed."""
    try:
        allow_open_files(load.connections + STANDARD_FILES)
        with ExitStack() as stack:
            return _measure(stack, deliveries_per_second, load, timing, on_round)
    except (TargetFailed, BenchFailed, OSError) as error:
        raise BenchFailed(f"{deliveries_per_second:g} deliveries a second, {load.name}: {error}") from error


def _measure(
    stack: ExitStack, deliveries_per_second: float, load: Load, timing: Timing, on_round: Callable[[int], None]
) -> Latency:
    loads: dict[str, LoadProcess] = {}
    for target in (TARGETS[RELAY], Target(BROKER, "", serving(PATIENT))):
        broker = stack.enter_context(started(target, load))
        plan = PacedPlan(broker.ready.host, broker.ready.port, broker.ready.pid, load, deliveries_per_second)
        loads[target.name] = stack.enter_context(part_of_load("ugs.bench.paced", plan, broker))
        window(loads[target.name], "play", timing.warm_up_seconds, 0)
    windows: dict[str, list[PacedSample]] = {name: [] for name in ORDER}
    for turn in range(timing.rounds):
        on_round(turn)
        for name in ORDER:
            # Any process of the load can wait; this one is there already, and its broker rests meanwhile.
            process, order = (loads[RELAY], "wait") if name == TIMER else (loads[name], "play")
            windows[name].append(window(process, order, timing.seconds, turn))
    on_round(timing.rounds)
    return Latency(deliveries_per_second, load, windows)


def window(process: LoadProcess, order: str, seconds: float, seed: int) -> PacedSample:
    """Let a process of :mod:`ugs.bench.paced` play, or only wait. Raises TargetFailed and BenchFailed."""
    process.send_order(f"{order} {seconds} {seed}")
    return PacedSample(**json.loads(process.line()))
