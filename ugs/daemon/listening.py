"""Accepting connections: within limits, and through a shortage of file descriptors."""

import errno
import socket
from collections import Counter
from typing import Protocol

import structlog
import trio

from ugs.daemon.driver import Driver
from ugs.daemon.transport import Gone, SocketTransport, Transport, linger
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.messages import Error

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
"""The accept failed because something has run out; it will be there again when somebody leaves."""

RETRY_S = 0.1
"""How long to wait for somebody to leave."""

GONE_ALREADY = frozenset(
    {
        errno.ECONNABORTED,
        errno.EHOSTDOWN,
        errno.EHOSTUNREACH,
        errno.ENETDOWN,
        errno.ENETUNREACH,
        errno.ENONET,
        errno.ENOPROTOOPT,
        errno.EOPNOTSUPP,
        errno.EPERM,
        errno.EPROTO,
    }
)
"""The accept failed for this one peer only (accept(2): Linux hands its pending network errors to the caller)."""

ACCEPTS_AT_ONCE = 64
"""How many connections are accepted before everybody else gets a turn."""


async def open_listeners(host: str, port: int) -> list[socket.socket]:
    """Listening, non-blocking sockets for every address of ``host``; port 0 picks a free one.

    Raises OSError, which names host and port, when an address cannot be had.
    """
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise OSError(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
    sockets = [socket.socket(fileno=listener.socket.detach()) for listener in listeners]
    for sock in sockets:
        sock.setblocking(False)
    return sockets


def address_text(address: tuple[str, int] | tuple[str, int, int, int]) -> str:
    """An address as people write it: ``127.0.0.1:4747``, ``[::1]:4747``."""
    host, port = address[0], address[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Served(Protocol):
    """A peer that was let in."""

    async def run(self) -> None:
        """Everything from its first byte to its last."""


class Doorkeeper:
    """Lets peers in as long as there is room, on the whole and for their address."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._per_ip: Counter[str] = Counter()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")

    async def welcome(self, listener: socket.socket) -> None:
        """Accept from one listening socket until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(listener)
            for _ in range(ACCEPTS_AT_ONCE):
                try:
                    sock, address = listener.accept()
                except (BlockingIOError, InterruptedError):
                    break
                except OSError as error:
                    if error.errno in GONE_ALREADY:
                        continue
                    if error.errno not in SHORTAGES:
                        raise
                    self._log.warning("cannot accept", reason=error.strerror, connections=self._driver.connections)
                    await trio.sleep(RETRY_S)
                    break
                try:
                    transport = SocketTransport(sock, address_text(address))
                except OSError:  # some systems refuse to set up a socket whose peer has gone again
                    sock.close()
                    continue
                self._enter(transport, address[0])

    def _enter(self, transport: Transport, ip: str) -> None:
        config = self._driver.config
        if self._inside() >= config.max_connections:
            self._driver.tasks.start_soon(self._turn_away, transport, "the server is full")
        elif self._per_ip[ip] >= config.max_connections_per_ip:
            self._driver.tasks.start_soon(self._turn_away, transport, "too many connections from your address")
        else:
            # Counted before the next one is accepted: limits hold for those who come all at once, too.
            self._per_ip[ip] += 1
            self._driver.tasks.start_soon(self._serve, self._let_in(transport), ip)

    # What is another matter at other doors.

    def _inside(self) -> int:
        """How many peers there are."""
        return self._driver.connections

    def _let_in(self, transport: Transport) -> Served:
        """A peer has connected."""
        return self._driver.connected(transport)

    def _refusal(self, why: str) -> bytes:
        """What is said to somebody for whom there is no room."""
        return DECLARATION + encode(Error(why))

    # Tasks.

    async def _serve(self, peer: Served, ip: str) -> None:
        """One peer from its first byte to its last; ``ip`` is what the limit per address counts."""
        try:
            await peer.run()
        finally:
            self._per_ip[ip] -= 1
            if not self._per_ip[ip]:
                del self._per_ip[ip]

    async def _turn_away(self, transport: Transport, why: str) -> None:
        """Say why, and wait a moment for the peer to read it."""
        self._log.warning("turned away", address=transport.address, reason=why)
        try:
            transport.send_now(self._refusal(why))
            await linger(transport)
        except Gone:
            pass
        finally:
            await transport.aclose()
