"""What a delivery costs two nodes on one database with a game type each, one of them alone, and one whose peers have
all come through the door of another, which hands them over or relays them.

The four take turns, on the same nodes: a game is moved nowhere, its generator only connects elsewhere. Where there are
processors enough, each node and each generator keeps to one; where there are not, each can have a part of one
(processor_quota.py).
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeAlias

from ugs.bench.connections import STANDARD_FILES
from ugs.bench.generator import GeneratorPlan, GeneratorSample
from ugs.bench.load import Load, Timing
from ugs.bench.process import allow_open_files, cpu_nanoseconds, open_files
from ugs.bench.processor_quota import NoQuota, ProcessorQuota, quota
from ugs.bench.run import BenchFailed, GeneratorProcess, sample_for
from ugs.bench.targets import POLL_SECONDS, RunningTarget, Target, TargetFailed, serving, started

LET_GO_S: Final = 60.0
"""At most this many seconds until the nodes have let go of the peers of a window."""
FREE_S: Final = 1.0
"""Seconds until their nicks are free at all nodes, too."""
NODES: Final = ("a", "b")
RELAYING: Final = "c"
"""A node without games that relays all peers."""
TWICE: Final = 1.7
"""Goal: two nodes deliver this many times what one does; it needs a processor, or a quota, for each node and
generator."""
LOCAL: Final = 1.15
"""Goal: what a delivery may cost with two nodes, against one."""
FULL: Final = 0.9
"""The part of its quota that a node has used in a window that shows how much it delivers: on a very busy machine
processes wait for a processor before they have used theirs."""
PASSED_ON: Final = 1.40
"""Goal: what a delivery of a peer from another door may cost both nodes together, against a direct one."""


@dataclass(frozen=True, slots=True)
class NodesWindow:
    """One way to play, measured once."""

    deliveries_per_second: float
    cpu_us: float
    """Microseconds of processor time of the nodes that take part, per delivery, without what a door of other nodes uses
    when it has no peers."""
    busiest_generator: float = 0.0
    """The part of a processor that the busier generator has used."""
    least_home: float = 0.0
    """The part of a processor that the less busy home has used."""
    held: int = 0
    """Files that a door of other nodes has open for their peers."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """The same as it was taken."""

    deliveries: int
    seconds: float
    cpu_us: Mapping[str, float]
    """Microseconds of processor time of each node."""
    busiest_generator: float
    held: Mapping[str, int]
    """How many more files each node has open than before."""


_Played: TypeAlias = Sequence[tuple[str, str]]
"""Whose games are played: through which door, and where they are at home."""
FIRST, SECOND = NODES
WAYS: Final[Sequence[_Played]] = (
    [(FIRST, FIRST)],
    [(SECOND, FIRST)],
    [(RELAYING, FIRST)],
    [(FIRST, FIRST), (SECOND, SECOND)],
)
"""As in :class:`NodesMeasured`."""


@dataclass(frozen=True, slots=True)
class NodesMeasured:
    """The result, round by round."""

    alone: Sequence[NodesWindow]
    """One node, whose peers connect to it."""
    handed: Sequence[NodesWindow]
    """The same, whose peers were handed over by the other node."""
    relayed: Sequence[NodesWindow]
    """The same, whose peers are relayed by another node."""
    both: Sequence[NodesWindow]
    """Two nodes with peers of their own."""
    processors: int
    quota: int = 0
    """The percent of a processor that each node and each generator had; 0: as much as there was."""

    def cost(self, windows: Sequence[NodesWindow]) -> float:
        """Return how many times the cost of a delivery at one node this is: the median of the rounds."""
        return median(one.cpu_us / alone.cpu_us for one, alone in zip(windows, self.alone, strict=True))

    @property
    def full(self) -> Sequence[tuple[NodesWindow, NodesWindow]]:
        """One node and two nodes, by round: those in which all had their quota, as far as the machine gave it."""
        pairs = list(zip(self.alone, self.both, strict=True))
        wanted = self.quota / 100 * FULL
        return [pair for pair in pairs if all(one.least_home >= wanted for one in pair)] or pairs

    @property
    def pace(self) -> float:
        """How many times as much two nodes deliver as one: the median of the full rounds."""
        return median(two.deliveries_per_second / one.deliveries_per_second for one, two in self.full)

    @property
    def pace_of_cost(self) -> float:
        """The same as the processor time alone lets it be."""
        return len(NODES) / self.cost(self.both)


def measure_nodes(
    journal: str, load: Load, timing: Timing, on_round: Callable[[int], None], percent: int = 0
) -> NodesMeasured:
    """Measure ``timing.rounds`` rounds with nodes on the database ``journal``. ``on_round`` is called with the number
    of finished rounds. With ``percent``, each node and generator has that much of a processor. Raises BenchFailed."""
    room = Load(2 * load.games, load.moves, load.payload_bytes, load.masters)
    windows: list[tuple[NodesWindow, ...]] = []
    try:
        allow_open_files(2 * room.connections + STANDARD_FILES)
        with quota(percent) as limits, ExitStack() as stack:
            nodes = {name: stack.enter_context(started(_target(name, journal), room)) for name in (*NODES, RELAYING)}
            for number, node in enumerate(nodes.values()):
                pin(node.ready.pid, min(number, 1))
                if limits is not None:
                    limits.limit(node.ready.pid)
            for done in range(timing.rounds):
                # Another one begins each round, or what a window leaves behind would always meet the same one.
                order = sorted(range(len(WAYS)), key=lambda at: (at - done) % len(WAYS))
                samples = {at: _sample(nodes, load, timing, limits, WAYS[at]) for at in order}
                windows.append(tuple(_window(WAYS[at], samples[at], samples[0]) for at in range(len(WAYS))))
                on_round(done + 1)
    except (TargetFailed, NoQuota, OSError) as error:
        raise BenchFailed(f"nodes: {error}") from error
    alone, handed, relayed, both = zip(*windows, strict=True)
    return NodesMeasured(alone, handed, relayed, both, os.cpu_count() or 1, percent)


def pin(pid: int, processor: int) -> None:
    """Let a process run on this processor only, if there is one for each of two nodes and two generators."""
    if (os.cpu_count() or 1) > processor and (os.cpu_count() or 1) >= 2 * len(NODES):
        # A container may not have all processors of the machine.
        with suppress(OSError):
            os.sched_setaffinity(pid, {processor})


def _target(name: str, journal: str) -> Target:
    serve = serving({"hand_over": name != RELAYING})

    def arguments(directory: Path, load: Load) -> list[str]:
        node = ("--http-port", "0", "--journal", journal, "--node", name)
        return [*serve(directory, load), *node, *(("--home", _type_of(name)) if name in NODES else ())]

    return Target(f"node {name}", "", arguments)


def _type_of(name: str) -> str:
    """The game type that is at home at a node."""
    return f"bench-{name}"


def _window(played: _Played, sample: _Sample, alone: _Sample) -> NodesWindow:
    """Return what one sample says, with that of one node alone in the same round."""
    homes = {home for _, home in played}
    doors = {door for door, _ in played} - homes
    cpu_us = sum(sample.cpu_us[home] for home in homes)
    # Nodes look into the database now and then: in a short window of a slow processor that would count.
    cpu_us += sum(sample.cpu_us[door] - alone.cpu_us[door] / alone.seconds * sample.seconds for door in doors)
    return NodesWindow(
        sample.deliveries / sample.seconds,
        cpu_us / sample.deliveries,
        sample.busiest_generator,
        min(sample.cpu_us[home] for home in homes) / sample.seconds / 1e6,
        sum(sample.held[door] for door in doors),
    )


def _sample(
    nodes: Mapping[str, RunningTarget], load: Load, timing: Timing, limits: ProcessorQuota | None, played: _Played
) -> _Sample:
    """Let games be played, and measure."""
    pids = {name: node.ready.pid for name, node in nodes.items()}
    idle = {name: open_files(pid) for name, pid in pids.items()}
    with _playing(nodes, played, load, limits) as generators:
        sample_for(generators, timing.warm_up_seconds)
        before = {name: cpu_nanoseconds(pid) for name, pid in pids.items()}
        samples: list[GeneratorSample] = sample_for(generators, timing.seconds)
        used = {name: (cpu_nanoseconds(pid) - before[name]) / 1000 for name, pid in pids.items()}
        held = {name: max(0, open_files(pid) - idle[name]) for name, pid in pids.items()}
        for node in nodes.values():
            node.check()
    _let_go({pids[name]: files for name, files in idle.items()})
    deliveries, seconds = sum(sample.deliveries for sample in samples), samples[0].seconds
    if not deliveries:
        raise BenchFailed("nothing was delivered")
    busiest = max(sample.generator_cpu_seconds for sample in samples) / seconds
    return _Sample(deliveries, seconds, used, busiest, held)


def _let_go(idle: Mapping[int, int]) -> None:
    """Wait until nodes have no more open files than these, and nicks are free."""
    until = time.monotonic() + LET_GO_S
    while any(open_files(pid) > files for pid, files in idle.items()) and time.monotonic() < until:
        time.sleep(POLL_SECONDS)
    time.sleep(FREE_S)


@contextmanager
def _playing(
    nodes: Mapping[str, RunningTarget], played: _Played, load: Load, limits: ProcessorQuota | None
) -> Iterator[list[GeneratorProcess]]:
    with ExitStack() as stack:
        generators = []
        for number, (door, home) in enumerate(played):
            target = nodes[door]
            host, port, pid = target.ready.host, target.ready.port, target.ready.pid
            plan = GeneratorPlan(
                host, port, pid, load, masters=True, players=True, game_type=_type_of(home), nicks=f"player-{home}"
            )
            generator = GeneratorProcess(plan, target)
            stack.callback(generator.end)
            pin(generator.pid, len(NODES) + number)
            generator.line()
            if limits is not None:
                limits.limit(generator.pid)
            generators.append(generator)
        yield generators


def nodes_text(measured: NodesMeasured) -> str:
    """Return the result for people."""
    held = max(one.held for one in measured.handed)
    handed = f": {measured.cost(measured.handed):.2f} times"
    if held:
        handed += f", but {held} files were open at the door: some were relayed"
    lines = [
        f"{what:<32}{median(one.deliveries_per_second for one in windows):>10.0f} deliveries/s"
        f"{median(one.cpu_us for one in windows):>9.1f} µs of the nodes' processor time per delivery{more}"
        for what, windows, more in (
            ("one node", measured.alone, ""),
            ("one, handed over by the other", measured.handed, handed),
            ("one, relayed by another", measured.relayed, f": {measured.cost(measured.relayed):.2f} times"),
            ("two nodes", measured.both, f": {measured.cost(measured.both):.2f} times"),
        )
    ]
    goal = (
        f"goals: {LOCAL:.2f} times with two nodes, {PASSED_ON:.2f} through another door, {TWICE} times the deliveries"
    )
    return "\n".join([*lines, f"two nodes deliver {measured.pace:.2f} times as much as one: {_how(measured)}", goal])


def _how(measured: NodesMeasured) -> str:
    """Return how it was measured how much two nodes deliver."""
    if measured.quota:
        windows = [window for pair in measured.full for window in pair]
        busiest, least = max(one.busiest_generator for one in windows), min(one.least_home for one in windows)
        return (
            f"each node and each generator had {measured.quota} % of a processor; a node used {least * 100:.0f} at "
            f"least, a generator {busiest * 100:.0f} at most ({len(measured.full)} of {len(measured.both)} rounds)"
        )
    if measured.processors >= 2 * len(NODES):
        return "each node and each generator had a processor"
    return (
        f"{measured.processors} processors are too few for nodes and generators (--quota 25); "
        f"by their processor time it would be {measured.pace_of_cost:.2f}"
    )


def nodes_as_dict(measured: NodesMeasured, machine: Any) -> dict[str, Any]:
    """Return the result as plain values."""
    return {
        "machine": machine,
        **asdict(measured),
        "cost_both": measured.cost(measured.both),
        "cost_handed": measured.cost(measured.handed),
        "cost_relayed": measured.cost(measured.relayed),
        "pace": measured.pace,
        "pace_of_cost": measured.pace_of_cost,
    }
