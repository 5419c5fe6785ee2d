"""Bytes in and out of one peer, behind an interface small enough for a raw socket, a TLS or a memory stream."""

import socket
import sys
from collections.abc import Awaitable
from contextlib import suppress
from fcntl import ioctl
from termios import FIONREAD, TIOCOUTQ
from typing import Protocol

import trio

CHUNK = 65_536
"""Bytes that are read, or written while waiting, in one go."""


MAX_UNSENT = 131_072
"""Bytes that the network takes of what it cannot send yet. By default it would take megabytes, and nothing can pass by
what is in line there."""

ROUND_TRIP_AT = 148
"""Where Linux keeps the minimum of the latest round trips (32 bits, microseconds) in its ``struct tcp_info``. The
smoothed one includes the time that a peer thinks before it acknowledges."""


class Gone(Exception):
    """The other side is no longer there."""


class Transport(Protocol):
    """What carries the bytes of a connection."""

    address: str
    """The peer's address, for people to read."""

    @property
    def taken(self) -> int:
        """How many bytes have been taken from the network, ever; counted as :meth:`unread` counts."""
        ...

    def round_trip_us(self) -> int:
        """Microseconds that the network takes to the peer and back; 0 when that is not known."""
        ...

    def unacknowledged(self) -> int:
        """How many bytes the network has taken and the peer's machine has not; 0 when that is not known. They are
        counted as they travel."""
        ...

    def fileno(self) -> int:
        """The file descriptor that becomes readable when bytes have come; -1 when there is none to be watched, and
        :meth:`readable` has to be awaited."""
        ...

    def unread(self) -> int:
        """How many bytes have come and wait for :meth:`receive_now`; 0 when that is not known. They are counted as they
        travel: TLS makes more of them than :meth:`receive_now` gives."""
        ...

    def readable(self) -> Awaitable[object]:
        """Wait until :meth:`receive_now` has something to return. Raises :class:`Gone`."""
        ...

    def receive_now(self) -> bytes | None:
        """Bytes that have come; ``b""`` when the peer has closed its side, None when there is nothing after all.
        Raises :class:`Gone`."""
        ...

    def send_now(self, data: bytes) -> int:
        """Send without waiting; returns how many bytes were taken, which may be none. What was not taken has to be the
        beginning of what is sent next. Raises :class:`Gone`."""
        ...

    async def send(self, data: bytes) -> int:
        """Wait until at least one byte could be sent; returns how many were. Raises :class:`Gone`."""
        ...

    async def send_eof(self) -> None:
        """Signal to the peer that nothing more will come; its own bytes may still be read. Raises nothing."""
        ...

    async def aclose(self) -> None:
        """Let go, at once. Raises nothing but cancellation."""
        ...


LINGER_S = 1.0
"""Seconds that the server waits for a peer to close its side after it has closed its own."""


async def linger(transport: Transport) -> None:
    """Send the end of the stream, and wait a moment for the peer to close its side: closing with unread bytes would
    make the network throw away the server's last words. Raises nothing."""
    try:
        await transport.send_eof()
        with trio.move_on_after(LINGER_S):
            while transport.receive_now() != b"":
                await transport.readable()
    except Gone:
        return


CLOSED = (OSError, trio.ClosedResourceError)
"""What Trio raises when another task closes a socket that is waited for."""


class SocketTransport:
    """A connected TCP socket, used raw and non-blocking.

    Half the cost of a stream is spent on the read that is tried before waiting and on cancellation points around
    every send. Here a read waits first, and a send that fits into the kernel's buffer is one system call.
    """

    def __init__(self, sock: socket.socket, address: str, most_unsent: int = MAX_UNSENT) -> None:
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            # Messages are batched per pass already: Nagle's algorithm would only hold moves back.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, most_unsent)
        self._socket = sock
        self._file = sock.fileno()
        self.copied = False
        """Whether another process may hold the socket, too."""
        self.address = address
        self.taken = 0
        """How many bytes have been taken from the network, ever; counted as :meth:`unread` counts."""

    def round_trip_us(self) -> int:
        """Microseconds to the peer and back, as the kernel has measured them; 0 when it has not."""
        try:
            info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, ROUND_TRIP_AT + 4)
        except (OSError, AttributeError):  # no TCP, or a system that does not report it
            return 0
        return int.from_bytes(info[ROUND_TRIP_AT:], sys.byteorder)

    def unacknowledged(self) -> int:
        """How many bytes the network has taken and the peer's machine has not; 0 when that is not known."""
        return self._size(TIOCOUTQ)

    def fileno(self) -> int:
        """The file descriptor that becomes readable when bytes have come; -1 when there is none to be watched, and
        :meth:`readable` has to be awaited."""
        return self._file

    def unread(self) -> int:
        """How many bytes have come and wait for :meth:`receive_now`; 0 when that is not known."""
        return self._size(FIONREAD)

    def _size(self, which: int) -> int:
        size = bytearray(4)
        try:
            ioctl(self._file, which, size)
        except OSError:  # closed meanwhile
            return 0
        return int.from_bytes(size, sys.byteorder)

    async def readable(self) -> None:
        """Wait until :meth:`receive_now` has something to return."""
        self._check_open()
        try:
            await trio.lowlevel.wait_readable(self._socket)
        except CLOSED as error:
            raise Gone(str(error)) from error

    def receive_now(self, most: int = CHUNK) -> bytes | None:
        """Return at most ``most`` bytes that have come; ``b""`` when the peer has closed its side, None when there are
        none. Raises :class:`Gone`."""
        try:
            data = self._socket.recv(most)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Gone(str(error)) from error
        self.taken += len(data)
        return data

    def send_now(self, data: bytes) -> int:
        """Send without waiting; returns how many bytes were taken, which may be none."""
        try:
            return self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise Gone(str(error)) from error

    async def send(self, data: bytes) -> int:
        """Wait until at least one byte could be sent; returns how many were."""
        while True:
            await self.writable()
            sent = self.send_now(data)
            if sent:
                return sent

    async def writable(self) -> None:
        """Wait until something may be sent. Raises :class:`Gone`."""
        self._check_open()
        try:
            await trio.lowlevel.wait_writable(self._socket)
        except CLOSED as error:
            raise Gone(str(error)) from error

    def _check_open(self) -> None:
        """Raise :class:`Gone` when the socket is closed. Trio must not be asked to wait for one that is: it registers
        the number -1 before that fails, and reports ever after that a task waits for it already."""
        if self._socket.fileno() < 0:
            raise Gone("closed")

    def first_byte(self) -> bytes | None:
        """The byte that will be received next, which stays where it is; ``b""`` and None as in :meth:`receive_now`.
        Raises :class:`Gone`."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Gone(str(error)) from error

    def end_reading(self) -> None:
        """From now on the socket is readable, since its end has come. Raises nothing."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    async def send_eof(self) -> None:
        """Signal to the peer that nothing more will come; its own bytes may still be read."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            return

    async def aclose(self) -> None:
        """Let go, at once."""
        if self._socket.fileno() != -1:
            # Trio wakes what waits for the socket; closed first, its number could belong to another one by then.
            trio.lowlevel.notify_closing(self._socket)
            if self.copied:  # else the peer would learn of the end when the last copy is closed
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
