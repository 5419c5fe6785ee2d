"""Unix sockets for other processes of this server's user, and who is at their other end."""

import os
import socket
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import trio

from ugs.admin import short_address

BACKLOG: Final = 1024
"""Clients that may wait to be accepted; one more is refused by the system."""
CREDENTIALS: Final = struct.Struct("3i")
"""The kernel's struct ucred: process, user and group."""


@contextmanager
def listening_at(path: Path) -> Iterator[socket.socket]:
    """A non-blocking socket that listens at ``path``, for this user alone, while the block runs; then it is closed, and
    its file removed.

    A file that a killed server has left is replaced. Raises OSError, whose text names what was tried, when another
    server listens there, when a file lies there that is no socket, or when the system refuses a socket.
    """
    listener = _listen(path)
    mine = path.lstat()  # another server may bind the same path before the end
    try:
        yield listener
    finally:
        listener.close()
        with suppress(OSError):  # the file, or the whole directory, has been removed already
            if os.path.samestat(path.lstat(), mine):
                path.unlink()


def user_behind(sock: socket.socket | trio.socket.SocketType) -> int:
    """The number of the user at the other end of a connected Unix socket; at that of a client, the user who began to
    listen. Raises OSError."""
    # The kernel fills this in, so a process cannot claim to be of another user.
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    _, user, _ = CREDENTIALS.unpack(credentials)
    return int(user)


def _listen(path: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_address(path) as address:
            _clear(address)
            sock.bind(address)
            Path(address).chmod(stat.S_IRUSR | stat.S_IWUSR)  # before a client can connect
        sock.listen(BACKLOG)
        sock.setblocking(False)
        return sock
    except OSError as error:
        sock.close()
        raise OSError(f"cannot listen at {path}: {error.strerror or error}") from error


def _clear(address: str) -> None:
    """Remove the socket of a server that has ended. Raises OSError, and removes nothing, for anything else."""
    if not os.path.lexists(address):
        return
    if not stat.S_ISSOCK(os.lstat(address).st_mode):
        raise OSError("a file that is no socket is there")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(address)  # the file alone shows nothing: a killed server leaves it behind
        except ConnectionRefusedError:
            os.unlink(address)
            return
        except BlockingIOError:  # a server listens and is busy
            pass
    raise OSError("another server listens there")
