"""The line that a request has come over: whether others on the way could read or change it.

A proxy of this machine that speaks TLS to the outside marks that with ``X-Forwarded-Proto: https``. A request without
TLS that comes through a proxy, or by a name that is not this machine's own, counts as coming over an open line: the
latter also keeps a strange page in the browser of this machine from speaking to us under its own name (DNS rebinding).
"""

from enum import Enum
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

from ugs.address import ip_of

LOCAL_NAMES = frozenset({"localhost", "localhost.localdomain"})
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""With one of these headers a request has come through a proxy."""


class RequestLine(Enum):
    """What a request has come over."""

    LOCAL = "local"
    """This machine alone."""
    SECURE = "secure"
    """TLS, as far as it left this machine."""
    OPEN = "open"
    """Anything else."""


def line_of(request: Request) -> RequestLine:
    """The line that a request has come over."""
    if request.url.scheme == "https":
        return RequestLine.SECURE
    # Only a proxy of this machine is believed: anyone can send X-Forwarded-Proto.
    if not _is_from_loopback(request):
        return RequestLine.OPEN
    if _is_forwarded(request):
        # Exactly one: of two, a client may have written one.
        protocols = request.headers.getlist("x-forwarded-proto")
        return RequestLine.SECURE if protocols == ["https"] else RequestLine.OPEN
    return RequestLine.LOCAL if is_from_here(request) else RequestLine.OPEN


def is_from_here(request: Request) -> bool:
    """Whether it has come from a program of this machine, with TLS or without, that meant this machine."""
    host = request.headers.get("host", "")
    return _is_from_loopback(request) and not _is_forwarded(request) and _is_own_name(host)


def _is_from_loopback(request: HTTPConnection) -> bool:
    return request.client is not None and _is_loopback(request.client.host)


def _is_forwarded(request: HTTPConnection) -> bool:
    return any(header in request.headers for header in FORWARDED)


def _is_loopback(host: str) -> bool:
    ip = ip_of(host)
    return ip is not None and ip.is_loopback


def _is_own_name(host: str) -> bool:
    """Whether a Host header names this machine as only this machine does."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.lower() in LOCAL_NAMES or _is_loopback(name)


def is_own_origin(connection: HTTPConnection) -> bool:
    """Whether a form or a WebSocket comes from one of our own pages, as far as its browser reports: a foreign page must
    not act for the visitor."""
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site not in (None, "same-origin", "none"):
        return False
    # Browsers send an Origin with every form; a request without one comes from a program.
    return origin is None or _host_of(origin) == connection.headers.get("host", "")


def is_under_foreign_name(connection: HTTPConnection) -> bool:
    """Whether a browser of this machine has come to this machine by a name that is not its own: a foreign page whose
    name was made to lead here (DNS rebinding) is then its own origin. A proxy says that it is one."""
    host = connection.headers.get("host", "")
    is_from_browser = "origin" in connection.headers
    return (
        is_from_browser and _is_from_loopback(connection) and not _is_forwarded(connection) and not _is_own_name(host)
    )


def _host_of(origin: str) -> str | None:
    """Host and port of an Origin header; None if it is none at all: it is written by others."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None
