"""A whole server: listen, serve, and stop in the right order.

Two nurseries: the outer one holds connections, the inner one the doors that let new ones in. On a signal the broker
lets games end and sends its good-byes; then the inner nursery is cancelled, and the outer one gets ``goodbye_s`` for
last words. The journal is opened before the first connection and closed after the last one.
"""

import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import structlog
import trio

from ugs import __version__, gateway
from ugs.admin import SOCKET_NAME
from ugs.broker.broker import Broker
from ugs.broker.events import ShutdownAsked, Started
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.daemon.admin import serve_admin
from ugs.daemon.driver import Driver
from ugs.daemon.intake import LoginRouter
from ugs.daemon.journal.bridge import JournalBridge
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.listening import Doorkeeper, ListeningDoor
from ugs.daemon.network.ports import Listeners, Ports, listen
from ugs.daemon.processes.garbage import collect_in_quiet_moments
from ugs.daemon.processes.life_signs import show_life
from ugs.daemon.processes.process import (
    allow_many_connections,
    give_memory_back,
    share_the_interpreter,
    spare_the_collector,
    stop_signals,
)
from ugs.daemon.processes.supervision import Spared, Supervisor
from ugs.daemon.random_ids import new_game_id, new_secret
from ugs.daemon.shell import SharedNicks, Shell
from ugs.daemon.status.cluster_status import ALONE, ClusterStatus
from ugs.log import JOIN_S, joining
from ugs.ready import notify_systemd, ready_file

if TYPE_CHECKING:
    from ugs.daemon.gateways.gateway import GatewayServer


class Node(Protocol):
    """What makes a server one of several on one database (:mod:`ugs.cluster`)."""

    @property
    def router(self) -> LoginRouter:
        """What knows which peers are for another one."""
        ...

    @property
    def nicks(self) -> SharedNicks:
        """What knows the nicks that are in use at the others."""
        ...

    @property
    def status(self) -> ClusterStatus:
        """What is known of all of them."""
        ...

    def new_secret(self) -> str:
        """Return a text that cannot be guessed, and as the token of a session leads here."""
        ...

    async def open(self, shell: Shell, doors: trio.Nursery, per_origin: Counter[str]) -> None:
        """Let the others know of this one, and accept their peers, whose addresses are counted in ``per_origin``."""
        ...


async def serve(
    config: Config, ready_path: Path | None = None, plans: Sequence[Plan] = (), node: Node | None = None
) -> None:
    """Run a server until SIGTERM, SIGINT or SIGHUP (which only lets it read again what it ``reads_again``);
    ``plans`` are championships to be announced. With ``node`` it is one of several servers.

    Raises TlsError when the certificate cannot be used, OSError, whose text names what was tried, when it cannot listen
    or cannot write the ready file, JournalError when the data directory cannot be used, GatewayError when a gateway
    cannot be loaded or started, StoppedEarly on a signal before the journal is read, and TaskFailed when a task with
    games at stake has met a bug: everything is written down by then, and they go on after a restart.
    """
    allow_many_connections()
    give_memory_back()
    certificates = Certificates(config.tls) if config.tls.certificate else None
    with ExitStack() as stack, trio.open_signal_receiver(*stop_signals(reads_again(config))) as signals:
        bridge = await open_journal(config, signals)
        stack.callback(bridge.close)
        ports = await listen(config, stack)
        stack.enter_context(plain_errors())
        async with trio.open_nursery() as connections:
            shell = await start_shell(config, connections, bridge, certificates, plans, node)
            gateways = open_gateways(shell, ports)
            async with trio.open_nursery() as doors:
                await open_admin_socket(shell, doors)
                http, plain_http = await open_page(shell, doors)
                per_origin: Counter[str] = Counter()
                if node is not None:
                    await node.open(shell, doors, per_origin)
                # From here on a peer that connects is served as soon as the doors are open.
                more = {"gateways": ports.urls, "tls": ports.encrypted, "plain": plain_addresses(ports, plain_http)}
                stack.enter_context(ready_file(ready_path, ports.address, http, more))
                open_doors(shell, doors, ports, gateways, per_origin)
                notify_systemd("READY=1", os.environ)
                spare_the_collector()
                share_the_interpreter()
                log_listening(ports, http, more["plain"], is_kept=bridge.journal is not None)
                read_again = shell.read_again if reads_again(config) else None
                heeds = partial(heed_signals, signals, shell.driver, read_again)
                doors.start_soon(shell.supervisor.run, "signals", heeds)
                await shell.driver.stopped.wait()
                doors.cancel_scope.cancel()
            notify_systemd("STOPPING=1", os.environ)
            ports.close()
            connections.cancel_scope.deadline = trio.current_time() + config.goodbye_s
            connections.start_soon(cut_short, signals, connections.cancel_scope)
            await all_gone(shell, gateways)
            connections.cancel_scope.cancel()
    log_stopped(shell)


async def start_shell(
    config: Config,
    connections: trio.Nursery,
    bridge: JournalBridge,
    certificates: Certificates | None,
    plans: Sequence[Plan],
    node: Node | None = None,
) -> Shell:
    """A shell whose parts run in this nursery, and whose broker has begun with what earlier lives have left and with
    ``plans``."""
    broker = Broker(config, new_game_id, new_secret if node is None else node.new_secret, bridge.past)
    supervisor = Supervisor()
    router, cluster, nicks = (None, ALONE, None) if node is None else (node.router, node.status, node.nicks)
    spared = Spared(supervisor, connections)
    shell = Shell(config, broker, spared, bridge.journal, certificates, supervisor, router, cluster, nicks)
    connections.start_soon(supervisor.run, "signs of life", partial(show_life, os.environ))
    connections.start_soon(supervisor.run, "joined lines", write_joined_lines)
    connections.start_soon(supervisor.run, "deliveries", shell.deliveries.run)
    connections.start_soon(supervisor.run, "reading", shell.reading.run)
    collects = partial(collect_in_quiet_moments, lambda: bool(broker.games))
    connections.start_soon(supervisor.run, "garbage", collects)
    connections.start_soon(supervisor.run, "account", shell.memory.account.run)
    await shell.proofs.read()
    shell.access_file.read()
    shell.driver.happens(Started(tuple(plans), time.time(), bridge.past_age_s))
    connections.start_soon(supervisor.run, "wall clock", partial(shell.wall.watch, shell.clock_set))
    bridge.on_written = shell.keeping.recorder.now_durable
    bridge.connect(shell.driver)
    connections.start_soon(bridge.watch)
    return shell


def open_gateways(shell: Shell, ports: Ports) -> "Mapping[str, GatewayServer]":
    """The gateways that have ports, by name, ready for their first client. Raises GatewayError."""
    if not ports.gateways:
        return {}
    # It brings WebSockets: a server without a gateway does not wait for them to load.
    from ugs.daemon.gateways.gateway import GatewayServer

    wanted = gateway.listening(shell.config)
    return {name: GatewayServer(shell, gateway.load_gateway(name), wanted[name]) for name in ports.gateways}


async def open_admin_socket(shell: Shell, doors: trio.Nursery) -> None:
    """Where there is a directory for it, serve people at this machine through a socket in it. Raises OSError."""
    if shell.config.admin_dir or shell.config.data_dir:
        serving = partial(serve_admin, supervisor=shell.supervisor)
        path = _admin_socket_path(shell.config)
        await doors.start(serving, path, shell.questions, shell.status, shell.read_again)


def _admin_socket_path(config: Config) -> Path:
    """Where that socket is; its directory is made where no journal has made it. Raises OSError."""
    directory = Path(config.admin_dir or config.data_dir)
    if config.admin_dir or config.journal_url:
        with suppress(FileExistsError):
            directory.mkdir(mode=0o700, parents=True)
    return directory / SOCKET_NAME


async def open_page(shell: Shell, doors: trio.Nursery) -> tuple[str | None, str | None]:
    """Where something is kept, or ``http_port`` is set, serve the page. Returns its address, and the one without
    TLS."""
    if not has_page(shell.config):
        return None, None
    from ugs.daemon.http.whole_page import start_page  # a server without a page does not wait for it to load

    return await start_page(shell, doors)


def open_doors(
    shell: Shell,
    doors: trio.Nursery,
    ports: Ports,
    gateways: "Mapping[str, GatewayServer]",
    per_origin: Counter[str],
) -> None:
    """Accept peers on all ports, and let clocks run. ``per_origin`` counts the addresses on the first port."""
    accept(shell, doors, shell.peers, ports.game, per_origin, tls="game" in ports.encrypted)
    accept(shell, doors, shell.peers, ports.plain_game, tls=False)
    for name, server in gateways.items():
        accept(shell, doors, server, ports.gateways[name], tls="gateways" in ports.encrypted)
    shell.status.parts.health.listening = True
    doors.start_soon(shell.supervisor.run, "timers", shell.timers.run)


def accept(
    shell: Shell,
    doors: trio.Nursery,
    door: ListeningDoor,
    listeners: Listeners,
    per_origin: Counter[str] | None = None,
    *,
    tls: bool,
) -> None:
    """Accept peers for a door from its listening sockets, in tasks of ``doors``; ``per_origin`` counts addresses."""
    handshakes, turned_away = shell.handshakes if tls else None, shell.status.parts.tally.turned_away
    doorkeeper = Doorkeeper(shell.config, shell.tasks, door, turned_away, handshakes, per_origin)
    for listener in listeners:
        doors.start_soon(shell.supervisor.run, "listener", partial(doorkeeper.welcome, listener))


async def all_gone(shell: Shell, gateways: "Mapping[str, GatewayServer]") -> None:
    """Let gateways send their last messages, and wait until no peer is left."""
    for server in gateways.values():
        server.shutdown()
    for server in gateways.values():
        await server.all_gone()
    await shell.peers.all_gone()


def plain_addresses(ports: Ports, http: str | None) -> dict[str, str]:
    """Where peers connect that cannot speak TLS, by the names of the settings."""
    return {name: address for name, address in (("game", ports.plain_address), ("http", http)) if address is not None}


def log_outside(names: Sequence[str]) -> None:
    """Log a warning that these settings stand above the tables of the file."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    log.info("settings outside of tables", settings=", ".join(names), hint="read until 2.0; see ugs config")


def log_listening(ports: Ports, http: str | None, plain: object, *, is_kept: bool) -> None:
    """Log where the server listens, and whether results are kept."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    where: dict[str, object] = {"address": ports.address, "http": http, "gateways": ports.urls or None}
    if ports.encrypted:
        where |= {"tls": ports.encrypted, "plain": plain or None}
    log.info("listening", **where, version=__version__, pid=os.getpid())
    if not is_kept:
        log.info("nothing is kept: results are lost when the server stops", hint="--data-dir DIRECTORY")


def log_stopped(shell: Shell) -> None:
    """Log the end, after all lines that were joined."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    watchdog = shell.fairness.watchdog
    flush_joined_lines()
    log.info("stopped", holds=watchdog.holds, longest_hold_ms=round(watchdog.longest_s * 1000, 1))


class StoppedEarly(Exception):
    """A signal came before the server listened. Nothing of it goes on."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name} before it listened")
        self.number = number


async def open_journal(config: Config, signals: AsyncIterator[int]) -> JournalBridge:
    """Open the journal, however long it takes, or raise StoppedEarly at the first signal: the thread that reads the
    journal is left to the end of the process, which it survives as it survives a kill."""
    token = trio.lowlevel.current_trio_token()

    async def stop() -> None:
        async for number in signals:
            if number != signal.SIGHUP or not reads_again(config):  # else it is about to be read
                raise StoppedEarly(number)

    with plain_errors():
        async with trio.open_nursery() as waiting:
            waiting.start_soon(stop)
            waiting.start_soon(show_life, os.environ)
            if config.standby:
                await trio.to_thread.run_sync(load_beforehand, config, abandon_on_cancel=True)
            bridge = await trio.to_thread.run_sync(JournalBridge, config, token, abandon_on_cancel=True)
            waiting.cancel_scope.cancel()
    return bridge


def load_beforehand(config: Config) -> None:
    """Load what only some servers have, and what takes seconds on a busy machine: who stands by has the time now, and
    players wait when it takes over."""
    if has_page(config):
        import_module("ugs.daemon.http.whole_page")
    if gateway.listening(config):
        import_module("ugs.daemon.gateways.gateway")


def has_page(config: Config) -> bool:
    """Whether the server has one: something is kept, or ``http_port`` is set."""
    return bool(config.kept_at) or "http_port" in config.given


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise an exception that left nurseries as the only one of a group as what it is."""
    try:
        yield
    except BaseExceptionGroup as group:
        cause: BaseException = group
        while isinstance(cause, BaseExceptionGroup) and len(cause.exceptions) == 1:
            cause = cause.exceptions[0]
        raise cause from cause.__cause__


def reads_again(config: Config) -> bool:
    """Whether there is something that SIGHUP lets a server read again, instead of stopping it."""
    return bool(config.access_file or config.tls.certificate)


async def write_joined_lines() -> None:
    """Write lines of the log that were joined, until cancelled."""
    while True:
        await trio.sleep(JOIN_S)
        flush_joined_lines()


def flush_joined_lines() -> None:
    """Write those that have been joined so far, if lines are joined here."""
    joins = joining()
    if joins is not None:
        joins.flush()


async def heed_signals(signals: AsyncIterator[int], driver: Driver, read_again: Callable[[], object] | None) -> None:
    """Report each signal that asks to stop to the broker, which knows what the second one means. On SIGHUP
    ``read_again`` what has changed, if there is anything."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    async for number in signals:
        if number == signal.SIGHUP and read_again is not None:
            log.info("reading again")
            read_again()
            continue
        log.info("asked to stop", signal=signal.Signals(number).name)
        driver.happens(ShutdownAsked())


async def cut_short(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """A signal while the last words go out: do not even wait for them."""
    async for _ in signals:
        scope.cancel()
