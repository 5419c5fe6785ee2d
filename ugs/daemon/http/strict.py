"""Requests with an ambiguous end are refused: a proxy in front of the server might see the next one begin elsewhere,
and pass on another client's request as part of it. So are requests for a host that cannot be one: of such a text, two
readers could take different names.

What h11 itself refuses (two different lengths, white space in names, wrong chunks) is refused with the same answer.
"""

import re
from typing import Final

import h11

BAD: Final = 400
_FOLDED: Final = re.compile(rb"\n[ \t]")
_LENGTH: Final = re.compile(rb"\ncontent-length:[^\n]*", re.IGNORECASE)
_HOST: Final = re.compile(
    rb"(?:[\w~-]++(?:\.[\w~-]++)*+\.?|\[[0-9A-Fa-f:.]++(?:%[\w.~-]++)?\])(?::(?P<port>[0-9]{1,5}))?"
)
_MAX_PORT: Final = 65535
_END_OF_HEAD: Final = re.compile(rb"\n\r?\n")


class Strict(h11.Connection):
    """The server's side of one connection over HTTP/1.1."""

    fault: str = ""
    """Why the request was refused that came last; empty if it was not."""
    asks_head: bool = False
    """Whether its answer may have no body."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """As the library does. Also raises h11.RemoteProtocolError for a request that two readers could understand
        differently."""
        # Only before a request: what waits inside of a body may look like a head, and is none.
        idle = self.their_state is h11.IDLE
        come = self.trailing_data[0] if idle else b""
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            self.fault = str(error)
            raise
        if isinstance(event, h11.Request):
            self.fault, self.asks_head = _fault(come, event), event.method == b"HEAD"
            if self.fault:
                raise h11.RemoteProtocolError(self.fault, error_status_hint=BAD)
        return event


def _fault(come: bytes, request: h11.Request) -> str:
    """What is ambiguous about a request, which is at the beginning of what has come; empty if nothing is."""
    end = _END_OF_HEAD.search(come)
    head = come[: end.start()] if end is not None else come
    lengths = _LENGTH.findall(head)  # h11 makes one of those that are equal
    encoded = any(name == b"transfer-encoding" for name, _ in request.headers)
    if encoded and lengths:
        return "both Content-Length and Transfer-Encoding"
    if encoded and request.http_version < b"1.1":
        return "Transfer-Encoding in HTTP/1.0"
    # A list of equal lengths is one length to some proxies, and an error to others.
    if len(lengths) > 1 or any(b"," in length for length in lengths):
        return "more than one Content-Length"
    if _FOLDED.search(head):
        return "a folded header"
    # h11 takes no second one, and none at all only in HTTP/1.0.
    if any(name == b"host" and not _is_host(value) for name, value in request.headers):
        return "a Host that is none"
    return ""


def _is_host(value: bytes) -> bool:
    """Whether a Host header is a name or an address, alone or with a port."""
    found = _HOST.fullmatch(value)
    return found is not None and (found["port"] is None or 0 < int(found["port"]) <= _MAX_PORT)
