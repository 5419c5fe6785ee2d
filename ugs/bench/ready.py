"""The file in which a listening broker says where it listens, in the form that ``ugs serve --ready-file`` writes."""

import json
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ready:
    """A broker that listens."""

    host: str
    port: int
    pid: int


def write_ready(path: Path, ready: Ready) -> None:
    """Writes the file whole or not at all: whoever waits for it never reads half of it."""
    unfinished = path.with_name(f"{path.name}.{ready.pid}")
    unfinished.write_text(json.dumps({"game": f"{ready.host}:{ready.port}", "http": None, "pid": ready.pid}))
    os.replace(unfinished, path)


def parse_ready(text: str) -> Ready:
    """What a ready file says; an IPv6 host without its brackets. Raises ValueError or KeyError for any other text."""
    content = json.loads(text)
    host, _, port = content["game"].rpartition(":")
    return Ready(host.strip("[]"), int(port), int(content["pid"]))
