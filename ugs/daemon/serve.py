"""A whole server: listen, serve, and stop in the right order.

Two nurseries: the outer one holds connections, the inner one the doors, through which new ones come. On a signal the
broker lets games end and says good-bye; then the inner nursery is cancelled, and the outer one gets ``goodbye_s`` for
last words. The journal is opened before the first connection and closed after the last one.
"""

import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
import trio

from ugs import __version__, gateway
from ugs.address import read_listening
from ugs.admin import SOCKET_NAME
from ugs.broker.broker import Broker
from ugs.broker.events import ShutdownAsked, Started
from ugs.championship.plan import Plan
from ugs.config import Config
from ugs.daemon.admin import serve_admin
from ugs.daemon.driver import Driver
from ugs.daemon.journal.bridge import JournalBridge
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.listening import Door, Doorkeeper, address_text, open_listeners
from ugs.daemon.processes.garbage import collect_in_quiet_moments
from ugs.daemon.processes.process import allow_many_connections, give_memory_back, spare_the_collector, stop_signals
from ugs.daemon.processes.supervision import Spared, Supervisor
from ugs.daemon.random_ids import new_game_id, new_secret
from ugs.daemon.shell import Shell
from ugs.log import JOIN_S, joining
from ugs.ready import notify_systemd, ready_file

if TYPE_CHECKING:
    from ugs.daemon.gateways.gateway import GatewayServer


async def serve(config: Config, ready_path: Path | None = None, plans: Sequence[Plan] = ()) -> None:
    """Run a server until SIGTERM, SIGINT or SIGHUP (which only lets it read again what it ``reads_again``);
    ``plans`` are championships to be announced.

    Raises TlsError when the certificate cannot be used, OSError, whose text says what was tried, when it cannot listen
    or cannot write the ready file, JournalError when the data directory cannot be used, GatewayError when a gateway
    cannot be loaded or started, StoppedEarly on a signal before the journal is read, and TaskFailed when a task has met
    a bug in which games are at stake: everything is written down by then, and they go on after a restart.
    """
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    allow_many_connections()
    give_memory_back()
    tls = config.tls
    certificates = Certificates(tls) if tls.certificate else None
    with ExitStack() as stack, trio.open_signal_receiver(*stop_signals(reads_again(config))) as signals:
        bridge = await open_journal(config, signals)
        stack.callback(bridge.close)
        listeners = await open_listeners(config.host, config.port)
        for listener in listeners:
            stack.callback(listener.close)
        address = address_text(listeners[0].getsockname())
        plain_listeners = await open_listeners(*read_listening(tls.plain_game)) if tls.plain_game else []
        for listener in plain_listeners:
            stack.callback(listener.close)
        gateway_listeners = await listen_for_gateways(config, stack)
        stack.enter_context(plain_errors())
        async with trio.open_nursery() as connections:
            broker = Broker(config, new_game_id, new_secret, bridge.past)
            supervisor = Supervisor()
            shell = Shell(
                config, broker, Spared(supervisor, connections), bridge.journal, certificates, supervisor=supervisor
            )
            driver = shell.driver
            connections.start_soon(supervisor.run, "joined lines", write_joined_lines)
            connections.start_soon(supervisor.run, "deliveries", shell.deliveries.run)
            connections.start_soon(supervisor.run, "reading", shell.reading.run)
            collects = partial(collect_in_quiet_moments, lambda: bool(broker.games))
            connections.start_soon(supervisor.run, "garbage", collects)
            connections.start_soon(supervisor.run, "account", shell.account.run)
            await shell.proofs.read()
            shell.access_file.read()
            driver.happens(Started(tuple(plans), time.time()))
            connections.start_soon(supervisor.run, "wall clock", partial(shell.wall.watch, shell.clock_set))
            bridge.connect(driver)
            gateways = start_gateways(shell, gateway_listeners)
            async with trio.open_nursery() as doors:
                http, plain_http = await side_doors(config, shell, doors)
                scheme = "wss" if certificates is not None and tls.gateways else "ws"
                urls = {
                    name: f"{scheme}://{address_text(own[0].getsockname())}/" for name, own in gateway_listeners.items()
                }
                plain = {"game": address_text(plain_listeners[0].getsockname())} if plain_listeners else {}
                if plain_http is not None:
                    plain["http"] = plain_http
                encrypted = ports_with_tls(config)
                # From here on a peer that connects is heard as soon as the doors are open.
                more = {"gateways": urls, "tls": encrypted, "plain": plain}
                stack.enter_context(ready_file(ready_path, address, http, more))
                open_doors(shell, doors, shell.peers, listeners, tls="game" in encrypted)
                open_doors(shell, doors, shell.peers, plain_listeners, tls=False)
                for name, server in gateways.items():
                    open_doors(shell, doors, server, gateway_listeners[name], tls="gateways" in encrypted)
                doors.start_soon(supervisor.run, "timers", shell.timers.run)
                notify_systemd("READY=1", os.environ)
                spare_the_collector()
                where: dict[str, object] = {"address": address, "http": http, "gateways": urls or None}
                if encrypted:
                    where |= {"tls": encrypted, "plain": plain or None}
                log.info("listening", **where, version=__version__, pid=os.getpid())
                if bridge.journal is None:
                    log.info("nothing is kept: results are lost when the server stops", hint="--data-dir DIRECTORY")
                heeds = partial(heed_signals, signals, driver, shell.read_again if reads_again(config) else None)
                doors.start_soon(supervisor.run, "signals", heeds)
                await driver.stopped.wait()
                doors.cancel_scope.cancel()
            notify_systemd("STOPPING=1", os.environ)
            for listener in (*listeners, *plain_listeners, *(one for own in gateway_listeners.values() for one in own)):
                listener.close()
            connections.cancel_scope.deadline = trio.current_time() + config.goodbye_s
            connections.start_soon(cut_short, signals, connections.cancel_scope)
            for server in gateways.values():
                server.shutdown()
            for server in gateways.values():
                await server.all_gone()
            await shell.peers.all_gone()
            connections.cancel_scope.cancel()
    watchdog = shell.watchdog
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
            bridge = await trio.to_thread.run_sync(JournalBridge, config, token, abandon_on_cancel=True)
            waiting.cancel_scope.cancel()
    return bridge


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


def ports_with_tls(config: Config) -> list[str]:
    """Which ports speak TLS, by the names of their settings."""
    tls = config.tls
    return [name for name in ("game", "http", "gateways") if tls.certificate and getattr(tls, name)]


def open_doors(shell: Shell, doors: trio.Nursery, door: Door, listeners: Sequence[socket.socket], *, tls: bool) -> None:
    """Accept connections for a door from its listening sockets, in tasks of ``doors``."""
    handshakes = shell.handshakes if tls else None
    doorkeeper = Doorkeeper(shell.config, shell.tasks, door, shell.tally.turned_away, handshakes)
    shell.health.listening = True
    for listener in listeners:
        doors.start_soon(shell.supervisor.run, "listener", partial(doorkeeper.welcome, listener))


async def listen_for_gateways(config: Config, stack: ExitStack) -> dict[str, list[socket.socket]]:
    """The listening sockets of each gateway that has an address, by its name; ``stack`` closes them."""
    listeners = {}
    for name, settings in gateway.listening(config).items():
        if settings.address is not None:
            listeners[name] = await open_listeners(*settings.address)
            for listener in listeners[name]:
                stack.callback(listener.close)
    return listeners


def start_gateways(shell: Shell, names: Mapping[str, object]) -> "dict[str, GatewayServer]":
    """The gateways of these names, ready for their first client. Raises GatewayError."""
    if not names:
        return {}
    from ugs.daemon.gateways.gateway import (
        GatewayServer,
    )  # brings WebSockets, for which a server without a gateway does not wait

    wanted = gateway.listening(shell.config)
    return {name: GatewayServer(shell, gateway.load_gateway(name), wanted[name]) for name in names}


async def side_doors(config: Config, shell: Shell, doors: trio.Nursery) -> tuple[str | None, str | None]:
    """With a data directory, the socket for people at this machine. With it, or where ``http_port`` is set, the page;
    its address, and the one at which it does without TLS beside it."""
    if config.data_dir:
        await doors.start(
            partial(serve_admin, supervisor=shell.supervisor),
            Path(config.data_dir) / SOCKET_NAME,
            shell.questions,
            shell.status,
            shell.read_again,
        )
    elif "http_port" not in config.model_fields_set:
        return None, None
    from ugs.daemon.http.admin_page import administration_of
    from ugs.daemon.http.live import LiveServer
    from ugs.daemon.http.page import serve_page  # a server without a page does not wait for it to load
    from ugs.daemon.http.page_players import PagePlayers
    from ugs.daemon.http.probes import probes
    from ugs.daemon.status.metrics import Metrics
    from ugs.page.server.admin import no_administration

    live = LiveServer(shell.broker, shell.questions, shell.proofs, shell.wall, shell.pasts)
    administration = administration_of(config, shell, live)
    routes = administration.routes() if administration is not None else no_administration()
    knows = administration.knows if administration is not None else lambda request: False
    more = [*routes, *probes(Metrics(shell.parts), shell.health, knows, open_metrics=config.open_metrics)]
    players = PagePlayers(config, shell.tasks, shell.peers, shell.tally.turned_away)
    are_playing = lambda: bool(shell.broker.desk.games)  # noqa: E731
    handshakes = shell.handshakes if "http" in ports_with_tls(config) else None
    addresses: tuple[str, str | None] = await doors.start(
        serve_page,
        config,
        live,
        are_playing,
        shell.watchdog,
        more,
        players.connect,
        handshakes,
        shell.supervisor,
        shell.health.find_code_replaced,
    )
    return addresses


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
    """Tell the broker of each signal that asks to stop; it knows what the second one means. On SIGHUP ``read_again``
    what has changed, if there is anything."""
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
