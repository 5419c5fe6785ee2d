"""Accepting connections: within limits, and through a shortage of file descriptors."""

import errno
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

import structlog
import trio

from ugs.address import origin_of
from ugs.config import Config
from ugs.daemon.network.handshakes import NoTls
from ugs.daemon.network.transport import Gone, SocketTransport, Transport, linger
from ugs.daemon.processes.supervision import Tasks
from ugs.printable import shortened

SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
"""The accept failed because something has run out; it will be there again when a peer leaves."""

RETRY_S = 0.1
"""Seconds to wait for a peer to leave."""

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
"""Connections that are accepted before all other tasks get a turn."""


async def open_listeners(host: str, port: int) -> list[socket.socket]:
    """Listening, non-blocking sockets, one for each address of ``host``; port 0 picks a free one.

    Raises OSError, which names host and port, when the system refuses an address.
    """
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise OSError(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
    except UnicodeError as error:  # a part of it has more than 63 characters, or none
        raise OSError(f"cannot listen on {shortened(host)} port {port}: no host can be called so") from error
    sockets = [socket.socket(fileno=listener.socket.detach()) for listener in listeners]
    for sock in sockets:
        sock.setblocking(False)
    return sockets


def address_text(address: tuple[str, int] | tuple[str, int, int, int]) -> str:
    """An address as people write it: ``127.0.0.1:4747``, ``[::1]:4747``."""
    host, port = address[0], address[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def tcp_transport(sock: socket.socket, address: tuple[str, int] | tuple[str, int, int, int]) -> SocketTransport:
    """The transport of a peer that has connected from this address."""
    return SocketTransport(sock, address_text(address))


class Served(Protocol):
    """A peer that was let in."""

    async def run(self) -> None:
        """Serve it from its first byte to its last."""


class ListeningDoor(Protocol):
    """What is behind a listening socket."""

    def count(self) -> int:
        """How many peers are inside."""
        ...

    def let_in(self, transport: Transport, /) -> Served:
        """A peer has connected, and there is room for it."""
        ...

    def refusal(self, why: str, /) -> bytes:
        """What a peer is sent when there is no room for it."""
        ...


class Shakes(Protocol):
    """What comes before the first byte of a peer."""

    async def shake(self, wire: SocketTransport, /) -> Transport:
        """Return the transport of the peer. Raises NoTls, and Gone when it fails; the caller has to close the wire
        then."""
        ...


class Doorkeeper:
    """Lets peers in through one door as long as there is room, in all and for their address.

    The limits are ``max_connections`` and ``max_connections_per_ip``; each door counts separately, unless it is given
    the counts of another one, ``per_origin``. ``tasks`` is the nursery of the peers; ``turned_away`` counts the refused
    ones, by the reason. ``handshakes`` come before the first byte of a peer: of TLS, or of another node. ``wire_of``
    makes a transport of an accepted socket and its address.
    """

    def __init__(
        self,
        config: Config,
        tasks: Tasks,
        door: ListeningDoor,
        turned_away: Counter[str] | None = None,
        handshakes: Shakes | None = None,
        per_origin: Counter[str] | None = None,
        wire_of: Callable[[socket.socket, Any], SocketTransport] | None = None,
    ) -> None:
        self._handshakes = handshakes
        self._wire_of = wire_of or tcp_transport
        self._turned_away = Counter() if turned_away is None else turned_away
        self._config = config
        self._tasks = tasks
        self._door = door
        self.per_origin: Counter[str] = Counter() if per_origin is None else per_origin
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
                    self._log.warning("cannot accept", reason=error.strerror, connections=self._door.count())
                    # The socket stays readable while nothing can be accepted: without a rest this loop would spin.
                    await trio.sleep(RETRY_S)
                    break
                try:
                    transport = self._wire_of(sock, address)
                except OSError:  # some systems refuse to set up a socket whose peer has gone again
                    sock.close()
                    continue
                if self._handshakes is None:
                    self.enter(transport)
                else:
                    self._tasks.start_soon(self._shake_hands, self._handshakes, transport)

    async def _shake_hands(self, handshakes: Shakes, wire: SocketTransport) -> None:
        """Let a peer in that speaks TLS. Any other is asked to do so, in the door's protocol."""
        try:
            transport = await handshakes.shake(wire)
        except NoTls:
            await self._turn_away(wire, "this port speaks TLS only")
        except Gone:
            await wire.aclose()
        except BaseException:
            await wire.aclose()
            raise
        else:
            self.enter(transport)

    def enter(self, transport: Transport) -> None:
        """Let a peer in, or refuse it where there is no room."""
        origin = origin_of(transport.address)
        if self._door.count() >= self._config.max_connections:
            self._tasks.start_soon(self._turn_away, transport, "the server is full")
        elif self.per_origin[origin] >= self._config.max_connections_per_ip:
            self._tasks.start_soon(self._turn_away, transport, "too many connections from your address")
        else:
            # Counted before the next one is accepted: limits hold for peers that come all at once, too.
            self.per_origin[origin] += 1
            self._tasks.start_soon(self._serve, self._door.let_in(transport), origin)

    async def _serve(self, peer: Served, origin: str) -> None:
        """Serve one peer; ``origin`` is what the limit per address counts."""
        try:
            await peer.run()
        finally:
            self.per_origin[origin] -= 1
            if not self.per_origin[origin]:
                del self.per_origin[origin]

    async def _turn_away(self, transport: Transport, why: str) -> None:
        """Send the reason, and wait a moment for the peer to read it."""
        self._turned_away[why] += 1
        self._log.warning("turned away", address=transport.address, reason=why)
        try:
            # A new connection has room for it, so nothing is awaited.
            transport.send_now(self._door.refusal(why))
            await linger(transport)
        except Gone:
            pass
        finally:
            await transport.aclose()
