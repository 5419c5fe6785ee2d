"""What pages load besides themselves: style and scripts, from this package and from nowhere else."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zlib import crc32

from ugs.pictures.paint import style_sheet

FOLDER: Final = Path(__file__).parent / "assets"
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file."""

    name: str
    kind: str
    body: bytes
    zipped: bytes
    tag: str
    """Changes whenever the file does."""

    @property
    def url(self) -> str:
        """Its address, which is another one when the file changes."""
        return f"assets/{self.name}?v={self.tag}"


@cache
def assets() -> Mapping[str, Asset]:
    """All files by name. The style sheet contains the colours of pictures."""
    found = {}
    for path in sorted(FOLDER.iterdir()):
        body = path.read_bytes()
        if path.name == "style.css":
            body += style_sheet().encode()
        # Without the time, which would give the same file other bytes at each start.
        zipped = gzip.compress(body, 9, mtime=0)
        found[path.name] = Asset(path.name, KINDS[path.suffix], body, zipped, f"{crc32(body):08x}")
    return MappingProxyType(found)
