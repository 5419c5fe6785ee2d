"""Whether a message costs the same however many are there: connections, pools, waiting players, rows of the standings.

For each of these, a server with few of them and servers with more get the same load in turns: a steady rate of
deliveries, from a few games. What is compared is the processor time of the server per message that it sends.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from ugs.bench import bystanders
from ugs.bench.bystanders import BystandersDoing
from ugs.bench.connections import STANDARD_FILES
from ugs.bench.generator import GeneratorPlan
from ugs.bench.goals import BROKER, FLAT, FLAT_SIZES
from ugs.bench.latency import PATIENT, window
from ugs.bench.load import PLAYERS_PER_GAME, Load, Timing
from ugs.bench.paced import PacedPlan, PacedSample
from ugs.bench.process import allow_open_files
from ugs.bench.run import BenchFailed, GeneratorProcess, LoadProcess
from ugs.bench.targets import RunningTarget, Target, TargetFailed, serving, started
from ugs.bench.watched import part_of_load

GAMES = 20
"""Of the load. Enough that at any time some can go on, and few beside those who are counted."""


class Scaled(StrEnum):
    """Of what there are few or many."""

    CONNECTIONS = "connections"
    """Players who sit in games without any moves, and their master."""
    POOLS = "pools"
    """Game types, with a player who waits in each."""
    WAITING = "waiting players"
    """Of the load's own game type: they play in turns. All games are drawn: otherwise the more wait, the more of the
    messages would be tables, which cost something else."""
    ROWS = "rows of the standings"
    """Of players who have played the load's game and are gone."""


@dataclass(frozen=True, slots=True)
class Flat:
    """The result."""

    deliveries_per_second: float
    windows: Mapping[tuple[Scaled, int], Sequence[PacedSample]]
    """By what there is, and how many; all in the same order."""
    left_out: str = ""
    """Why larger numbers were not measured."""

    @property
    def kinds(self) -> list[Scaled]:
        """Of what there were few and many."""
        return list(dict.fromkeys(many for many, _ in self.windows))

    @property
    def sizes(self) -> list[int]:
        """The numbers that were measured, ascending."""
        return sorted({size for _, size in self.windows})

    def cost_us(self, many: Scaled, size: int) -> float:
        """Return microseconds of processor time per message: the median of the rounds."""
        return median(cost_us(sample) for sample in self.windows[many, size])

    def ratio(self, many: Scaled, size: int) -> float:
        """Return how many times the cost with the fewest that is: the median of the ratios of the rounds."""
        few = self.windows[many, self.sizes[0]]
        return median(
            cost_us(sample) / cost_us(at_few) for sample, at_few in zip(self.windows[many, size], few, strict=True)
        )

    def met(self, many: Scaled, size: int) -> bool | None:
        """Whether the goal is met; None for the smallest size, and for those that the goal is not about."""
        return self.ratio(many, size) <= FLAT if size in FLAT_SIZES[1:] and self.sizes[0] == FLAT_SIZES[0] else None


def cost_us(sample: PacedSample) -> float:
    """Return microseconds of the server's processor time per message that it sent."""
    return sample.broker_cpu_seconds / (sample.deliveries + sample.tables) * 1e6


def sizes_up_to(largest: int) -> list[int]:
    """Return the sizes of the goal below ``largest``, and ``largest``."""
    return [*(size for size in FLAT_SIZES if size < largest), largest]


def measure_flat(
    largest: int,
    deliveries_per_second: float,
    timing: Timing,
    on_step: Callable[[str], None],
    kinds: Sequence[Scaled] = tuple(Scaled),
) -> Flat:
    """Measure all ``kinds``, with as many as ``largest``, or as this machine has open files for. ``on_step`` is called
    with a text for each step. Raises BenchFailed."""
    sizes, left_out = [], ""
    for size in sizes_up_to(largest):
        try:
            allow_open_files(size + Load(GAMES).connections + STANDARD_FILES)
            sizes.append(size)
        except OSError as error:
            left_out = f"{size}: {error}"
            break
    windows: dict[tuple[Scaled, int], list[PacedSample]] = {}
    for many in kinds:
        try:
            windows |= _side_by_side(many, sizes, deliveries_per_second, timing, on_step)
        except (TargetFailed, BenchFailed, OSError) as error:
            raise BenchFailed(f"{sizes[-1]} {many}: {error}") from error
    return Flat(deliveries_per_second, windows, left_out)


def _side_by_side(
    many: Scaled, sizes: Sequence[int], deliveries_per_second: float, timing: Timing, on_step: Callable[[str], None]
) -> dict[tuple[Scaled, int], list[PacedSample]]:
    """Measure servers with few and with many in turns, forward and backward: what changes steadily favours none. Each
    round has servers of its own: where a process happens to have its memory makes it a little more or less expensive
    for good."""
    windows: dict[tuple[Scaled, int], list[PacedSample]] = {(many, size): [] for size in sizes}
    for turn in range(timing.rounds):
        on_step(f"{many}: round {turn + 1} of {timing.rounds}")
        with ExitStack() as stack:
            loads: dict[int, LoadProcess] = {}
            for size in sizes:
                loads[size] = stack.enter_context(beside(many, size, deliveries_per_second))
                window(loads[size], "play", timing.warm_up_seconds, turn)
            for size in sizes if turn % 2 == 0 else reversed(sizes):
                windows[many, size].append(window(loads[size], "play", timing.seconds, turn))
    return windows


@contextmanager
def beside(many: Scaled, size: int, deliveries_per_second: float) -> Iterator[LoadProcess]:
    """Run a server with ``size`` of something, and the load beside them, for the time of the block."""
    load = Load(GAMES)
    room = Load(GAMES + size)  # for two players each: more than come
    waiting = size if many is Scaled.WAITING else 0
    settings = {**PATIENT, **SETTINGS.get(many, {})}
    with ExitStack() as stack:
        broker = stack.enter_context(started(Target(BROKER, "", serving(settings)), room))
        ready = broker.ready
        COME[many](stack, broker, size)
        plan = PacedPlan(ready.host, ready.port, ready.pid, load, deliveries_per_second, waiting, waiting > 0)
        yield stack.enter_context(part_of_load("ugs.bench.paced", plan, broker))


SETTINGS: Mapping[Scaled, Mapping[str, int]] = {Scaled.WAITING: {"max_games_per_master": GAMES, "table_rows": 10}}
"""Further settings of the server. Waiting players are rows as well, and rows are measured by themselves."""


def _think(stack: ExitStack, broker: RunningTarget, size: int) -> None:
    _stand_by(stack, broker, size, BystandersDoing.THINK)


def _wait_alone(stack: ExitStack, broker: RunningTarget, size: int) -> None:
    _stand_by(stack, broker, size, BystandersDoing.WAIT)


def _stand_by(stack: ExitStack, broker: RunningTarget, size: int, doing: BystandersDoing) -> None:
    plan = bystanders.BystandersPlan(broker.ready.host, broker.ready.port, size, doing)
    stack.enter_context(part_of_load("ugs.bench.bystanders", plan, broker))


def _with_the_load(stack: ExitStack, broker: RunningTarget, size: int) -> None:
    """They belong to the load itself."""


def _play_and_go(stack: ExitStack, broker: RunningTarget, size: int) -> None:
    """Each plays a game of one move."""
    ready = broker.ready
    load = Load(size // PLAYERS_PER_GAME, moves=1)
    generator = GeneratorProcess(GeneratorPlan(ready.host, ready.port, ready.pid, load, True, True, 1), broker)
    stack.callback(generator.end)
    generator.line()  # they play
    generator.line()  # they are gone


COME: dict[Scaled, Callable[[ExitStack, RunningTarget, int], None]] = {
    Scaled.CONNECTIONS: _think,
    Scaled.POOLS: _wait_alone,
    Scaled.WAITING: _with_the_load,
    Scaled.ROWS: _play_and_go,
}
"""Who or what has to be there before the load comes."""
