"""Whether the ports of a server are free."""

import errno
import socket
from collections.abc import Iterator
from typing import Final

from ugs.address import read_listening
from ugs.config import Config
from ugs.doctor.diagnosis import Diagnosis, bad, good
from ugs.gateway import listening
from ugs.printable import shortened

ADVICE: Final = {
    errno.EADDRINUSE: "stop what has it (ss -tlnp shows its name), or set another port",
    errno.EACCES: "take a port above 1023, or let systemd give the server AmbientCapabilities=CAP_NET_BIND_SERVICE",
    errno.EADDRNOTAVAIL: "host is no address of this machine: 0.0.0.0 is all of IPv4, :: is everywhere",
}
"""What to do, by the error of the system."""


def wanted_ports(config: Config) -> Iterator[tuple[str, str, int]]:
    """What a server listens on: the name of the setting, host and port. Port 0, any free one, is left out."""
    wanted = [("port", config.host, config.port)]
    if config.data_dir or "http_port" in config.given:
        wanted.append(("http_port", config.host, config.http_port))
    for name, text in (("tls.plain_game", config.tls.plain_game), ("tls.plain_http", config.tls.plain_http)):
        if text:
            wanted.append((name, *read_listening(text)))
    for name, settings in listening(config).items():
        if settings.address is not None:
            wanted.append((f"gateways.{name}.listen", *settings.address))
    yield from (one for one in wanted if one[2])


def examine_port(name: str, host: str, port: int) -> Diagnosis:
    """Try to listen, for a moment."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in places:
            with socket.socket(family, kind, protocol) as sock:
                # As a server does: connections of one that has ended may linger for a minute.
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    # Else an IPv6 socket would take the port of IPv4 as well.
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind(address)
                sock.listen(1)
    except socket.gaierror as error:
        return bad(name, f"{host}: {error.strerror}", "set host to an address of this machine")
    except UnicodeError:  # a part of it has more than 63 characters, or none
        return bad(name, f"{shortened(host)}: no host can be called so", "set host to an address of this machine")
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "set another host or port")
        return bad(name, f"cannot listen on {host} port {port}: {error.strerror}", advice)
    return good(name, f"{host} port {port} is free")
