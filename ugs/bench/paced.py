"""A load at a steady rate of deliveries, neither more nor less. A process of its own.

Started as ``python -m ugs.bench.paced PLAN``, PLAN being the JSON of a :class:`PacedPlan`. It writes ``playing`` when
the games have begun. On ``play SECONDS SEED`` it lets moves be made at the moments of a schedule
(:mod:`ugs.bench.move_schedule`) and writes a :class:`PacedSample` as one line of JSON when the last of them has been
answered. On ``wait SECONDS SEED`` it only waits for the same moments: how late it wakes up is what this machine adds to
any figure. Between two orders the games stand still. It ends with its input. A failure is one line on stderr and exit
code 1.

Players and master are one process: two processors are one for it and one for the broker.
"""

import gc
import json
import select
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass

from ugs.bench.child import run_plan
from ugs.bench.connections import STANDARD_FILES, Connections, LoadFailed, ScriptConnection
from ugs.bench.load import Load
from ugs.bench.message_counts import MessageTally
from ugs.bench.message_script import PacedPlayer, Script, ScriptedMaster
from ugs.bench.move_schedule import due_moments, moves_per_second
from ugs.bench.orders import Orders
from ugs.bench.process import allow_open_files, cpu_nanoseconds

PATIENCE_S = 60.0
"""Seconds from the end of a window until its last move has to be answered."""

_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class PacedPlan:
    """Where the broker is, and what it gets to do."""

    host: str
    port: int
    broker_pid: int
    load: Load
    deliveries_per_second: float
    waiting: int = 0
    """Players beyond those who play at once; they take turns."""
    drawn: bool = False
    """Whether all games are drawn, so that no changed standings have to be sent."""

    @property
    def connections(self) -> int:
        """Return the number of connections."""
        return self.load.connections + self.waiting


@dataclass(frozen=True, slots=True)
class PacedSample:
    """One window."""

    seconds: float
    """Until the last move was answered."""
    trips_ns: list[int]
    """For each move, from its due moment until its player had the state that follows."""
    deliveries: int
    tables: int
    """``championsList`` messages."""
    broker_cpu_seconds: float


class Paced:
    """The load. Use it once: :meth:`connect`, then :meth:`run`, then :meth:`close`."""

    def __init__(self, plan: PacedPlan) -> None:
        self._plan = plan
        self._tally = MessageTally()
        self._ready: deque[PacedPlayer] = deque()
        """Players who are named and have not moved, first named first."""
        self._lines: dict[Script, ScriptConnection] = {}
        self._connections = Connections(plan.host, plan.port)

    def connect(self) -> None:
        """Log in all peers; return when all games have begun. Raises LoadFailed and UnexpectedMessage."""
        plan, tally = self._plan, self._tally
        scripts: list[Script] = [
            PacedPlayer(b"paced-%d" % number, plan.load, tally, self._ready)
            for number in range(plan.load.players + plan.waiting)
        ]
        scripts += [
            ScriptedMaster(b"master-%d" % number, plan.load, tally, drawn=plan.drawn)
            for number in range(plan.load.masters)
        ]
        self._lines = {line.script: line for line in self._connections.admit(scripts)}
        while len(self._ready) < plan.load.games:
            self._connections.turn(-1)

    def run(self, command_fd: int) -> Iterator[str]:
        """Carry out orders, lines from ``command_fd``, until it ends; yield the answers. Raises as
        :meth:`connect` does."""
        orders = Orders(command_fd)
        self._connections.listen_to(command_fd)
        samples = {"play": self.play, "wait": self.wait}
        while True:
            if not self._connections.turn(-1, command_fd):
                continue
            for words in orders.read():
                if words[0] == "end":
                    return
                yield json.dumps(asdict(samples[words[0]](float(words[1]), int(words[2]))))

    def play(self, seconds: float, seed: int) -> PacedSample:
        """Play for a window, and until the last move has been answered. Raises LoadFailed, also when that takes too
        long."""
        tally, connections, ready = self._tally, self._connections, self._ready
        trips = tally.round_trips
        trips.clear()
        deliveries, tables = tally.deliveries(), tally.champions_lists
        begin = time.monotonic_ns()
        latest = begin + int((seconds + PATIENCE_S) * _NANOSECONDS)
        cpu = cpu_nanoseconds(self._plan.broker_pid)
        moved = 0
        for due in self._moments(begin, seconds, seed):
            # What is due while no player is named waits for one, and its time runs.
            while (now := time.monotonic_ns()) < due or not ready:
                self._go_on(due if now < due else latest, latest)
            player = ready.popleft()
            connections.send(self._lines[player], player.move(due))
            moved += 1
        while len(trips) < moved:
            self._go_on(latest, latest)
        cpu = cpu_nanoseconds(self._plan.broker_pid) - cpu
        return PacedSample(
            (time.monotonic_ns() - begin) / _NANOSECONDS,
            trips,
            tally.deliveries() - deliveries,
            tally.champions_lists - tables,
            cpu / _NANOSECONDS,
        )

    def _go_on(self, moment: int, latest: int) -> None:
        """Handle what comes until ``moment``. Raises LoadFailed after the latest one."""
        self._connections.turn_before(moment)
        if time.monotonic_ns() >= latest:
            raise LoadFailed(f"a move was not answered within {PATIENCE_S:g} s after the end of a window")

    def wait(self, seconds: float, seed: int) -> PacedSample:
        """Wait for the moments of a window, and for nothing else."""
        begin = time.monotonic_ns()
        late = []
        for due in self._moments(begin, seconds, seed):
            while (left := due - time.monotonic_ns()) > 0:
                select.select([], [], [], left / _NANOSECONDS)
            late.append(time.monotonic_ns() - due)
        return PacedSample((time.monotonic_ns() - begin) / _NANOSECONDS, late, 0, 0, 0.0)

    def _moments(self, begin: int, seconds: float, seed: int) -> Iterator[int]:
        per_second = moves_per_second(self._plan.load, self._plan.deliveries_per_second)
        return due_moments(begin, begin + int(seconds * _NANOSECONDS), per_second, seed)

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()


def play(plan: PacedPlan) -> None:
    """Play windows as ordered, and report what each has shown."""
    with closing(Paced(plan)) as paced:
        allow_open_files(plan.connections + STANDARD_FILES)
        paced.connect()
        gc.freeze()  # a collection while something is measured would look like a slow broker
        gc.disable()
        print("playing", flush=True)
        for line in paced.run(sys.stdin.fileno()):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(play, PacedPlan))
