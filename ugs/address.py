"""Addresses: where a server listens, and where a peer comes from."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

IP: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

DEFAULT_ADDRESS = "127.0.0.1:4747"


MAX_LABEL = 63
"""Characters of a part of a host's name."""


def read_address(text: str) -> tuple[str, int]:
    """Return host and port of ``text``; an IPv6 host may stand in brackets. Raises ValueError for anything else."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise ValueError(f"{text!r} is not HOST:PORT with a port from 1 to 65535, such as {DEFAULT_ADDRESS}")
    if not may_be_host(host):
        raise ValueError(f"{text!r}: no host can be called so: a part between dots has 1 to {MAX_LABEL} characters")
    return host.removeprefix("[").removesuffix("]"), int(port)


def may_be_host(host: str) -> bool:
    """Whether a name server can be asked for this name at all."""
    return all(0 < len(part) <= MAX_LABEL for part in host.removesuffix(".").split("."))


def read_listening(text: str) -> tuple[str, int]:
    """Return host and port of ``text``, where one is to listen: port 0 picks a free one. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and str(int(port)) == port and int(port) <= 65535):
        raise ValueError("not HOST:PORT; allowed: an address with a port from 0 to 65535, such as 127.0.0.1:9000")
    return host.removeprefix("[").removesuffix("]"), int(port)


ONE_HOUSEHOLD = 64
"""Bits of an IPv6 address that stand for one connection to the Internet; the rest its owner may choose at will."""


KNOWN_HOSTS = 1024
"""What these count as is not worked out again: it takes longer than a message."""


def origin_of(address: str) -> str:
    """What limits per address count: the host of ``HOST:PORT`` or ``[HOST]:PORT``, as a peer's address is written.
    IPv6 addresses of one network of 64 bits are one; an IPv4 address that is written as IPv6 is itself. A text that is
    no address stands for itself."""
    return _origin_of_host(address.rpartition(":")[0])


@lru_cache(maxsize=KNOWN_HOSTS)
def _origin_of_host(host: str) -> str:
    host = host.removeprefix("[").removesuffix("]")
    try:
        # Behind a % stands the network card of a link-local address.
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(ip, IPv6Address):
        return host
    # A socket for both versions shows an IPv4 peer as ::ffff:192.0.2.1.
    return str(ip.ipv4_mapped or IPv6Network((ip, ONE_HOUSEHOLD), strict=False))


def ip_of(host: str) -> IP | None:
    """The address that a host is, with or without brackets; an IPv4 address that is written as IPv6 is itself. None for
    a text that is no address."""
    try:
        ip = ip_address(host.removeprefix("[").removesuffix("]").partition("%")[0])
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip
