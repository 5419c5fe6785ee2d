"""All processes of a cluster: a server and one that stands by, a database and its replica, game masters."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ugs.places import DatabaseUrl
from ugs.soak.cluster.database_process import DatabaseProcess
from ugs.soak.cluster.lasting_player import BOARD, ROW
from ugs.soak.server_process import SoakProgram, until
from ugs.soak.witness import GAME

GAME_TYPE: Final = "lasting"
HOST: Final = "127.0.0.1"
# Clocks and graces outlast a failover on a busy machine: a game that is lost then is lost by a fault.
SETTINGS: Final = """
keep = "moves"
masters_per_game = 2
master_grace_s = 60
session_grace_s = 120
move_timeout_s = 120
master_timeout_s = 120
begin_timeout_s = 120
thank_you_timeout_s = 60
"""
OPTIONS: Final = (f"width={BOARD}", f"height={BOARD}", f"row={ROW}")
STANDING_BY: Final = '"standing by"'


class ClusterServer(SoakProgram):
    """`ugs serve --standby` on the databases, at a port of its own."""

    def __init__(self, name: str, folder: Path, url: DatabaseUrl, port: int) -> None:
        self.ready = folder / f"{name}.ready"
        self.ready.unlink(missing_ok=True)
        config = folder / "ugs.toml"
        config.write_text(SETTINGS, encoding="utf-8")
        arguments = ["-m", "ugs", "serve", "--config", str(config), "--journal", url.text, "--standby"]
        arguments += ["--host", HOST, "--port", str(port), "--http-port", "0", "--ready-file", str(self.ready)]
        # An earlier life of this server may have written the same line into this log.
        self._log_before = (folder / f"{name}.log").stat().st_size if (folder / f"{name}.log").exists() else 0
        super().__init__(name, arguments, folder)

    @property
    def serves(self) -> bool:
        """Whether its doors are open."""
        return self.running and self.ready.exists()

    @property
    def stands_by(self) -> bool:
        """Whether it waits for the other one's lock."""
        with self.errors.open("rb") as log:
            log.seek(self._log_before)
            return self.running and not self.serves and STANDING_BY.encode() in log.read()


class Cluster:
    """Started by :meth:`start`; the owner calls :meth:`close`. The methods in :data:`KILLS` each kill one part, and
    :meth:`mend` brings back what is missing. Raises SoakFailed and DatabaseFailed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Only processes die here, never the machine: what they wrote is in the system's cache.
        self.databases = [DatabaseProcess(_made(folder / name), ["fsync=off"]) for name in ("d1", "d2")]
        """The primary first."""
        hosts = ",".join(str(one.folder) for one in self.databases)
        # libpq tries all hosts and takes the one that accepts writes, so a failover needs no other address.
        self.url = DatabaseUrl(f"postgresql://ugs@/postgres?host={hosts}&target_session_attrs=read-write")
        self.places = [(HOST, port) for port in _free_ports(2)]
        """Where the servers listen, if they do."""
        self._servers: dict[str, ClusterServer] = {}
        self._masters: dict[str, SoakProgram] = {}

    def start(self) -> None:
        """Start all of it; returns when a server listens and the other one stands by."""
        first, second = self.databases
        first.create()
        first.start()
        second.copy(first)
        second.start()
        self.mend()

    def close(self) -> None:
        """Stop all of it."""
        for program in (*self._masters.values(), *self._servers.values()):
            program.process.kill()
            program.stop()
        for database in self.databases:
            database.kill()

    def kill_active(self) -> None:
        """The server that serves dies."""
        self._kill(self._active())

    def kill_standby(self) -> None:
        """The one that stands by dies."""
        self._kill(next(one for one in self._servers.values() if not one.serves))

    def restart_database(self) -> None:
        """All processes of the primary die, and it is started again."""
        self.databases[0].kill()
        # Without a wait: the servers meet a database that is still recovering.
        self.databases[0].start(waits=False)

    def fail_over(self) -> None:
        """All processes of the primary die, and its replica is promoted."""
        self.databases[0].kill()
        self.databases.reverse()
        self.databases[0].promote()
        # Its replica is gone, and commits would wait for it for ever.
        self.databases[0].follow_only("")

    def kill_replica(self) -> None:
        """All processes of the replica die: commits wait for it until it is back."""
        self.databases[1].kill()

    def cut_connections(self) -> None:
        """The primary ends all connections to servers."""
        self.databases[0].cut()

    def kill_master(self) -> None:
        """One of the game masters dies."""
        self._kill(self._masters["m1"])

    def mend(self) -> None:
        """Start what is missing; returns when one server serves, the other one stands by, and the replica follows."""
        primary, replica = self.databases
        until(primary.answers, lambda: primary.running)
        if not replica.running:
            if not (replica.data / "standby.signal").exists():
                replica.copy(primary)  # it was the primary; what it had alone counts no more
            replica.start()
        # From now on each commit is on both, so that the next failover loses none.
        primary.follow_only("*")
        until(self._is_whole)

    def _start_missing(self) -> None:
        for number, name in enumerate(("s1", "s2")):
            if name not in self._servers or not self._servers[name].running:
                self._servers[name] = ClusterServer(name, self.folder, self.url, self.places[number][1])
        where = ",".join(f"{host}:{port}" for host, port in self.places)
        for name in ("m1", "m2"):
            if name not in self._masters or not self._masters[name].running:
                options = [word for option in OPTIONS for word in ("--option", option)]
                arguments = ["-m", "ugs", "master", GAME, "--connect", where, "--game-type", GAME_TYPE, "--id", name]
                arguments += ["--log-level", "warning", *options]
                self._masters[name] = SoakProgram(name, arguments, self.folder)

    def _is_whole(self) -> bool:
        """Whether all are there. A server that has lost the journal to the other one ends a little later."""
        self._start_missing()
        servers = self._servers.values()
        return any(one.serves for one in servers) and any(one.stands_by for one in servers)

    def _active(self) -> ClusterServer:
        return next(one for one in self._servers.values() if one.serves)

    @staticmethod
    def _kill(program: SoakProgram) -> None:
        program.process.kill()
        program.process.wait()


KILLS: Final[dict[str, Callable[[Cluster], None]]] = {
    "server": Cluster.kill_active,
    "standby": Cluster.kill_standby,
    "database": Cluster.restart_database,
    "failover": Cluster.fail_over,
    "replica": Cluster.kill_replica,
    "connections": Cluster.cut_connections,
    "master": Cluster.kill_master,
}
"""What dies, by the name in the table."""


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
