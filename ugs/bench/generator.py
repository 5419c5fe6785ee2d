"""The load: scripted masters and players, many connections in one epoll loop. A process of its own.

Started as ``python -m ugs.bench.generator PLAN``, PLAN being the JSON of a :class:`GeneratorPlan`. It talks with the
runner in lines. It writes ``connected`` when all peers are admitted and, as far as the masters see, all games run. On
``measure T0 T1`` (nanoseconds of the machine's monotonic clock, which all processes share) it takes a
:class:`GeneratorSample` of what happens between the two and writes it as one line of JSON. On ``end``, or when all its
scripts are finished, it writes its final counts and ends. A failure is one line on stderr and exit code 1.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field

from ugs.bench.child import run_plan
from ugs.bench.connections import STANDARD_FILES, Connections
from ugs.bench.load import Load
from ugs.bench.message_counts import PERCENTILES, MessageTally, percentile
from ugs.bench.message_script import GAME_TYPE, Script, ScriptedMaster, ScriptedPlayer
from ugs.bench.orders import Orders
from ugs.bench.process import allow_open_files, cpu_nanoseconds

_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class GeneratorPlan:
    """What one generator process does."""

    host: str
    port: int
    broker_pid: int
    load: Load
    masters: bool
    """Whether it plays the masters."""
    players: bool
    """Whether it plays the players. Both together are allowed."""
    games_per_player: int | None = None
    """Players log out after this many games, masters when all games are over. None: they play until the order
    to end."""
    ca: str = ""
    """A PEM file with the authority to trust: it speaks TLS. Empty: it does not."""
    game_type: str = GAME_TYPE.decode()
    nicks: str = "player"
    """What the nicks of its players begin with: those of one cluster are all different."""

    @property
    def connections(self) -> int:
        """Return the number of connections of this process."""
        return self.masters * self.load.masters + self.players * self.load.players

    def scripts(self, tally: MessageTally) -> Iterator[Script]:
        """Return the scripts of this process, which all count into ``tally``."""
        finite, named = self.games_per_player is not None, self.game_type.encode()
        if self.players:
            for number in range(self.load.players):
                nick = f"{self.nicks}-{number}".encode()
                yield ScriptedPlayer(nick, self.load, tally, self.games_per_player, game_type=named)
        if self.masters:
            for number in range(self.load.masters):
                yield ScriptedMaster(b"master-%d" % number, self.load, tally, even=finite, game_type=named)


@dataclass(frozen=True, slots=True)
class GeneratorSample:
    """What one generator process received within a window, and how much processor time it and the broker used."""

    seconds: float
    """True length of the window."""
    counts: dict[str, int]
    """By kind, see :class:`ugs.bench.message_counts.MessageTally`."""
    deliveries: int
    broker_cpu_seconds: float
    generator_cpu_seconds: float
    round_trip_ms: dict[str, float] = field(default_factory=dict)
    """Percentiles by name ("50"); empty in a process without players."""


class Generator:
    """All scripts of one process. Use it once: :meth:`connect`, then :meth:`run`, then :meth:`close`."""

    def __init__(self, plan: GeneratorPlan) -> None:
        self.tally = MessageTally()
        self._plan = plan
        self._connections = Connections(plan.host, plan.port, plan.ca)

    def connect(self) -> None:
        """Connect and log in all peers.

        Returns when all are admitted and, if this process plays the masters, as many games have begun as are to run at
        once. Players are admitted first, so that no game runs while others still connect. Raises LoadFailed when the
        broker closes a connection, and UnexpectedMessage when it refuses a login.
        """
        self._connections.admit(self._plan.scripts(self.tally))
        while self._plan.masters and self.tally.begins < self._plan.load.games:
            self._connections.turn(-1)

    def run(self, command_fd: int) -> Iterator[str]:
        """Play, and yield the lines for the runner: samples when asked for, at the end the final counts.

        Commands are read from ``command_fd``; its end counts as ``end``. Raises as :meth:`connect` does.
        """
        orders = Orders(command_fd)
        self._connections.listen_to(command_fd)
        ended = False
        while self._connections and not ended:
            if not self._connections.turn(-1, command_fd):
                continue
            for words in orders.read():
                if words[0] == "end":
                    ended = True
                    break
                yield json.dumps(asdict(self._measure(int(words[1]), int(words[2]))))
        yield json.dumps(self.tally.counts())

    def _measure(self, begin: int, end: int) -> GeneratorSample:
        """Play until ``end``; return what happened since ``begin``."""
        tally = self.tally
        self._play_until(begin)
        counts, deliveries = tally.counts(), tally.deliveries()
        started, broker, own = time.monotonic_ns(), self._broker_clock(), time.process_time_ns()
        self._play_until(end)
        ended = time.monotonic_ns()
        broker, own = self._broker_clock() - broker, time.process_time_ns() - own
        # The list goes on from window to window; at the begin it was this long.
        trips = sorted(tally.round_trips[counts["round_trips"] :])
        return GeneratorSample(
            seconds=(ended - started) / _NANOSECONDS,
            counts={kind: count - counts[kind] for kind, count in tally.counts().items()},
            deliveries=tally.deliveries() - deliveries,
            broker_cpu_seconds=broker / _NANOSECONDS,
            generator_cpu_seconds=own / _NANOSECONDS,
            round_trip_ms={str(each): percentile(trips, each) / 1e6 for each in PERCENTILES} if trips else {},
        )

    def _broker_clock(self) -> int:
        return cpu_nanoseconds(self._plan.broker_pid)

    def _play_until(self, moment: int) -> None:
        """Play until the monotonic clock shows ``moment`` nanoseconds."""
        while (left := moment - time.monotonic_ns()) > 0:
            self._connections.turn(left / _NANOSECONDS)

    def close(self) -> None:
        """Close all connections; the broker sees its peers vanish."""
        self._connections.close()


def play(plan: GeneratorPlan) -> None:
    """Play as planned, and take a sample at each order."""
    allow_open_files(plan.connections + STANDARD_FILES)
    with closing(Generator(plan)) as generator:
        generator.connect()
        print("connected", flush=True)
        for line in generator.run(sys.stdin.fileno()):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(play, GeneratorPlan))
