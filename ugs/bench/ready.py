"""Reads the file that names the address of a listening broker (:mod:`ugs.ready` writes it)."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ready:
    """Where a broker listens, and its process."""

    host: str
    port: int
    pid: int
    http: tuple[str, int] | None = None
    """Host and port of the page; None without one."""


def parse_ready(text: str) -> Ready:
    """Return the content of a ready file, an IPv6 host without its brackets. Raises ValueError or KeyError for other
    text."""
    content = json.loads(text)
    host, _, port = content["game"].rpartition(":")
    web = content.get("http")
    page = web.rpartition(":") if web else None
    http = (page[0].strip("[]"), int(page[2])) if page is not None else None
    return Ready(host.strip("[]"), int(port), int(content["pid"]), http)
