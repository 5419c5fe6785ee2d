"""Scripts on their connections: many sockets in one epoll loop.

A socket that does not take everything keeps the rest until there is room, so no peer waits for another one.
"""

import select
import socket
import ssl
import time
from collections.abc import Iterable
from pathlib import Path

from ugs.bench.child import PlanFailed
from ugs.bench.message_script import Cutter, Script, ScriptedMaster
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


class LoadFailed(PlanFailed):
    """The load cannot be kept up; the text gives the reason."""


class ScriptConnection:
    """A script, its socket, its unfinished input and its pending output."""

    __slots__ = ("cutter", "script", "socket", "unsent")

    def __init__(self, script: Script, sock: socket.socket) -> None:
        self.script = script
        self.socket = sock
        self.cutter = Cutter()
        self.unsent = bytearray()


class Connections:
    """All connections of one process to one broker. ``ca`` is a PEM file with the authority to trust, for TLS. Call
    :meth:`close` at the end."""

    def __init__(self, host: str, port: int, ca: str = "") -> None:
        self._address = (host, port)
        self._tls = client_context(Path(ca)) if ca else None
        self._epoll = select.epoll()
        self.received_bytes = 0
        """What all of them have got."""
        self._connections: dict[int, ScriptConnection] = {}
        self._buffer = bytearray(RECEIVE_BYTES)
        self._view = memoryview(self._buffer)

    def __len__(self) -> int:
        """How many are open."""
        return len(self._connections)

    def rush(self, scripts: Iterable[Script]) -> None:
        """Connect these and send their logins as fast as the broker's machine takes connections; answers that come
        meanwhile are handled, none is waited for. Raises as :meth:`admit`."""
        for number, script in enumerate(scripts, 1):
            self._open(script)
            if number % LOGINS_AT_ONCE == 0:
                self.turn(0)

    def admit(self, scripts: Iterable[Script]) -> list[ScriptConnection]:
        """Connect and log in these, LOGINS_AT_ONCE at a time; return their connections when all are admitted.

        Raises LoadFailed when the broker closes a connection, and UnexpectedMessage when it refuses a login.
        """
        opened: list[ScriptConnection] = []
        waiting: list[Script] = []
        for script in scripts:
            waiting.append(script)
            opened.append(self._open(script))
            if len(waiting) == LOGINS_AT_ONCE:
                self._until_admitted(waiting)
                waiting.clear()
        self._until_admitted(waiting)
        return opened

    def _open(self, script: Script) -> ScriptConnection:
        sock = self._dial()
        # Only now: the handshake of TLS is a dialogue with a blocking socket.
        sock.setblocking(False)
        connection = self._connections[sock.fileno()] = ScriptConnection(script, sock)
        self._epoll.register(sock, select.EPOLLIN)
        self.send(connection, script.login())
        return connection

    def _dial(self) -> socket.socket:
        sock = socket.create_connection(self._address)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is None:
            return sock
        return self._tls.wrap_socket(sock, server_hostname=self._address[0])

    def _until_admitted(self, scripts: Iterable[Script]) -> None:
        for script in scripts:
            while not script.admitted:
                self.turn(-1)

    def listen_to(self, command_fd: int) -> None:
        """Let :meth:`turn` end also when a command waits on this file."""
        self._epoll.register(command_fd, select.EPOLLIN)

    def turn(self, timeout: float, command_fd: int = -1) -> bool:
        """Wait for events, at most ``timeout`` seconds (-1: for ever), and handle all of them. Raises as :meth:`admit`.

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
                self.send(connection, b"")
            # Errors and hang-ups as well: reading shows what they are.
            if event & ~select.EPOLLOUT:
                self._receive(connection)
        return commanded

    def turn_before(self, moment: int) -> None:
        """Wait for events until the monotonic clock shows ``moment`` nanoseconds at the latest; handle all of them.

        Epoll itself waits for whole milliseconds, too coarse for who moves at a given moment. Raises as :meth:`admit`.
        """
        left = moment - time.monotonic_ns()
        if left > 0:
            select.select([self._epoll], [], [], left / _NANOSECONDS)
        self.turn(0)

    def _receive(self, connection: ScriptConnection) -> None:
        """Handle what has come. epoll knows nothing of bytes that TLS has read already, so TLS is read to the end."""
        while self._receive_once(connection) and self._tls is not None:
            pass

    def _receive_once(self, connection: ScriptConnection) -> bool:
        """Whether there was something, and the connection is still there."""
        try:
            size = connection.socket.recv_into(self._buffer)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except ConnectionError as error:
            raise LoadFailed(f"the broker broke a connection: {error}") from error
        if size == 0:
            self._closed_by_broker(connection)
            return False
        self.received_bytes += size
        handle = connection.script.answer_to
        documents = connection.cutter.feed(bytes(self._view[:size]))
        answers = [handle(document) for document in documents]
        if any(answers):
            self.send(connection, b"".join(answers))
        return True

    def _closed_by_broker(self, connection: ScriptConnection) -> None:
        if not connection.script.finished:
            raise LoadFailed("the broker closed a connection in the middle of play")
        self._drop(connection)
        # Masters do not log out: without players they are done.
        if all(isinstance(each.script, ScriptedMaster) for each in self._connections.values()):
            for each in list(self._connections.values()):
                self._drop(each)

    def _drop(self, connection: ScriptConnection) -> None:
        self._epoll.unregister(connection.socket)
        del self._connections[connection.socket.fileno()]
        connection.socket.close()

    def send(self, connection: ScriptConnection, data: bytes) -> None:
        """Send what the socket takes, keep the rest and ask epoll to report when there is room. Raises LoadFailed."""
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
            raise LoadFailed(f"the broker broke a connection: {error}") from error
        if had_to_wait:
            del unsent[:sent]
        elif sent < len(data):
            unsent += data[sent:]
        # A system call only where something has changed.
        if bool(unsent) != had_to_wait:
            waits_for = select.EPOLLIN | select.EPOLLOUT if unsent else select.EPOLLIN
            self._epoll.modify(connection.socket, waits_for)

    def close(self) -> None:
        """Close all connections; the broker sees its peers vanish."""
        for connection in self._connections.values():
            connection.socket.close()
        self._connections.clear()
        self._epoll.close()
