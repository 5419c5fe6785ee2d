"""Reading the file in which a listening broker says where it listens (:mod:`ugs.ready` writes it)."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ready:
    """A broker that listens."""

    host: str
    port: int
    pid: int


def parse_ready(text: str) -> Ready:
    """What a ready file says; an IPv6 host without its brackets. Raises ValueError or KeyError for any other text."""
    content = json.loads(text)
    host, _, port = content["game"].rpartition(":")
    return Ready(host.strip("[]"), int(port), int(content["pid"]))
