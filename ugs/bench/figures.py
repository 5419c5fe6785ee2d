"""From measured windows to the figures that are reported: medians over the rounds, ratios within a round."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from ugs.bench.load import Load

_MICROSECONDS = 1e6


class NothingMeasured(Exception):
    """A window without a delivery: the load stood still."""


@dataclass(frozen=True, slots=True)
class Window:
    """One load against one target, measured once."""

    turn: int
    """The round, from 0."""
    load: Load
    target: str
    seconds: float
    deliveries: int
    tables: int
    """``championsList`` messages, which are no deliveries."""
    games_over: int
    broker_cpu_seconds: float
    generator_cpu_seconds: float
    bytes_per_connection: float
    round_trip_ms: dict[int, float]
    """By percentile."""

    @property
    def cpu_us(self) -> float:
        """Microseconds of the broker's processor time per delivery. Raises NothingMeasured."""
        if not self.deliveries:
            raise NothingMeasured(f"{self.target} delivered nothing in {self.seconds:.1f} s of {self.load.name}")
        return self.broker_cpu_seconds / self.deliveries * _MICROSECONDS

    @property
    def pace(self) -> float:
        """Deliveries per second."""
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
    tables_per_second: float
    games_per_second: float
    rounds: int


def summarise(windows: Sequence[Window]) -> Figures:
    """The figures of windows of the same load and target. Raises NothingMeasured; needs at least one window."""
    costs = [window.cpu_us for window in windows]
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
        tables_per_second=median(window.tables / window.seconds for window in windows),
        games_per_second=median(window.games_over / window.seconds for window in windows),
        rounds=len(windows),
    )


class Measured:
    """All windows of a run, ready to be asked."""

    def __init__(self, windows: Iterable[Window]) -> None:
        self._windows: dict[tuple[Load, str], dict[int, Window]] = {}
        for window in windows:
            self._windows.setdefault((window.load, window.target), {})[window.turn] = window
        self.figures = {key: summarise([*turns.values()]) for key, turns in self._windows.items()}
        """By load and name of target, in the order of measurement."""

    def cost(self, load: Load, target: str) -> float | None:
        """Median microseconds per delivery; None when that was not measured."""
        figures = self.figures.get((load, target))
        return None if figures is None else figures.cpu_us_per_delivery

    def ratio(self, load: Load, target: str, to_load: Load, to_target: str) -> float | None:
        """How many times the cost of the second pair the first one costs: the median of the rounds' ratios.

        Ratios are taken within a round, where both met the machine in about the same mood. None when the two were
        not measured in a common round.
        """
        above = self._windows.get((load, target), {})
        below = self._windows.get((to_load, to_target), {})
        turns = above.keys() & below.keys()
        return median(above[turn].cpu_us / below[turn].cpu_us for turn in turns) if turns else None

    def share(self, load: Load, target: str, of_target: str) -> float | None:
        """What share of the deliveries per second of another target this one makes under the same load: the median of
        the rounds' shares. None when the two were not measured in a common round."""
        mine, others = self._windows.get((load, target), {}), self._windows.get((load, of_target), {})
        turns = mine.keys() & others.keys()
        return median(mine[turn].pace / others[turn].pace for turn in turns) if turns else None

    def to_dict(self) -> list[dict[str, object]]:
        """Figures as plain values, one entry per load and target."""
        return [
            {"load": asdict(load), "target": target, **asdict(figures)}
            for (load, target), figures in self.figures.items()
        ]
