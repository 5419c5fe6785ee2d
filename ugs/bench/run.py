"""Carries a measurement out: starts a target and its load, takes a window, stops both; round after round.

Targets take turns within a round, since the speed of a shared machine changes from minute to minute: only what was
measured close together can be compared.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from ugs.bench.child import as_argument
from ugs.bench.connections import STANDARD_FILES
from ugs.bench.figures import Window
from ugs.bench.generator import GeneratorPlan, GeneratorSample
from ugs.bench.load import Load, Timing
from ugs.bench.process import allow_open_files, resident_bytes
from ugs.bench.targets import RunningTarget, Target, TargetFailed, started

ROLES = {1: ((True, True),), 2: ((False, True), (True, False))}
"""By number of generator processes: who plays (masters, players) in each. Players connect before masters."""

HEAD_START_NS = 20_000_000
"""Nanoseconds from the order to measure to the window's begin, so that the order has arrived everywhere."""

STEPS_PER_WINDOW = 3
DELIVERIES_PER_STEP = 3
"""A move to the master and a state to each of two players."""

MAX_WINDOW = 5
"""A window is at most this many times as long as the one asked for."""


class BenchFailed(Exception):
    """The measurement could not be carried out; the text names the target and the reason."""


@dataclass(frozen=True, slots=True)
class WindowStep:
    """One window that is about to be measured, for a progress display."""

    number: int
    of: int
    load: Load
    target: Target


def measure(
    loads: Sequence[Load],
    targets: Sequence[Target],
    timing: Timing,
    *,
    processes: int = 2,
    on_step: Callable[[WindowStep], None] = lambda step: None,
) -> list[Window]:
    """Measure every load against every target, in ``timing.rounds`` rounds, with the targets taking turns.

    Returns the windows in the order of measurement. Raises BenchFailed.
    """
    steps = [(turn, load, target) for turn in range(timing.rounds) for load in loads for target in targets]
    windows = []
    for number, (turn, load, target) in enumerate(steps, 1):
        on_step(WindowStep(number, len(steps), load, target))
        windows.append(measure_window(turn, load, target, timing, processes))
    return windows


def measure_window(turn: int, load: Load, target: Target, timing: Timing, processes: int) -> Window:
    """Start the target and the load, let it warm up, measure one window. Raises BenchFailed."""
    with _named_failures(load, target), started(target, load) as broker, ExitStack() as stack:
        generators = begin_play(stack, load, broker, processes)
        samples = _sample(generators, load, timing)
        broker.check()
        return _window(turn, load, target, broker, samples)


def profile(load: Load, target: Target, timing: Timing, processes: int) -> str:
    """Return the profile of a target under the load, as text. Raises BenchFailed."""
    with _named_failures(load, target), started(target, load, profiled=True) as broker:
        with ExitStack() as stack:
            _sample(begin_play(stack, load, broker, processes), load, timing)
            broker.check()
        broker.stop()
        return broker.profile()


class LoadProcess:
    """Part of the load in a process of its own: a module of the bench, run with its plan and spoken with in lines.

    The creator has to end it.
    """

    def __init__(self, module: str, plan: Any, broker: RunningTarget) -> None:
        self._broker = broker
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, as_argument(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def send_order(self, command: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()

    def line(self) -> str:
        """Wait for the next line. Raises TargetFailed when the broker has died, BenchFailed when only this process
        has."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            reason = self._process.stderr.read().strip().rpartition("\n")[2]
            self._broker.check(within_s=0.2)  # a dying broker breaks its connections before its exit code is known
            raise BenchFailed(f"the load generator gave up: {reason}")
        return line

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def end(self) -> None:
        """Kill the process; by now it has sent all it had to send."""
        self._process.kill()
        self._process.communicate()


class GeneratorProcess(LoadProcess):
    """A generator in a process of its own."""

    def __init__(self, plan: GeneratorPlan, broker: RunningTarget) -> None:
        super().__init__("ugs.bench.generator", plan, broker)
        self.plan = plan


def begin_play(
    stack: ExitStack, load: Load, broker: RunningTarget, processes: int, games_per_player: int | None = None
) -> list[GeneratorProcess]:
    """Start the generators one after another; return when all games run. The stack ends them. See
    :class:`~ugs.bench.generator.GeneratorPlan` for ``games_per_player``."""
    generators = []
    for masters, players in ROLES[processes]:
        ready = broker.ready
        plan = GeneratorPlan(ready.host, ready.port, ready.pid, load, masters, players, games_per_player, broker.ca)
        generator = GeneratorProcess(plan, broker)
        stack.callback(generator.end)
        generator.line()
        generators.append(generator)
    return generators


def _sample(generators: Sequence[GeneratorProcess], load: Load, timing: Timing) -> list[GeneratorSample]:
    """Take one window, the same for all generators, after a warm-up that shows how long the window must be."""
    probe = _deliveries(sample_for(generators, timing.warm_up_seconds)) / timing.warm_up_seconds
    return sample_for(generators, window_seconds(load, timing, probe))


def sample_for(generators: Sequence[GeneratorProcess], seconds: float) -> list[GeneratorSample]:
    """Take one window of ``seconds``, the same for all generators. Raises BenchFailed and TargetFailed."""
    begin = time.monotonic_ns() + HEAD_START_NS
    end = begin + int(seconds * 1e9)
    for generator in generators:
        generator.send_order(f"measure {begin} {end}")
    return [GeneratorSample(**json.loads(generator.line())) for generator in generators]


def window_seconds(load: Load, timing: Timing, deliveries_per_second: float) -> float:
    """Return how long to measure: as asked, but longer for a target so slow that its games would hardly move meanwhile.

    All games tend to move in step, all moves and then all states; a window that ends within a step would count more of
    one kind than of the other.
    """
    wanted = STEPS_PER_WINDOW * DELIVERIES_PER_STEP * load.games
    longest = timing.seconds * MAX_WINDOW
    return min(longest, max(timing.seconds, wanted / max(deliveries_per_second, 1e-9)))


def _deliveries(samples: Sequence[GeneratorSample]) -> int:
    return sum(sample.deliveries for sample in samples)


def _window(turn: int, load: Load, target: Target, broker: RunningTarget, samples: Sequence[GeneratorSample]) -> Window:
    """Return what the generators received, put together. The generators of the players read the broker's processor
    time."""
    of_players = samples[0]
    return Window(
        turn=turn,
        load=load,
        target=target.name,
        seconds=of_players.seconds,
        deliveries=_deliveries(samples),
        champions_lists=of_players.counts["champions_lists"],
        # The last process plays the masters, who end games.
        games_over=samples[-1].counts["games_over"],
        broker_cpu_seconds=of_players.broker_cpu_seconds,
        generator_cpu_seconds=sum(sample.generator_cpu_seconds for sample in samples),
        bytes_per_connection=(resident_bytes(broker.ready.pid) - broker.idle_bytes) / load.connections,
        round_trip_ms={int(name): value for name, value in of_players.round_trip_ms.items()},
    )


@contextmanager
def _named_failures(load: Load, target: Target) -> Iterator[None]:
    """Add target and load to the text of any failure in the block."""
    try:
        allow_open_files(load.connections + STANDARD_FILES)
        yield
    except (TargetFailed, BenchFailed, OSError) as error:
        raise BenchFailed(f"{target.name} with {load.name}: {error}") from error
