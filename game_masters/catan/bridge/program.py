"""``ugs catan bridge`` as a program: it listens, prints where, and ends with a signal."""

import signal
from functools import partial
from pathlib import Path

import structlog
import trio

from game_masters.catan.bridge.guest import House
from game_masters.catan.bridge.serving import Room, serve
from ugs.log import JOIN_S, configure_logging, joining
from ugs.peer import connect
from ugs.tls import TlsError, client_context


def run(house: House, listen: tuple[str, int], server: tuple[str, int], clients: int, ca: Path | None) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError where it cannot listen, ValueError for a wrong ``ca``."""
    try:
        tls = None if ca is None else client_context(ca)
    except TlsError as error:
        raise ValueError(str(error)) from error
    configure_logging(joined=True)
    trio.run(_serve_until_signal, house, listen, partial(connect, *server, tls=tls), clients)


async def _serve_until_signal(house: House, listen: tuple[str, int], call: partial, clients: int) -> None:  # type: ignore[type-arg]
    host, port = listen
    log = structlog.get_logger()
    listeners = await trio.open_tcp_listeners(port, host=host)
    for listener in listeners:
        at = listener.socket.getsockname()
        log.info("bridge listens", host=at[0], port=at[1])
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, house, listeners, call, Room(clients), log)
            nursery.start_soon(_flush)
            async for _ in signals:
                nursery.cancel_scope.cancel()


async def _flush() -> None:
    """Write what has been joined in the log."""
    while (lines := joining()) is not None:
        await trio.sleep(JOIN_S)
        lines.flush()
