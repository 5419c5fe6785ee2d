"""Asks a running server, from another process of this machine, through the socket in its data directory.

One line of JSON goes in, one line of JSON comes back; :mod:`ugs.daemon.admin` is the other end and lists what can be
asked. This side is plain and blocking: a command asks, prints and ends.
"""

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ugs.places import Place

TO_ALL = "everybody"
"""The key of a broadcast that also goes to peers without chat."""

SOCKET_NAME = "admin.sock"
"""The name of the socket in a server's data directory."""

MAX_ADDRESS = 107
"""The most bytes that the path of a Unix socket may have."""

CHUNK = 65_536


class NoServer(Exception):
    """No server runs on this data directory; the text is for people."""


class NoAnswer(Exception):
    """A server listens, but this user may not ask it or it does not answer; the text is for people."""


@contextmanager
def short_address(path: Path) -> Iterator[str]:
    """While the block runs, yield an address that binds or reaches a Unix socket at ``path``, however long that path
    is. Raises OSError when its directory cannot be opened."""
    if len(os.fsencode(path)) <= MAX_ADDRESS:
        yield str(path)
        return
    directory = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Short, however long the path of the directory is.
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)


def ask(data_dir: Place, request: Mapping[str, object], *, timeout_s: float = 10.0) -> dict[str, Any]:
    """Ask the server that runs on ``data_dir`` and return its answer: ``{"ok": true, …}``, or ``{"ok": false, "error":
    text}``. Raises :class:`NoServer` when no server runs there. Raises :class:`NoAnswer` when this user may not ask it,
    when its answer is malformed, or after ``timeout_s`` seconds of silence."""
    if not isinstance(data_dir, Path):
        raise NoServer(f"{data_dir} is a database: a running server is asked at its data directory, on its machine")
    path = data_dir / SOCKET_NAME
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout_s)
        try:
            with short_address(path) as address:
                sock.connect(address)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NoServer(f"no server runs on {data_dir}: there is no {path}") from error
        except ConnectionRefusedError as error:
            raise NoServer(f"the server on {data_dir} is dead: nothing listens at {path} any more") from error
        except OSError as error:
            raise NoAnswer(f"the server on {data_dir} cannot be asked: {error.strerror or error}") from error
        try:
            sock.sendall(json.dumps(request).encode() + b"\n")
            line = _line(sock)
        except TimeoutError as error:
            raise NoAnswer(f"the server on {data_dir} does not answer within {timeout_s:g} s") from error
        except OSError as error:
            raise NoAnswer(f"the server on {data_dir} has hung up: {error.strerror or error}") from error
    return _answer(line, data_dir)


def why_silent(data_dir: Place) -> str:
    """Why no server answers on ``data_dir``; empty when one listens there."""
    if not isinstance(data_dir, Path):
        return f"{data_dir} is a database"
    path = data_dir / SOCKET_NAME
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(1.0)
        try:
            with short_address(path) as address:
                sock.connect(address)
            sock.shutdown(socket.SHUT_WR)  # nothing is asked
        except ConnectionRefusedError:
            return "the server is dead"
        except (FileNotFoundError, NotADirectoryError):
            return "no server runs"
        except OSError:
            return ""  # it is there, and busy or not for this user
    return ""


def _line(sock: socket.socket) -> bytes:
    """Read to the end of the first line, or of the stream."""
    parts: list[bytes] = []
    while not parts or b"\n" not in parts[-1]:
        part = sock.recv(CHUNK)
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def _answer(line: bytes, data_dir: Place) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError as error:
        what = "no answer" if not line else "half an answer"
        raise NoAnswer(f"the server on {data_dir} has hung up and given {what}") from error
    if not isinstance(answer, dict) or "ok" not in answer:
        raise NoAnswer(f"what listens in {data_dir} is no server of this kind")
    return answer
