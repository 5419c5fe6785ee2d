"""What many spectators of a game cost its players.

One game is played at a natural pace on one server, in turns with no spectators and with all of them, round after round:
the speed of a shared machine changes from minute to minute.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ugs.bench.goals import WATCHED_BY, WATCHED_TO_ALONE
from ugs.bench.load import Load, Timing
from ugs.bench.message_counts import percentile
from ugs.bench.pacer import PacerPlan
from ugs.bench.process import allow_open_files, cpu_nanoseconds
from ugs.bench.run import BenchFailed, LoadProcess
from ugs.bench.spectators import STANDARD_FILES, SpectatorsPlan
from ugs.bench.targets import RunningTarget, Target, TargetFailed, started

SETTINGS = """\
max_connections = {connections}
max_connections_per_ip = {connections}
max_spectators = {connections}
move_timeout_s = 600
"""
SPARE_CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class WatchWindow:
    """One measurement."""

    trips_ns: tuple[int, ...]
    """The round trip of every move."""
    broker_busy: float
    """Share of one processor that the broker used."""


@dataclass(frozen=True, slots=True)
class WatchFigures:
    """The result: one window of each kind for each round."""

    spectators: int
    think_ms: float
    alone: tuple[WatchWindow, ...]
    watched: tuple[WatchWindow, ...]
    events: int
    """Events that were sent to all spectators together."""

    @property
    def ratio(self) -> float:
        """How many times the p99 of the round trips without spectators the p99 with all of them is. All rounds are put
        together: the slowest moves of a single window are too few to mean anything."""
        return self.growth(99)

    def growth(self, percent: int) -> float:
        """Return the same ratio for any percentile."""
        return round_trip_ms(self.watched, percent) / round_trip_ms(self.alone, percent)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None for fewer spectators than the goal is about."""
        return None if self.spectators < WATCHED_BY else self.ratio <= WATCHED_TO_ALONE


def round_trip_ms(windows: Sequence[WatchWindow], percent: int) -> float:
    """Return a percentile of the round trips of several windows."""
    return percentile(sorted(chain.from_iterable(window.trips_ns for window in windows)), percent) / 1e6


def busy(windows: Sequence[WatchWindow]) -> float:
    """Return the mean share of one processor that the broker used."""
    return sum(window.broker_busy for window in windows) / len(windows)


def measure_watched(
    spectators: int, think_ms: float, payload_bytes: int, timing: Timing, on_round: Callable[[int], None]
) -> WatchFigures:
    """Play ``timing.rounds`` rounds. ``on_round`` is called with the number of finished rounds. Raises BenchFailed."""
    try:
        allow_open_files(spectators + STANDARD_FILES)
        with started(Target("watched", "", lambda directory, _: serve(directory, spectators)), Load(1)) as broker:
            return _measure(broker, spectators, think_ms, payload_bytes, timing, on_round)
    except (TargetFailed, OSError) as error:
        raise BenchFailed(f"{spectators} spectators: {error}") from error


def serve(directory: Path, spectators: int) -> list[str]:
    """Return the arguments of ``python`` for a server that admits that many spectators."""
    config = directory / "ugs.toml"
    config.write_text(SETTINGS.format(connections=spectators + SPARE_CONNECTIONS))
    return ["-m", "ugs", "serve", "--port", "0", "--config", str(config)]


def _measure(
    broker: RunningTarget,
    spectators: int,
    think_ms: float,
    payload_bytes: int,
    timing: Timing,
    on_round: Callable[[int], None],
) -> WatchFigures:
    ready = broker.ready
    plan = PacerPlan(ready.host, ready.port, think_ms, payload_bytes)
    alone: list[WatchWindow] = []
    watched: list[WatchWindow] = []
    events = 0
    with part_of_load("ugs.bench.pacer", plan, broker) as pacer:
        for done in range(timing.rounds):
            on_round(done)
            alone.append(play_window(pacer, broker, timing))
            audience = SpectatorsPlan(ready.host, ready.port, spectators)
            with part_of_load("ugs.bench.spectators", audience, broker) as readers:
                watched.append(play_window(pacer, broker, timing))
                readers.send_order("end")
                events += sum(json.loads(readers.line()))
        broker.check()
    on_round(timing.rounds)
    return WatchFigures(spectators, think_ms, tuple(alone), tuple(watched), events)


@contextmanager
def part_of_load(module: str, plan: Any, broker: RunningTarget) -> Iterator[LoadProcess]:
    """Start a part of the load with its plan and wait until it reports that it is ready; end it with the block."""
    process = LoadProcess(module, plan, broker)
    try:
        process.line()
        yield process
    finally:
        process.end()


def play_window(pacer: LoadProcess, broker: RunningTarget, timing: Timing) -> WatchWindow:
    """Let the pacer play, after a warm-up, for the length of a window."""
    _play(pacer, timing.warm_up_seconds)
    used = cpu_nanoseconds(broker.ready.pid)
    trips = _play(pacer, timing.seconds)
    used = cpu_nanoseconds(broker.ready.pid) - used
    return WatchWindow(tuple(trips), used / 1e9 / timing.seconds)


def _play(pacer: LoadProcess, seconds: float) -> list[int]:
    pacer.send_order(f"play {seconds}")
    trips: list[int] = json.loads(pacer.line())
    return trips
