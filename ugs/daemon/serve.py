"""A whole server: listen, serve, and stop in the right order.

Two nurseries: the outer one holds connections, the inner one what brings new ones in. On a signal the broker lets
games end and says good-bye; then the inner nursery is cancelled, the outer one gets ``goodbye_s`` for last words.
"""

import gc
import os
import resource
import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import structlog
import trio

from ugs import __version__
from ugs.broker.broker import Broker
from ugs.broker.events import ShutdownAsked, Timer, TimerKind
from ugs.config import Config, starts_at
from ugs.daemon.driver import Driver
from ugs.daemon.listening import Doorkeeper, address_text, open_listeners
from ugs.ready import notify_systemd, ready_file

GAME_ID_BYTES = 16
"""Random bytes in a game id: 22 characters, unguessable, and never the same twice."""

GARBAGE_THRESHOLD = 10_000
"""New objects after which the collector of cycles looks for some."""


def new_game_id() -> str:
    """An id for a game."""
    return secrets.token_urlsafe(GAME_ID_BYTES)


def spare_the_collector() -> None:
    """What has been loaded by now stays, and what a message needs is freed when it is done with: the collector of
    cycles, which finds next to nothing here, need look only rarely, and only at what is new."""
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)


def allow_many_connections() -> None:
    """Raise the soft limit of open files to the hard one: each connection is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def serve(config: Config, ready_path: Path | None = None) -> None:
    """Run a server until SIGTERM or SIGINT.

    Raises OSError, whose text says what was tried, when it cannot listen or cannot write the ready file.
    """
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    allow_many_connections()
    with ExitStack() as stack, trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        listeners = await open_listeners(config.host, config.port)
        for listener in listeners:
            stack.callback(listener.close)
        address = address_text(listeners[0].getsockname())
        # From here on whoever connects is heard as soon as the doors are open.
        stack.enter_context(ready_file(ready_path, address, None))
        async with trio.open_nursery() as connections:
            driver = Driver(config, Broker(config, new_game_id), connections)
            connections.start_soon(driver.send_out)
            start_championship_clocks(config, driver, datetime.now())
            doorkeeper = Doorkeeper(driver)
            async with trio.open_nursery() as doors:
                for listener in listeners:
                    doors.start_soon(doorkeeper.welcome, listener)
                doors.start_soon(driver.timers.run)
                notify_systemd("READY=1", os.environ)
                spare_the_collector()
                log.info("listening", address=address, version=__version__, pid=os.getpid())
                doors.start_soon(heed_signals, signals, driver)
                await driver.stopped.wait()
                doors.cancel_scope.cancel()
            notify_systemd("STOPPING=1", os.environ)
            for listener in listeners:
                listener.close()
            connections.cancel_scope.deadline = trio.current_time() + config.goodbye_s
            connections.start_soon(cut_short, signals, connections.cancel_scope)
            await driver.all_gone()
            connections.cancel_scope.cancel()
    log.info("stopped")


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


def start_championship_clocks(config: Config, driver: Driver, now: datetime) -> None:
    """Let the championships that have an hour begin at it."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    for name in config.game_types:
        hour = starts_at(config.game_type(name))
        if hour is None:
            continue
        seconds = hour.timestamp() - now.timestamp()
        if seconds < 0:
            log.warning("the hour of this championship is over", game_type=name, championship_at=hour.isoformat())
        else:
            driver.timers.start(Timer(TimerKind.CHAMPIONSHIP, name), trio.current_time() + seconds)
