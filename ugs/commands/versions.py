"""What ``ugs --version --verbose`` prints: all that belongs into a report of a fault, and nothing about its author."""

import platform
import pyexpat
import sqlite3
import ssl
import sys
from typing import Final

from ugs import __version__
from ugs.distributions import OURS, needed_by_ours, version_of
from ugs.journal.schema_versions import MIGRATIONS
from ugs.loading import entry_points

GROUPS: Final = ("ugs.games", "ugs.gateways", "ugs.commands")


def report() -> str:
    """Names and versions, a line each."""
    lines = [
        ("ugs", __version__),
        ("protocol", "UGS v4"),
        ("journal", str(max(MIGRATIONS))),
        ("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
        ("system", f"{platform.system()} {platform.release()} {platform.machine()}, {platform.libc_ver()[0] or '?'}"),
        ("SQLite", sqlite3.sqlite_version),
        ("OpenSSL", ssl.OPENSSL_VERSION),
        ("expat", pyexpat.EXPAT_VERSION.removeprefix("expat_")),
        ("UTF-8 mode", "on" if sys.flags.utf8_mode else "off"),
    ]
    lines += [("distribution", f"{name} {found}") for name in OURS if (found := version_of(name)) is not None]
    lines += [("library", f"{name} {version_of(name) or 'missing'}") for name in needed_by_ours()]
    lines += [(group, text) for group in GROUPS for text in sorted(named(group))]
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:{width}}  {text}\n" for name, text in lines)


def named(group: str) -> set[str]:
    """The entry points of a group, each with the package that declares it."""
    return {
        f"{point.name} ({point.dist.name if point.dist is not None else 'unknown'})"
        for point in entry_points(group=group)
    }
