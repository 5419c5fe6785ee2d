"""Announces that the server listens: a file for programs, a datagram for systemd."""

import json
import os
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ugs.path_faults import reason_of


@contextmanager
def ready_file(
    path: Path | None, game: str, http: str | None, more: Mapping[str, object] | None = None
) -> Iterator[None]:
    """While the block runs, ``path`` holds the addresses and the process id as JSON; it is never seen half written.
    ``more`` is written besides, as far as there is any: ``gateways``, the URLs of gateways by name; ``tls``, the ports
    that speak it; ``plain``, the addresses where the others listen, too.

    Raises OSError, which names ``path``, when it cannot be written.
    """
    if path is None:
        yield
        return
    addresses = {"game": game, "http": http, **{key: value for key, value in (more or {}).items() if value}}
    try:
        write_at_once(path, json.dumps({**addresses, "pid": os.getpid()}) + "\n")
    except OSError as error:
        raise OSError(f"cannot write the ready file {path}: {reason_of(error)}") from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def write_at_once(path: Path, text: str) -> None:
    """Write a file so that readers see all of it or nothing. Raises OSError, and then leaves no file behind."""
    # In the same folder, since a rename is at once only within a file system.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        # mkstemp lets only the owner read it, and who waits for the server may be another user.
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink()
        raise


def notify_systemd(state: str, environment: Mapping[str, str]) -> None:
    """Send ``READY=1`` or ``STOPPING=1`` to the service manager, if there is one (sd_notify(3))."""
    path = environment.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    # An abstract socket, whose name begins with a NUL, is written with an @ (sd_notify(3)).
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
        try:
            sock.sendto(state.encode(), address)
        except OSError:
            return  # the service manager no longer listens; the server can go on
