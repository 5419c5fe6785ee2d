"""Turns measured windows into the reported figures: medians over the rounds, ratios within a round."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from ugs.bench.load import Load

_MICROSECONDS = 1e6


class NothingMeasured(Exception):
    """A window without a delivery: the load did not move."""


@dataclass(frozen=True, slots=True)
class Window:
    """One load against one target, measured once."""

    turn: int
    """The round, from 0."""
    load: Load
    target: str
    seconds: float
    deliveries: int
    champions_lists: int
    """``championsList`` messages, which do not count as deliveries."""
    games_over: int
    broker_cpu_seconds: float
    generator_cpu_seconds: float
    bytes_per_connection: float
    round_trip_ms: dict[int, float]
    """By percentile."""

    @property
    def cpu_us(self) -> float:
        """Return microseconds of the broker's processor time per delivery. Raises NothingMeasured."""
        if not self.deliveries:
            raise NothingMeasured(f"{self.target} delivered nothing in {self.seconds:.1f} s of {self.load.name}")
        return self.broker_cpu_seconds / self.deliveries * _MICROSECONDS

    @property
    def pace(self) -> float:
        """Return deliveries per second."""
        return self.deliveries / self.seconds


@dataclass(frozen=True, slots=True)
class Figures:
    """One load against one target: medians over the rounds."""

    cpu_us_per_delivery: float
    cpu_us_lowest: float
    cpu_us_highest: float
    deliveries_per_second: float
    round_trip_ms: dict[int, float]
    """Medians of the rounds' percentiles, by percentile."""
    kib_per_connection: float
    broker_busy: float
    """Share of one processor that the broker used."""
    generator_busy: float
    """The same for the generator's processes together."""
    champions_lists_per_second: float
    games_per_second: float
    rounds: int


def summarise(windows: Sequence[Window]) -> Figures:
    """Return the figures of windows of the same load and target. Raises NothingMeasured; needs at least one window."""
    costs = [window.cpu_us for window in windows]
    # A window without an answered move has no percentiles.
    percents = set.intersection(*({*window.round_trip_ms} for window in windows))
    return Figures(
        cpu_us_per_delivery=median(costs),
        cpu_us_lowest=min(costs),
        cpu_us_highest=max(costs),
        deliveries_per_second=median(window.pace for window in windows),
        round_trip_ms={each: median(window.round_trip_ms[each] for window in windows) for each in sorted(percents)},
        kib_per_connection=median(window.bytes_per_connection for window in windows) / 1024,
        broker_busy=median(window.broker_cpu_seconds / window.seconds for window in windows),
        generator_busy=median(window.generator_cpu_seconds / window.seconds for window in windows),
        champions_lists_per_second=median(window.champions_lists / window.seconds for window in windows),
        games_per_second=median(window.games_over / window.seconds for window in windows),
        rounds=len(windows),
    )


class MeasuredWindows:
    """All windows of a run, for queries."""

    def __init__(self, windows: Iterable[Window]) -> None:
        self._windows: dict[tuple[Load, str], dict[int, Window]] = {}
        for window in windows:
            self._windows.setdefault((window.load, window.target), {})[window.turn] = window
        self.figures = {key: summarise([*turns.values()]) for key, turns in self._windows.items()}
        """By load and name of target, in the order of measurement."""

    def cost(self, load: Load, target: str) -> float | None:
        """Return the median microseconds per delivery; None if that was not measured."""
        figures = self.figures.get((load, target))
        return None if figures is None else figures.cpu_us_per_delivery

    def ratio(self, load: Load, target: str, to_load: Load, to_target: str) -> float | None:
        """Return how many times the cost of the second pair the first one costs: the median of the rounds' ratios.

        Ratios are taken within a round, where the machine was about equally fast for both. None if the two were not
        measured in a common round.
        """
        above = self._windows.get((load, target), {})
        below = self._windows.get((to_load, to_target), {})
        turns = above.keys() & below.keys()
        return median(above[turn].cpu_us / below[turn].cpu_us for turn in turns) if turns else None

    def share(self, load: Load, target: str, of_target: str) -> float | None:
        """Return this target's deliveries per second as a share of another target's under the same load: the median of
        the rounds' shares. None if the two were not measured in a common round."""
        mine, others = self._windows.get((load, target), {}), self._windows.get((load, of_target), {})
        turns = mine.keys() & others.keys()
        return median(mine[turn].pace / others[turn].pace for turn in turns) if turns else None

    def p99_ratio(self, load: Load, target: str, to_target: str) -> float | None:
        """Return how many times the p99 of another target's round trips this target's is under the same load: the
        median of the rounds' ratios. None if no common round has both."""
        mine, others = self._windows.get((load, target), {}), self._windows.get((load, to_target), {})
        pairs = [(mine[turn].round_trip_ms, others[turn].round_trip_ms) for turn in mine.keys() & others.keys()]
        ratios = [one[99] / other[99] for one, other in pairs if 99 in one and other.get(99)]
        return median(ratios) if ratios else None

    def to_dict(self) -> list[dict[str, object]]:
        """Return the figures as plain values, one entry per load and target."""
        return [
            {"load": asdict(load), "target": target, **asdict(figures)}
            for (load, target), figures in self.figures.items()
        ]
