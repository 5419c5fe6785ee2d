"""A whole server: listen, serve, and stop in the right order.

Two nurseries: the outer one holds connections, the inner one what brings new ones in. On a signal the broker lets
games end and says good-bye; then the inner nursery is cancelled, the outer one gets ``goodbye_s`` for last words. The
journal is opened before anybody is heard and closed after everybody has gone.
"""

import gc
import os
import resource
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
import trio
import typer

from ugs import __version__
from ugs.address import read_address
from ugs.admin import SOCKET_NAME
from ugs.broker.broker import Broker
from ugs.broker.events import Planned, ShutdownAsked, Started, Timer, TimerKind
from ugs.broker.past import Past
from ugs.broker.state.championship import plan_of_ledger
from ugs.championship.ledger import Ledger
from ugs.championship.plan import Plan
from ugs.config import Config, ConfigError, starts_at
from ugs.daemon.admin import serve_admin
from ugs.daemon.driver import Driver
from ugs.daemon.keeper import Keeper
from ugs.daemon.listening import Doorkeeper, address_text, open_listeners
from ugs.ready import notify_systemd, ready_file

if TYPE_CHECKING:
    from ugs.daemon.gateways import GatewayServer

GAME_ID_BYTES = 16
"""Random bytes in a game id: 22 characters, unguessable, and never the same twice."""

APOLOGIES = "apologies"
"""What the gateway behind the setting ``apologies_gateway`` is called."""

GARBAGE_THRESHOLD = 10_000
"""New objects after which the collector of cycles looks for some."""


def new_secret() -> str:
    """A text that nobody can guess: a token or a seed."""
    return secrets.token_urlsafe(36)


def new_game_id() -> str:
    """An id for a game. It begins with a letter or a digit, so that no command line takes it for an option."""
    while not (game_id := secrets.token_urlsafe(GAME_ID_BYTES))[0].isalnum():
        pass
    return game_id


def spare_the_collector() -> None:
    """What has been loaded by now stays, and what a message needs is freed when it is done with: the collector of
    cycles, which finds next to nothing here, need look only rarely, and only at what is new."""
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)


def allow_many_connections() -> None:
    """Raise the soft limit of open files to the hard one: each connection is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def stop_signals() -> tuple[signal.Signals, ...]:
    """The signals that ask a server to stop. Whoever started it with ``nohup`` wants it to outlive the terminal."""
    asked = (signal.SIGTERM, signal.SIGINT)
    return asked if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (*asked, signal.SIGHUP)


def gateway_address(config: Config) -> tuple[str, int] | None:
    """Host and port of ``apologies_gateway``, or None. Raises ConfigError for a text that is no such thing."""
    text = config.apologies_gateway
    if not text:
        return None
    free = text.endswith(":0")
    try:
        host, port = read_address(f"{text[:-1]}1" if free else text)
    except typer.BadParameter:
        raise ConfigError(
            f"apologies_gateway = {text!r}: not HOST:PORT; "
            "allowed: an address with a port from 0 to 65535, such as 127.0.0.1:9000, or empty"
        ) from None
    return host, 0 if free else port


async def serve(config: Config, ready_path: Path | None = None, plans: Sequence[Plan] = ()) -> None:
    """Run a server until SIGTERM, SIGINT or SIGHUP; ``plans`` are championships to be announced.

    Raises OSError, whose text says what was tried, when it cannot listen or cannot write the ready file, JournalError
    when the data directory cannot be used, ConfigError for a wrong ``apologies_gateway``, and GatewayError when there
    is no such gateway.
    """
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    allow_many_connections()
    with ExitStack() as stack, trio.open_signal_receiver(*stop_signals()) as signals:
        keeper = Keeper(config)
        stack.callback(keeper.close)
        listeners = await open_listeners(config.host, config.port)
        for listener in listeners:
            stack.callback(listener.close)
        address = address_text(listeners[0].getsockname())
        gateway_listeners, gateway_url = await gateway_doors(config)
        for listener in gateway_listeners:
            stack.callback(listener.close)
        stack.enter_context(plain_errors())
        async with trio.open_nursery() as connections:
            driver = Driver(config, Broker(config, new_game_id, new_secret, keeper.past), connections, keeper.journal)
            keeper.driver = driver
            connections.start_soon(driver.send_out)
            driver.happens(Started())
            announce(config, driver, keeper.past, plans, datetime.now())
            gateway = start_gateway(config, driver)
            doorkeeper = Doorkeeper(driver)
            async with trio.open_nursery() as doors:
                http = await side_doors(config, driver, doors)
                # From here on whoever connects is heard as soon as the doors are open.
                stack.enter_context(ready_file(ready_path, address, http, gateway_url))
                for listener in listeners:
                    doors.start_soon(doorkeeper.welcome, listener)
                if gateway is not None:
                    for listener in gateway_listeners:
                        doors.start_soon(gateway.welcome, listener)
                doors.start_soon(driver.timers.run)
                notify_systemd("READY=1", os.environ)
                spare_the_collector()
                where = {"address": address, "http": http, "gateway": gateway_url}
                log.info("listening", **where, version=__version__, pid=os.getpid())
                if keeper.journal is None:
                    log.info("nothing is kept: results are lost when the server stops", hint="--data-dir DIRECTORY")
                doors.start_soon(heed_signals, signals, driver)
                await driver.stopped.wait()
                doors.cancel_scope.cancel()
            notify_systemd("STOPPING=1", os.environ)
            for listener in (*listeners, *gateway_listeners):
                listener.close()
            connections.cancel_scope.deadline = trio.current_time() + config.goodbye_s
            connections.start_soon(cut_short, signals, connections.cancel_scope)
            if gateway is not None:
                gateway.shutdown()
                await gateway.all_gone()
            await driver.all_gone()
            connections.cancel_scope.cancel()
    log.info("stopped")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Let what went wrong in one place come out of all nurseries as what it is."""
    try:
        yield
    except BaseExceptionGroup as group:
        cause: BaseException = group
        while isinstance(cause, BaseExceptionGroup) and len(cause.exceptions) == 1:
            cause = cause.exceptions[0]
        raise cause from cause.__cause__


async def gateway_doors(config: Config) -> tuple[list[socket.socket], str | None]:
    """Listening sockets for the clients of a gateway, and their URL; none without a gateway."""
    where = gateway_address(config)
    if where is None:
        return [], None
    listeners = await open_listeners(*where)
    return listeners, f"ws://{address_text(listeners[0].getsockname())}/"


def start_gateway(config: Config, driver: Driver) -> "GatewayServer | None":
    """The gateway of this server, ready for its first client. Raises GatewayError when there is none of this name."""
    if not config.apologies_gateway:
        return None
    from ugs.daemon.gateways import GatewayServer, load_gateway  # a server without one does not wait for it to load

    return GatewayServer(config, driver, load_gateway(APOLOGIES))


async def side_doors(config: Config, driver: Driver, doors: trio.Nursery) -> str | None:
    """With a data directory: the socket for people at this machine, and the standings over HTTP; their address."""
    if not config.data_dir:
        return None
    from ugs.daemon.http import serve_http  # a server without data directory does not wait for it to load

    directory = Path(config.data_dir)
    await doors.start(serve_admin, directory / SOCKET_NAME, driver)
    address: str = await doors.start(serve_http, config.host, config.http_port, directory)
    return address


async def heed_signals(signals: AsyncIterator[int], driver: Driver) -> None:
    """Each signal asks the broker to stop; it knows what the second one means."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    async for number in signals:
        log.info("asked to stop", signal=signal.Signals(number).name)
        driver.happens(ShutdownAsked())


async def cut_short(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """A signal while the last words go out: not even for them do we wait."""
    async for _ in signals:
        scope.cancel()


def announce(config: Config, driver: Driver, past: Past, plans: Sequence[Plan], now: datetime) -> None:
    """Announce the championships of this start, and let those that have an hour begin at it."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    known = {one.name: Ledger(one.ledger) for one in past.championships}
    for name in config.game_types:
        settings = config.game_type(name)
        if settings.mode == "championship" and name in known:
            log.info("championship is known already", championship=name, state=known[name].state)
        elif settings.mode == "championship":
            log.info("championship awaited", game_type=name, players=settings.championship_players or None)
    for plan in plans:
        if plan.name in known:
            log.info("championship is known already", championship=plan.name, state=known[plan.name].state)
        else:
            driver.happens(Planned(plan))
    hours = {name: starts_at(config.game_type(name)) for name in config.game_types}
    hours |= {plan.name: plan.hour for plan in plans}
    hours |= {name: plan_of_ledger(ledger.plan).hour for name, ledger in known.items()}
    for name, hour in hours.items():
        begun = name in known and (known[name].begun or known[name].over)
        if hour is None or begun:
            continue
        seconds = hour.timestamp() - now.timestamp()
        if seconds < 0 and name in known:  # the server was away at that hour: whoever was there may come back
            seconds = plan_of_ledger(known[name].plan).restart_return_s
        if seconds < 0:
            log.warning("the hour of this championship is over", championship=name, begins_at=hour.isoformat())
        else:
            driver.timers.start(Timer(TimerKind.CHAMPIONSHIP, name), trio.current_time() + seconds)
