"""A line between two nodes on one machine: the socket of a peer can go over it."""

import os
import socket
from functools import cache
from pathlib import Path
from typing import Final

from ugs.admin import short_address
from ugs.cluster.introduction import NoNode
from ugs.cluster.node_lines import send_whole
from ugs.daemon.network.transport import CHUNK, Gone, SocketTransport
from ugs.daemon.network.unix_sockets import user_behind

CAN_BE: Final = hasattr(socket, "SO_PEERCRED") and hasattr(socket, "MSG_CMSG_CLOEXEC")
"""Whether this system has such lines; Linux has."""
HERE: Final = "this machine"
"""What stands for the address of a node in the log."""
BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
"""Tells machines apart: no two have the same one."""


class LocalLine(SocketTransport):
    """A connected Unix socket. :meth:`aclose` closes the socket of a peer that has come over it, too, unless it was
    taken."""

    def __init__(self, sock: socket.socket, _address: object = "") -> None:
        super().__init__(sock, HERE)
        self._came: socket.socket | None = None

    def check_user(self) -> None:
        """Raise NoNode when a process of another user is at the other end."""
        user = user_behind(self._socket)
        if user != os.geteuid():
            raise NoNode(f"user {user} is at its socket, not {os.geteuid()}")

    async def send_with(self, peer: SocketTransport, data: bytes, patience_s: float) -> None:
        """Send a copy of a peer's socket with these bytes. Raises Gone, also when no byte is taken for that long."""
        peer.copied = True
        sent = 0
        while not sent:
            try:
                sent = socket.send_fds(self._socket, [data], [peer.fileno()])
            except (BlockingIOError, InterruptedError):
                await self.writable()
            except OSError as error:  # too many files on their way, among others
                raise Gone(str(error)) from error
        await send_whole(self, data[sent:], patience_s)

    def receive_now(self, most: int = CHUNK) -> bytes | None:
        """Return at most ``most`` bytes that have come, as every transport does; a socket that comes with them is kept
        for :meth:`take_socket`."""
        try:
            # Else every program that the server starts would inherit it.
            data, files, _, _ = socket.recv_fds(self._socket, most, 1, socket.MSG_CMSG_CLOEXEC)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Gone(str(error)) from error
        for file in files:
            self._keep(file)
        self.taken += len(data)
        return data

    def _keep(self, file: int) -> None:
        try:
            came = socket.socket(fileno=file)
        except OSError:  # no socket
            os.close(file)
            return
        if self._came is None and came.type == socket.SOCK_STREAM and came.family in (socket.AF_INET, socket.AF_INET6):
            self._came = came
        else:
            came.close()

    def take_socket(self) -> socket.socket | None:
        """Return the socket that has come; None if there is none, for want of room for open files, among others."""
        came, self._came = self._came, None
        return came

    async def aclose(self) -> None:
        """Let go, at once."""
        if self._came is not None:
            self._came.close()
            self._came = None
        await super().aclose()


def shared_path(path: str) -> str:
    """Return what other nodes read of a socket at this path: the machine where it is, a colon, and the path. Empty if
    there is none."""
    return f"{_machine(BOOT_ID)}:{path}" if path else ""


def path_here(place: str) -> str:
    """Return the path of such a socket; empty if it is on another machine, where the same path may be another node's.
    Containers of one machine find no file there, or one of another user."""
    machine, _, path = place.rpartition(":")
    here = _machine(BOOT_ID)
    return path if not machine or not here or machine == here else ""


@cache
def _machine(file: Path) -> str:
    """Which machine this is by this file, since it was started; empty where the system keeps no such number. Asked for
    each login, and always the same."""
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def connected(path: str) -> LocalLine:
    """Return a line to the node that listens at this path. Raises OSError."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        with short_address(Path(path)) as address:
            sock.connect(address)  # at once, or not at all
        return LocalLine(sock)
    except BaseException:
        sock.close()
        raise
