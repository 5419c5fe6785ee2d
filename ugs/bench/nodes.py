"""What a delivery costs two nodes on one database with a game type each, one of them alone, and one whose peers have
all come through the door of the other.

The three take turns, on the same two nodes: a game is moved nowhere, its generator only connects elsewhere. Where there
are processors enough, each node and each generator keeps to one.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from ugs.bench.connections import STANDARD_FILES
from ugs.bench.generator import GeneratorPlan, GeneratorSample
from ugs.bench.load import Load, Timing
from ugs.bench.process import allow_open_files, cpu_nanoseconds
from ugs.bench.run import BenchFailed, GeneratorProcess, sample_for
from ugs.bench.targets import RunningTarget, Target, TargetFailed, serving, started

NODES: Final = ("a", "b")
TWICE: Final = 1.7
"""Goal: two nodes deliver this many times what one does; it needs a processor for each node and generator."""
LOCAL: Final = 1.15
"""Goal: what a delivery may cost with two nodes, against one."""
RELAYED: Final = 1.40
"""Goal: what a relayed delivery may cost both nodes together, against a direct one."""


@dataclass(frozen=True, slots=True)
class NodesWindow:
    """One way to play, measured once."""

    deliveries_per_second: float
    cpu_us: float
    """Microseconds of processor time of both nodes per delivery."""


@dataclass(frozen=True, slots=True)
class NodesMeasured:
    """The result, round by round."""

    alone: Sequence[NodesWindow]
    """One node, whose peers connect to it."""
    relayed: Sequence[NodesWindow]
    """The same, whose peers connect to the other node."""
    both: Sequence[NodesWindow]
    """Two nodes with peers of their own."""
    processors: int

    def cost(self, windows: Sequence[NodesWindow]) -> float:
        """Return how many times the cost of a delivery at one node this is: the median of the rounds."""
        return median(one.cpu_us / alone.cpu_us for one, alone in zip(windows, self.alone, strict=True))

    @property
    def pace(self) -> float:
        """How many times as much two nodes deliver as one: the median of the rounds."""
        pairs = zip(self.both, self.alone, strict=True)
        return median(two.deliveries_per_second / one.deliveries_per_second for two, one in pairs)


def measure_nodes(journal: str, load: Load, timing: Timing, on_round: Callable[[int], None]) -> NodesMeasured:
    """Measure ``timing.rounds`` rounds with nodes on the database ``journal``. ``on_round`` is called with the number
    of finished rounds. Raises BenchFailed."""
    room = Load(2 * load.games, load.moves, load.payload_bytes, load.masters)
    windows: list[tuple[NodesWindow, NodesWindow, NodesWindow]] = []
    try:
        allow_open_files(2 * room.connections + STANDARD_FILES)
        with ExitStack() as stack:
            nodes = [stack.enter_context(started(_target(name, journal), room)) for name in NODES]
            for number, node in enumerate(nodes):
                pin(node.ready.pid, number)
            for done in range(timing.rounds):
                windows.append(
                    (
                        _window(nodes, [(nodes[0], NODES[0])], load, timing),
                        # Through the door of b to the home of a.
                        _window(nodes, [(nodes[1], NODES[0])], load, timing),
                        _window(nodes, list(zip(nodes, NODES, strict=True)), load, timing),
                    )
                )
                on_round(done + 1)
    except (TargetFailed, OSError) as error:
        raise BenchFailed(f"nodes: {error}") from error
    alone, relayed, both = zip(*windows, strict=True)
    return NodesMeasured(alone, relayed, both, os.cpu_count() or 1)


def pin(pid: int, processor: int) -> None:
    """Let a process run on this processor only, if there is one for each of two nodes and two generators."""
    if (os.cpu_count() or 1) > processor and (os.cpu_count() or 1) >= 2 * len(NODES):
        # A container may not have all processors of the machine.
        with suppress(OSError):
            os.sched_setaffinity(pid, {processor})


def _target(name: str, journal: str) -> Target:
    serve = serving()

    def arguments(directory: Path, load: Load) -> list[str]:
        node = ("--http-port", "0", "--journal", journal, "--node", name, "--home", _type_of(name))
        return [*serve(directory, load), *node]

    return Target(f"node {name}", "", arguments)


def _type_of(name: str) -> str:
    """The game type that is at home at a node."""
    return f"bench-{name}"


def _window(
    nodes: Sequence[RunningTarget], played: Sequence[tuple[RunningTarget, str]], load: Load, timing: Timing
) -> NodesWindow:
    """Let games of the types of these nodes be played through these doors, and measure."""
    with _playing(played, load) as generators:
        sample_for(generators, timing.warm_up_seconds)
        before = sum(cpu_nanoseconds(node.ready.pid) for node in nodes)
        samples: list[GeneratorSample] = sample_for(generators, timing.seconds)
        used = sum(cpu_nanoseconds(node.ready.pid) for node in nodes) - before
        for node in nodes:
            node.check()
    deliveries = sum(sample.deliveries for sample in samples)
    if not deliveries:
        raise BenchFailed("nothing was delivered")
    return NodesWindow(deliveries / samples[0].seconds, used / deliveries / 1000)


@contextmanager
def _playing(played: Sequence[tuple[RunningTarget, str]], load: Load) -> Iterator[list[GeneratorProcess]]:
    with ExitStack() as stack:
        generators = []
        for number, (door, home) in enumerate(played):
            host, port, pid = door.ready.host, door.ready.port, door.ready.pid
            plan = GeneratorPlan(
                host, port, pid, load, masters=True, players=True, game_type=_type_of(home), nicks=f"player-{home}"
            )
            generator = GeneratorProcess(plan, door)
            stack.callback(generator.end)
            pin(generator.pid, len(NODES) + number)
            generator.line()
            generators.append(generator)
        yield generators


def nodes_text(measured: NodesMeasured) -> str:
    """Return the result for people."""
    lines = [
        f"{what:<32}{median(one.deliveries_per_second for one in windows):>10.0f} deliveries/s"
        f"{median(one.cpu_us for one in windows):>9.1f} µs of the nodes' processor time per delivery{more}"
        for what, windows, more in (
            ("one node", measured.alone, ""),
            ("one, through the other's door", measured.relayed, f": {measured.cost(measured.relayed):.2f} times"),
            ("two nodes", measured.both, f": {measured.cost(measured.both):.2f} times"),
        )
    ]
    goal = f"goals: {LOCAL:.2f} times with two nodes, {RELAYED:.2f} relayed, {TWICE} times the deliveries"
    enough = measured.processors >= 2 * len(NODES)
    short = "" if enough else f"; {measured.processors} processors are too few for nodes and generators, so not here"
    return "\n".join([*lines, f"two nodes deliver {measured.pace:.2f} times as much as one", goal + short])


def nodes_as_dict(measured: NodesMeasured, machine: Any) -> dict[str, Any]:
    """Return the result as plain values."""
    return {
        "machine": machine,
        **asdict(measured),
        "cost_both": measured.cost(measured.both),
        "cost_relayed": measured.cost(measured.relayed),
        "pace": measured.pace,
    }
