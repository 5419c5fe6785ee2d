"""Reads ``HOST:PORT``: where a server listens."""

DEFAULT_ADDRESS = "127.0.0.1:4747"


def read_address(text: str) -> tuple[str, int]:
    """Return host and port of ``text``; an IPv6 host may stand in brackets. Raises ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise ValueError(f"{text!r} is not HOST:PORT with a port from 1 to 65535, such as {DEFAULT_ADDRESS}")
    return host.removeprefix("[").removesuffix("]"), int(port)
