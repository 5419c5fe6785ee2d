"""The load: scripted masters and players, many connections in one epoll loop. A process of its own.

Started as ``python -m ugs.bench.generator PLAN``, PLAN being the JSON of a :class:`Plan`. It talks with the runner in
lines. It writes ``connected`` when all peers are admitted and, as far as the masters see, all games run. On ``measure
T0 T1`` (nanoseconds of the machine's monotonic clock, which all processes share) it takes a :class:`Sample` of what
happens between the two and writes it as one line of JSON. On ``end``, or when all its scripts are finished, it writes
its final counts and ends. A failure is one line on stderr and exit code 1.
"""

import json
import os
import select
import socket
import ssl
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ugs.bench.load import Load
from ugs.bench.process import allow_open_files, cpu_nanoseconds
from ugs.bench.script import Cutter, Script, ScriptedMaster, ScriptedPlayer, UnexpectedMessage
from ugs.bench.tally import PERCENTILES, Tally, percentile
from ugs.tls import client_context

LOGINS_AT_ONCE = 64
"""Below every usual listen backlog: a connection refused for a full backlog would only be tried again after a
second."""

RECEIVE_BYTES = 256 * 1024
SEND_BYTES = 256 * 1024
"""At most this many bytes of pending output are offered to a socket at a time."""

STANDARD_FILES = 64
"""A generous number of files that a Python process opens besides its sockets."""

_NANOSECONDS = 1e9


class GeneratorFailed(Exception):
    """The load cannot be kept up; the text says why."""


@dataclass(frozen=True, slots=True)
class Plan:
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
    """Players say good-bye after this many games, masters when all games are over. None: they play until told to
    end."""
    ca: str = ""
    """A PEM file with the authority to trust: it speaks TLS. Empty: it does not."""

    @property
    def connections(self) -> int:
        """Return the number of connections of this process."""
        return self.masters * self.load.masters + self.players * self.load.players

    def to_json(self) -> str:
        """Return the plan as one command line argument."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The reverse of :meth:`to_json`."""
        values = json.loads(text)
        return cls(**values | {"load": Load(**values["load"])})

    def scripts(self, tally: Tally) -> Iterator[Script]:
        """Return the scripts of this process, which all count into ``tally``."""
        finite = self.games_per_player is not None
        if self.players:
            for number in range(self.load.players):
                yield ScriptedPlayer(b"player-%d" % number, self.load, tally, self.games_per_player)
        if self.masters:
            for number in range(self.load.masters):
                yield ScriptedMaster(b"master-%d" % number, self.load, tally, even=finite)


@dataclass(frozen=True, slots=True)
class Sample:
    """What one generator process heard within a window, and how much processor time it and the broker used."""

    seconds: float
    """True length of the window."""
    counts: dict[str, int]
    """By kind, see :class:`ugs.bench.tally.Tally`."""
    deliveries: int
    broker_cpu_seconds: float
    generator_cpu_seconds: float
    round_trip_ms: dict[str, float] = field(default_factory=dict)
    """Percentiles by name ("50"); empty in a process without players."""


class Connection:
    """A script, its socket, its unfinished input and its pending output."""

    __slots__ = ("cutter", "script", "socket", "unsent")

    def __init__(self, script: Script, sock: socket.socket) -> None:
        self.script = script
        self.socket = sock
        self.cutter = Cutter()
        self.unsent = bytearray()


class Generator:
    """All connections of one process. Use it once: :meth:`connect`, then :meth:`run`, then :meth:`close`."""

    def __init__(self, plan: Plan) -> None:
        self.tally = Tally()
        self._plan = plan
        self._epoll = select.epoll()
        self._connections: dict[int, Connection] = {}
        self._buffer = bytearray(RECEIVE_BYTES)
        self._view = memoryview(self._buffer)
        self._tls = client_context(Path(plan.ca)) if plan.ca else None

    def connect(self) -> None:
        """Connect and log in all peers, LOGINS_AT_ONCE at a time.

        Returns when all are admitted and, if this process plays the masters, as many games have begun as are to run at
        once. Players are admitted first, so that no game runs while others still connect. Raises GeneratorFailed when
        the broker closes a connection, and UnexpectedMessage when it refuses a login.
        """
        waiting: list[Script] = []
        for script in self._plan.scripts(self.tally):
            waiting.append(script)
            sock = self._dial()
            sock.setblocking(False)
            connection = self._connections[sock.fileno()] = Connection(script, sock)
            self._epoll.register(sock, select.EPOLLIN)
            self._send(connection, script.login())
            if len(waiting) == LOGINS_AT_ONCE:
                self._until_admitted(waiting)
                waiting.clear()
        self._until_admitted(waiting)
        while self._plan.masters and self.tally.begins < self._plan.load.games:
            self._turn(-1)

    def _dial(self) -> socket.socket:
        sock = socket.create_connection((self._plan.host, self._plan.port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is None:
            return sock
        return self._tls.wrap_socket(sock, server_hostname=self._plan.host)

    def _until_admitted(self, scripts: Iterable[Script]) -> None:
        for script in scripts:
            while not script.admitted:
                self._turn(-1)

    def run(self, command_fd: int) -> Iterator[str]:
        """Play, and yield the lines for the runner: samples when asked for, at the end the final counts.

        Commands are read from ``command_fd``; its end counts as ``end``. Raises as :meth:`connect` does.
        """
        commands = LineReader(command_fd)
        self._epoll.register(command_fd, select.EPOLLIN)
        ended = False
        while self._connections and not ended:
            if not self._turn(-1, command_fd):
                continue
            for words in commands.read():
                if words[0] == "end":
                    ended = True
                    break
                yield json.dumps(asdict(self._measure(int(words[1]), int(words[2]))))
        yield json.dumps(self.tally.counts())

    def _measure(self, begin: int, end: int) -> Sample:
        """Play until ``end``; return what happened since ``begin``."""
        tally = self.tally
        self._play_until(begin)
        counts, deliveries = tally.counts(), tally.deliveries()
        started, broker, own = time.monotonic_ns(), self._broker_clock(), time.process_time_ns()
        self._play_until(end)
        ended = time.monotonic_ns()
        broker, own = self._broker_clock() - broker, time.process_time_ns() - own
        trips = sorted(tally.round_trips[counts["round_trips"] :])
        return Sample(
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
            self._turn(left / _NANOSECONDS)

    def _turn(self, timeout: float, command_fd: int = -1) -> bool:
        """Wait for events, at most ``timeout`` seconds (-1: for ever), and handle all of them.

        Returns True when a command waits on ``command_fd``.
        """
        commanded = False
        connections = self._connections
        for fd, event in self._epoll.poll(timeout):
            connection = connections.get(fd)
            if connection is None:
                commanded = commanded or fd == command_fd
                continue
            if event & select.EPOLLOUT:
                self._send(connection, b"")
            if event & ~select.EPOLLOUT:
                self._receive(connection)
        return commanded

    def _receive(self, connection: Connection) -> None:
        """Hear what has come. Of what TLS has read already epoll knows nothing, so it is heard to the end."""
        while self._receive_once(connection) and self._tls is not None:
            pass

    def _receive_once(self, connection: Connection) -> bool:
        """Whether there was something, and the connection is still there."""
        try:
            size = connection.socket.recv_into(self._buffer)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except ConnectionError as error:
            raise GeneratorFailed(f"the broker broke a connection: {error}") from error
        if size == 0:
            self._closed_by_broker(connection)
            return False
        heard = connection.script.heard
        documents = connection.cutter.feed(bytes(self._view[:size]))
        answers = [heard(document) for document in documents]
        if any(answers):
            self._send(connection, b"".join(answers))
        return True

    def _closed_by_broker(self, connection: Connection) -> None:
        if not connection.script.finished:
            raise GeneratorFailed("the broker closed a connection in the middle of play")
        self._drop(connection)
        if all(isinstance(each.script, ScriptedMaster) for each in self._connections.values()):
            for each in list(self._connections.values()):
                self._drop(each)

    def _drop(self, connection: Connection) -> None:
        self._epoll.unregister(connection.socket)
        del self._connections[connection.socket.fileno()]
        connection.socket.close()

    def _send(self, connection: Connection, data: bytes) -> None:
        """Send what the socket takes, keep the rest and ask epoll to report when there is room."""
        unsent = connection.unsent
        had_to_wait = bool(unsent)
        if had_to_wait:
            unsent += data
            data = bytes(unsent[:SEND_BYTES])
        try:
            sent = connection.socket.send(data)
        except (BlockingIOError, ssl.SSLWantWriteError):
            sent = 0
        except ConnectionError as error:
            raise GeneratorFailed(f"the broker broke a connection: {error}") from error
        if had_to_wait:
            del unsent[:sent]
        elif sent < len(data):
            unsent += data[sent:]
        if bool(unsent) != had_to_wait:
            waits_for = select.EPOLLIN | select.EPOLLOUT if unsent else select.EPOLLIN
            self._epoll.modify(connection.socket, waits_for)

    def close(self) -> None:
        """Close all connections; the broker sees its peers vanish."""
        for connection in self._connections.values():
            connection.socket.close()
        self._connections.clear()
        self._epoll.close()


class LineReader:
    """Commands from a pipe, a line each."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""

    def read(self) -> list[list[str]]:
        """Read once; return the complete lines, each as a list of its words. The end of the pipe reads as ``end``."""
        data = os.read(self._fd, 4096)
        if not data:
            return [["end"]]
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode().split() for line in lines if line.strip()]


def main(argument: str) -> int:
    """Carry out the plan in ``argument``; return the exit code."""
    plan = Plan.from_json(argument)
    allow_open_files(plan.connections + STANDARD_FILES)
    generator = Generator(plan)
    try:
        generator.connect()
        print("connected", flush=True)
        for line in generator.run(sys.stdin.fileno()):
            print(line, flush=True)
    except (GeneratorFailed, UnexpectedMessage, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        generator.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
